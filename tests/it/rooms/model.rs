//! The model of a shared room: every connection with the view that it has of the official game.
//!
//! It is the protocol's section on rooms once more, written to be read beside it: nothing is cached, a view is a board and
//! the boards before it, and a position is found again by looking through all of them. `Flaw`s leave a sentence of the
//! protocol out, so that tests can show what it is for and that its loss is noticed.

use super::board::{Board, Points, Side};
use super::flaw::Flaw;
use super::official::{Move, Official, Phase, Rules, Turn, What};

/// What can be said to a room, once read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    Clear,
    /// Stones that are added to the view's board, or make a new one.
    SetUp {
        afresh: bool,
        stones: Vec<(Side, usize)>,
    },
    /// Handicap stones, for which the board must be empty.
    Handicap(Points),
    Sequence(Vec<(Side, Move)>),
    Undo(usize),
    Play(Side, Move),
    Resign(Side),
    Special {
        side: Side,
        place: Points,
        pay: Points,
    },
    ListStones(Side),
    RulesBoard,
    RulesLegalMoves,
    Marks,
    Mark(Vec<usize>),
    Propose(Side, Vec<usize>),
    Accept(Side),
    Resume,
    Genmove(Side),
    View,
    /// Anything that changes nothing, or cannot be done.
    Other(Result<(), &'static str>),
    /// A `play` that cannot be read.
    BadPlay,
}

/// Why a marking that was not shown cannot be accepted.
pub(crate) const MARKING_CHANGED: &str = "the marking has changed";

/// What is answered: a text, or a reason.
pub(crate) type Answer = Result<String, String>;

fn fine() -> Answer {
    Ok(String::new())
}

fn no<T>(why: &str) -> Result<T, String> {
    Err(why.to_string())
}

/// A board, the official turns it has followed if any are known, and whether it was found by its stones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct View {
    pub(crate) board: Board,
    pub(crate) cursor: Option<usize>,
    found: bool,
}

/// One connection: a seat's, or a spectator's.
#[derive(Clone, Debug)]
pub(crate) struct Conn {
    pub(crate) seat: Option<Side>,
    pub(crate) view: View,
    past: Vec<View>,
    /// Has been in step since it was last emptied.
    live: bool,
    /// Has no board of its own.
    following: bool,
    /// Found by its stones after a play, and nothing but plays since.
    raw: bool,
    kigo: bool,
    never_acts: bool,
    /// The marking that it was shown last.
    pub(crate) shown: Points,
    pub(crate) waits: Option<Side>,
}

/// A room with its connections. What they are told by themselves is collected in `told`.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) game: Official,
    pub(crate) conns: Vec<Option<Conn>>,
    pub(crate) told: Vec<(usize, Answer)>,
    flaws: Vec<Flaw>,
}

impl Model {
    pub(crate) fn new(rules: Rules, start: Board, first: Side, flaws: &[Flaw]) -> Model {
        let game = Official::new(rules, start, first);
        Model { game, conns: Vec::new(), told: Vec::new(), flaws: flaws.to_vec() }
    }

    fn lacks(&self, flaw: Flaw) -> bool {
        self.flaws.contains(&flaw)
    }

    /// A connection takes a seat, or watches. What it holds of flags stays with it if it was here already.
    pub(crate) fn sit(&mut self, id: usize, seat: Option<Side>) {
        let view = View { board: Board::default(), cursor: None, found: false };
        let (kigo, never_acts, shown) = match self.conns.get_mut(id).and_then(Option::take) {
            Some(old) => (old.kigo, old.never_acts, old.shown),
            None => (false, false, Points::new()),
        };
        self.conns.resize(self.conns.len().max(id + 1), None);
        let (past, waits) = (Vec::new(), None);
        let (live, following, raw) = (true, true, false);
        self.conns[id] = Some(Conn { seat, view, past, live, following, raw, kigo, never_acts, shown, waits });
        self.follow(id);
    }

    pub(crate) fn leave(&mut self, id: usize) {
        self.conns[id] = None;
    }

    pub(crate) fn conn(&self, id: usize) -> &Conn {
        self.conns[id].as_ref().unwrap()
    }

    fn conn_mut(&mut self, id: usize) -> &mut Conn {
        self.conns[id].as_mut().unwrap()
    }

