//! The game and its one door.

use std::sync::Arc;

use super::{Assess, ByPlayouts, Event, Outcome, Phase, Refused, Standing};
use crate::board::{Color, Point, Position, Shape, Topology};
use crate::rules::{Ending, Judge, Points, Ruleset, Score, Selection, Turn};

/// The most turns of a game: far more than any game has, and a bound for the memory that one can take.
const MAX_TURNS: usize = 50_000;

/// A game under one ruleset on one board.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) ruleset: Ruleset,
    pub(super) judge: Judge,
    pub(super) standing: Standing,
    turns: Vec<TurnRecord>,
    start: Start,
    pub(super) komi: Option<Points>,
    handicap: usize,
    free_order: bool,
    pub(super) assess: Arc<dyn Assess>,
}

/// Turns for which memory is kept from one game to the next.
const KEPT: usize = 1_024;

/// What a game began with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The stones, handicap stones in the order in which they were given.
    pub stones: Vec<(Color, Point)>,
    /// The side that began.
    pub to_move: Color,
}

impl Start {
    const EMPTY: Start = Start { stones: Vec::new(), to_move: Color::Black };
}

/// A place in a game: see [`Game::bookmark`].
#[derive(Clone, Debug)]
pub struct Bookmark {
    turns: usize,
    standing: Standing,
}

/// A turn that was made.
#[derive(Clone, Debug)]
pub struct TurnRecord {
    /// Who made it.
    pub color: Color,
    /// What it was.
    pub turn: Turn,
    before: Before,
}

/// How the game stood before a turn. A game has one for each turn, and so nearly all of them should be small.
#[derive(Clone, Debug)]
enum Before {
    /// Nothing had been said about dead stones, and nothing but turns had happened.
    Plain { to_move: Color, passes: u8, captured: [u32; 2], pass_stones: [u16; 2] },
    /// Anything else.
    Other(Box<Standing>),
}

impl Before {
    #[inline]
    fn of(standing: &Standing) -> Before {
        let Standing { phase, to_move, passes, resumed, captured, pass_stones, added_pass, .. } = *standing;
        let said = standing.marks.is_some() || standing.accepted != [false; 2] || standing.proposed.is_some();
        let other = said || resumed || added_pass || phase != Phase::Play || standing.outcome.is_some();
        match pass_stones.map(u16::try_from) {
            [Ok(black), Ok(white)] if !other => {
                Before::Plain { to_move, passes, captured, pass_stones: [black, white] }
            }
            _ => Before::Other(Box::new(standing.clone())),
        }
    }

    fn standing(self) -> Standing {
        match self {
            Before::Plain { to_move, passes, captured, pass_stones } => {
                Standing { passes, captured, pass_stones: pass_stones.map(u32::from), ..Standing::new(to_move) }
            }
            Before::Other(standing) => *standing,
        }
    }
}

impl TurnRecord {
    /// Play had stopped and was resumed just before this turn.
    pub fn follows_resumption(&self) -> bool {
        matches!(&self.before, Before::Other(standing) if standing.resumed && standing.passes == 0)
    }

    /// Before it nothing had been said about dead stones, and nothing but turns had happened.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.before, Before::Plain { .. })
    }
}

impl Game {
    /// A new game, on the empty board, Black to move.
    pub fn new(selection: Selection) -> Game {
        Game::on(Topology::shared(selection.shape), selection)
    }

    /// A new game on a board that is there already, or one with special hash keys.
    pub fn on(topology: Arc<Topology>, selection: Selection) -> Game {
        Game {
            ruleset: selection.ruleset,
            judge: Judge::new(topology, selection.ruleset),
            standing: Standing::new(Color::Black),
            turns: Vec::new(),
            start: Start::EMPTY,
            komi: selection.komi,
            handicap: 0,
            free_order: false,
            assess: Arc::new(ByPlayouts),
        }
    }

    /// Lets either side move at any time, and a turn in scoring resume play by itself: for front ends that set
    /// positions up with turns.
    pub fn set_free_order(&mut self, free: bool) {
        self.free_order = free;
    }

