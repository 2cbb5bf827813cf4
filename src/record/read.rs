//! SGF as a game, refereed turn by turn.
//!
//! Our own files bring the game back exactly; other programs' files are read as leniently as they can be understood, and
//! the first thing that the rules do not allow ends the reading and is named.

use super::coordinates::{is_pass, point, points};
use super::reading::{Problem, ReadError, ReadOptions, Reading, Trouble};
use super::sgf::{NodeId, Tree, decode, parse};
use super::{parse_event, parse_turn, reason, rules};
use crate::board::{Color, Kind, Point};
use crate::game::{Event, Game, Phase, Refused};
use crate::rules::{Counting, Ending, Points, Selection, Turn};

/// Reads all games of a file.
pub fn read_sgf(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Reading>, ReadError> {
    Ok(parse(&decode(bytes))?.iter().map(|tree| read_tree(tree, options)).collect())
}

/// Reads the main line of one game.
pub fn read_tree(tree: &Tree, options: &ReadOptions) -> Reading {
    let root = tree.root();
    let simple = |ident| tree.get(root, ident).map(|p| p.simple_text().trim().to_string());
    let (selection, trouble) = match selection(tree, options) {
        Ok(selection) => (selection, None),
        Err(reason) => (rules::rulebook(), Some(reason)),
    };
    let doubts = doubts(tree, options, &selection);
    let mut game = Game::new(selection);
    game.set_free_order(options.free_order || tree.get(root, "EGO").is_some());
    let mut reader = Reader {
        tree,
        options,
        selection,
        line: tree.line_of(root),
        node: root,
        reading: Reading {
            game,
            problem: None,
            players: ["PB", "PW"].map(|ident| simple(ident).map(|name| brief(&name))),
            claimed: simple("RE").filter(|text| !text.is_empty()).map(|text| brief(&text)),
            dropped: 0,
            counted: false,
            dead: Vec::new(),
            base: root,
            nodes: Vec::new(),
            whole: false,
            doubts,
        },
    };
    match trouble {
        Some(reason) => reader.reading.problem = Some(reader.problem(Trouble::NotUnderstood, String::new(), reason)),
        None => match reader.read() {
            Ok(()) => reader.reading.whole = true,
            Err(Stop::Enough) => {}
            Err(Stop::Problem(problem)) => reader.reading.problem = Some(*problem),
        },
    }
    reader.reading
}

/// The rules and the board of a file.
fn selection(tree: &Tree, options: &ReadOptions) -> Result<Selection, String> {
    let root = tree.root();
    let simple = |ident| tree.get(root, ident).map(|p| p.simple_text().trim().to_string());
    let (game, torus) = (simple("GM"), simple("TO"));
    let kind = match (game.as_deref(), torus.as_deref()) {
        (None | Some("1" | ""), None) | (Some("q5go-1"), None | Some("0")) => Kind::Rect,
        (Some("q5go-1" | "1"), Some("3")) => Kind::Torus,
        (Some("1" | "q5go-1"), Some(other)) => {
            return Err(format!("TO[{other}]: only tori joined both ways are known"));
        }
        (Some(other), _) => return Err(format!("GM[{other}]: not a game of Go on a board that is known")),
        (None, Some(_)) => return Err("TO without GM[q5go-1]".into()),
    };
    let shape = rules::shape(simple("SZ").as_deref(), kind)
        .ok_or_else(|| format!("SZ[{}]: boards are 1 to 52 points wide and high", simple("SZ").unwrap_or_default()))?;
    let own = match tree.get(root, "EGR").map(|p| p.text().into_owned()) {
        None => None,
        Some(words) => match rules::from_words(&words) {
            None if options.rules.is_none() => return Err(format!("EGR[{words}]: not rules that are known")),
            own => own,
        },
    };
    let mut selection = match (own, options.rules) {
        (Some(own), None) => own,
        // the board is the file's, and with it how points are joined
        (Some(own), Some(rules)) => with_board(rules, own.shape),
        (None, Some(rules)) => with_board(rules, shape),
        (None, None) => rules::from_name(&simple("RU").unwrap_or_default(), shape),
    };
    let komi = simple("KM").and_then(|text| text.parse::<Points>().ok());
    selection.komi = komi.map(|komi| rules::komi(komi, &selection.ruleset)).or(selection.komi);
    options.allowance.apply(&mut selection.ruleset);
    Ok(selection)
}

/// Why a count of this game need not be the one that its players made.
fn doubts(tree: &Tree, options: &ReadOptions, selection: &Selection) -> Vec<&'static str> {
    let root = tree.root();
    let says = |ident| tree.get(root, ident).is_some_and(|p| !p.simple_text().trim().is_empty());
    let mut doubts = Vec::new();
    if says("EGR") {
        return doubts;
    }
    let known = tree.get(root, "RU").is_some_and(|p| rules::is_known(&p.simple_text()));
    if options.rules.is_none() && !known {
        doubts.push(if says("RU") { "the rules are not understood" } else { "no rules" });
    }
    if selection.komi.is_none() {
        doubts.push("no komi");
    }
    let handicap = tree.get(root, "HA").and_then(|p| p.simple_text().trim().parse::<usize>().ok()).unwrap_or(0);
    if !selection.ruleset.beyond.is_empty() && handicap >= 2 && selection.ruleset.counting != Counting::Territory {
        doubts.push(selection.ruleset.beyond);
    }
    doubts
}