    /// The view becomes the official position.
    fn follow(&mut self, id: usize) {
        let views: Vec<View> = self
            .game
            .boards
            .iter()
            .enumerate()
            .map(|(i, board)| View { board: board.clone(), cursor: Some(i), found: false })
            .collect();
        let conn = self.conn_mut(id);
        conn.past = views;
        conn.view = conn.past.pop().unwrap();
        conn.live = true;
    }

    pub(crate) fn in_step(&self, id: usize) -> bool {
        let conn = self.conn(id);
        conn.view.cursor == Some(self.game.turns.len()) && (!conn.raw || self.lacks(Flaw::Settle))
    }

    fn push(&mut self, id: usize, board: Board, cursor: Option<usize>, found: bool) {
        let conn = self.conn_mut(id);
        let old = std::mem::replace(&mut conn.view, View { board, cursor, found });
        conn.past.push(old);
        let in_step = self.in_step(id);
        self.conn_mut(id).live |= in_step;
    }

    /// The latest official position with these stones, or the start if that has them and is asked for first.
    fn find(&self, board: &Board, start: bool) -> Option<usize> {
        if start && !self.lacks(Flaw::Start) && self.game.boards[0] == *board {
            return Some(0);
        }
        self.game.boards.iter().rposition(|other| other == board)
    }

    /// A connection says something. The answer, or nothing if it waits.
    pub(crate) fn say(&mut self, id: usize, command: &Command) -> Option<Answer> {
        self.interrupt(id);
        let conn = self.conn_mut(id);
        use Command::*;
        if matches!(command, Clear | Undo(_) | SetUp { .. } | Sequence(_) | Genmove(_)) {
            conn.following = false;
        }
        if !matches!(command, Play(..) | BadPlay | Resign(_)) {
            conn.raw = false;
        }
        Some(match command {
            Genmove(side) if Some(*side) == self.conn(id).seat => no("own colour"),
            Genmove(side) => {
                let answer = self.next(id, *side);
                if answer.is_none() {
                    self.conn_mut(id).waits = Some(*side);
                }
                return answer;
            }
            Clear => self.clear(id),
            SetUp { afresh, stones } => self.set_up(id, *afresh, stones),
            Sequence(moves) => self.sequence(id, moves),
            Handicap(points) => self.handicap(id, points),
            Undo(steps) => self.undo(id, *steps),
            Play(side, mv) => self.play(id, *side, *mv),
            Resign(side) => self.acts(id, *side).and_then(|()| {
                self.game.resign(*side)?;
                self.wake();
                fine()
            }),
            Special { side, place, pay } => self.acts(id, *side).and_then(|()| {
                let what = What::Stones { place: place.clone(), pay: pay.clone() };
                self.official(Turn { side: *side, what })?;
                self.follow(id);
                fine()
            }),
            ListStones(side) => {
                self.conn_mut(id).kigo = true;
                Ok(self.game.rules.grid.names(self.conn(id).view.board.of(*side)))
            }
            RulesBoard | RulesLegalMoves => {
                let acts = *command == RulesBoard && self.lacks(Flaw::Ruler);
                self.conn_mut(id).never_acts |= !acts;
                fine()
            }
            Marks if self.game.phase == Phase::Play => no("play has not stopped"),
            Marks => self.show_marks(id),
            Mark(stones) => self.seated(id).and_then(|_| {
                self.game.mark(stones)?;
                self.show_marks(id)
            }),
            Accept(side) => self.accept(id, *side),
            Propose(side, stones) => self.acts(id, *side).and_then(|()| {
                if self.game.propose(*side, stones)? {
                    self.wake();
                }
                self.show_marks(id)
            }),
            Resume => self.seated(id).and_then(|_| {
                self.game.resume()?;
                self.wake();
                fine()
            }),
            View => Ok(self.view_lines(id)),
            Other(result) => result.map(|()| String::new()).map_err(str::to_string),
            BadPlay => no("illegal move"),
        })
    }

    /// A further line, or the end of input, ends a wait.
    pub(crate) fn interrupt(&mut self, id: usize) {
        let waited = self.conn_mut(id).waits.take().is_some();
        if waited && !self.lacks(Flaw::InterruptLoses) {
            self.told.push((id, no("interrupted")));
        }
    }

