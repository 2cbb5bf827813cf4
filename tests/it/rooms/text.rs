//! Lines of GTP: what a room's connections can be spoken to by, and the model spoken to in this way.

use std::collections::BTreeMap;

use super::board::{Board, Grid, Points, Side};
use super::flaw::Flaw;
use super::model::{Answer, Command, Model};
use super::official::{Move, Rules, What};

/// A program with rooms: the model, or the real one.
pub(crate) trait Wire {
    /// A new connection, in no room. They are numbered from 0.
    fn connect(&mut self) -> usize;
    /// A connection sends a line. Everything that is answered by it, to this connection and to others that waited: the
    /// answer with its id, without the blank line.
    fn line(&mut self, id: usize, line: &str) -> Vec<(usize, String)>;
    /// A connection's input ends without `quit`.
    fn hang_up(&mut self, id: usize) -> Vec<(usize, String)>;
}

impl<W: Wire + ?Sized> Wire for Box<W> {
    fn connect(&mut self) -> usize {
        (**self).connect()
    }

    fn line(&mut self, id: usize, line: &str) -> Vec<(usize, String)> {
        (**self).line(id, line)
    }

    fn hang_up(&mut self, id: usize) -> Vec<(usize, String)> {
        (**self).hang_up(id)
    }
}

/// The id of a line or of an answer behind its first character, and the rest.
pub(crate) fn split_id(line: &str) -> (&str, &str) {
    let digits = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
    (&line[..digits], line[digits..].trim_start())
}

/// An answer's id, and its text or its reason.
pub(crate) fn read_answer(answer: &str) -> (String, Answer) {
    let (id, text) = split_id(&answer[1..]);
    let text = text.trim_end().to_string();
    (id.into(), if answer.starts_with('=') { Ok(text) } else { Err(text) })
}

/// The word for a move.
pub(crate) fn move_word(grid: Grid, mv: Move) -> String {
    mv.map_or("PASS".into(), |p| grid.name(p))
}

/// The model as a program that is spoken to in lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Speaker {
    pub(crate) rooms: BTreeMap<String, Model>,
    /// The room of every connection.
    at: Vec<Option<String>>,
    /// The ids of the lines that wait.
    waiting: Vec<String>,
    flaws: Vec<Flaw>,
}

impl Speaker {
    pub(crate) fn new(flaws: &[Flaw]) -> Speaker {
        Speaker { flaws: flaws.to_vec(), ..Speaker::default() }
    }

    /// The room in which a connection is.
    pub(crate) fn room(&self, id: usize) -> Option<&Model> {
        self.rooms.get(self.at[id].as_ref()?)
    }

    fn room_mut(&mut self, id: usize) -> Option<&mut Model> {
        self.rooms.get_mut(self.at[id].as_ref()?)
    }

    /// Opens a room on stones that are there already.
    pub(crate) fn open(&mut self, name: &str, rules: Rules, start: Board, first: Side) {
        self.rooms.insert(name.into(), Model::new(rules, start, first, &self.flaws));
    }

    fn key(room: &str, side: Side) -> String {
        format!("{room}-{}-key", side.name())
    }

    fn enter(&mut self, id: usize, words: &[&str]) -> Answer {
        let room = words.get(1).copied().unwrap_or_default();
        let seat = match words {
            ["egtp_sit", _, color, key] => {
                let side = Side::read(color).ok_or("syntax error")?;
                if *key != Speaker::key(room, side) {
                    return Err("not the key of that seat".into());
                }
                Some(side)
            }
            ["egtp_watch", _] => None,
            _ => return Err("syntax error".into()),
        };
        if !self.rooms.contains_key(room) {
            return Err("no such room".into());
        }
        if self.at[id].as_deref() != Some(room) {
            self.leave(id);
        }
        self.at[id] = Some(room.into());
        self.rooms.get_mut(room).unwrap().sit(id, seat);
        Ok(String::new())
    }

    fn leave(&mut self, id: usize) {
        if let Some(model) = self.room_mut(id) {
            model.leave(id);
        }
        self.at[id] = None;
    }

