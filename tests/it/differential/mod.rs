//! Random games played by the engine and by [`naive`](crate::naive) at once, which must agree on every turn.
//!
//! A game is made from its number alone. `EGTP_GAMES=N` plays N games instead of the usual number, and
//! `EGTP_FIRST=N` begins with game N; `scripts/sweep` does so.

mod tally;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use egtp::board::{Color, Kind, Point, Position, Shape, Topology};
use egtp::game::{Event, Game, Refused};
use egtp::rules::{Count, Refusal, Repetition, Ruleset, Selection, SpecialTurn, Turn, affordable, find};

use tally::{Tally, number_of};

use crate::naive::{self, Naive, Pt, Reason};
use crate::play::{self, Random};

/// One game, twice.
struct Pair {
    game: Game,
    naive: Naive,
    points: Vec<Point>,
    places: Vec<Pt>,
    /// What has been done, for the message of a failure.
    log: Vec<String>,
    tally: Tally,
}

/// Fails with the whole game if the two say different things.
macro_rules! agree {
    ($pair:expr, $what:expr, $engine:expr, $naive:expr) => {
        $pair.same(&$what, $engine, $naive)
    };
}

impl Pair {
    fn new(random: &mut Random, shape: Shape, key_bits: u32) -> Pair {
        let repetition = random.pick(&Repetition::ALL);
        let (suicide, special) = (random.percent(40), random.percent(60));
        // the rulebook's ending lets play go on after any number of passes
        let ruleset = Ruleset { repetition, suicide, special, ..find("rulebook").unwrap() };
        let topology = Arc::new(Topology::with_key_bits(shape, key_bits));
        let points: Vec<Point> = topology.points().collect();
        let mut game = Game::on(topology, Selection { ruleset, shape, komi: None });
        game.set_free_order(true);
        let rule = match repetition {
            Repetition::None => naive::Repetition::None,
            Repetition::Ko => naive::Repetition::Ko,
            Repetition::Positional => naive::Repetition::Positional,
            Repetition::Situational => naive::Repetition::Situational,
        };
        let (width, height) = shape.size();
        let form = match shape.kind() {
            Kind::Rect => naive::Shape::Rect(width, height),
            Kind::Torus => naive::Shape::Torus(width, height),
            Kind::Hex => naive::Shape::Hex(width),
        };
        let naive = Naive::new(form, rule, suicide, special);
        let log = vec![format!("{shape:?} {} suicide {suicide} special {special}", repetition.name())];
        let pair =
            Pair { places: naive.points(), naive, game, points, log, tally: Tally { games: 1, ..Tally::default() } };
        // both number the points alike, row by row from the top
        let places: Vec<Pt> = pair.points.iter().map(|&p| pair.game.topology().place(p)).collect();
        agree!(pair, "points", &places, &pair.places);
        for &point in &pair.points {
            let neighbours = pair.places(pair.game.topology().neighbours(point));
            agree!(pair, "neighbours", neighbours, pair.naive.neighbours(pair.places[point.index()]));
        }
        pair
    }

    fn same<T: PartialEq + Debug>(&self, what: &str, engine: T, naive: T) {
        assert!(
            engine == naive,
            "{what}: the engine {engine:?}, the naive one {naive:?}, after\n{}",
            self.log.join("\n")
        );
    }

    fn place(&self, point: Point) -> Pt {
        self.places[point.index()]
    }

    fn places(&self, points: &[Point]) -> BTreeSet<Pt> {
        points.iter().map(|&p| self.place(p)).collect()
    }

    /// The same turn as the naive implementation knows it.
    fn translate(&self, turn: &Turn) -> naive::Turn {
        let list = |points: &[Point]| points.iter().map(|&p| self.place(p)).collect();
        match turn {
            Turn::Pass => naive::Turn::Pass,
            Turn::Play(point) => naive::Turn::Play(self.place(*point)),
            Turn::Special(special) => naive::Turn::Special { place: list(&special.place), pay: list(&special.pay) },
        }
    }

    fn translate_back(&self, turn: &naive::Turn) -> Turn {
        let point = |&(column, row): &Pt| self.game.topology().at(column, row).unwrap();
        match turn {
            naive::Turn::Pass => Turn::Pass,
            naive::Turn::Play(place) => Turn::Play(point(place)),
            naive::Turn::Special { place, pay } => Turn::Special(Box::new(SpecialTurn {
                place: place.iter().map(point).collect(),
                pay: pay.iter().map(point).collect(),
            })),
        }
    }