    fn seated(&self, id: usize) -> Result<Side, String> {
        self.conn(id).seat.map_or_else(|| no("a spectator"), Ok)
    }

    /// Whether a connection may act on the official game for this side.
    fn acts(&self, id: usize, side: Side) -> Result<(), String> {
        if self.seated(id)? != side {
            return no("not your colour");
        }
        if self.conn(id).never_acts { no("a ruler never acts") } else { Ok(()) }
    }

    fn official(&mut self, turn: Turn) -> Result<(), String> {
        self.game.make(turn)?;
        if self.game.phase == Phase::Scoring && !self.lacks(Flaw::Shown) {
            // the empty marking is what everybody knows of a new scoring
            self.conns.iter_mut().flatten().for_each(|conn| conn.shown.clear());
        }
        self.wake();
        Ok(())
    }

    fn show_marks(&mut self, id: usize) -> Answer {
        self.conn_mut(id).shown = self.game.marks.clone();
        Ok(self.game.rules.grid.names(&self.game.marks))
    }

    /// Accepts the marking that was shown last; if there is another one, the refusal shows it.
    fn accept(&mut self, id: usize, side: Side) -> Answer {
        self.seated(id)?;
        if self.game.phase == Phase::Scoring && self.conn(id).shown != self.game.marks {
            self.show_marks(id)?;
            return no(MARKING_CHANGED);
        }
        self.acts(id, side)?;
        if self.game.accept(side)? {
            self.wake();
        }
        fine()
    }

    fn clear(&mut self, id: usize) -> Answer {
        let board = Board::default();
        let cursor = if self.game.boards[0] == board { Some(0) } else { self.find(&board, false) };
        let conn = self.conn_mut(id);
        conn.view = View { board, cursor, found: false };
        conn.past.clear();
        let in_step = self.in_step(id);
        self.conn_mut(id).live = in_step;
        fine()
    }

    fn set_up(&mut self, id: usize, afresh: bool, stones: &[(Side, usize)]) -> Answer {
        let mut board = if afresh { Board::default() } else { self.conn(id).view.board.clone() };
        for &(side, point) in stones {
            board.of_mut(side.other()).remove(&point);
            board.of_mut(side).insert(point);
        }
        let cursor = self.find(&board, true);
        let conn = self.conn_mut(id);
        conn.view = View { board, cursor, found: cursor.is_some() };
        conn.past.clear();
        let in_step = self.in_step(id);
        self.conn_mut(id).live = in_step;
        fine()
    }

    fn sequence(&mut self, id: usize, moves: &[(Side, Move)]) -> Answer {
        let before = self.conn(id).clone();
        for &(side, mv) in moves {
            if !self.lacks(Flaw::Sequence) && self.replay(id, &Turn::new(side, mv)) {
                continue;
            }
            if let Err(why) = self.view_play(id, side, mv, false) {
                self.conns[id] = Some(before);
                return Err(why);
            }
        }
        fine()
    }

    fn handicap(&mut self, id: usize, points: &Points) -> Answer {
        if self.conn(id).view.board != Board::default() {
            return no("board not empty");
        }
        self.conn_mut(id).following = false;
        let stones: Vec<(Side, usize)> = points.iter().map(|&point| (Side::Black, point)).collect();
        self.set_up(id, true, &stones)
    }

    fn undo(&mut self, id: usize, steps: usize) -> Answer {
        if self.conn(id).past.len() < steps {
            return no("cannot undo");
        }
        for _ in 0..steps {
            let Some(mut view) = self.conn_mut(id).past.pop() else { break };
            if self.lacks(Flaw::Undo) {
                let now = &self.conn(id).view;
                view.cursor = match now.cursor {
                    Some(cursor) if cursor > 0 && !now.found => Some(cursor - 1),
                    _ => self.find(&view.board, false),
                };
            }
            self.conn_mut(id).view = view;
        }
        fine()
    }

