//! Random games of every ruleset and board, in every state in which a game can be written down.

use egtp::board::{Color, Kind, Point, Shape};
use egtp::game::{Event, Game, Phase};
use egtp::rules::{Counting, Ending, Points, RULESETS, Repetition, Selection, Turn};

use crate::play::{self, Random};

/// What a random game may be like.
#[derive(Clone, Copy, Default)]
pub(super) struct Wishes {
    /// This kind of board.
    pub(super) kind: Option<Kind>,
    /// Suicide allowed, and any position may come again: what plain programs show wrongly most often.
    pub(super) wild: bool,
    /// Also boards of 13x9 and up to 52x52.
    pub(super) large: bool,
}

/// Rules in the words of the protocol: a ruleset and any settings.
fn selection(random: &mut Random, wishes: Wishes) -> Selection {
    let shape = loop {
        let shape = if wishes.large { large(random) } else { play::shape(random) };
        if wishes.kind.is_none_or(|kind| shape.kind() == kind) {
            break shape;
        }
    };
    let mut words = vec![format!("topology={}", shape.kind().name()), format!("size={shape}")];
    let yes_or_no = |on| if on { "yes" } else { "no" };
    let mut set = |key: &str, value: &str| words.push(format!("{key}={value}"));
    if random.percent(60) {
        set("ending", random.pick(&Ending::ALL).name());
        set("counting", random.pick(&Counting::ALL).name());
        for key in ["pass_stones", "handicap", "resign", "takeback"] {
            set(key, yes_or_no(random.percent(60)));
        }
        set("special", yes_or_no(random.percent(50)));
        set("suicide", if random.percent(50) { "allowed" } else { "refused" });
        set("repetition", random.pick(&Repetition::ALL).name());
    }
    if random.percent(30) {
        set("komi", &Points::thousandths(random.below(40_000) as i32 - 10_000).to_string());
    }
    if wishes.wild {
        set("suicide", "allowed");
        set("repetition", "none");
        set("special", yes_or_no(random.percent(50)));
    }
    Selection::parse(random.pick(RULESETS).name, words.iter().map(String::as_str)).unwrap()
}

fn large(random: &mut Random) -> Shape {
    let shape = match random.below(8) {
        0 => Shape::rect(13, 9),
        1 => Shape::rect(52, 52),
        2 => Shape::torus(52, 52),
        3 => Shape::torus(19, 19),
        4 => Shape::rect(20, 19),
        5 => Shape::hex(26),
        6 => Shape::rect(19, 19),
        _ => Shape::torus(1 + random.below(2), 52),
    };
    shape.unwrap()
}

/// A random game, stopped anywhere.
pub(super) fn game(random: &mut Random, wishes: Wishes) -> Game {
    let mut game = Game::new(selection(random, wishes));
    game.set_free_order(random.percent(20));
    if random.percent(25) {
        let stones = play::stones(random, &mut game.position().clone());
        let to_move = random.color();
        game.apply(&Event::SetUp { stones, to_move }).unwrap();
    }
    let many = if random.percent(5) { 200 } else { 60 };
    for _ in 0..random.below(many) {
        let event = event(random, &game);
        // most are possible; the others change nothing
        game.apply(&event).unwrap_or_default();
    }
    game
}

fn event(random: &mut Random, game: &Game) -> Event {
    let to_move = game.standing().to_move;
    let color = if random.percent(if game.free_order() { 40 } else { 5 }) { to_move.other() } else { to_move };
    let heads = |random: &mut Random| -> Vec<Point> {
        let stones = play::chains(random, game.position(), 40);
        stones.into_iter().filter(|&p| game.position().head(p) == p).collect()
    };
    let scoring = game.standing().phase == Phase::Scoring;
    match random.below(100) {
        0 => Event::Resign(color),
        1..3 => Event::TakeBack(random.below(4)),
        3..5 => Event::Komi(random.percent(70).then(|| Points::thousandths(random.below(20_000) as i32 - 5_000))),
        5..20 if game.at_start() => {
            let all: Vec<Point> = game.topology().points().collect();
            let n = 2 + random.below(5);
            Event::Handicap(random.sample(&all, n))
        }
        20..30 if scoring => Event::Mark(heads(random)),
        30..45 if scoring => Event::Accept(random.color()),
        45..65 if scoring => Event::Propose(random.color(), heads(random)),
        65..75 if scoring => Event::Resume,
        30..45 => Event::Turn(color, Turn::Pass),
        _ => Event::Turn(color, play::turn(random, game, color)),
    }
}

/// The board after each turn, the start first, played again.
pub(super) fn boards(game: &Game) -> Vec<Vec<Option<Color>>> {
    let mut judge = egtp::rules::Judge::new(game.topology().clone(), *game.ruleset());
    judge.restart(game.start().stones.iter().copied(), game.start().to_move);
    let mut boards = vec![judge.position().stones().to_vec()];
    for record in game.turns() {
        let legal = judge.rule(record.color, &record.turn).unwrap();
        judge.carry_out(legal);
        boards.push(judge.position().stones().to_vec());
    }
    boards
}