    /// Plugs an assessment of life and death in, for endings that rely on one.
    pub fn set_assessment(&mut self, assess: Arc<dyn Assess>) {
        self.assess = assess;
    }

    /// Starts again under the same rules and on the same board, with this komi, or the ruleset's.
    pub fn restart(&mut self, komi: Option<Points>) {
        self.komi = komi;
        if self.at_start() && self.start == Start::EMPTY {
            return;
        }
        self.turns.clear();
        self.turns.shrink_to(KEPT);
        self.begin(Start::EMPTY);
    }

    /// Makes an event happen, or says why it may not; then nothing has changed.
    #[inline]
    pub fn apply(&mut self, event: &Event) -> Result<(), Refused> {
        match event {
            Event::Turn(color, turn) => self.turn(*color, turn),
            Event::Resign(color) => self.resign(*color),
            Event::Mark(stones) => self.mark(stones),
            Event::Accept(color) => self.accept(*color),
            Event::Propose(color, stones) => self.propose(*color, stones),
            Event::Resume => self.resume(),
            Event::TakeBack(_) if !self.ruleset.takeback => Err(Refused::NoTakeback),
            Event::TakeBack(n) => self.take_back(*n),
            Event::SetUp { stones, to_move } => self.set_up(stones, *to_move),
            Event::Handicap(points) => self.give_handicap(points),
            Event::Komi(_) if self.standing.phase == Phase::Finished => Err(Refused::GameOver),
            Event::Komi(komi) => {
                self.komi = *komi;
                Ok(())
            }
        }
    }

    /// Makes turns and resignations happen, all of them or none.
    pub fn apply_all(&mut self, events: &[Event]) -> Result<(), Refused> {
        let before = self.bookmark();
        let made = events.iter().try_for_each(|event| self.apply(event));
        if made.is_err() {
            self.return_to(before);
        }
        made
    }

    /// The present place in the game, to come back to.
    pub fn bookmark(&self) -> Bookmark {
        Bookmark { turns: self.turns.len(), standing: self.standing.clone() }
    }

    /// Comes back to a place: what happened since, turns and what is said about dead stones, has not happened. What the
    /// game began with stays.
    pub fn return_to(&mut self, mark: Bookmark) {
        let since = self.turns.len().saturating_sub(mark.turns);
        self.take_back(since).unwrap_or_default();
        // what is said between turns is not a turn that would be taken back
        self.standing = mark.standing;
    }

    fn turn(&mut self, color: Color, turn: &Turn) -> Result<(), Refused> {
        self.may_move(color, *turn == Turn::Pass)?;
        self.make(color, turn)
    }

    /// Whether a side may make a turn now, a pass or another: whether play goes on and it is its turn.
    #[inline]
    pub fn may_move(&self, color: Color, pass: bool) -> Result<(), Refused> {
        match self.standing.phase {
            Phase::Finished => return Err(Refused::GameOver),
            Phase::Scoring if self.free_order => {}
            // a stone by the side to move turns a proposal down
            Phase::Scoring if self.ruleset.ending != Ending::Proposal || pass => {
                return Err(Refused::PlayStopped(self.ruleset.ending));
            }
            Phase::Play | Phase::Scoring => {}
        }
        if color != self.standing.to_move && !self.free_order {
            return Err(Refused::NotToMove { to_move: self.standing.to_move });
        }
        Ok(())
    }

    /// Makes a turn of either side, if the rules of a turn allow it: for looking ahead, to be taken back again. Refused
    /// once play has stopped.
    pub fn try_turn(&mut self, color: Color, turn: &Turn) -> Result<(), Refused> {
        match self.standing.phase {
            Phase::Play => self.make(color, turn),
            Phase::Scoring => Err(Refused::PlayStopped(self.ruleset.ending)),
            Phase::Finished => Err(Refused::GameOver),
        }
    }

