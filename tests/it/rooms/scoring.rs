//! The end of a game in a room: nobody accepts a marking unseen, and both sides together can always finish.

use std::collections::{BTreeSet, VecDeque};

use super::board::{Grid, Points, Side};
use super::duo::{Duo, Fault};
use super::model::MARKING_CHANGED;
use super::official::{Ending, Phase, Repetition, Rules};
use super::random::program;
use super::text::{Speaker, Wire};
use crate::play::Random;

/// The chains that can be marked.
const STONES: [&str; 2] = ["A1", "C1"];

/// What a seat can do; `resume` includes the two passes that lead to scoring again.
const ACTIONS: [&str; 9] =
    ["mark A1", "mark C1", "mark A1 C1", "marks", "accept", "accept other", "propose", "propose A1", "resume"];

/// A room whose play has stopped, with a stone of each side.
struct Table<W> {
    duo: Duo<W>,
    /// The seats' connections: Black's, White's, and another of Black's.
    seats: [(usize, Side); 3],
    /// What they were shown in this scoring, kept apart from the model. The empty marking needs no showing.
    shown: [Points; 3],
}

impl<W: Wire> Table<W> {
    fn new(ending: Ending, model: Speaker, real: W) -> Result<Table<W>, Fault> {
        let grid = Grid { width: 3, height: 1 };
        let rules = Rules { grid, repetition: Repetition::Ko, ending, special: false, resign: false };
        let mut duo = Duo::new(model, real, rules)?;
        let mut seats = [(0, Side::Black), (0, Side::White), (0, Side::Black)];
        for (conn, side) in &mut seats {
            *conn = duo.enter(Some(*side))?;
        }
        duo.send(seats[0].0, &format!("play black {}", STONES[0]))?;
        duo.send(seats[1].0, &format!("play white {}", STONES[1]))?;
        let mut table = Table { duo, seats, shown: Default::default() };
        table.pass_twice()?;
        Ok(table)
    }

    fn pass_twice(&mut self) -> Result<(), Fault> {
        for _ in 0..2 {
            let side = self.duo.room().game.to_move;
            self.duo.send(self.seats[side as usize].0, &format!("play {} pass", side.name()))?;
        }
        self.shown = Default::default();
        if self.duo.room().game.phase == Phase::Scoring {
            Ok(())
        } else {
            self.duo.fault("no scoring after two passes")
        }
    }

    fn act(&mut self, seat: usize, action: &str) -> Result<(), Fault> {
        let (conn, side) = self.seats[seat];
        let (verb, rest) = action.split_once(' ').unwrap_or((action, ""));
        let color = if rest == "other" { side.other() } else { side }.name();
        let line = match verb {
            "mark" => format!("egtp_mark_dead {rest}"),
            "accept" => format!("egtp_accept {color}"),
            "propose" => format!("egtp_propose {color} {rest}"),
            verb => format!("egtp_{verb}"),
        };
        let marks = self.duo.room().game.marks.clone();
        let answer = self.duo.send(conn, line.trim())?.unwrap_or_else(|| Err(String::new()));
        let game = &self.duo.room().game;
        match (verb, answer) {
            ("accept", Ok(_)) if rest == "other" => return self.duo.fault("accepted for the other side"),
            ("accept", Ok(_)) if self.shown[seat] != marks => {
                return self.duo.fault(&format!("{conn} has accepted a marking that it was not shown"));
            }
            // the refusal names it
            ("accept", Err(why)) if why == MARKING_CHANGED => self.shown[seat] = marks,
            ("mark" | "marks" | "propose", Ok(_)) => self.shown[seat] = game.marks.clone(),
            ("resume", Ok(_)) => self.pass_twice()?,
            _ => {}
        }
        self.duo.compare_official()
    }

    /// Looks, and accepts or proposes and accepts.
    fn finish(&mut self) -> Result<(), Fault> {
        if self.duo.room().game.phase == Phase::Scoring {
            let proposal = self.duo.room().game.rules.ending == Ending::Proposal;
            self.act(0, "marks")?;
            self.act(0, if proposal { "propose" } else { "accept" })?;
            self.act(1, "marks")?;
            self.act(1, "accept")?;
        }
        if self.duo.room().game.phase == Phase::Finished { Ok(()) } else { self.duo.fault("it cannot be finished") }
    }
}

/// Random scoring of three connections. Says how many lines were compared.
pub(crate) fn game<W: Wire>(seed: u64, length: usize, model: Speaker, real: W) -> Result<usize, Fault> {
    let mut random = Random::new(seed);
    let ending = random.pick(&[Ending::Agreement, Ending::Proposal]);
    let mut table = Table::new(ending, model, real)?;
    for _ in 0..length {
        if table.duo.room().game.phase != Phase::Scoring {
            break;
        }
        table.act(random.below(3), random.pick(&ACTIONS))?;
    }
    table.finish()?;
    Ok(table.duo.lines)
}

/// Walks through all states of a scoring and the one after it that two seats can reach.
fn every_state(ending: Ending) -> Result<(usize, usize), Fault> {
    let replay = |path: &[(usize, &str)]| {
        let mut table = Table::new(ending, Speaker::default(), program())?;
        path.iter().try_for_each(|&(seat, action)| table.act(seat, action)).map(|()| table)
    };
    let (mut seen, mut edges) = (BTreeSet::new(), 0);
    let mut queue = VecDeque::from([Vec::new()]);
    while let Some(path) = queue.pop_front() {
        for action in ACTIONS {
            for seat in 0..2 {
                let path: Vec<_> = path.iter().copied().chain([(seat, action)]).collect();
                let mut table = replay(&path)?;
                edges += 1;
                let game = &table.duo.room().game;
                let marks: Vec<Points> = [&game.marks, &table.duo.conn(table.seats[0].0).shown]
                    .into_iter()
                    .chain([&table.duo.conn(table.seats[1].0).shown])
                    .cloned()
                    .collect();
                let rounds = game.scorings.min(2);
                let state = (marks, game.accepted.clone(), game.proposed, game.phase == Phase::Finished, rounds);
                let goes_on = game.phase == Phase::Scoring && game.scorings <= 2;
                if seen.insert(state) && goes_on {
                    table.finish()?;
                    queue.push_back(path);
                }
            }
        }
    }
    Ok((seen.len(), edges))
}

#[test]
fn every_state_of_a_scoring_can_be_finished_and_is_never_accepted_unseen() {
    for ending in [Ending::Agreement, Ending::Proposal] {
        let (states, edges) = every_state(ending).unwrap_or_else(|why| panic!("{why}"));
        println!("{ending:?}: {states} states, {edges} ways");
        assert!(states > 40);
    }
}

#[test]
fn random_scorings() {
    for seed in 0..500 {
        game(seed, 60, Speaker::default(), program()).unwrap_or_else(|why| panic!("scoring {seed}: {why}"));
    }
}