    fn answer(&mut self, id: usize, words: &[&str]) -> Option<Answer> {
        match words[0] {
            "egtp_open" => {
                let Some(rules) = Rules::read(&words[2..].join(" ")) else { return Some(Err("syntax error".into())) };
                // where handicap stones stand is not the model's business
                let handicap = words.iter().find_map(|word| word.strip_prefix("handicap=")?.parse().ok()).unwrap_or(0);
                let first = if handicap > 0 { Side::White } else { Side::Black };
                self.open(words[1], rules, Board { black: (0..handicap).collect(), white: Points::new() }, first);
                let key = |side: Side| format!("{} {}", side.name(), Speaker::key(words[1], side));
                return Some(Ok(Side::BOTH.map(key).join("\n")));
            }
            "egtp_sit" | "egtp_watch" => return Some(self.enter(id, words)),
            "egtp_leave" | "quit" => {
                self.leave(id);
                return Some(Ok(String::new()));
            }
            _ => {}
        }
        let Some(model) = self.room_mut(id) else { return Some(Err("in no room".into())) };
        let game = &model.game;
        let grid = game.rules.grid;
        let text = match words[0] {
            "egtp_status" => {
                let (phase, to_move) = (game.phase.name(), game.to_move.name());
                let (turn, marks) = (game.turns.len(), grid.names(&game.marks));
                let accepted = game.accepted.iter().map(|side| side.name()).collect::<Vec<_>>().join(" ");
                format!("phase {phase}\nto_move {to_move}\nturn {turn}\nmarks {marks}\naccepted {accepted}")
            }
            "egtp_turns" => turn_lines(model),
            "egtp_board" => {
                let at = |p| game.board().at(p).map_or('.', |side| if side == Side::Black { 'X' } else { 'O' });
                let points: Vec<char> = grid.points().map(at).collect();
                points.chunks(grid.width).map(String::from_iter).collect::<Vec<_>>().join("\n")
            }
            _ => return model.say(id, &read(grid, words)),
        };
        model.say(id, &Command::Other(Ok(())));
        Some(Ok(text))
    }

    /// What others were told, or this one about what it waited for.
    fn told(&mut self, room: Option<&String>, answers: &mut Vec<(usize, String)>) {
        let Some(model) = room.and_then(|room| self.rooms.get_mut(room)) else { return };
        for (id, answer) in std::mem::take(&mut model.told) {
            answers.push((id, write_answer(&std::mem::take(&mut self.waiting[id]), answer)));
        }
    }
}

