//! From the last pass to the outcome: marks, acceptance, proposals, resumption.

use super::{Game, Outcome, Phase, Refused};
use crate::board::{Color, Point};
use crate::rules::Ending;

impl Game {
    /// What two adjacent passes lead to.
    pub(super) fn stop(&mut self) {
        match self.ruleset.ending {
            // the game is over if nobody has placed a stone since play was resumed, all stones alive
            Ending::Aga if self.standing.resumed => self.finish(),
            Ending::Agreement | Ending::Proposal | Ending::Aga => {
                self.standing.phase = Phase::Scoring;
                self.standing.marks = None;
            }
            Ending::Automatic => {
                let dead = self.assess.dead(self.position(), self.standing.to_move);
                self.set_marks(dead);
                self.finish();
            }
            // the marks are those that the first pass carried
            Ending::PassProposal | Ending::AllAlive => self.finish(),
        }
    }

    fn finish(&mut self) {
        if self.owes_a_pass() {
            self.standing.added_pass = true;
            if self.ruleset.pass_stones {
                self.standing.pass_stones[Color::Black.index()] += 1;
            }
        }
        self.standing.phase = Phase::Finished;
        self.standing.proposed = None;
        self.standing.outcome = Some(Outcome::Counted(self.score().margin()));
    }

    pub(super) fn set_marks(&mut self, mut dead: Vec<Point>) {
        dead.sort_unstable();
        self.standing.marks = if dead.is_empty() { None } else { Some(dead.into()) };
    }

    pub(super) fn mark(&mut self, stones: &[Point]) -> Result<(), Refused> {
        self.in_scoring()?;
        let mut dead = vec![false; self.topology().len()];
        self.standing.dead().iter().for_each(|p| dead[p.index()] = true);
        for stone in self.chains(stones)? {
            dead[stone.index()] = !dead[stone.index()];
        }
        let dead = self.topology().points().filter(|p| dead[p.index()]).collect();
        self.set_marks(dead);
        // even marks that come back to what was accepted must be accepted again
        self.standing.accepted = [false; 2];
        self.standing.proposed = None;
        Ok(())
    }

    pub(super) fn accept(&mut self, color: Color) -> Result<(), Refused> {
        self.in_scoring()?;
        if self.ruleset.ending == Ending::Proposal {
            match self.standing.proposed {
                None => return Err(Refused::NothingProposed),
                Some(by) if by == color => return Err(Refused::OwnProposal),
                Some(_) => self.standing.accepted = [true; 2],
            }
        }
        self.standing.accepted[color.index()] = true;
        if self.standing.accepted == [true; 2] {
            self.finish();
        }
        Ok(())
    }

    pub(super) fn propose(&mut self, color: Color, stones: &[Point]) -> Result<(), Refused> {
        self.in_scoring()?;
        let mut dead = self.chains(stones)?;
        dead.sort_unstable();
        if self.ruleset.ending == Ending::Proposal {
            self.set_marks(dead);
            self.standing.accepted = [false; 2];
            self.standing.accepted[color.index()] = true;
            self.standing.proposed = Some(color);
            return Ok(());
        }
        if dead != self.standing.dead() {
            self.set_marks(dead);
            self.standing.accepted = [false; 2];
        }
        self.accept(color)
    }

    pub(super) fn resume(&mut self) -> Result<(), Refused> {
        self.in_scoring()?;
        if self.ruleset.ending == Ending::Proposal {
            return Err(Refused::ResumeByStone { to_move: self.standing.to_move });
        }
        let standing = &mut self.standing;
        standing.phase = Phase::Play;
        standing.passes = 0;
        standing.resumed = true;
        standing.marks = None;
        standing.accepted = [false; 2];
        Ok(())
    }

    fn in_scoring(&self) -> Result<(), Refused> {
        match self.standing.phase {
            Phase::Scoring => Ok(()),
            Phase::Play => Err(Refused::NotScoring),
            Phase::Finished => Err(Refused::GameOver),
        }
    }

    /// All stones of the chains of these stones, each chain named once.
    fn chains(&self, stones: &[Point]) -> Result<Vec<Point>, Refused> {
        let position = self.position();
        let mut named: Vec<Option<Point>> = vec![None; self.topology().len()];
        let mut all = Vec::new();
        for &stone in stones {
            if position.at(stone).is_none() {
                return Err(Refused::NoStone(stone));
            }
            let head = position.head(stone);
            if let Some(first) = named[head.index()].replace(stone) {
                return Err(Refused::OneChain(first, stone));
            }
            all.extend(position.chain(stone));
        }
        Ok(all)
    }
}
