//! The counterexamples that the protocol's wording was found by, each as short as it can be: what went wrong by the first
//! wording goes wrong no more.

use super::board::{Grid, Side};
use super::duo::{Duo, Fault};
use super::flaw::AS_FIRST_WRITTEN;
use super::model::Answer;
use super::official::{Ending, Repetition, Rules};
use super::random::program;
use super::text::{Speaker, Wire};

struct Scene<W>(Duo<W>);

impl<W: Wire> Scene<W> {
    fn turns(&self) -> usize {
        self.0.room().game.turns.len()
    }

    fn sit(&mut self, side: Side) -> Result<usize, Fault> {
        self.0.enter(Some(side))
    }

    /// Whether a line is answered `=` at once.
    fn ok(&mut self, conn: usize, line: &str) -> Result<bool, Fault> {
        Ok(matches!(self.0.send(conn, line)?, Some(Ok(_))))
    }

    /// Turns of both sides, made by connections that behave.
    fn official(&mut self, lines: &[&str]) -> Result<(), Fault> {
        let conns = [self.sit(Side::Black)?, self.sit(Side::White)?];
        for line in lines {
            let side = Side::BOTH[line.contains("white") as usize];
            let conn = conns[side as usize];
            // by the first wording, too, the view of who has just sat down is the official position
            self.0.sit(conn, Some(side))?;
            if !self.ok(conn, line)? {
                return self.0.fault(&format!("{line} is refused"));
            }
        }
        conns.into_iter().try_for_each(|conn| self.0.close(conn, true))
    }

    /// A new connection of a seat sends these lines: the answers, nothing for what waits, and how many turns came of it.
    fn talk(&mut self, side: Side, lines: &[&str]) -> Result<(Vec<Option<Answer>>, usize), Fault> {
        let conn = self.sit(side)?;
        let before = self.turns();
        let answers: Result<Vec<_>, Fault> = lines.iter().map(|line| self.0.send(conn, line)).collect();
        Ok((answers?, self.turns() - before))
    }
}

/// Plays a script, and says whether what must not happen has happened.
type Script<W> = fn(&mut Scene<W>) -> Result<bool, Fault>;

/// Two turns and two passes, after which play goes on.
const PASSED: [&str; 5] = ["play black A3", "play white B2", "play black pass", "play white pass", "egtp_resume"];

fn scripts<W: Wire>() -> Vec<(&'static str, Script<W>)> {
    vec![
        ("a console's turn is taken, though it has never asked for the other side's", |s| {
            let (white, black) = (s.sit(Side::White)?, s.sit(Side::Black)?);
            s.ok(black, "play black A3")?;
            s.ok(black, "genmove white")?;
            Ok(s.ok(white, "play white B2")? && s.turns() == 1)
        }),
        ("two turns are taken back and another one is played", |s| {
            s.official(&["play black A3", "play white B2"])?;
            let lines = ["list_stones black", "undo", "undo", "play black C1", "genmove white"];
            let (answers, turns) = s.talk(Side::Black, &lines)?;
            Ok(matches!(answers[3], Some(Ok(_))) && turns == 0)
        }),
        ("two connections of one seat race with different moves", |s| {
            let (one, other) = (s.sit(Side::Black)?, s.sit(Side::Black)?);
            s.ok(one, "clear_board")?;
            s.ok(other, "clear_board")?;
            s.ok(one, "play black A3")?;
            s.ok(other, "play black C1")
        }),
        ("GoGui restarts while an earlier position is shown, and goes forward", |s| {
            s.official(&PASSED)?;
            let lines = ["clear_board", "gogui-play_sequence b A3 w B2", "play b PASS"];
            Ok(s.talk(Side::Black, &lines)?.1 > 0)
        }),
        ("a variation is tried and taken back, and then the user goes forward", |s| {
            s.official(&PASSED)?;
            let replay = ["clear_board", "play black A3", "play white B2", "play black pass", "play white pass"];
            let browse = ["undo", "undo", "play white C1", "undo", "play black pass"];
            Ok(s.talk(Side::Black, &[replay, browse].concat())?.1 > 0)
        }),
        ("q5Go begins from an earlier position: its stones column by column, then the passes", |s| {
            s.official(&["play black B2", "play white A3", "play black pass", "play white pass", "egtp_resume"])?;
            let stones = ["clear_board", "play white A3", "play black B2", "play black pass", "play white pass"];
            Ok(s.talk(Side::Black, &[&stones[..], &["known_command known_command"]].concat())?.1 > 0)
        }),
        ("the stones of an earlier position pass through the present one", |s| {
            special_turn(s)?;
            let lines = ["clear_board", "play black A2", "play black A1", "play white B2", "play black B1"];
            Ok(s.talk(Side::White, &lines)?.1 > 0)
        }),
        ("a position is set up as it was earlier, and the user goes forward over a pass", |s| {
            s.official(&PASSED)?;
            let lines = ["clear_board", "gogui-setup b A3 w B2", "play b PASS"];
            Ok(s.talk(Side::Black, &lines)?.1 > 0)
        }),
        ("a program gives the handicap and asks for White's pass", |s| {
            s.official(&["play white pass"])?;
            let points = s.0.room().game.rules.grid.names(&s.0.room().game.boards[0].black);
            let lines = ["clear_board", &format!("set_free_handicap {points}"), "genmove white"];
            Ok(s.talk(Side::Black, &lines)?.0[2] != Some(Ok("PASS".into())))
        }),
        ("a marking that was shown in an earlier scoring is accepted", |s| {
            let (black, white) = (s.sit(Side::Black)?, s.sit(Side::White)?);
            s.official(&["play black A3", "play white pass", "play black pass"])?;
            s.ok(black, "egtp_mark_dead A3")?;
            s.ok(white, "egtp_marks")?;
            s.official(&["egtp_resume", "play white pass", "play black pass"])?;
            s.ok(black, "egtp_mark_dead A3")?;
            s.ok(black, "egtp_accept black")?;
            s.ok(white, "egtp_accept white")
        }),
    ]
}

