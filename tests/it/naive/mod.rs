//! A second, deliberately naive implementation of the rules, for tests to hold the engine against.
//!
//! It shares no code with the engine. Points are neighbours when a formula says so, tried on every
//! pair; chains and areas are flood-filled afresh each time; a turn is worked out on a copy of the
//! whole board; repetition compares that copy with every board of the history. Nothing is hashed,
//! cached or updated piecemeal, so there is little that could be wrong, and nothing that is fast.

mod shape;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use shape::{Pt, Shape};

/// The stones on the board; a point that is not a key is empty.
type Board = BTreeMap<Pt, Color>;

/// A player, or a stone of that player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub(crate) enum Color {
    Black,
    White,
}

impl Color {
    /// The opponent.
    pub(crate) fn other(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// Which earlier positions a turn may not recreate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repetition {
    None,
    Ko,
    Positional,
    Situational,
}

/// A turn: nothing, one stone, or several stones that are paid for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    Pass,
    Play(Pt),
    Special { place: Vec<Pt>, pay: Vec<Pt> },
}

/// Why a turn is refused: the first that applies, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    NoSpecial,
    Duplicate,
    TooFew,
    CannotAfford,
    BadPayment,
    NotOwn,
    Occupied,
    Suicide,
    /// With the number of the earliest turn after which that position stood, 0 for the start.
    Repetition(usize),
}

/// Where the game stands after some number of turns.
#[derive(Clone)]
struct Position {
    board: Board,
    to_move: Color,
    /// The colours of the stones captured or lost by suicide so far; payments don't count.
    lost: Vec<Color>,
}

/// A game: its rules, its board, and every position from the start to now.
#[derive(Clone)]
pub(crate) struct Naive {
    repetition: Repetition,
    suicide_allowed: bool,
    special: bool,
    points: Vec<Pt>,
    neighbours: BTreeMap<Pt, BTreeSet<Pt>>,
    history: Vec<Position>,
}

impl Naive {
    /// An empty board, Black to move.
    pub(crate) fn new(shape: Shape, repetition: Repetition, suicide_allowed: bool, special: bool) -> Self {
        let points = shape.points();
        let near = |p| points.iter().filter(move |&&q| shape.adjacent(p, q));
        let near = |&p| (p, near(p).copied().collect());
        let mut naive = Naive {
            repetition,
            suicide_allowed,
            special,
            neighbours: points.iter().map(near).collect(),
            points,
            history: vec![],
        };
        naive.set_up(&[], &[], Color::Black);
        naive
    }

    /// The points of the board, row by row from the top, each row from the left.
    pub(crate) fn points(&self) -> Vec<Pt> {
        self.points.clone()
    }

    /// The neighbours of a point of the board.
    pub(crate) fn neighbours(&self, p: Pt) -> BTreeSet<Pt> {
        self.neighbours[&p].clone()
    }

    /// Starts afresh from a position, which becomes the whole history.
    pub(crate) fn set_up(&mut self, black: &[Pt], white: &[Pt], to_move: Color) {
        let (mut board, lost) = (Board::new(), vec![]);
        for (stones, color) in [(black, Color::Black), (white, Color::White)] {
            for &p in stones {
                assert!(self.points.contains(&p), "{p:?} is not on the board");
                assert!(board.insert(p, color).is_none(), "{p:?} is given twice");
            }
        }
        self.history = vec![Position { board, to_move, lost }];
    }

    /// Where the game stands.
    fn now(&self) -> &Position {
        self.history.last().expect("the start is never undone")
    }

    /// Whose turn it is.
    pub(crate) fn to_move(&self) -> Color {
        self.now().to_move
    }

    /// The stone on a point.
    pub(crate) fn at(&self, p: Pt) -> Option<Color> {
        self.now().board.get(&p).copied()
    }

    /// The points where `who` has stones.
    fn stones(&self, who: Color) -> BTreeSet<Pt> {
        let all = self.points.iter().copied();
        all.filter(|&p| self.at(p) == Some(who)).collect()
    }

    /// The largest `n` whose square is at most the number of stones `who` has.
    pub(crate) fn affordable(&self, who: Color) -> usize {
        let own = self.stones(who).len();
        (0..=own).rfind(|n| n * n <= own).expect("0 always is")
    }