    #[inline]
    fn make(&mut self, color: Color, turn: &Turn) -> Result<(), Refused> {
        if self.turns.len() >= MAX_TURNS {
            return Err(Refused::TooManyTurns(MAX_TURNS));
        }
        self.carry_out(color, turn)?;
        if *turn == Turn::Pass {
            self.passed();
        }
        Ok(())
    }

    /// Makes a turn, without what follows from a pass.
    #[inline]
    fn carry_out(&mut self, color: Color, turn: &Turn) -> Result<(), Refused> {
        let legal = self.judge.rule(color, turn)?;
        self.turns.push(TurnRecord { color, turn: turn.clone(), before: Before::of(&self.standing) });
        let taken = self.judge.carry_out(legal);
        let standing = &mut self.standing;
        standing.captured[color.index()] += taken.captured as u32;
        standing.captured[color.other().index()] += taken.own as u32;
        standing.to_move = color.other();
        if standing.phase == Phase::Scoring {
            standing.phase = Phase::Play;
            standing.accepted = [false; 2];
            standing.proposed = None;
        }
        if *turn == Turn::Pass {
            standing.passes = standing.passes.saturating_add(1);
            standing.pass_stones[color.other().index()] += self.ruleset.pass_stones as u32;
        } else {
            standing.passes = 0;
            standing.resumed = false;
            standing.marks = None;
        }
        Ok(())
    }

    /// Goes again through turns of which each was made where play had not been stopped, to where the game stood then.
    pub(super) fn go_through(
        &mut self,
        start: Start,
        handicap: usize,
        turns: impl Iterator<Item = (Color, Turn)>,
        standing: Standing,
    ) {
        if start != Start::EMPTY {
            self.begin(start);
        }
        self.handicap = handicap;
        for (color, turn) in turns {
            let made = self.carry_out(color, &turn);
            debug_assert_eq!(made, Ok(()), "a turn of the game");
        }
        self.standing = standing;
    }

    fn passed(&mut self) {
        if self.standing.passes >= 2 {
            self.stop();
        } else if self.ruleset.ending == Ending::PassProposal {
            // fixed now, not when the other side accepts it
            let dead = self.assess.dead(self.position(), self.standing.to_move);
            self.set_marks(dead);
        }
    }

    fn resign(&mut self, color: Color) -> Result<(), Refused> {
        if self.standing.phase == Phase::Finished {
            return Err(Refused::GameOver);
        }
        if !self.ruleset.resign {
            return Err(Refused::NoResignation);
        }
        self.standing.phase = Phase::Finished;
        self.standing.outcome = Some(Outcome::Resigned { winner: color.other() });
        Ok(())
    }

    /// Takes back `n` turns whatever the ruleset says: for undoing what the program itself tried.
    pub fn take_back(&mut self, n: usize) -> Result<(), Refused> {
        let resigned = matches!(self.standing.outcome, Some(Outcome::Resigned { .. }));
        if n == 1 && self.turns.is_empty() && resigned {
            self.standing = Standing::new(self.start.to_move);
            return Ok(());
        }
        if n > self.turns.len() {
            return Err(Refused::TooFewTurns(self.turns.len()));
        }
        for _ in 0..n {
            if let Some(record) = self.turns.pop() {
                self.judge.take_back();
                self.standing = record.before.standing();
            }
        }
        Ok(())
    }

    /// Lets handicap be given whatever the ruleset says.
    pub fn allow_handicap(&mut self) {
        self.ruleset.handicap = true;
    }

    /// Whether these stones can be set up on this board.
    pub fn can_set_up(&self, stones: &[(Color, Point)]) -> Result<(), Refused> {
        let mut position = Position::new(self.topology().clone());
        for &(color, point) in stones {
            if position.at(point).is_some() {
                return Err(Refused::SetUpTwice(point));
            }
            position.put(color, point);
        }
        if let Some(&(_, point)) = stones.iter().find(|(_, point)| !position.breathes(*point)) {
            return Err(Refused::Breathless(point));
        }
        Ok(())
    }

