//! A game as SGF that plain programs show rightly and that brings the game back exactly.
//!
//! Ordinary turns are moves. A special turn is a setup node, since no move means it, with the turn itself in a private
//! property; so are corrections, where a program that knows only the square board would take other stones off than the
//! game did (over the edge of a torus, on a hexagon, after suicide). What happened after the last turn stands in private
//! properties of the last node.
//!
//! | private property | where | what |
//! |---|---|---|
//! | `EGR` | root | the rules: a name and all settings, as `egtp_rules` takes them |
//! | `EGO` | root | `free`: the sides need not have taken turns |
//! | `EGT` | a setup node | the special turn, as `egtp_turns` writes it |
//! | `EGX` | a setup node | a correction for plain programs; nothing happened |
//! | `EGE` | last node | what followed the last turn: `resume`, `propose COLOR V…`, `mark V…`, `accept COLOR`, `resign COLOR` |

use super::coordinates::name;
use super::sgf::{NodeId, Tree, escape_simple, escape_text};
use super::{Reading, event_text, rules, turn_text};
use crate::board::{Color, Kind, Point, Position, Shape, Topology};
use crate::game::{Event, Game, Outcome, Start, TurnRecord};
use crate::rules::{Judge, Owner, Selection, Turn};

/// For whom an SGF file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    /// Programs that know only the square board.
    Plain,
    /// q5Go, which knows tori: no corrections, and the torus said in its own way. Other boards are written plainly.
    Q5go,
}

/// Where a game was loaded from: what the file has beside the game's own turns is kept when it is written again.
#[derive(Clone, Debug)]
pub struct Origin {
    tree: Tree,
    base: NodeId,
    nodes: Vec<NodeId>,
    turns: Vec<(Color, Turn)>,
    start: Start,
    /// The file has no turns beyond those.
    whole: bool,
}

impl Origin {
    /// The file of a reading.
    pub fn new(tree: Tree, reading: &Reading) -> Origin {
        let turns = reading.game.turns().iter().map(|record| (record.color, record.turn.clone())).collect();
        let start = reading.game.start().clone();
        Origin { tree, base: reading.base, nodes: reading.nodes.clone(), turns, start, whole: reading.whole }
    }
}

/// The game as an SGF tree of one line.
pub fn write_sgf(game: &Game, flavour: Flavour) -> Tree {
    let mut tree = Tree::new();
    let root = tree.root();
    write_root(&mut tree, game, flavour, true);
    write_turns(game, tree, root, 0, flavour)
}

/// The game as an SGF tree in which the players, comments and variations of the file that it was loaded from are kept. The
/// game is the main line; where it left the file's, that becomes a variation.
pub fn write_sgf_over(game: &Game, origin: &Origin) -> Tree {
    let same = |(record, turn): &(&TurnRecord, &(Color, Turn))| record.color == turn.0 && record.turn == turn.1;
    let kept = game.turns().iter().zip(&origin.turns).take_while(same).count();
    let shorter = kept == game.turns().len() && (kept < origin.turns.len() || !origin.whole);
    if origin.start != *game.start() || shorter {
        // what follows in the file would read as what follows in the game
        return with_words_of(origin, write_sgf(game, Flavour::Plain));
    }
    let mut tree = origin.tree.clone();
    let node = kept.checked_sub(1).map_or(origin.base, |last| origin.nodes[last]);
    write_root(&mut tree, game, Flavour::Plain, false);
    if game.outcome().is_none() && game.turns().len() > kept {
        // the result was that of another end
        tree.set(tree.root(), "RE", NOTHING);
    }
    for property in ["EGE", "TB", "TW"] {
        tree.set(node, property, NOTHING);
    }
    write_turns(game, tree, node, kept, Flavour::Plain)
}

/// A tree with what the root of a file says in words: players, event, date, comment.
fn with_words_of(origin: &Origin, mut tree: Tree) -> Tree {
    const WORDS: [&str; 22] = [
        "PB", "BR", "BT", "PW", "WR", "WT", "GN", "EV", "RO", "PC", "DT", "ON", "TM", "OT", "US", "SO", "AN", "CP",
        "GC", "C", "N", "ID",
    ];
    let root = tree.root();
    for ident in WORDS {
        if let Some(property) = origin.tree.get(origin.tree.root(), ident) {
            tree.set(root, ident, property.values());
        }
    }
    tree
}

/// No values: takes a property out.
const NOTHING: [&str; 0] = [];

/// Writes the turns from one on behind a node, and what followed the last.
fn write_turns(game: &Game, tree: Tree, node: NodeId, from: usize, flavour: Flavour) -> Tree {
    let mut writer = Writer { tree, node, replay: Replay::new(game, !says_torus(game, flavour)) };
    for record in &game.turns()[..from] {
        writer.replay.make(record.color, &record.turn);
    }
    writer.replay.look_again();
    for record in &game.turns()[from..] {
        // where the sides take turns, a turn after play has stopped says it by itself
        if game.free_order() && record.follows_resumption() {
            writer.tree.set(writer.node, "EGE", ["resume"]);
        }
        writer.turn(record.color, &record.turn);
    }
    writer.end(game);
    writer.tree
}