    /// Makes a turn, and says whether it was legal.
    fn make(&mut self, color: Color, turn: &Turn) -> bool {
        self.log.push(format!("{color} {}", describe(self.game.topology(), turn)));
        let before = self.game.turns().len();
        let naive = self.naive.turn(side(color), &self.translate(turn));
        let engine = self.game.apply(&Event::Turn(color, turn.clone()));
        match engine {
            Ok(()) => {
                let captures = self.places(&self.game.last_captures());
                self.tally.turns += 1;
                self.tally.captures += usize::from(!captures.is_empty());
                let lost = |p: &Point| self.game.position().at(*p).is_none();
                match turn {
                    Turn::Pass => {}
                    Turn::Play(point) => self.tally.suicides += usize::from(lost(point)),
                    Turn::Special(special) => {
                        let SpecialTurn { place, pay } = special.as_ref();
                        let kinds = [
                            place.len() > 2,
                            !captures.is_empty(),
                            place.iter().any(|p| pay.contains(p)),
                            place.iter().any(lost),
                        ];
                        self.tally.specials += 1;
                        self.tally.of_specials.iter_mut().zip(kinds).for_each(|(n, is)| *n += usize::from(is));
                    }
                }
                agree!(self, "captures", Ok(captures), naive);
            }
            Err(Refused::Rules(refusal)) => {
                agree!(self, "refusal", Err(reason(refusal)), naive);
                agree!(self, "turns after a refusal", self.game.turns().len(), before);
                self.check_details(color, turn, refusal);
                self.tally.refused[number_of(refusal)] += 1;
            }
            Err(other) => panic!("{other:?} after\n{}", self.log.join("\n")),
        }
        self.compare();
        engine.is_ok()
    }

    /// A refusal names points and numbers; they must be true.
    fn check_details(&self, color: Color, turn: &Turn, refusal: Refusal) {
        let position = self.game.position();
        let own = position.count(color);
        let special = if let Turn::Special(special) = turn { special.as_ref().clone() } else { SpecialTurn::default() };
        let count = |list: &[Point], point| list.iter().filter(|&&p| p == point).count();
        let fits = match refusal {
            Refusal::NamedTwice(point) => count(&special.place, point) > 1 || count(&special.pay, point) > 1,
            Refusal::TooMany { own: has, most } => {
                has == own && most * most <= own && own < (most + 1).pow(2) && special.place.len() > most
            }
            Refusal::Price { n, given } => (n, given) == (special.place.len(), special.pay.len()) && given != n * n,
            Refusal::NotYours(point, whose) => {
                whose == color && special.pay.contains(&point) && position.at(point) != Some(color)
            }
            Refusal::NotEmpty(point) => {
                let placed = matches!(turn, Turn::Play(p) if *p == point) || special.place.contains(&point);
                placed && position.at(point).is_some() && !special.pay.contains(&point)
            }
            Refusal::Repetition { rule, .. } => rule == self.game.ruleset().repetition,
            Refusal::NoSpecialTurns | Refusal::TooFew | Refusal::Suicide => true,
        };
        agree!(self, format!("details of {refusal:?}"), fits, true);
    }

    /// The stones, prisoners and the side to move.
    fn compare(&self) {
        let stones = self.game.position().stones().iter().map(|stone| stone.map(side));
        let naive = self.places.iter().map(|&place| self.naive.at(place));
        agree!(self, "stones", stones.collect::<Vec<_>>(), naive.collect());
        let standing = self.game.standing();
        agree!(self, "to move", side(standing.to_move), self.naive.to_move());
        for color in Color::BOTH {
            let captured = standing.captured[color.index()] as usize;
            agree!(self, "prisoners", captured, self.naive.captured_by(side(color)));
            agree!(self, "affordable", affordable(self.game.position(), color), self.naive.affordable(side(color)));
        }
    }

    /// Both rule on a turn without making it.
    fn rule(&mut self, color: Color, turn: &Turn) {
        let engine = self.game.judge().rule(color, turn).map(|_| ()).map_err(reason);
        let naive = self.naive.is_legal(side(color), &self.translate(turn));
        let what = format!("ruling on {color} {}", describe(self.game.topology(), turn));
        agree!(self, what, engine, naive);
        self.tally.ruled += 1;
    }

    /// Everything that can be asked about the present position.
    fn compare_closely(&mut self, random: &mut Random) {
        for color in Color::BOTH {
            for point in self.points.clone() {
                self.rule(color, &Turn::Play(point));
                let legal = self.naive.is_legal(side(color), &naive::Turn::Play(self.place(point))).is_ok();
                agree!(self, "is_legal", self.game.judge().is_legal(color, point), legal);
            }
        }
        let position = self.game.position();
        for &point in &self.points {
            let chain: Vec<Point> = position.chain(point).collect();
            agree!(self, "chain", self.places(&chain), self.naive.chain(self.place(point)));
            let liberties = position.liberties(point);
            agree!(self, "liberties", self.places(&liberties), self.naive.liberties(self.place(point)));
        }
        for percent in [0, 20, 60] {
            let dead = play::chains(random, position, percent);
            let count = Count::new(position, &dead);
            let area = [0, 1].map(|side| count.stones[side] + count.territory[side]);
            let dead = self.places(&dead);
            agree!(self, "territory", count.territory.into(), self.naive.territory(&dead));
            agree!(self, "area", area.into(), self.naive.area(&dead));
        }
    }

    /// Every special turn of two stones, where there are not too many.
    fn compare_all_special_turns(&mut self) {
        if self.points.len() > 7 || !self.game.ruleset().special {
            return;
        }
        for color in Color::BOTH {
            for turn in self.naive.special_turns(side(color), 2) {
                let turn = self.translate_back(&turn);
                self.rule(color, &turn);
            }
        }
    }