    /// The board becomes these stones whatever the rules say, without a past: to look at them.
    pub fn show(&mut self, stones: impl IntoIterator<Item = (Color, Point)>, to_move: Color) {
        self.turns.clear();
        self.begin(Start { stones: stones.into_iter().collect(), to_move });
    }

    fn set_up(&mut self, stones: &[(Color, Point)], to_move: Color) -> Result<(), Refused> {
        if !self.at_start() {
            return Err(Refused::HasBegun);
        }
        self.can_set_up(stones)?;
        self.begin(Start { stones: stones.to_vec(), to_move });
        Ok(())
    }

    fn give_handicap(&mut self, points: &[Point]) -> Result<(), Refused> {
        if !self.ruleset.handicap {
            return Err(Refused::NoHandicap);
        }
        if self.position().count(Color::Black) + self.position().count(Color::White) > 0 {
            return Err(Refused::BoardNotEmpty);
        }
        if !self.at_start() {
            return Err(Refused::HasBegun);
        }
        let twice = points.iter().enumerate().any(|(i, p)| points[..i].contains(p));
        if twice || points.len() < 2 || points.len() >= self.topology().len() {
            return Err(Refused::BadHandicap);
        }
        self.begin(Start { stones: points.iter().map(|&p| (Color::Black, p)).collect(), to_move: Color::White });
        self.handicap = points.len();
        Ok(())
    }

    /// Before the first turn: this is what the game begins with, without handicap.
    fn begin(&mut self, start: Start) {
        self.judge.restart(start.stones.iter().copied(), start.to_move);
        self.standing = Standing::new(start.to_move);
        self.handicap = 0;
        self.start = start;
    }

    /// Nothing has happened but setting up.
    pub fn at_start(&self) -> bool {
        self.turns.is_empty() && self.standing.phase == Phase::Play
    }

    /// The rules.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The board's shape.
    pub fn shape(&self) -> Shape {
        self.topology().shape()
    }

    /// The board.
    pub fn topology(&self) -> &Arc<Topology> {
        self.position().topology()
    }

    /// The stones.
    #[inline]
    pub fn position(&self) -> &Position {
        self.judge.position()
    }

    /// The rules of a turn in the present position.
    #[inline]
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// How the game stands.
    #[inline]
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The turns made, the first first.
    pub fn turns(&self) -> &[TurnRecord] {
        &self.turns
    }

    /// The stones that the last turn took from the opponent, in order.
    pub fn last_captures(&self) -> Vec<Point> {
        let last = self.turns.last();
        last.map_or(Vec::new(), |record| self.judge.captured_in(self.turns.len(), record.color))
    }

    /// What the game began with.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// Whether either side may move at any time.
    pub fn free_order(&self) -> bool {
        self.free_order
    }

    /// How many handicap stones there were.
    pub fn handicap(&self) -> usize {
        self.handicap
    }

    /// White's compensation: what was set, else nothing after a handicap, else the ruleset's.
    pub fn komi(&self) -> Points {
        let usual = || if self.handicap > 0 { Points::default() } else { self.ruleset.komi(self.shape()) };
        self.komi.unwrap_or_else(usual)
    }

    /// White passes last under the AGA's rules: whether a pass will be added when the game ends now.
    pub(super) fn owes_a_pass(&self) -> bool {
        self.ruleset.ending == Ending::Aga && self.standing.to_move == Color::White
    }

    /// How the game ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.standing.outcome
    }

    /// The count of the present position under the present marks.
    pub fn score(&self) -> Score {
        self.score_with(self.standing.dead())
    }

    /// The count of the present position with these stones dead.
    pub fn score_with(&self, dead: &[Point]) -> Score {
        let captured = self.standing.captured.map(|n| n as usize);
        let mut pass_stones = self.standing.pass_stones.map(|n| n as usize);
        if self.standing.phase == Phase::Scoring && self.owes_a_pass() && self.ruleset.pass_stones {
            pass_stones[Color::Black.index()] += 1;
        }
        Score::new(&self.ruleset, self.position(), dead, captured, pass_stones, self.komi())
    }
}