    /// The prisoners `who` has: stones of the opponent captured by `who` or by their own suicide.
    pub(crate) fn captured_by(&self, who: Color) -> usize {
        self.now().lost.iter().filter(|&&c| c != who).count()
    }

    /// Makes a turn and answers the opponent's stones captured, or says why it is refused.
    pub(crate) fn turn(&mut self, who: Color, t: &Turn) -> Result<BTreeSet<Pt>, Reason> {
        let (next, captured) = self.after(who, t)?;
        self.history.push(next);
        Ok(captured)
    }

    /// Whether a turn could be made.
    pub(crate) fn is_legal(&self, who: Color, t: &Turn) -> Result<(), Reason> {
        self.after(who, t).map(|_| ())
    }

    /// How many turns were made since the start.
    pub(crate) fn turns(&self) -> usize {
        self.history.len() - 1
    }

    /// Takes the last turn back; false at the start.
    pub(crate) fn undo(&mut self) -> bool {
        self.history.len() > 1 && self.history.pop().is_some()
    }

    /// The position that a turn leads to and the opponent's stones it captures.
    fn after(&self, who: Color, t: &Turn) -> Result<(Position, BTreeSet<Pt>), Reason> {
        let mut next = self.now().clone();
        next.to_move = who.other();
        let (place, pay) = match t {
            Turn::Pass => return Ok((next, BTreeSet::new())),
            Turn::Play(p) => (std::slice::from_ref(p), [].as_slice()),
            Turn::Special { place, pay } => (place.as_slice(), pay.as_slice()),
        };
        self.check(who, place, pay, matches!(t, Turn::Special { .. }))?;
        next.board.retain(|p, _| !pay.contains(p));
        next.board.extend(place.iter().map(|&p| (p, who)));
        let captured = self.without_liberties(&next.board, who.other());
        next.board.retain(|p, _| !captured.contains(p));
        let suicided = self.without_liberties(&next.board, who);
        if !suicided.is_empty() && !self.suicide_allowed {
            return Err(Reason::Suicide);
        }
        next.board.retain(|p, _| !suicided.contains(p));
        next.lost.extend(captured.iter().map(|_| who.other()));
        next.lost.extend(suicided.iter().map(|_| who));
        match self.repeated(&next) {
            Some(turn) => Err(Reason::Repetition(turn)),
            None => Ok((next, captured)),
        }
    }

    /// The checks of a placement that need no look at the board it leads to, in order.
    fn check(&self, who: Color, place: &[Pt], pay: &[Pt], special: bool) -> Result<(), Reason> {
        let (own, cost) = (self.stones(who), place.len() * place.len());
        let twice = |list: &[Pt]| list.iter().collect::<BTreeSet<_>>().len() < list.len();
        let foreign = |p: &Pt| !own.contains(p);
        let occupied = |p: &Pt| self.at(*p).is_some() && !pay.contains(p);
        let checks = [
            (special && !self.special, Reason::NoSpecial),
            (twice(place) || twice(pay), Reason::Duplicate),
            (special && place.len() < 2, Reason::TooFew),
            (special && cost > own.len(), Reason::CannotAfford),
            (special && cost != pay.len(), Reason::BadPayment),
            (pay.iter().any(foreign), Reason::NotOwn),
            (place.iter().any(occupied), Reason::Occupied),
        ];
        let failed = checks.into_iter().find(|(fails, _)| *fails);
        failed.map_or(Ok(()), |(_, reason)| Err(reason))
    }

    /// The position that a placement which leads to `next` would repeat, if that is forbidden.
    fn repeated(&self, next: &Position) -> Option<usize> {
        let same_board = |old: &Position| old.board == next.board;
        let same_situation = |old: &Position| same_board(old) && old.to_move == next.to_move;
        match (self.repetition, self.history.as_slice()) {
            // The position before the last turn, if that was the turn of the other player.
            (Repetition::Ko, [before @ .., old, last]) => {
                (last.to_move != next.to_move && same_board(old)).then_some(before.len())
            }
            (Repetition::Positional, all) => all.iter().position(same_board),
            (Repetition::Situational, all) => all.iter().position(same_situation),
            _ => None,
        }
    }