    /// Begins with stones on the board, or tries to.
    fn set_up(&mut self, random: &mut Random) {
        let mut position = Position::new(self.game.topology().clone());
        let mut stones = play::stones(random, &mut position);
        let to_move = random.color();
        if random.percent(20) {
            // some more stones, and perhaps a chain without liberties
            let empty = play::having(&position, None);
            stones.extend(random.sample(&empty, 3).into_iter().map(|p| (random.color(), p)));
        }
        let of =
            |color| stones.iter().filter(move |(c, _)| *c == color).map(|&(_, p)| self.place(p)).collect::<Vec<_>>();
        let (black, white) = (of(Color::Black), of(Color::White));
        self.log.push(format!("set up {black:?} {white:?} {to_move}"));
        let mut naive = self.naive.clone();
        naive.set_up(&black, &white, side(to_move));
        let breathe = black.iter().chain(&white).all(|&p| !naive.liberties(p).is_empty());
        let engine = self.game.apply(&Event::SetUp { stones, to_move });
        agree!(self, "set-up", engine.is_ok(), breathe);
        if breathe {
            self.naive = naive;
            self.tally.set_up += 1;
        }
        self.compare();
    }

    fn take_back(&mut self, n: usize) {
        self.log.push(format!("take back {n}"));
        let engine = self.game.apply(&Event::TakeBack(n)).is_ok();
        agree!(self, "taking back", engine, n <= self.naive.turns());
        if engine {
            (0..n).for_each(|_| assert!(self.naive.undo()));
            self.tally.taken_back += n;
        }
        self.compare();
    }
}

fn side(color: Color) -> naive::Color {
    match color {
        Color::Black => naive::Color::Black,
        Color::White => naive::Color::White,
    }
}

fn reason(refusal: Refusal) -> Reason {
    match refusal {
        Refusal::NoSpecialTurns => Reason::NoSpecial,
        Refusal::NamedTwice(_) => Reason::Duplicate,
        Refusal::TooFew => Reason::TooFew,
        Refusal::TooMany { .. } => Reason::CannotAfford,
        Refusal::Price { .. } => Reason::BadPayment,
        Refusal::NotYours(..) => Reason::NotOwn,
        Refusal::NotEmpty(_) => Reason::Occupied,
        Refusal::Suicide => Reason::Suicide,
        Refusal::Repetition { turn, .. } => Reason::Repetition(turn),
    }
}

fn describe(topology: &Topology, turn: &Turn) -> String {
    let list = |points: &[Point]| points.iter().map(|&p| topology.name(p)).collect::<Vec<_>>().join(" ");
    match turn {
        Turn::Pass => "pass".to_string(),
        Turn::Play(point) => topology.name(*point).to_string(),
        Turn::Special(special) => format!("special {} for {}", list(&special.place), list(&special.pay)),
    }
}

/// Plays one game; its number decides everything in it.
fn play_game(number: usize, key_bits: u32) -> Tally {
    let mut random = Random::new(number as u64);
    let shape = play::shape(&mut random);
    let mut pair = Pair::new(&mut random, shape, key_bits);
    pair.log.insert(0, format!("game {number}"));
    if random.percent(25) {
        pair.set_up(&mut random);
    }
    let points = pair.points.len();
    let length = (10 + random.below(5 * points)).min(200);
    // a close look costs as much as the board has points, squared
    let every = 1 + points / 4;
    for _ in 0..length {
        // sometimes a side moves out of turn; that is not refused here, and ko must not be confused by it
        let to_move = pair.game.standing().to_move;
        let color = if random.percent(4) { to_move.other() } else { to_move };
        let turn = play::turn(&mut random, &pair.game, color);
        pair.make(color, &turn);
        if random.percent(3) {
            pair.take_back(1 + random.below(3));
        }
        if random.below(every) == 0 {
            pair.compare_closely(&mut random);
        }
        if random.percent(5) {
            pair.compare_all_special_turns();
        }
    }
    // all the way back
    pair.take_back(pair.game.turns().len());
    pair.tally
}

/// A number from the environment.
fn setting(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

/// Plays many games on all processors.
fn play_games(what: &str, usual: usize, key_bits: u32) {
    let first = setting("EGTP_FIRST").unwrap_or(0);
    let last = first + setting("EGTP_GAMES").unwrap_or(usual);
    let next = AtomicUsize::new(first);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last {
                return tally;
            }
            tally += play_game(number, key_bits);
        }
    };
    let mut all = Tally::default();
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            all += worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    all.print(what);
    assert_eq!(all.games, last - first);
    if all.games >= 1000 {
        all.assert_everything_occurred();
    }
}

#[test]
fn random_games() {
    play_games("random games", 4000, 64);
}

/// With keys of two bits nearly every two positions have the same hash; only comparing them can tell them apart.
#[test]
fn random_games_with_colliding_hashes() {
    play_games("random games with colliding hashes", 2000, 2);
}
