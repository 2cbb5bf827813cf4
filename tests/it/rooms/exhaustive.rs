//! All short scripts: two programs, a beginning, and everything their users can do in so many actions.

use super::board::{Grid, Side};
use super::clients::{Action, Client, Style};
use super::duo::{Duo, Fault};
use super::games::{Play, actions};
use super::official::{Ending, Move, Repetition, Rules};
use super::random::program;
use super::text::{Speaker, Wire};

/// How a game begins: clicks in turn, `R` for resuming after two passes.
const BEGINNINGS: [&[Beginning]; 5] = {
    use Beginning::*;
    [
        &[],
        &[Click(Some(0))],
        &[Click(Some(0)), Click(Some(1))],
        &[Click(None), Click(None), Resume],
        &[Click(Some(0)), Click(None), Click(None), Resume],
    ]
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Beginning {
    Click(Move),
    Resume,
}

/// A program, and whether it takes back with `undo`, at once when its user goes back.
type Kind = (Style, bool);

const PAIRS: [[Kind; 2]; 8] = {
    use Style::*;
    [
        [(GoGui, true), (Sabaki, false)],
        [(Sabaki, false), (GoGui, true)],
        [(Q5Go, false), (GoGui, false)],
        [(GoGui, false), (Q5Go, false)],
        [(Kigo, true), (Sabaki, false)],
        [(Sabaki, false), (Kigo, true)],
        [(Console, false), (GoGui, false)],
        [(Q5Go, false), (Console, false)],
    ]
};

/// A client's action, or play is resumed.
type Step = Option<(usize, Action)>;

/// A game that has begun, and a connection that resumes.
fn begin<W: Wire>(pair: [Kind; 2], beginning: &[Beginning], real: W) -> Result<(Play<W>, usize), Fault> {
    let width = if beginning.contains(&Beginning::Click(Some(1))) { 3 } else { 2 };
    let grid = Grid { width, height: 1 };
    let rules = Rules { grid, repetition: Repetition::Ko, ending: Ending::Agreement, special: false, resign: true };
    let mut duo = Duo::new(Speaker::default(), real, rules)?;
    let mut clients = Vec::new();
    for ((style, undo), seat) in pair.into_iter().zip(Side::BOTH) {
        clients.push(Client::new(&mut duo, style, Some(seat), undo, undo && style == Style::GoGui)?);
    }
    let arbiter = duo.enter(Some(Side::White))?;
    let mut play = Play { duo, clients };
    let mut side = 0;
    for &what in beginning {
        let Beginning::Click(mv) = what else {
            play.duo.send(arbiter, "egtp_resume")?;
            continue;
        };
        if play.clients[side].style != Style::Console {
            play.step(side, Action::Generate)?;
        }
        play.step(side, Action::Click(mv))?;
        side = 1 - side;
    }
    Ok((play, arbiter))
}

fn run<W: Wire>(pair: [Kind; 2], beginning: &[Beginning], script: &[Step], real: W) -> Result<(), Fault> {
    let (mut play, arbiter) = begin(pair, beginning, real)?;
    for step in script {
        match step {
            Some((client, action)) => play.step(*client, *action)?,
            None => play.duo.send(arbiter, "egtp_resume").map(|_| ())?,
        }
    }
    play.settle()
}

/// Runs all scripts of that many steps. Says how many there are.
fn scripts<W: Wire>(depth: usize, program: fn() -> W) -> usize {
    let mut count = 0;
    for pair in PAIRS {
        for beginning in BEGINNINGS {
            let mut steps: Vec<Step> = vec![None];
            for (i, (style, _)) in pair.into_iter().enumerate() {
                // special turns cost more stones than there are points
                let all = actions(style, 2).into_iter().filter(|action| !matches!(action, Action::Special(_)));
                steps.extend(all.map(|action| Some((i, action))));
            }
            for number in 0..steps.len().pow(depth as u32) {
                let script: Vec<Step> =
                    (0..depth).map(|i| steps[number / steps.len().pow(i as u32) % steps.len()]).collect();
                if let Err(why) = run(pair, beginning, &script, program()) {
                    panic!("{pair:?} after {beginning:?}, {script:?}: {why}");
                }
                count += 1;
            }
        }
    }
    count
}

#[test]
fn every_short_script() {
    // a third step makes some twenty times as many
    let depth = if super::random::is_long() { 3 } else { 2 };
    println!("{} scripts of {depth} steps", scripts(depth, program));
}
