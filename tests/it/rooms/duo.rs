//! A room of the model and one of the program under test, told the same lines: the answers must agree.

use super::board::{Board, Side};
use super::model::{Answer, Conn, MARKING_CHANGED, Model};
use super::official::Rules;
use super::text::{Speaker, Wire, read_answer, split_id, turn_lines};

/// The name of the room.
const ROOM: &str = "duo";

/// The connection that looks on: it never says anything that could matter.
const OBSERVER: usize = 0;

/// What went wrong, in words.
pub(crate) type Fault = String;

pub(crate) struct Duo<W> {
    model: Speaker,
    real: W,
    /// The keys of the seats: the model's, and the other's.
    keys: [[String; 2]; 2],
    /// All that was said and answered, to be read when something went wrong.
    pub(crate) script: Vec<String>,
    /// The line of every connection that waits for its answer.
    waits: Vec<Option<String>>,
    /// What every connection has said and was answered.
    pub(crate) out: Vec<Vec<(String, Answer)>>,
    /// How many lines were compared.
    pub(crate) lines: usize,
}

impl<W: Wire> Duo<W> {
    /// Opens a room in both.
    pub(crate) fn new(model: Speaker, real: W, rules: Rules) -> Result<Duo<W>, Fault> {
        Duo::with_handicap(model, real, rules, 0)
    }

    /// Opens a room in both, with handicap stones where the program puts them.
    pub(crate) fn with_handicap(model: Speaker, real: W, rules: Rules, stones: usize) -> Result<Duo<W>, Fault> {
        let (keys, out) = (Default::default(), Vec::new());
        let mut duo = Duo { model, real, keys, script: Vec::new(), waits: Vec::new(), out, lines: 0 };
        duo.connect()?;
        let handicap = if stones > 0 { format!(" handicap={stones}") } else { String::new() };
        let open = format!("egtp_open {ROOM} {}{handicap}", rules.settings());
        duo.script.push(format!("{OBSERVER} > {open}"));
        duo.keys = [duo.model.line(OBSERVER, &open), duo.real.line(OBSERVER, &open)].map(|answers| read_keys(&answers));
        if duo.keys.iter().flatten().any(String::is_empty) {
            return Err(format!("{open}: no keys"));
        }
        if stones > 0 {
            duo.real.line(OBSERVER, &format!("egtp_watch {ROOM}"));
            let board = read_board(&duo.ask("egtp_board").unwrap_or_default());
            if board.black.len() != stones || !board.white.is_empty() {
                return duo.fault(&format!("{board:?} has not {stones} handicap stones"));
            }
            duo.model.open(ROOM, rules, board, Side::White);
        }
        duo.send(OBSERVER, &format!("egtp_watch {ROOM}"))?;
        Ok(duo)
    }

    /// What the program tells the observer.
    fn ask(&mut self, line: &str) -> Option<String> {
        let answers = self.real.line(OBSERVER, line);
        answers.first().and_then(|(_, answer)| read_answer(answer).1.ok())
    }

    /// A new connection.
    fn connect(&mut self) -> Result<usize, Fault> {
        let (id, other) = (self.model.connect(), self.real.connect());
        self.waits.push(None);
        self.out.push(Vec::new());
        if id == other { Ok(id) } else { Err("connections are numbered differently".into()) }
    }

    /// A new connection that takes a seat, or watches.
    pub(crate) fn enter(&mut self, seat: Option<Side>) -> Result<usize, Fault> {
        let id = self.connect()?;
        self.sit(id, seat)?;
        Ok(id)
    }

    /// A connection takes a seat, or watches.
    pub(crate) fn sit(&mut self, id: usize, seat: Option<Side>) -> Result<(), Fault> {
        let answer = match seat {
            Some(side) => {
                let line = |key: &String| format!("egtp_sit {ROOM} {} {key}", side.name());
                let [model, real] = [0, 1].map(|i| line(&self.keys[i][side as usize]));
                self.both(id, &model, &real)?
            }
            None => self.send(id, &format!("egtp_watch {ROOM}"))?,
        };
        if matches!(answer, Some(Ok(_))) { Ok(()) } else { self.fault(&format!("cannot sit: {answer:?}")) }
    }

    /// A connection says a line. Its answer, or nothing if it waits (or the line is none).
    pub(crate) fn send(&mut self, id: usize, line: &str) -> Result<Option<Answer>, Fault> {
        self.both(id, line, line)
    }

    fn both(&mut self, id: usize, line: &str, real_line: &str) -> Result<Option<Answer>, Fault> {
        self.script.push(format!("{id} > {line}"));
        self.lines += 1;
        let mut model = self.model.line(id, line);
        let mut real = self.real.line(id, real_line);
        self.compare(&mut model, &mut real, Some((id, line)))
    }

