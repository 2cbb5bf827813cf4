//! Programs that people sit at, as they were seen to behave: what they send when their user does something, and what they
//! make of the answers. Each also knows what its user means, and says so when something else becomes official.

use super::board::{Board, Points, Side};
use super::duo::{Duo, Fault};
use super::model::Answer;
use super::official::{Move, Phase, Turn};
use super::text::{Wire, move_word};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Goes to another position by `undo` if it can, else clears and sends a sequence.
    GoGui,
    /// Clears and sends the turns again.
    Sabaki,
    /// As Sabaki; sends stones column by column when it starts in mid-game; quits on any refusal.
    Q5Go,
    /// Does not read what `play` answers.
    Quarry,
    /// Draws its board from `list_stones`.
    Kigo,
    /// A person who reads the room's state and plays with `play`, never with `genmove`.
    Console,
    /// A board that looks on, asking for both sides' turns.
    Watcher,
    /// Anything at all.
    Tinker,
}

/// What the user does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Click(Move),
    Generate,
    Back,
    Forward,
    Stop,
    Restart,
    Resume,
    /// A special turn, chosen by a number.
    Special(usize),
    Resign,
}

#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) style: Style,
    pub(crate) seat: Option<Side>,
    pub(crate) conn: usize,
    undo: bool,
    /// Navigation is sent at once.
    eager: bool,
    /// The game as the program has it, and how far it is shown.
    line: Vec<(Side, Move)>,
    node: usize,
    /// What the referee has been told.
    told: Vec<(Side, Move)>,
    /// How many answers have been read.
    seen: usize,
    /// The id of the last line, of those that number them.
    number: usize,
}

impl Client {
    pub(crate) fn new<W: Wire>(
        duo: &mut Duo<W>,
        style: Style,
        seat: Option<Side>,
        undo: bool,
        eager: bool,
    ) -> Result<Client, Fault> {
        let (line, told) = (Vec::new(), Vec::new());
        let mut client = Client { style, seat, conn: 0, undo, eager, line, node: 0, told, seen: 0, number: 0 };
        client.connect(duo)?;
        Ok(client)
    }

    fn connect<W: Wire>(&mut self, duo: &mut Duo<W>) -> Result<(), Fault> {
        if self.conn != 0 {
            duo.close(self.conn, self.style != Style::Quarry)?;
        }
        self.conn = duo.enter(self.seat)?;
        self.told.clear();
        self.seen = 0;
        if !matches!(self.style, Style::Console | Style::Tinker) {
            self.cmd(duo, "clear_board", None)?;
        }
        if self.style == Style::Kigo {
            self.look(duo)?;
        }
        self.seen = duo.out[self.conn].len();
        Ok(())
    }

    /// The user opens a record of the game so far.
    pub(crate) fn load(&mut self, turns: &[Turn]) {
        self.line = turns.iter().map(Turn::plain).collect();
        self.node = turns.len();
    }

    fn side(&self) -> Side {
        Side::BOTH[self.node % 2]
    }

    fn waits<W: Wire>(&self, duo: &Duo<W>) -> bool {
        duo.conn(self.conn).waits.is_some()
    }