    /// Every special turn of `n` stones, those included that suicide or repetition forbids.
    pub(crate) fn special_turns(&self, who: Color, n: usize) -> Vec<Turn> {
        let mut turns = vec![];
        if n < 2 || !self.special {
            return turns;
        }
        let own = Vec::from_iter(self.stones(who));
        for pay in choose(&own, n * n) {
            let mut free = self.points();
            free.retain(|p| self.at(*p).is_none() || pay.contains(p));
            for place in choose(&free, n) {
                let pay = pay.clone();
                turns.push(Turn::Special { place, pay });
            }
        }
        turns
    }

    /// The chain of the stone on `p`; nothing if there is none.
    pub(crate) fn chain(&self, p: Pt) -> BTreeSet<Pt> {
        self.chain_on(&self.now().board, p)
    }

    /// The liberties of the chain on `p`.
    pub(crate) fn liberties(&self, p: Pt) -> BTreeSet<Pt> {
        self.liberties_on(&self.now().board, &self.chain(p))
    }

    /// The points reached from `open` by steps over points that can be entered.
    fn flood(&self, mut open: Vec<Pt>, enter: impl Fn(&Pt) -> bool) -> BTreeSet<Pt> {
        let mut found = BTreeSet::new();
        while let Some(p) = open.pop() {
            if enter(&p) && found.insert(p) {
                open.extend(&self.neighbours[&p]);
            }
        }
        found
    }

    /// The chain of the stone on `p`, on any board.
    fn chain_on(&self, board: &Board, p: Pt) -> BTreeSet<Pt> {
        let color = board.get(&p);
        self.flood(vec![p], |q| color.is_some() && board.get(q) == color)
    }

    /// The empty points beside a chain, on any board.
    fn liberties_on(&self, board: &Board, chain: &BTreeSet<Pt>) -> BTreeSet<Pt> {
        let near = chain.iter().flat_map(|p| &self.neighbours[p]).copied();
        near.filter(|p| !board.contains_key(p)).collect()
    }

    /// All stones of a colour in chains without a liberty.
    fn without_liberties(&self, board: &Board, color: Color) -> BTreeSet<Pt> {
        let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
        for &p in board.keys() {
            if board[&p] == color && !seen.contains(&p) {
                let chain = self.chain_on(board, p);
                if self.liberties_on(board, &chain).is_empty() {
                    found.extend(&chain);
                }
                seen.extend(chain);
            }
        }
        found
    }

    /// Stones and own empty points of Black and White, once the dead stones are off.
    pub(crate) fn area(&self, dead: &BTreeSet<Pt>) -> (usize, usize) {
        let alive = |color| self.stones(color).difference(dead).count();
        let (black, white) = self.territory(dead);
        (black + alive(Color::Black), white + alive(Color::White))
    }

    /// Own empty points of Black and White, once the dead stones are off: those from which steps
    /// over empty points lead to stones of that colour only.
    pub(crate) fn territory(&self, dead: &BTreeSet<Pt>) -> (usize, usize) {
        let mut board = self.now().board.clone();
        board.retain(|p, _| !dead.contains(p));
        let reached = |color| {
            let stones = board.keys().filter(|p| board[p] == color);
            let near = stones.flat_map(|p| self.neighbours(*p)).collect();
            self.flood(near, |p| !board.contains_key(p))
        };
        let (black, white) = (reached(Color::Black), reached(Color::White));
        let only = |a: &BTreeSet<Pt>, b| a.difference(b).count();
        (only(&black, &white), only(&white, &black))
    }
}

/// Every choice of `k` of the items.
fn choose(items: &[Pt], k: usize) -> Vec<Vec<Pt>> {
    match items.split_first() {
        _ if k == 0 => vec![vec![]],
        Some((&first, rest)) if k <= items.len() => {
            let with = choose(rest, k - 1).into_iter();
            let with = with.map(|some| [vec![first], some].concat());
            with.chain(choose(rest, k)).collect()
        }
        _ => vec![],
    }
}