/// The official turns as `egtp_turns` writes them.
pub(crate) fn turn_lines(model: &Model) -> String {
    let grid = model.game.rules.grid;
    let lines = model.game.turns.iter().enumerate().map(|(i, turn)| {
        let what = match &turn.what {
            What::Pass => "pass".into(),
            What::Stones { place, pay } if pay.is_empty() => grid.names(place),
            What::Stones { place, pay } => format!("special place {} pay {}", grid.names(place), grid.names(pay)),
        };
        format!("{} {} {what}", i + 1, turn.side.name())
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Wire for Speaker {
    fn connect(&mut self) -> usize {
        self.at.push(None);
        self.waiting.push(String::new());
        self.at.len() - 1
    }

    fn line(&mut self, id: usize, line: &str) -> Vec<(usize, String)> {
        let mut answers = Vec::new();
        let before = self.at[id].clone();
        let blank = line.split('#').next().is_some_and(|text| text.trim().is_empty());
        if let Some(model) = self.room_mut(id).filter(|_| !blank || line.trim() == "# interrupt") {
            model.interrupt(id);
        }
        self.told(before.as_ref(), &mut answers);
        if blank {
            return answers;
        }
        let (number, rest) = split_id(line.trim_start());
        let words: Vec<&str> = rest.split_whitespace().collect();
        match self.answer(id, &words) {
            Some(answer) => answers.push((id, write_answer(number, answer))),
            None => self.waiting[id] = number.into(),
        }
        self.told(before.as_ref(), &mut answers);
        answers
    }

    fn hang_up(&mut self, id: usize) -> Vec<(usize, String)> {
        self.leave(id);
        Vec::new()
    }
}

fn write_answer(id: &str, answer: Answer) -> String {
    match answer {
        Ok(text) => format!("={id} {text}"),
        Err(why) => format!("?{id} {why}"),
    }
}

/// A command of those that concern the view or the official game; all others change nothing.
fn read(grid: Grid, words: &[&str]) -> Command {
    match understand(grid, words) {
        Some(command) => command,
        None if words[0] == "play" => Command::BadPlay,
        None => Command::Other(Err("syntax error")),
    }
}

fn understand(grid: Grid, words: &[&str]) -> Option<Command> {
    let args = &words[1..];
    let side = |i: usize| args.get(i).and_then(|word| Side::read(word));
    let points = |words: &[&str]| words.iter().map(|word| grid.read(word)).collect::<Option<Vec<usize>>>();
    let stones = || {
        let pair = |pair: &[&str]| Some((Side::read(pair[0])?, grid.read(pair.get(1)?)?));
        args.chunks(2).map(pair).collect::<Option<Vec<_>>>()
    };
    Some(match words[0] {
        "clear_board" => Command::Clear,
        "boardsize" | "rectangular_boardsize" => {
            let numbers: Vec<usize> = args.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
            let size = [*numbers.first()?, *numbers.last()?];
            if size != [grid.width, grid.height] {
                return Some(Command::Other(Err("unacceptable size")));
            }
            Command::Clear
        }
        "undo" => Command::Undo(1),
        "gg-undo" => Command::Undo(args.first().map_or(Some(1), |n| n.parse().ok())?),
        "set_free_handicap" => {
            let stones = points(args)?;
            let different: Points = stones.iter().copied().collect();
            if different.len() != stones.len() || !(2..grid.points().len()).contains(&stones.len()) {
                return None;
            }
            Command::Handicap(different)
        }
        "play" => match args.get(1)?.to_ascii_lowercase().as_str() {
            "resign" => Command::Resign(side(0)?),
            "pass" => Command::Play(side(0)?, None),
            vertex => Command::Play(side(0)?, Some(grid.read(vertex)?)),
        },
        "gogui-play_sequence" => {
            let pair = |pair: &[&str]| {
                let pass = pair.get(1)?.eq_ignore_ascii_case("pass");
                Some((Side::read(pair[0])?, if pass { None } else { Some(grid.read(pair[1])?) }))
            };
            Command::Sequence(args.chunks(2).map(pair).collect::<Option<_>>()?)
        }
        "gogui-setup" => Command::SetUp { afresh: false, stones: stones()? },
        "set_position" => Command::SetUp { afresh: true, stones: stones()? },
        "genmove" => Command::Genmove(side(0)?),
        "list_stones" => Command::ListStones(side(0)?),
        "egtp_special" => {
            let (mut place, mut pay, mut paying) = (Points::new(), Points::new(), None);
            for word in &args[1..] {
                match *word {
                    "place" => paying = Some(false),
                    "pay" => paying = Some(true),
                    vertex => {
                        let group = if paying? { &mut pay } else { &mut place };
                        // a point named twice is no set
                        group.insert(grid.read(vertex)?).then_some(())?;
                    }
                }
            }
            Command::Special { side: side(0)?, place, pay }
        }
        "egtp_marks" => Command::Marks,
        "egtp_mark_dead" => Command::Mark(points(args)?),
        "egtp_propose" => Command::Propose(side(0)?, points(&args[1..])?),
        "egtp_accept" => Command::Accept(side(0)?),
        "egtp_resume" => Command::Resume,
        "egtp_view" => Command::View,
        "gogui-rules_board" => Command::RulesBoard,
        "gogui-rules_legal_moves" => Command::RulesLegalMoves,
        "no_such_command" => Command::Other(Err("unknown command")),
        _ => Command::Other(Ok(())),
    })
}