fn with_board(mut selection: Selection, shape: crate::board::Shape) -> Selection {
    selection.ruleset.kind = shape.kind();
    selection.shape = shape;
    selection
}

struct Reader<'a> {
    tree: &'a Tree,
    options: &'a ReadOptions,
    selection: Selection,
    /// The node being read, and its line.
    node: NodeId,
    line: usize,
    reading: Reading,
}

/// Why reading ends.
enum Stop {
    /// As much was read as was asked for.
    Enough,
    Problem(Box<Problem>),
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Stop> {
        let nodes: Vec<NodeId> = self.tree.main_line().collect();
        self.root(&nodes)?;
        let handicap = self.handicap_turns(&nodes)?;
        let mut skipped = 0;
        for &node in &nodes {
            (self.node, self.line) = (node, self.tree.line_of(node));
            if self.is_move(node) {
                // nearly every node is a move and nothing else
                self.moves(node, handicap, &mut skipped)?;
                continue;
            }
            if let Some(text) = self.tree.get(node, "EGT").map(|p| p.text().into_owned()) {
                let (color, turn) = parse_turn(self.reading.game.topology(), &text)
                    .ok_or_else(|| self.stop(Trouble::NotUnderstood, text.clone(), "not a turn".into()))?;
                self.turn(color, turn)?;
            } else if self.tree.get(node, "EGX").is_none() {
                self.moves(node, handicap, &mut skipped)?;
                if node != self.tree.root() {
                    self.set_up(node)?;
                }
            } else if let Some(last) = self.reading.nodes.last_mut() {
                *last = node;
            }
            if let Some(events) = self.tree.get(node, "EGE") {
                for text in events.values() {
                    self.event(text)?;
                }
            }
            self.territory(node);
        }
        self.finish();
        Ok(())
    }

    fn problem(&self, trouble: Trouble, what: String, reason: String) -> Problem {
        let turn = self.reading.dropped + self.reading.game.turns().len();
        // a turn that was refused is the one after those made
        let turn = if what.is_empty() { turn } else { turn + 1 };
        Problem { turn, line: self.line, what: brief(&what), trouble, reason: brief(&reason) }
    }

    fn stop(&self, trouble: Trouble, what: String, reason: String) -> Stop {
        Stop::Problem(Box::new(self.problem(trouble, what, reason)))
    }

    fn refused(&self, what: &str, refused: &Refused) -> Stop {
        let trouble = match refused {
            Refused::NotToMove { .. } => Trouble::WrongOrder,
            Refused::GameOver => Trouble::AfterTheEnd,
            Refused::Breathless(_) | Refused::SetUpTwice(_) => Trouble::Setup,
            Refused::NoHandicap | Refused::BadHandicap | Refused::BoardNotEmpty => Trouble::Handicap,
            _ => Trouble::IllegalTurn,
        };
        self.stop(trouble, what.into(), reason(refused, self.reading.game.topology()))
    }

    /// The points of a property of a node.
    fn list(&self, node: NodeId, ident: &str) -> Result<Vec<Point>, Stop> {
        let Some(property) = self.tree.get(node, ident) else { return Ok(Vec::new()) };
        let topology = self.reading.game.topology();
        // each point once, however often a list of rectangles names it; in the order of the file, for handicap stones
        let mut named = vec![false; topology.len()];
        let mut all = Vec::new();
        for value in property.values() {
            // some programs write an empty list as one empty value
            if value.trim().is_empty() {
                continue;
            }
            let found = points(topology, value).ok_or_else(|| {
                self.stop(Trouble::Setup, String::new(), format!("{ident}[{value}]: not on the board"))
            })?;
            all.extend(found.into_iter().filter(|p| !std::mem::replace(&mut named[p.index()], true)));
        }
        Ok(all)
    }

    fn number(&self, ident: &str) -> Option<usize> {
        self.tree.get(self.tree.root(), ident).and_then(|p| p.simple_text().trim().parse().ok())
    }