fn says_torus(game: &Game, flavour: Flavour) -> bool {
    flavour == Flavour::Q5go && game.shape().kind() == Kind::Torus
}

/// What the root says of the game; and, in a file of our own, of how it began.
fn write_root(tree: &mut Tree, game: &Game, flavour: Flavour, new: bool) {
    let q5go = says_torus(game, flavour);
    let root = tree.root();
    let shape = game.shape();
    let (width, height) = shape.grid();
    let selection = Selection { ruleset: *game.ruleset(), shape, komi: None };
    tree.set(root, "FF", ["4"]);
    tree.set(root, "GM", [if q5go { "q5go-1" } else { "1" }]);
    if q5go {
        tree.set(root, "TO", ["3"]);
    }
    tree.set(root, "CA", ["UTF-8"]);
    tree.set(root, "AP", [concat!(env!("CARGO_PKG_NAME"), ":", env!("CARGO_PKG_VERSION"))]);
    tree.set(root, "SZ", [if width == height { width.to_string() } else { format!("{width}:{height}") }]);
    tree.set(root, "KM", [game.komi().to_string()]);
    tree.set(root, "RU", [escape_simple(game.ruleset().name)]);
    tree.set(root, "EGR", [escape_text(&rules::in_words(&selection))]);
    if game.free_order() {
        tree.set(root, "EGO", ["free"]);
    }
    if !new {
        // a file that was something else is in our words now
        if let Some(outcome) = game.outcome() {
            tree.set(root, "RE", [outcome.to_string()]);
        }
        return;
    }
    if game.handicap() > 0 {
        tree.set(root, "HA", [game.handicap().to_string()]);
    }
    let start = game.start();
    for (color, property) in [(Color::Black, "AB"), (Color::White, "AW")] {
        let stones = start.stones.iter().filter(|stone| stone.0 == color);
        let stones: Vec<String> = stones.map(|stone| name(game.topology(), stone.1)).collect();
        if !stones.is_empty() {
            tree.set(root, property, stones);
        }
    }
    if start.to_move == Color::White || !start.stones.is_empty() {
        tree.set(root, "PL", [start.to_move.letter().to_string()]);
    }
    if let Some(outcome) = game.outcome() {
        tree.set(root, "RE", [outcome.to_string()]);
    }
}

/// The game played again, beside what a plain program makes of what is written.
struct Replay {
    judge: Judge,
    /// The board as a program sees it that knows only rectangles; nothing if the file is for one that knows more.
    seen: Option<Position>,
}

struct Writer {
    tree: Tree,
    node: NodeId,
    replay: Replay,
}

impl Replay {
    fn new(game: &Game, plain: bool) -> Replay {
        let topology = game.topology();
        let start = game.start();
        let mut judge = Judge::new(topology.clone(), *game.ruleset());
        judge.restart(start.stones.iter().copied(), start.to_move);
        let (width, height) = topology.shape().grid();
        let seen = Shape::rect(width, height).ok().filter(|_| plain);
        let mut replay = Replay { judge, seen: seen.map(|shape| Position::new(Topology::shared(shape))) };
        replay.look_again();
        replay
    }

    fn make(&mut self, color: Color, turn: &Turn) {
        if let Ok(legal) = self.judge.rule(color, turn) {
            self.judge.carry_out(legal);
        }
    }

    /// A plain program has come to see what there is.
    fn look_again(&mut self) {
        let Some(seen) = &mut self.seen else { return };
        let position = self.judge.position();
        seen.clear();
        for point in position.topology().points() {
            if let Some(color) = position.at(point) {
                seen.put(color, same(position.topology(), seen, point));
            }
        }
    }
}

/// The point of a plain board at the place of a point of another.
fn same(topology: &Topology, seen: &Position, point: Point) -> Point {
    let (column, row) = topology.place(point);
    seen.topology().at(column, row).unwrap_or(point)
}

impl Writer {
    fn turn(&mut self, color: Color, turn: &Turn) {
        let topology = self.replay.judge.position().topology().clone();
        self.node = self.tree.add_first_child(self.node);
        let before = self.replay.judge.position().stones().to_vec();
        self.replay.make(color, turn);
        let property = if color == Color::Black { "B" } else { "W" };
        match turn {
            Turn::Pass => self.tree.set(self.node, property, [""]),
            Turn::Play(point) => {
                self.tree.set(self.node, property, [name(&topology, *point)]);
                self.look(color, *point);
            }
            Turn::Special(special) => {
                let after = self.replay.judge.position();
                let gone = |p: &Point| before[p.index()].is_some() && after.at(*p).is_none();
                let gone: Vec<Point> = topology.points().filter(gone).collect();
                let placed: Vec<Point> =
                    special.place.iter().copied().filter(|&p| after.at(p) == Some(color)).collect();
                let text = turn_text(&topology, color, turn);
                self.set_up(color, &placed, &gone);
                self.tree.set(self.node, "C", [escape_text(&text)]);
                self.tree.set(self.node, "EGT", [escape_text(&text)]);
                self.player(color.other());
            }
        }
    }

