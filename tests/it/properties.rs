//! What must be true of every game, tried on random ones under all rulesets.

use std::collections::BTreeMap;
use std::sync::Arc;

use egtp::board::{Color, Kind, Point, Shape, Topology};
use egtp::game::{Event, Game, Phase, Refused, Resting, Standing};
use egtp::rules::{Count, Ending, Points, RULESETS, Repetition, Ruleset, Selection, SpecialTurn, Turn, find};

use crate::data::{board, reason};
use crate::play::{self, Random};

/// Everything about a game that can be seen from outside.
#[derive(Clone, PartialEq, Debug)]
struct Picture {
    board: String,
    hash: u64,
    standing: Standing,
    turns: Vec<(Color, Turn)>,
    komi: Points,
    handicap: usize,
}

fn picture(game: &Game) -> Picture {
    Picture {
        board: board(game.position()),
        hash: game.position().hash(),
        standing: game.standing().clone(),
        turns: game.turns().iter().map(|record| (record.color, record.turn.clone())).collect(),
        komi: game.komi(),
        handicap: game.handicap(),
    }
}

/// Any ruleset on a small board, with some of its switches turned.
pub(crate) fn selection(random: &mut Random) -> Selection {
    let shape = play::shape(random);
    let ruleset = random.pick(RULESETS);
    let mut ruleset = Ruleset { kind: shape.kind(), ..ruleset };
    if random.percent(50) {
        ruleset.ending = random.pick(&Ending::ALL);
        ruleset.repetition = random.pick(&Repetition::ALL);
        ruleset.takeback = random.percent(70);
        ruleset.suicide = random.percent(40);
        ruleset.special = random.percent(60);
        ruleset.pass_stones = random.percent(50);
        ruleset.handicap = random.percent(50);
    }
    Selection { ruleset, shape, komi: None }
}

fn new_game(selection: Selection) -> Game {
    let mut game = Game::new(selection);
    game.set_assessment(play::odd_chains());
    game
}

/// Something that might happen next, possible or not.
pub(crate) fn event(random: &mut Random, game: &Game) -> Event {
    let to_move = game.standing().to_move;
    let color = if random.percent(10) { to_move.other() } else { to_move };
    let heads = |random: &mut Random| {
        let mut stones = play::chains(random, game.position(), 30);
        if !random.percent(10) {
            stones.retain(|&p| game.position().head(p) == p);
        }
        if random.percent(10) {
            stones.push(random.pick(&game.topology().points().collect::<Vec<_>>()));
        }
        stones
    };
    let scoring = game.standing().phase == Phase::Scoring;
    let at_start = game.at_start();
    match random.below(100) {
        0..2 => Event::Resign(color),
        2..7 => Event::TakeBack(random.below(5)),
        7..9 => Event::Komi(random.percent(70).then(|| Points::thousandths(random.below(20_000) as i32 - 5_000))),
        9..11 => Event::Mark(heads(random)),
        11..13 => Event::Accept(color),
        13..15 => Event::Propose(color, heads(random)),
        15..17 => Event::Resume,
        17..19 => Event::Handicap(random.sample(&game.topology().points().collect::<Vec<_>>(), 3)),
        19..21 => Event::SetUp { stones: Vec::new(), to_move: color },
        21..50 if at_start => {
            let stones = play::stones(random, &mut game.position().clone());
            Event::SetUp { stones, to_move: random.color() }
        }
        21..40 if scoring => Event::Mark(heads(random)),
        40..60 if scoring => Event::Accept(random.color()),
        60..75 if scoring => Event::Propose(random.color(), heads(random)),
        75..85 if scoring => Event::Resume,
        // enough passes that play stops
        21..35 => Event::Turn(color, Turn::Pass),
        _ => Event::Turn(color, play::turn(random, game, color)),
    }
}

/// How often something occurred in the games of a test.
type Counts = BTreeMap<String, usize>;

fn count(counts: &mut Counts, what: impl Into<String>) {
    *counts.entry(what.into()).or_default() += 1;
}

/// Plays one random game, checking everything on the way.
fn play_any_game(random: &mut Random, counts: &mut Counts) {
    let selection = selection(random);
    let ending = selection.ruleset.ending.name();
    let mut game = new_game(selection);
    let mut accepted: Vec<Event> = Vec::new();
    // before each turn that stands
    let mut before_turns: Vec<Picture> = Vec::new();
    for _ in 0..20 + random.below(80) {
        let before = picture(&game);
        let event = event(random, &game);
        let Ok(()) = game.apply(&event) else {
            assert_eq!(picture(&game), before, "a refused {event:?} changes nothing");
            assert!(game.score().margin() == game.score().margin());
            count(counts, "refused");
            continue;
        };
        match &event {
            Event::Turn(color, turn) => {
                before_turns.push(before);
                after_turn(&game, *color, turn);
            }
            // a resignation before the first turn is taken back, too
            Event::TakeBack(1) if before_turns.is_empty() => {
                assert!(before.standing.outcome.is_some() && game.at_start(), "{before:?}");
            }
            Event::TakeBack(n) if *n > 0 => {
                let first = before_turns.len() - n;
                let expected = before_turns.drain(first..).next().unwrap();
                let now = picture(&game);
                // komi is not part of a turn
                assert_eq!(now, Picture { komi: now.komi, ..expected }, "{n} turns taken back");
                count(counts, "taken back");
            }
            Event::SetUp { .. } | Event::Handicap(_) => before_turns.clear(),
            _ => {}
        }
        accepted.push(event);
        count(counts, format!("{ending} {}", game.standing().phase.name()));
    }
    replayed(selection, &game, &accepted);
}