    /// The stones that the game begins with, the side that begins, handicap.
    fn root(&mut self, nodes: &[NodeId]) -> Result<(), Stop> {
        let root = self.tree.root();
        let (black, white) = (self.list(root, "AB")?, self.list(root, "AW")?);
        let handicap = self.number("HA").unwrap_or(0);
        if black.is_empty() && white.is_empty() {
            return self.begin(root, Vec::new(), None);
        }
        let white_begins = self.player(root) != Some(Color::Black);
        if handicap >= 2 && white.is_empty() && white_begins && self.selection.ruleset.handicap {
            if black.len() != handicap {
                let reason = format!("HA[{handicap}] with {} stones", black.len());
                return Err(self.stop(Trouble::Handicap, String::new(), reason));
            }
            let given = self.reading.game.apply(&Event::Handicap(black));
            return given.map_err(|refused| self.refused("", &refused));
        }
        let first = nodes.iter().find_map(|&node| self.first_color(node));
        let stones = black.into_iter().map(|p| (Color::Black, p)).chain(white.into_iter().map(|p| (Color::White, p)));
        self.begin(root, stones.collect(), first.or((handicap >= 2).then_some(Color::White)))
    }

    /// Begins with these stones; the side to move is the one that `PL` says, else the one given, else Black.
    fn begin(&mut self, node: NodeId, stones: Vec<(Color, Point)>, to_move: Option<Color>) -> Result<(), Stop> {
        let to_move = self.player(node).or(to_move).unwrap_or(Color::Black);
        if stones.is_empty() && to_move == Color::Black {
            return Ok(());
        }
        let set = self.reading.game.apply(&Event::SetUp { stones, to_move });
        set.map_err(|refused| self.refused("", &refused))
    }

    fn player(&self, node: NodeId) -> Option<Color> {
        match self.tree.get(node, "PL")?.simple_text().trim().as_bytes().first()? {
            b'B' | b'b' | b'1' => Some(Color::Black),
            b'W' | b'w' | b'2' => Some(Color::White),
            _ => None,
        }
    }

    fn first_color(&self, node: NodeId) -> Option<Color> {
        self.tree.properties(node).find_map(|property| color_of(property.ident()))
    }

    /// Handicap stones that were placed as Black's first moves, as old servers wrote them: how many.
    fn handicap_turns(&mut self, nodes: &[NodeId]) -> Result<usize, Stop> {
        let handicap = self.number("HA").unwrap_or(0);
        let game = &self.reading.game;
        if handicap < 2 || game.handicap() > 0 || !game.start().stones.is_empty() || !self.selection.ruleset.handicap {
            return Ok(0);
        }
        let moves = nodes.iter().flat_map(|&node| self.tree.properties(node)).filter(|p| color_of(p.ident()).is_some());
        let first: Vec<(Option<Color>, Option<Point>)> =
            moves.take(handicap).map(|p| (color_of(p.ident()), point(game.topology(), p.first()))).collect();
        let stones: Vec<Point> = first.iter().filter(|m| m.0 == Some(Color::Black)).filter_map(|m| m.1).collect();
        if stones.len() != handicap {
            // nothing was placed at all: the handicap was komi, or is missing
            return Err(self.stop(Trouble::Handicap, String::new(), format!("HA[{handicap}] without stones")));
        }
        let given = self.reading.game.apply(&Event::Handicap(stones));
        given.map_err(|refused| self.refused("", &refused))?;
        Ok(handicap)
    }

    /// The moves of a node, but for handicap stones that are on the board already.
    fn moves(&mut self, node: NodeId, handicap: usize, skipped: &mut usize) -> Result<(), Stop> {
        let tree = self.tree;
        for property in tree.properties(node) {
            let Some(color) = color_of(property.ident()) else { continue };
            if *skipped < handicap {
                *skipped += 1;
                self.reading.base = node;
                continue;
            }
            let value = property.first();
            let topology = self.reading.game.topology();
            let turn = match point(topology, value) {
                Some(point) => Turn::Play(point),
                None if is_pass(topology, value) => Turn::Pass,
                None => {
                    return Err(self.stop(Trouble::IllegalTurn, format!("{color} {value}"), "not on the board".into()));
                }
            };
            self.turn(color, turn)?;
        }
        Ok(())
    }

    fn is_move(&self, node: NodeId) -> bool {
        let mut properties = self.tree.properties(node);
        matches!((properties.next(), properties.next()), (Some(only), None) if color_of(only.ident()).is_some())
    }