    /// A plain program's view of a move; if it is not what happened, a node that says what did.
    fn look(&mut self, color: Color, point: Point) {
        let topology = self.replay.judge.position().topology().clone();
        let Some(seen) = &mut self.replay.seen else { return };
        let at = same(&topology, seen, point);
        let outlook = seen.outlook(color, at);
        seen.put(color, at);
        outlook.captures.iter().for_each(|&head| seen.remove_chain(head, |_| ()));
        // some programs take a chain off that has no liberty in their eyes, some do not: say what is there
        let unsure: Vec<Point> = if seen.breathes(at) { Vec::new() } else { seen.chain(at).collect() };
        let now = self.replay.judge.position();
        let differs = |p: &Point| {
            let shown = same(&topology, seen, *p);
            now.at(*p) != seen.at(shown) || unsure.contains(&shown)
        };
        let wrong: Vec<Point> = topology.points().filter(differs).collect();
        if wrong.is_empty() {
            return;
        }
        let of = |wanted: Option<Color>| wrong.iter().copied().filter(|&p| now.at(p) == wanted).collect::<Vec<_>>();
        let (black, white, empty) = (of(Some(Color::Black)), of(Some(Color::White)), of(None));
        self.node = self.tree.add_first_child(self.node);
        self.set_up(Color::Black, &black, &empty);
        self.set_up(Color::White, &white, &[]);
        self.tree.set(self.node, "EGX", ["correction"]);
        self.player(color.other());
    }

    /// Sets stones in the present node, and in the plain program's view.
    fn set_up(&mut self, color: Color, stones: &[Point], gone: &[Point]) {
        let topology = self.replay.judge.position().topology().clone();
        if let Some(seen) = &mut self.replay.seen {
            let shown = |seen: &Position, points: &[Point]| -> Vec<Point> {
                points.iter().map(|&p| same(&topology, seen, p)).collect()
            };
            let (there, off) = (shown(seen, stones), shown(seen, gone));
            seen.lift(&off);
            let changed: Vec<Point> = there.into_iter().filter(|&p| seen.at(p) != Some(color)).collect();
            seen.lift(&changed);
            changed.iter().for_each(|&p| seen.put(color, p));
        }
        let names = |points: &[Point]| points.iter().map(|&p| name(&topology, p)).collect::<Vec<_>>();
        if !stones.is_empty() {
            self.tree.set(self.node, if color == Color::Black { "AB" } else { "AW" }, names(stones));
        }
        if !gone.is_empty() {
            self.tree.set(self.node, "AE", names(gone));
        }
    }

    fn player(&mut self, to_move: Color) {
        self.tree.set(self.node, "PL", [to_move.letter().to_string()]);
    }

    /// What followed the last turn, and territory where it has been counted.
    fn end(&mut self, game: &Game) {
        let standing = game.standing();
        let topology = game.topology();
        let events = last_events(game);
        if !events.is_empty() {
            self.tree.set(self.node, "EGE", events.iter().map(|event| escape_text(&event_text(topology, event))));
        }
        let counted = matches!(standing.outcome, Some(Outcome::Counted(_)));
        if !counted && standing.dead().is_empty() {
            return;
        }
        let count = game.score().count;
        for (color, property) in [(Color::Black, "TB"), (Color::White, "TW")] {
            let owned = |p: &Point| count.owners[p.index()] == Owner::Territory(color);
            let points: Vec<String> = topology.points().filter(owned).map(|p| name(topology, p)).collect();
            if !points.is_empty() {
                self.tree.set(self.node, property, points);
            }
        }
    }
}

/// The events after the last turn that make what followed it happen again. A resumption that was followed by a turn is
/// none of them: the turn implies it.
fn last_events(game: &Game) -> Vec<Event> {
    let standing = game.standing();
    let position = game.position();
    let first = |p: &Point| position.chain(*p).min() == Some(*p);
    let dead: Vec<Point> = standing.dead().iter().copied().filter(first).collect();
    let mut events = Vec::new();
    if standing.resumed && standing.passes == 0 {
        events.push(Event::Resume);
    } else if standing.passes >= 2 && game.ruleset().ending.has_scoring() {
        match (standing.proposed, standing.accepted) {
            (None, [true, true]) => {
                events.extend([Event::Propose(Color::Black, dead), Event::Accept(Color::White)]);
            }
            (Some(color), _) => events.push(Event::Propose(color, dead)),
            (None, [true, false]) => events.push(Event::Propose(Color::Black, dead)),
            (None, [false, true]) => events.push(Event::Propose(Color::White, dead)),
            (None, [false, false]) if !dead.is_empty() => events.push(Event::Mark(dead)),
            (None, [false, false]) => {}
        }
    }
    if let Some(Outcome::Resigned { winner }) = standing.outcome {
        events.push(Event::Resign(winner.other()));
    }
    events
}