/// Black has four stones, and pays them for two.
fn special_turn<W: Wire>(s: &mut Scene<W>) -> Result<(), Fault> {
    for point in ["B1", "C1", "C2", "D1"] {
        s.official(&[&format!("play black {point}"), "play white pass"])?;
    }
    s.official(&["egtp_special black place A2 A1 pay C2 B1 C1 D1"])
}

fn play<W: Wire>(name: &str, script: Script<W>, model: Speaker, real: W) -> Result<(), Fault> {
    let special = name.contains("pass through");
    let grid = if special { Grid { width: 4, height: 2 } } else { Grid { width: 3, height: 3 } };
    let repetition = if name.contains("q5Go") { Repetition::Ko } else { Repetition::Positional };
    let rules = Rules { grid, repetition, ending: Ending::Agreement, special, resign: false };
    let handicap = if name.contains("handicap") { 2 } else { 0 };
    let mut scene = Scene(Duo::with_handicap(model, real, rules, handicap)?);
    let violated = script(&mut scene)?;
    scene.0.compare_official()?;
    if violated { scene.0.fault("it goes wrong") } else { Ok(()) }
}

#[test]
fn nothing_of_it_goes_wrong() {
    for (name, script) in scripts() {
        play(name, script, Speaker::default(), program()).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn all_of_it_went_wrong_by_the_first_wording() {
    for (name, script) in scripts() {
        let program = || Speaker::new(AS_FIRST_WRITTEN);
        let why = play(name, script, program(), program()).expect_err(name);
        assert!(why.starts_with("it goes wrong"), "{name}: {why}");
    }
}

/// Known and accepted: a refused stone that stays on a program's board becomes official when it can.
#[test]
fn a_refused_stone_that_stays_on_the_users_board() {
    let script: Script<_> = |s| {
        s.official(&PASSED[..4])?;
        let black = s.sit(Side::Black)?;
        let refused = !s.ok(black, "play black C1")?;
        s.official(&["egtp_resume"])?;
        let before = s.turns();
        s.ok(black, "clear_board")?;
        for line in [&PASSED[..4], &["play black C1"]].concat() {
            s.ok(black, line)?;
        }
        Ok(refused && s.turns() == before + 1)
    };
    let why = play("a refused stone", script, Speaker::default(), program()).expect_err("it is known to go wrong");
    assert!(why.starts_with("it goes wrong"), "{why}");
}

/// A position after a special turn, sent stone by stone: the turn that follows it is taken only after another command.
#[test]
fn sabaki_after_a_special_turn() {
    let passing: Script<_> = |s| {
        special_turn(s)?;
        let lines = ["clear_board", "play B A2", "play B A1", "play W D2", "genmove B"];
        let (answers, turns) = s.talk(Side::White, &lines)?;
        Ok(turns > 0 || !matches!(answers[4], Some(Err(_))))
    };
    let settled: Script<_> = |s| {
        special_turn(s)?;
        let lines = ["clear_board", "play B A2", "play B A1", "genmove W", "play W D2", "genmove B"];
        Ok(s.talk(Side::White, &lines)?.1 != 1)
    };
    for script in [passing, settled] {
        let name = "stones that pass through";
        play(name, script, Speaker::default(), program()).unwrap_or_else(|why| panic!("{why}"));
    }
}

/// What ruler processes send must never be a turn, whatever they know. Held as soon as there is the command.
#[test]
fn a_ruler_process_never_acts() {
    let script: Script<_> = |s| {
        let black = s.sit(Side::Black)?;
        s.ok(black, "clear_board")?;
        if !s.ok(black, "gogui-rules_board")? {
            return Ok(false);
        }
        s.official(&["play black A3", "play white B2"])?;
        for line in ["play b A3", "play w B2", "play b C1", "gogui-rules_board", "egtp_special b place C1 A1 pay A3"] {
            s.ok(black, line)?;
        }
        Ok(s.turns() > 2)
    };
    let known = program_knows("gogui-rules_board");
    println!("gogui-rules_board is known: {known}");
    if known {
        play("a ruler", script, Speaker::default(), program()).unwrap_or_else(|why| panic!("{why}"));
    }
}

fn program_knows(command: &str) -> bool {
    let mut program = program();
    let conn = program.connect();
    program.line(conn, &format!("known_command {command}")).iter().any(|(_, answer)| answer.contains("true"))
}