    /// A connection ends, with `quit` or without a word.
    pub(crate) fn close(&mut self, id: usize, politely: bool) -> Result<(), Fault> {
        if politely {
            return self.send(id, "quit").map(|_| ());
        }
        self.script.push(format!("{id} ends"));
        let mut model = self.model.hang_up(id);
        let mut real = self.real.hang_up(id);
        self.compare(&mut model, &mut real, None).map(|_| ())
    }

    /// Whether both have answered the same connections in the same sense.
    fn compare(
        &mut self,
        model: &mut [(usize, String)],
        real: &mut [(usize, String)],
        line: Option<(usize, &str)>,
    ) -> Result<Option<Answer>, Fault> {
        for (who, answers) in [("model", &mut *model), ("real", &mut *real)] {
            answers.sort_by_key(|answer| answer.0);
            self.script.extend(answers.iter().map(|(id, text)| format!("    {who} {id} < {text}")));
        }
        if model.len() != real.len() {
            return self.fault("one answers where the other does not");
        }
        let mut mine = None;
        for ((id, ours), (other, theirs)) in model.iter().zip(&*real) {
            if id != other {
                return self.fault("not the same connections are answered");
            }
            // what waits is answered first; only the line itself comes after it
            let (asked, is_mine) = match (self.waits[*id].take(), line) {
                (Some(asked), _) => (asked, false),
                (None, Some((id, line))) if mine.is_none() && id == *other => (line.into(), true),
                _ => return self.fault("an answer that nobody has asked for"),
            };
            let (number, command) = split_id(&asked);
            let [(_, ours), (echo, theirs)] = [ours, theirs].map(|text| read_answer(text));
            let same = match (&ours, &theirs) {
                (Ok(ours), Ok(theirs)) => ours == theirs || !is_compared(command),
                (Err(ours), Err(why)) if ours == MARKING_CHANGED => why.contains(&self.marked()),
                (Err(_), Err(why)) => !why.is_empty(),
                _ => false,
            };
            if !same || echo != number {
                return self.fault(&format!("{asked:?} is answered {ours:?} and {theirs:?}"));
            }
            self.out[*id].push((command.into(), ours.clone()));
            if is_mine {
                mine = Some(ours);
            }
        }
        if let (Some((id, line)), None) = (line, &mine)
            && !line.trim_start().starts_with('#')
            && !line.is_empty()
        {
            self.waits[id] = Some(line.into());
        }
        Ok(mine)
    }

    /// The marking, which the refusal to accept another one names.
    fn marked(&self) -> String {
        let game = &self.room().game;
        game.rules.grid.names(&game.marks)
    }

    /// Whether the official game is the same.
    pub(crate) fn compare_official(&mut self) -> Result<(), Fault> {
        let answers = ["egtp_status", "egtp_turns", "egtp_board"].map(|line| self.ask(line));
        let [Some(status), Some(turns), Some(board)] = answers else {
            return self.fault("the observer is not answered");
        };
        let value = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
        let room = self.room();
        let game = &room.game;
        let theirs = (value("phase "), value("to_move "), value("turn "), value("marks"));
        let (turn, marks) = (game.turns.len().to_string(), game.rules.grid.names(&game.marks));
        let ours = (game.phase.name(), game.to_move.name(), turn.as_str(), marks.as_str());
        if ours != theirs {
            return self.fault(&format!("the room is at {ours:?} and {theirs:?}"));
        }
        let ours = turn_lines(room);
        if ours != turns {
            return self.fault(&format!("the turns are\n{ours}\nand\n{turns}"));
        }
        if *game.board() == read_board(&board) { Ok(()) } else { self.fault(&format!("the board is\n{board}")) }
    }

    /// The model of the room.
    pub(crate) fn room(&self) -> &Model {
        self.model.room(OBSERVER).unwrap()
    }

    /// The model of a connection.
    pub(crate) fn conn(&self, id: usize) -> &Conn {
        self.room().conn(id)
    }

    /// What went wrong, with all that led to it.
    pub(crate) fn fault<T>(&self, why: &str) -> Result<T, Fault> {
        Err(format!("{why}\n{}", self.script.join("\n")))
    }
}

/// The commands whose texts must be equal, not only their kind.
fn is_compared(line: &str) -> bool {
    let command = line.split(' ').next().unwrap_or_default();
    matches!(command, "genmove" | "list_stones" | "egtp_view" | "egtp_marks" | "egtp_mark_dead" | "egtp_propose")
}

/// The answer to `egtp_board`.
fn read_board(text: &str) -> Board {
    let points = |wanted: char| {
        let points = text.lines().flat_map(str::chars).enumerate().filter(|(_, c)| *c == wanted);
        points.map(|(point, _)| point).collect()
    };
    Board { black: points('X'), white: points('O') }
}

fn read_keys(answers: &[(usize, String)]) -> [String; 2] {
    let text = answers.first().and_then(|(_, answer)| read_answer(answer).1.ok()).unwrap_or_default();
    Side::BOTH.map(|side| {
        let line = text.lines().find_map(|line| line.strip_prefix(side.name()));
        line.unwrap_or_default().trim().to_string()
    })
}