    /// Moves on if this is the official turn after the cursor.
    fn replay(&mut self, id: usize, turn: &Turn) -> bool {
        let View { cursor, found, .. } = self.conn(id).view;
        let Some(cursor) = cursor.filter(|_| !self.lacks(Flaw::NoReplays)) else { return false };
        let next = self.game.turns.get(cursor) == Some(turn);
        if next {
            self.push(id, self.game.boards[cursor + 1].clone(), Some(cursor + 1), found);
        }
        next
    }

    fn play(&mut self, id: usize, side: Side, mv: Move) -> Answer {
        let turn = Turn::new(side, mv);
        let own = self.conn(id).seat == Some(side);
        if own && self.conn(id).following && !self.lacks(Flaw::Follow) {
            self.follow(id);
        } else if self.replay(id, &turn) {
            return fine();
        }
        if own && !self.conn(id).never_acts {
            if self.in_step(id) {
                return self.turn(id, turn);
            }
            if (self.conn(id).live || self.conn(id).kigo) && !self.lacks(Flaw::Over) {
                return no("the other side has already played here");
            }
        }
        self.view_play(id, side, mv, true)
    }

    /// An own play in step.
    fn turn(&mut self, id: usize, turn: Turn) -> Answer {
        let conn = self.conn(id);
        let found = conn.view.found || conn.past.iter().any(|view| view.found);
        let again = |(i, old): (usize, &Turn)| *old == turn && self.game.boards[i] == conn.view.board;
        if found && !self.lacks(Flaw::Ambiguous) && self.game.turns.iter().enumerate().any(again) {
            return no("this may repeat a turn");
        }
        self.official(turn)?;
        self.push(id, self.game.board().clone(), Some(self.game.turns.len()), false);
        fine()
    }

    /// A play that moves only the view; `alone`, not as a part of a sequence.
    fn view_play(&mut self, id: usize, side: Side, mv: Move, alone: bool) -> Answer {
        let old = &self.conn(id).view.board;
        let board = match mv {
            None => Some(old.clone()),
            Some(point) => self.game.rules.grid.shown(old, side, point),
        };
        let Some(board) = board else { return no("illegal move") };
        let cursor = self.find(&board, false);
        self.conn_mut(id).raw = cursor.is_some() && alone;
        self.push(id, board, cursor, cursor.is_some());
        fine()
    }

    /// What `genmove` answers, if it can be answered now.
    fn next(&mut self, id: usize, side: Side) -> Option<Answer> {
        let end = self.game.turns.len();
        let View { board, cursor, .. } = self.conn(id).view.clone();
        let Some(cursor) = cursor else { return Some(no("this board is not the room's")) };
        if let Some(turn) = self.game.turns.get(cursor).cloned() {
            if turn.side != side {
                return Some(no(&format!("{} has already played here", turn.side.name())));
            }
            let What::Stones { place, .. } = &turn.what else {
                self.push(id, board, Some(cursor + 1), false);
                return Some(Ok("PASS".into()));
            };
            if turn.is_special() && !self.conn(id).kigo {
                return Some(no("special turn"));
            }
            let vertex = self.game.rules.grid.name(*place.first().unwrap());
            self.push(id, self.game.boards[cursor + 1].clone(), Some(cursor + 1), false);
            return Some(Ok(vertex));
        }
        if self.lacks(Flaw::AlwaysWaits) && cursor == end {
            return None;
        }
        if self.game.phase == Phase::Play && self.game.to_move == side {
            return None;
        }
        if self.game.resigned == Some(side) {
            return Some(Ok("resign".into()));
        }
        Some(no("not to move, or play has stopped"))
    }

    /// Whoever waits is answered if that can be done now.
    fn wake(&mut self) {
        if self.lacks(Flaw::NotWoken) {
            return;
        }
        for id in 0..self.conns.len() {
            let Some(side) = self.conns[id].as_ref().and_then(|conn| conn.waits) else { continue };
            let answer = self.next(id, side);
            if let Some(answer) = answer {
                self.conn_mut(id).waits = None;
                self.told.push((id, answer));
            }
        }
    }

    fn view_lines(&self, id: usize) -> String {
        let cursor = self.conn(id).view.cursor.map_or("none".into(), |n| n.to_string());
        let in_step = if self.in_step(id) { "yes" } else { "no" };
        format!("turns {}\ncursor {cursor}\nin_step {in_step}", self.game.turns.len())
    }
}