/// After a turn every chain breathes, and whoever placed a stone has one.
fn after_turn(game: &Game, color: Color, turn: &Turn) {
    let position = game.position();
    let stone = |p: &Point| position.at(*p).is_some();
    assert!(
        position.topology().points().filter(stone).all(|p| position.breathes(p) && !position.liberties(p).is_empty())
    );
    let placed = *turn != Turn::Pass && !game.ruleset().suicide;
    assert!(!placed || position.count(color) > 0, "the mover has a stone");
}

/// The same events make the same game.
fn replayed(selection: Selection, game: &Game, events: &[Event]) {
    let mut again = new_game(selection);
    for event in events {
        assert_eq!(again.apply(event), Ok(()), "accepted once, {event:?} is accepted again");
    }
    assert_eq!(picture(&again), picture(game));
    assert_eq!(again.score(), game.score());
    assert_eq!(again.last_captures(), game.last_captures());
    let rule = |game: &Game| {
        let turns = game.topology().points().map(Turn::Play);
        turns.map(|turn| game.judge().rule(Color::White, &turn).err()).collect::<Vec<_>>()
    };
    assert_eq!(rule(&again), rule(game), "and remembers the same past");
}

/// A game that has rested is the same game, back to its first turn.
#[test]
fn games_that_rest() {
    let (mut folded, mut kept) = (0, 0);
    for number in 0..3000 {
        let mut random = Random::new(number ^ 0x4e57);
        let selection = selection(&mut random);
        let mut game = new_game(selection);
        let mut resting = Resting::new(new_game(selection));
        let mut events = Vec::new();
        for _ in 0..60 {
            let event = event(&mut random, &game);
            if random.percent(20) {
                resting.rest();
                assert!(resting.rests() || !game.turns().is_empty());
                *(if resting.rests() { &mut folded } else { &mut kept }) += 1;
                if random.percent(50) {
                    // looked at, but not touched
                    assert_eq!(picture(&resting), picture(&game));
                }
            }
            let result = game.apply(&event);
            assert_eq!(resting.apply(&event), result, "{event:?}");
            if result.is_ok() {
                events.push(event);
            }
        }
        resting.rest();
        replayed(selection, &resting, &events);
        resting.rest();
        while !game.turns().is_empty() {
            assert_eq!(picture(&resting), picture(&game));
            assert_eq!((game.take_back(1), resting.take_back(1)), (Ok(()), Ok(())));
            resting.rest();
        }
    }
    println!("{folded} rests, {kept} games that cannot");
    assert!(folded > 10_000 && kept > 1_000);
}

#[test]
fn any_game() {
    let mut counts = Counts::new();
    for number in 0..6000 {
        play_any_game(&mut Random::new(number), &mut counts);
    }
    println!("{counts:?}");
    let occurred = |what: &str| counts.get(what).is_some_and(|&n| n > 50);
    for ending in Ending::ALL {
        assert!(occurred(&format!("{} play", ending.name())), "{ending:?}");
        assert!(occurred(&format!("{} finished", ending.name())), "{ending:?}");
        assert_eq!(occurred(&format!("{} scoring", ending.name())), ending.has_scoring(), "{ending:?}");
    }
    assert!(occurred("refused") && occurred("taken back"));
}

/// A mapping of a board onto itself, by number of the point.
fn symmetry(random: &mut Random, topology: &Topology) -> Vec<Point> {
    let shape = topology.shape();
    let (width, height) = shape.grid();
    let (shift, turn, mirror) = ((random.below(width), random.below(height)), random.below(6), random.percent(50));
    let image = |point: Point| {
        let (x, y) = topology.place(point);
        let (x, y) = match shape.kind() {
            Kind::Hex => {
                // a sixth of a turn about the middle, several times: (1, 0), (1, 1), (0, 1), (−1, 0), ...
                let middle = (width / 2) as isize;
                let (mut u, mut v) = (x as isize - middle, y as isize - middle);
                (0..turn).for_each(|_| (u, v) = (u - v, u));
                let (u, v) = if mirror { (v, u) } else { (u, v) };
                ((u + middle) as usize, (v + middle) as usize)
            }
            Kind::Rect | Kind::Torus => {
                let x = if turn % 2 == 1 { width - 1 - x } else { x };
                let y = if turn >= 3 { height - 1 - y } else { y };
                if mirror && width == height { (y, x) } else { (x, y) }
            }
        };
        let (x, y) = if shape.kind() == Kind::Torus { ((x + shift.0) % width, (y + shift.1) % height) } else { (x, y) };
        topology.at(x, y).unwrap()
    };
    topology.points().map(image).collect()
}