    fn color(&self, side: Side) -> &'static str {
        let short = side == Side::Black;
        match self.style {
            Style::GoGui => {
                if short {
                    "b"
                } else {
                    "w"
                }
            }
            Style::Sabaki => {
                if short {
                    "B"
                } else {
                    "W"
                }
            }
            _ => side.name(),
        }
    }

    fn words<W: Wire>(&self, duo: &Duo<W>, (side, mv): (Side, Move)) -> String {
        format!("{} {}", self.color(side), move_word(duo.room().game.rules.grid, mv))
    }

    /// Sends a line. `meant` is the turn that the user wants to make by this very line; nothing else may become official.
    fn cmd<W: Wire>(
        &mut self,
        duo: &mut Duo<W>,
        line: &str,
        meant: Option<&Turn>,
    ) -> Result<(Option<Answer>, bool), Fault> {
        self.number += 1;
        let numbered = if self.style == Style::Q5Go { format!("{} {line}", self.number) } else { line.into() };
        let before = duo.room().game.turns.len();
        let answer = duo.send(self.conn, &numbered)?;
        for turn in &duo.room().game.turns[before..] {
            match meant {
                None => return duo.fault(&format!("UNINTENDED: {turn:?} by {line:?}")),
                Some(meant) if meant != turn => return duo.fault(&format!("WRONG: {turn:?} for {meant:?}")),
                Some(_) if Some(turn.side) != self.seat => return duo.fault("OTHER SIDE: it has been moved"),
                Some(_) => {}
            }
        }
        Ok((answer, duo.room().game.turns.len() > before))
    }

    fn say<W: Wire>(&mut self, duo: &mut Duo<W>, line: &str) -> Result<bool, Fault> {
        Ok(matches!(self.cmd(duo, line, None)?.0, Some(Ok(_))))
    }

    fn play<W: Wire>(&mut self, duo: &mut Duo<W>, mv: (Side, Move)) -> Result<bool, Fault> {
        let words = self.words(duo, mv);
        self.say(duo, &format!("play {words}"))
    }

    fn look<W: Wire>(&mut self, duo: &mut Duo<W>) -> Result<(), Fault> {
        self.say(duo, "list_stones black")?;
        self.say(duo, "list_stones white").map(|_| ())
    }

    /// Brings the referee to the position shown; false when it refused.
    fn sync<W: Wire>(&mut self, duo: &mut Duo<W>) -> Result<bool, Fault> {
        let want = self.line[..self.node].to_vec();
        let mut same = want.iter().zip(&self.told).take_while(|(a, b)| a == b).count();
        if same < self.told.len() {
            let mut undone = self.undo;
            while undone && self.told.len() > same {
                undone = self.say(duo, "undo")?;
                if undone {
                    self.told.pop();
                }
            }
            if !undone {
                self.say(duo, "clear_board")?;
                self.told.clear();
                same = 0;
            }
        }
        let rest = &want[same..];
        if self.style == Style::GoGui && rest.len() > 1 {
            let words: Vec<String> = rest.iter().map(|&mv| self.words(duo, mv)).collect();
            if !self.say(duo, &format!("gogui-play_sequence {}", words.join(" ")))? {
                return Ok(false);
            }
            self.told = want;
            return Ok(true);
        }
        for &mv in rest {
            if !self.play(duo, mv)? {
                return Ok(false);
            }
            self.told.push(mv);
        }
        Ok(true)
    }

    pub(crate) fn act<W: Wire>(&mut self, duo: &mut Duo<W>, action: Action) -> Result<(), Fault> {
        match action {
            Action::Click(mv) if self.style == Style::Console => self.console_click(duo, mv),
            Action::Click(mv) => self.click(duo, mv),
            Action::Generate if self.style == Style::Watcher => self.watch(duo),
            Action::Generate => self.generate(duo).map(|_| ()),
            Action::Back => self.browse(duo, false),
            Action::Forward => self.browse(duo, true),
            Action::Stop => {
                if self.waits(duo) {
                    // Sabaki sends a command, GoGui a comment
                    self.say(duo, if self.style == Style::GoGui { "# interrupt" } else { "protocol_version" })?;
                    self.poll(duo);
                }
                Ok(())
            }
            Action::Restart => self.restart(duo),
            Action::Resume => self.say(duo, "egtp_resume").map(|_| ()),
            Action::Special(number) => self.special(duo, number),
            Action::Resign => {
                let color = self.color(self.seat.unwrap());
                self.say(duo, &format!("play {color} resign")).map(|_| ())
            }
        }
    }

    fn click<W: Wire>(&mut self, duo: &mut Duo<W>, mv: Move) -> Result<(), Fault> {
        let Some(seat) = self.seat.filter(|&seat| seat == self.side() && !self.waits(duo)) else { return Ok(()) };
        if !self.sync(duo)? {
            return Ok(()); // a dialog: the user knows
        }
        let turn = Turn::new(seat, mv);
        let words = self.words(duo, (seat, mv));
        let (answer, made) = self.cmd(duo, &format!("play {words}"), Some(&turn))?;
        if matches!(answer, Some(Err(_))) {
            return self.refused(duo, (seat, mv));
        }
        self.told.push((seat, mv));
        self.shown((seat, mv));
        if self.style == Style::Kigo {
            self.look(duo)?;
        }
        let room = duo.room();
        let known: Vec<_> = room.game.turns.iter().take(self.node).map(Turn::plain).collect();
        let view = &duo.conn(self.conn).view;
        // the board shown is the room's, whatever led to it
        let at_the_end = view.cursor == Some(room.game.turns.len());
        let swallowed = !made && known != self.line[..self.node] && !at_the_end;
        // the turn is on record already: another connection of the seat has made it
        let before = view.cursor.and_then(|cursor| cursor.checked_sub(1));
        let again = before.is_some_and(|before| room.game.turns.get(before) == Some(&turn));
        let next = self.generate(duo)?;
        let content = !matches!(next, Some(Err(_))) || self.style == Style::Kigo;
        if swallowed && !again && content {
            return duo.fault(&format!("SWALLOWED: {words} was answered =, and then {next:?}"));
        }
        Ok(())
    }

    fn refused<W: Wire>(&mut self, duo: &mut Duo<W>, mv: (Side, Move)) -> Result<(), Fault> {
        if matches!(self.style, Style::Q5Go | Style::Quarry) {
            // genmove was on its way before the answer came
            self.seen = duo.out[self.conn].len();
            let color = self.color(mv.0.other());
            self.say(duo, &format!("genmove {color}"))?;
        }
        if self.style == Style::Q5Go {
            self.connect(duo)?;
            self.line.clear();
            self.node = 0;
        }
        if self.style == Style::Quarry {
            self.told.push(mv);
            self.shown(mv);
        }
        self.poll(duo);
        Ok(())
    }

    /// A turn is shown after the present one; those that followed there are dropped.
    fn shown(&mut self, mv: (Side, Move)) {
        self.line.truncate(self.node);
        self.line.push(mv);
        self.node += 1;
    }

    fn generate<W: Wire>(&mut self, duo: &mut Duo<W>) -> Result<Option<Answer>, Fault> {
        if self.waits(duo) || self.seat == Some(self.side()) {
            return Ok(None);
        }
        if !self.sync(duo)? {
            return Ok(Some(Err("sync".into())));
        }
        self.seen = duo.out[self.conn].len();
        let color = self.color(self.side());
        let (answer, _) = self.cmd(duo, &format!("genmove {color}"), None)?;
        self.poll(duo);
        Ok(answer)
    }

    /// Reads answers, those too that came by themselves.
    pub(crate) fn poll<W: Wire>(&mut self, duo: &Duo<W>) {
        if !matches!(self.style, Style::Console | Style::Tinker) {
            let grid = duo.room().game.rules.grid;
            for (command, answer) in &duo.out[self.conn][self.seen..] {
                let (true, Ok(vertex)) = (command.starts_with("genmove"), answer) else { continue };
                if self.style == Style::Watcher {
                    self.node += 1;
                } else if vertex != "resign" {
                    let mv = (self.seat.unwrap().other(), grid.read(vertex));
                    self.shown(mv);
                    self.told.push(mv);
                }
            }
        }
        self.seen = duo.out[self.conn].len();
    }

    fn browse<W: Wire>(&mut self, duo: &mut Duo<W>, forward: bool) -> Result<(), Fault> {
        let stays = if forward { self.node == self.line.len() } else { self.node == 0 || self.style == Style::Quarry };
        if stays || self.waits(duo) {
            return Ok(());
        }
        self.node = if forward { self.node + 1 } else { self.node - 1 };
        if self.eager {
            self.sync(duo)?;
        }
        Ok(())
    }

    fn restart<W: Wire>(&mut self, duo: &mut Duo<W>) -> Result<(), Fault> {
        self.connect(duo)?;
        match self.style {
            Style::Kigo | Style::Quarry => {
                self.line.clear();
                self.node = 0;
                Ok(())
            }
            Style::Q5Go if self.node > 0 => self.play_from_position(duo),
            _ => self.sync(duo).map(|_| ()),
        }
    }

    /// Sends the stones of a position two turns back, and then the two turns.
    fn play_from_position<W: Wire>(&mut self, duo: &mut Duo<W>) -> Result<(), Fault> {
        let from = self.node.saturating_sub(2);
        let mut board = Board::default();
        for &(side, mv) in &self.line[..from] {
            let Some(point) = mv else { continue };
            let grid = duo.room().game.rules.grid;
            match grid.after(&board, side, &Points::from([point]), &Points::new()) {
                Ok(after) => board = after,
                Err(_) => return Ok(()),
            }
        }
        for point in board.occupied() {
            self.play(duo, (board.at(point).unwrap(), Some(point)))?;
        }
        for i in from..self.node {
            self.play(duo, self.line[i])?;
        }
        self.say(duo, "known_command known_command")?;
        self.told = self.line[..self.node].to_vec();
        Ok(())
    }

    fn watch<W: Wire>(&mut self, duo: &mut Duo<W>) -> Result<(), Fault> {
        if !self.waits(duo) {
            self.seen = duo.out[self.conn].len();
            let color = self.color(self.side());
            self.say(duo, &format!("genmove {color}"))?;
        }
        Ok(())
    }

    fn console_click<W: Wire>(&mut self, duo: &mut Duo<W>, mv: Move) -> Result<(), Fault> {
        let game = &duo.room().game;
        let seat = self.seat.unwrap();
        if game.to_move != seat || game.phase != Phase::Play {
            return Ok(());
        }
        let words = self.words(duo, (seat, mv));
        match self.cmd(duo, &format!("play {words}"), Some(&Turn::new(seat, mv)))? {
            (Some(Ok(_)), false) => duo.fault(&format!("SWALLOWED: {words} of a console")),
            // reads the reason, and sits down again
            (Some(Err(why)), _) if why.contains("already") => duo.sit(self.conn, self.seat),
            _ => Ok(()),
        }
    }

    /// Two stones for four, right or wrong.
    fn special<W: Wire>(&mut self, duo: &mut Duo<W>, number: usize) -> Result<(), Fault> {
        let (seat, game) = (self.seat.unwrap(), &duo.room().game);
        let own: Vec<usize> = game.board().of(seat).iter().copied().collect();
        if own.len() < 4 || game.to_move != seat {
            return Ok(());
        }
        let pay: Points = own[number % (own.len() - 3)..][..4].iter().copied().collect();
        let taken = &game.board().occupied() - &pay;
        let spots: Vec<usize> = game.rules.grid.points().filter(|p| !taken.contains(p)).collect();
        let (first, step) = (number % spots.len(), 1 + number % (spots.len() - 1));
        let place = Points::from([spots[first], spots[(first + step) % spots.len()]]);
        let (place, pay) = (game.rules.grid.names(&place), game.rules.grid.names(&pay));
        // it is what the user means, so whatever is made is right
        duo.send(self.conn, &format!("egtp_special {} place {place} pay {pay}", seat.name())).map(|_| ())
    }
}
