//! A connection that sends anything that a room understands, in any order.

use super::board::{Board, Grid, Points, Side};
use super::duo::{Duo, Fault};
use super::official::Turn;
use super::text::{Wire, move_word};
use crate::play::Random;

/// One line of any kind.
pub(crate) fn act<W: Wire>(random: &mut Random, duo: &mut Duo<W>, conn: usize) -> Result<(), Fault> {
    if random.percent(3) {
        let seat = random.pick(&[Some(Side::Black), Some(Side::White), None]);
        return duo.sit(conn, seat);
    }
    if random.percent(5) {
        return set_up_and_repeat(random, duo, conn);
    }
    let line = line(random, duo, conn);
    duo.send(conn, &line).map(|_| ())
}

fn line<W: Wire>(random: &mut Random, duo: &Duo<W>, conn: usize) -> String {
    let game = &duo.room().game;
    let grid = game.rules.grid;
    let points: Vec<usize> = grid.points().collect();
    let side = match duo.conn(conn).seat {
        Some(seat) if random.percent(70) => seat,
        _ => random.pick(&Side::BOTH),
    };
    let color = side.name();
    let vertex = grid.name(random.pick(&points));
    match random.below(26) {
        0..=6 => format!("play {color} {vertex}"),
        7 => format!("play {color} pass"),
        8 if !game.turns.is_empty() => {
            // what has been played before
            let (side, mv) = random.pick(&game.turns.iter().map(Turn::plain).collect::<Vec<_>>());
            format!("play {} {}", side.name(), move_word(grid, mv))
        }
        8 => format!("play {color} {}", random.pick(&["Z9", "J1", "xyzzy", "resign"])),
        9..=11 => format!("genmove {color}"),
        12 => random.pick(&["clear_board", "undo", "undo", "boardsize 7", "gg-undo 2"]).into(),
        13 => format!("rectangular_boardsize {} {}", grid.width, grid.height),
        14 => format!("list_stones {color}"),
        15 => {
            // the turns so far, as a program would send them, and perhaps one more
            let known = random.below(game.turns.len() + 1);
            let mut words: Vec<String> = Vec::new();
            for (side, mv) in game.turns[..known].iter().map(|turn| turn.plain()) {
                words.push(format!("{} {}", side.name(), move_word(grid, mv)));
            }
            if random.percent(40) {
                words.push(format!("{color} {vertex}"));
            }
            format!("gogui-play_sequence {}", words.join(" "))
        }
        16 | 24 => {
            let mut board = game.boards[random.below(game.boards.len())].clone();
            if random.percent(30) {
                board.white.remove(&random.pick(&points));
            }
            set_position(grid, &board)
        }
        23 => "egtp_resume".into(),
        17 if random.percent(50) => {
            // stones are added, or the handicap is given
            let start: Vec<usize> = game.boards[0].black.iter().copied().collect();
            let some = random.sample(&points, 2);
            let stones = if start.len() > 1 && random.percent(50) { start } else { some };
            format!("set_free_handicap {}", grid.names(&stones))
        }
        17 => {
            // in the order of the board, in which the model keeps them
            let own: Vec<usize> = game.board().of(side).iter().copied().collect();
            let some = |points: Vec<usize>| grid.names(&points.into_iter().collect::<Points>());
            let (place, pay) = (some(random.sample(&points, 2)), some(random.sample(&own, 4)));
            format!("egtp_special {color} place {place} pay {pay}")
        }
        18 => format!("egtp_mark_dead {vertex}"),
        19 => format!("egtp_accept {color}"),
        20 => random.pick(&["egtp_marks", "egtp_resume", "showboard", "name", "komi 5.5"]).into(),
        21 => {
            random.pick(&[format!("egtp_propose {color}").as_str(), &format!("egtp_propose {color} {vertex}")]).into()
        }
        22 => random.pick(&["", "# what now", "# interrupt", "known_command genmove", "no_such_command"]).into(),
        _ => "egtp_view".into(),
    }
}

/// Sets the present position up, and plays what has followed it when it stood before.
fn set_up_and_repeat<W: Wire>(random: &mut Random, duo: &mut Duo<W>, conn: usize) -> Result<(), Fault> {
    let game = &duo.room().game;
    let grid = game.rules.grid;
    let next: Vec<Turn> = game
        .turns
        .iter()
        .zip(&game.boards)
        .filter(|(_, board)| *board == game.board())
        .map(|(turn, _)| turn.clone())
        .collect();
    let setup = set_position(grid, game.board());
    duo.send(conn, &setup)?;
    if !next.is_empty() {
        let (side, mv) = next[random.below(next.len())].plain();
        duo.send(conn, &format!("play {} {}", side.name(), move_word(grid, mv)))?;
    }
    Ok(())
}

fn set_position(grid: Grid, board: &Board) -> String {
    let words = board.occupied().into_iter().map(|p| format!(" {} {}", board.at(p).unwrap().name(), grid.name(p)));
    format!("set_position{}", words.collect::<String>())
}