/// A game and its image, side by side.
struct Mirror {
    game: Game,
    image: Game,
    map: Vec<Point>,
    /// The image has Black for White.
    swap: bool,
}

impl Mirror {
    fn new(random: &mut Random, shape: Shape) -> Mirror {
        let base = find("rulebook").unwrap();
        let (repetition, counting) = (random.pick(&Repetition::ALL), base.counting);
        let (suicide, special) = (random.percent(40), random.percent(60));
        let ruleset = Ruleset { kind: shape.kind(), repetition, counting, suicide, special, ..base };
        let topology = Arc::new(Topology::new(shape));
        let game = Game::on(topology.clone(), Selection { ruleset, shape, komi: None });
        let map = symmetry(random, &topology);
        let mut seen: Vec<Point> = map.clone();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(topology.points()), "a symmetry hits every point once");
        for point in topology.points() {
            let mut images: Vec<Point> = topology.neighbours(point).iter().map(|p| map[p.index()]).collect();
            let mut expected = topology.neighbours(map[point.index()]).to_vec();
            images.sort_unstable();
            expected.sort_unstable();
            assert_eq!(images, expected, "neighbours stay neighbours");
        }
        let mut mirror = Mirror { image: game.clone(), game, map, swap: random.percent(50) };
        mirror.game.set_free_order(true);
        mirror.image.set_free_order(true);
        let stones =
            if random.percent(40) { play::stones(random, &mut mirror.game.position().clone()) } else { Vec::new() };
        let images = stones.iter().map(|&(color, point)| (mirror.side(color), mirror.map[point.index()])).collect();
        let to_move = random.color();
        mirror.image.apply(&Event::SetUp { stones: images, to_move: mirror.side(to_move) }).unwrap();
        mirror.game.apply(&Event::SetUp { stones, to_move }).unwrap();
        mirror
    }

    fn side(&self, color: Color) -> Color {
        if self.swap { color.other() } else { color }
    }

    fn points(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|p| self.map[p.index()]).collect()
    }

    fn turn(&self, turn: &Turn) -> Turn {
        match turn {
            Turn::Pass => Turn::Pass,
            Turn::Play(point) => Turn::Play(self.map[point.index()]),
            Turn::Special(special) => Turn::Special(Box::new(SpecialTurn {
                place: self.points(&special.place),
                pay: self.points(&special.pay),
            })),
        }
    }

    /// The pair of two sides' numbers, as the image has it.
    fn pair<T: Copy>(&self, [black, white]: [T; 2]) -> [T; 2] {
        if self.swap { [white, black] } else { [black, white] }
    }

    fn step(&mut self, color: Color, turn: &Turn) {
        let answer = |result: Result<(), Refused>| match result {
            Ok(()) => "legal",
            Err(Refused::Rules(refusal)) => reason(refusal),
            Err(other) => panic!("{other:?}"),
        };
        let image = Event::Turn(self.side(color), self.turn(turn));
        let got = answer(self.game.apply(&Event::Turn(color, turn.clone())));
        assert_eq!(answer(self.image.apply(&image)), got, "{turn:?}");
        for point in self.game.topology().points() {
            let stone = self.game.position().at(point).map(|color| self.side(color));
            assert_eq!(self.image.position().at(self.map[point.index()]), stone);
        }
        let mut captures = self.points(&self.game.last_captures());
        captures.sort_unstable();
        assert_eq!(self.image.last_captures(), captures);
        assert_eq!(self.image.standing().captured, self.pair(self.game.standing().captured));
        let (count, image) = (Count::new(self.game.position(), &[]), Count::new(self.image.position(), &[]));
        assert_eq!((image.stones, image.territory), (self.pair(count.stones), self.pair(count.territory)));
    }
}

#[test]
fn symmetries() {
    let mut legal = 0;
    for number in 0..4000 {
        let mut random = Random::new(number ^ 0xd1ce);
        let shape = play::shape(&mut random);
        let mut mirror = Mirror::new(&mut random, shape);
        for _ in 0..10 + random.below(2 * mirror.map.len()) {
            let color = mirror.game.standing().to_move;
            let turn = play::turn(&mut random, &mirror.game, color);
            mirror.step(color, &turn);
        }
        legal += mirror.game.turns().len();
    }
    println!("{legal} turns and their images");
    assert!(legal > 40_000, "{legal}");
}
