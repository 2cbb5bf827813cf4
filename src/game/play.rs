//! The game and its one door.

use std::sync::Arc;

use super::{Assess, Event, NoneDead, Outcome, Phase, Refused, Standing};
use crate::board::{Color, Point, Position, Shape, Topology};
use crate::rules::{Ending, Judge, Points, Ruleset, Score, Selection, Turn};

/// A game under one ruleset on one board.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) ruleset: Ruleset,
    pub(super) judge: Judge,
    pub(super) standing: Standing,
    turns: Vec<TurnRecord>,
    komi: Option<Points>,
    handicap: usize,
    free_order: bool,
    pub(super) assess: Arc<dyn Assess>,
}

/// A turn that was made.
#[derive(Clone, Debug)]
pub struct TurnRecord {
    /// Who made it.
    pub color: Color,
    /// What it was.
    pub turn: Turn,
    /// How the game stood before it.
    before: Standing,
}

impl Game {
    /// A new game, on the empty board, Black to move.
    pub fn new(selection: Selection) -> Game {
        Game::on(Arc::new(Topology::new(selection.shape)), selection)
    }

    /// A new game on a board that is there already, or one with special hash keys.
    pub fn on(topology: Arc<Topology>, selection: Selection) -> Game {
        Game {
            ruleset: selection.ruleset,
            judge: Judge::new(topology, selection.ruleset),
            standing: Standing::new(Color::Black),
            turns: Vec::new(),
            komi: selection.komi,
            handicap: 0,
            free_order: false,
            assess: Arc::new(NoneDead),
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
        self.judge.restart([], Color::Black);
        self.standing = Standing::new(Color::Black);
        self.turns.clear();
        self.handicap = 0;
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
        let legal = self.judge.rule(color, turn)?;
        self.turns.push(TurnRecord { color, turn: turn.clone(), before: self.standing.clone() });
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
            self.passed(color);
        } else {
            standing.passes = 0;
            standing.resumed = false;
            standing.marks = None;
        }
        Ok(())
    }

    fn passed(&mut self, color: Color) {
        self.standing.passes = self.standing.passes.saturating_add(1);
        if self.ruleset.pass_stones {
            self.standing.pass_stones[color.other().index()] += 1;
        }
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
        if n > self.turns.len() {
            return Err(Refused::TooFewTurns(self.turns.len()));
        }
        for _ in 0..n {
            if let Some(record) = self.turns.pop() {
                self.judge.take_back();
                self.standing = record.before;
            }
        }
        Ok(())
    }

    fn set_up(&mut self, stones: &[(Color, Point)], to_move: Color) -> Result<(), Refused> {
        if !self.at_start() {
            return Err(Refused::HasBegun);
        }
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
        self.judge.restart(stones.iter().copied(), to_move);
        self.standing = Standing::new(to_move);
        self.handicap = 0;
        Ok(())
    }

    fn give_handicap(&mut self, points: &[Point]) -> Result<(), Refused> {
        if !self.ruleset.handicap {
            return Err(Refused::NoHandicap);
        }
        if !self.at_start() || self.position().count(Color::Black) + self.position().count(Color::White) > 0 {
            return Err(Refused::BoardNotEmpty);
        }
        let twice = points.iter().enumerate().any(|(i, p)| points[..i].contains(p));
        if twice || points.len() < 2 || points.len() >= self.topology().len() {
            return Err(Refused::BadHandicap);
        }
        self.judge.restart(points.iter().map(|&p| (Color::Black, p)), Color::White);
        self.standing = Standing::new(Color::White);
        self.handicap = points.len();
        Ok(())
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

    /// How many handicap stones there were.
    pub fn handicap(&self) -> usize {
        self.handicap
    }

    /// White's compensation: what was set, else nothing after a handicap, else the ruleset's.
    pub fn komi(&self) -> Points {
        let usual = || if self.handicap > 0 { Points::default() } else { self.ruleset.komi(self.shape()) };
        self.komi.unwrap_or_else(usual)
    }

    /// How the game ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.standing.outcome
    }

    /// The count of the present position under the present marks.
    pub fn score(&self) -> Score {
        let captured = self.standing.captured.map(|n| n as usize);
        let pass_stones = self.standing.pass_stones.map(|n| n as usize);
        Score::new(&self.ruleset, self.position(), self.standing.dead(), captured, pass_stones, self.komi())
    }
}