    fn turn(&mut self, color: Color, turn: Turn) -> Result<(), Stop> {
        let game = &mut self.reading.game;
        if self.options.before_turn.is_some_and(|before| self.reading.dropped + game.turns().len() + 1 >= before) {
            return Err(Stop::Enough);
        }
        if let Some(name) = self.options.before_vertex {
            let name = name.split(|b| *b == 0).next().unwrap_or_default();
            let is = |point: &Point| game.topology().name(*point).as_bytes() == name;
            let placed = match &turn {
                Turn::Play(point) => is(point),
                Turn::Special(special) => special.place.iter().any(is),
                Turn::Pass => false,
            };
            if placed {
                return Err(Stop::Enough);
            }
        }
        // a turn after play has stopped means that it was resumed
        let by_itself = game.free_order() || game.ruleset().ending == Ending::Proposal;
        let resumed =
            if game.standing().phase == Phase::Scoring && !by_itself { game.apply(&Event::Resume) } else { Ok(()) };
        if turn != Turn::Pass {
            // what was said of a position that is gone says nothing of the end
            self.reading.counted = false;
            self.reading.dead.clear();
        }
        let event = Event::Turn(color, turn);
        let made = resumed.and_then(|()| game.apply(&event));
        made.map_err(|refused| match &event {
            Event::Turn(color, turn) => {
                self.refused(&super::turn_text(self.reading.game.topology(), *color, turn), &refused)
            }
            _ => self.refused("", &refused),
        })?;
        self.reading.nodes.push(self.node);
        Ok(())
    }

    /// Stones set up in mid-game: the game goes on from a new start, as it does in GoGui and GNU Go.
    fn set_up(&mut self, node: NodeId) -> Result<(), Stop> {
        let lists = [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)];
        let setup = lists.iter().any(|(ident, _)| self.tree.get(node, ident).is_some());
        let player = self.player(node);
        let to_move = player.unwrap_or(self.reading.game.standing().to_move);
        if !setup && to_move == self.reading.game.standing().to_move {
            return Ok(());
        }
        let game = &self.reading.game;
        let mut stones = game.position().stones().to_vec();
        for (ident, stone) in lists {
            for point in self.list(node, ident)? {
                stones[point.index()] = stone;
            }
        }
        let here = game.topology().points().filter_map(|p| Some((stones[p.index()]?, p))).collect();
        // without a word the side goes on that moves next in the file
        let next = self.tree.children(node).next().and_then(|child| self.first_color(child));
        let to_move = player.or(next).unwrap_or(to_move);
        let mut fresh = Game::new(self.selection);
        fresh.set_free_order(game.free_order());
        let set = fresh.apply(&Event::SetUp { stones: here, to_move });
        set.map_err(|refused| self.refused("", &refused))?;
        self.reading.dropped += game.turns().len();
        self.reading.game = fresh;
        self.reading.base = node;
        self.reading.nodes.clear();
        Ok(())
    }

    /// What our own files say of the time after the last turn.
    fn event(&mut self, text: &str) -> Result<(), Stop> {
        // turns are nodes of their own, and what comes before them stands in the root
        let closing = |event: &Event| {
            use Event::{Accept, Mark, Propose, Resign, Resume};
            matches!(event, Resume | Mark(_) | Accept(_) | Propose(..) | Resign(_))
        };
        let event = parse_event(self.reading.game.topology(), text).filter(closing);
        let event = event.ok_or_else(|| self.stop(Trouble::NotUnderstood, text.into(), "not an event".into()))?;
        self.reading.counted |= matches!(event, Event::Mark(_) | Event::Propose(..));
        self.reading.game.apply(&event).map_err(|refused| self.refused(text, &refused))
    }

    /// Whose the points are, by `TB` and `TW`: stones on the other side's points are dead.
    fn territory(&mut self, node: NodeId) {
        let of = |ident| self.tree.get(node, ident).is_some();
        if !of("TB") && !of("TW") {
            return;
        }
        self.reading.counted = true;
        self.reading.dead.clear();
        for (ident, owner) in [("TB", Color::Black), ("TW", Color::White)] {
            // a point off the board is nobody's
            let points = self.list(node, ident).unwrap_or_default();
            let position = self.reading.game.position();
            let dead = points.into_iter().filter(|&p| position.at(p) == Some(owner.other()));
            self.reading.dead.extend(dead);
        }
    }

    /// Marks what the file says is dead, if play has stopped and nothing of our own said it better.
    fn finish(&mut self) {
        let game = &mut self.reading.game;
        if game.standing().phase != Phase::Scoring || game.standing().marks.is_some() || self.reading.dead.is_empty() {
            return;
        }
        let position = game.position();
        let mut chains: Vec<Point> = self.reading.dead.iter().map(|&p| position.head(p)).collect();
        chains.sort_unstable();
        chains.dedup();
        game.apply(&Event::Mark(chains)).unwrap_or_default();
    }
}

/// A text from a file as it can be shown: one line, not too long.
fn brief(text: &str) -> String {
    const MOST: usize = 200;
    let mut shown: String = text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

fn color_of(ident: &str) -> Option<Color> {
    match ident {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}
