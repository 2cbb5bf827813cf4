//! Games that were played on the model that the protocol was checked with, written in another language by somebody else:
//! what every connection sent, and what it was told. `tests/data/rooms/README.md` says how they are written.

use std::collections::BTreeMap;

use super::board::Side;
use super::duo::{Duo, Fault};
use super::official::Rules;
use super::random::program;
use super::text::{Speaker, Wire, turn_lines};

/// What a connection is told: whether it was refused, and the vertex of a `genmove`.
type Told = (bool, String);

/// Plays recorded games again. Says how many lines were sent in them.
pub(crate) fn replay<W: Wire>(text: &str, mut program: impl FnMut() -> W) -> Result<usize, Fault> {
    let mut sent = 0;
    for game in text.split("game ").skip(1) {
        let (name, game) = game.split_once('\n').unwrap();
        sent += replay_game(game, program()).map_err(|why| format!("game {name}: {why}"))?;
    }
    Ok(sent)
}

fn replay_game<W: Wire>(game: &str, real: W) -> Result<usize, Fault> {
    let mut lines = game.lines().peekable();
    let settings = lines.next().and_then(|line| line.strip_prefix("opens ")).unwrap();
    let mut duo = Duo::new(Speaker::default(), real, Rules::read(settings).unwrap())?;
    let (mut conns, mut heard, mut sent) = (BTreeMap::new(), BTreeMap::new(), 0);
    let mut turns = Vec::new();
    while let Some(line) = lines.next() {
        let (who, what) = line.split_once(' ').unwrap();
        if who == "turn" {
            turns.push(what);
            continue;
        }
        let who: usize = who.parse().unwrap();
        match what.split_once(' ') {
            Some(("sits", seat)) => {
                let seat = Side::read(seat);
                match conns.get(&who) {
                    Some(&conn) => duo.sit(conn, seat)?,
                    None => {
                        conns.insert(who, duo.enter(seat)?);
                    }
                }
                heard.insert(who, duo.out[conns[&who]].len());
            }
            Some((">", line)) => {
                duo.send(conns[&who], line)?;
                sent += 1;
            }
            // without a word, so that the answer to `quit` is not expected
            None if what == "quits" => duo.close(conns[&who], false)?,
            _ => return duo.fault(&format!("cannot be read: {line}")),
        }
        let mut expected: BTreeMap<usize, Vec<Told>> = BTreeMap::new();
        while let Some((who, answer)) = lines.peek().and_then(|line| line.split_once(' ')) {
            if !answer.starts_with(['=', '?']) {
                break;
            }
            let told = (answer.starts_with('='), answer[1..].trim().to_string());
            expected.entry(who.parse().unwrap()).or_default().push(told);
            lines.next();
        }
        if what == "quits" {
            // who has hung up hears nothing
            expected.remove(&who);
        }
        for (who, conn) in &conns {
            let told = duo.out[*conn][heard[who]..].iter().map(|(command, answer)| {
                let vertex = answer.clone().ok().filter(|_| command.starts_with("genmove"));
                (answer.is_ok(), vertex.unwrap_or_default())
            });
            let told: Vec<Told> = told.collect();
            let expected = expected.remove(who).unwrap_or_default();
            if told != expected {
                return duo.fault(&format!("{who} ({conn} here) is told {told:?}, not {expected:?}"));
            }
            heard.insert(*who, duo.out[*conn].len());
        }
    }
    let numbered: Vec<String> = turns.iter().enumerate().map(|(i, turn)| format!("{} {turn}", i + 1)).collect();
    duo.compare_official()?;
    if turn_lines(duo.room()) == numbered.join("\n") { Ok(sent) } else { duo.fault("other turns than recorded") }
}

#[test]
fn recorded_games_are_played_as_recorded() {
    for name in ["clients", "specials"] {
        let path = format!("{}/tests/data/rooms/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
        let sent = replay(&text, program).unwrap_or_else(|why| panic!("{name}: {why}"));
        println!("{name}: {sent} lines");
        assert!(sent > 1_000);
    }
}
