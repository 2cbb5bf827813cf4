//! What a program makes of our files that knows nothing but FF\[4\] and the square board.

use std::collections::{BTreeMap, HashSet};

use egtp::board::{Color, Kind};
use egtp::game::Game;
use egtp::record::{Flavour, write_sgf};
use egtp::rules::Turn;

use super::games::{Wishes, boards, game};
use crate::play::Random;

/// The properties of a node.
type Node = BTreeMap<String, Vec<String>>;

/// The nodes of a file with one line of play: a reader of its own, which knows escapes and nothing else.
fn nodes(text: &str) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let (mut chars, mut name) =
        (text.trim().strip_prefix('(').unwrap().strip_suffix(')').unwrap().chars(), String::new());
    let mut last = String::new();
    while let Some(c) = chars.next() {
        match c {
            ';' => nodes.push(Node::new()),
            '[' => {
                let mut value = String::new();
                loop {
                    match chars.next().expect("a value ends") {
                        ']' => break,
                        '\\' => value.extend(chars.next()),
                        c => value.push(c),
                    }
                }
                if !name.is_empty() {
                    last = std::mem::take(&mut name);
                    assert!(!nodes.last().unwrap().contains_key(&last), "{last} stands twice in a node");
                }
                nodes.last_mut().unwrap().entry(last.clone()).or_default().push(value);
            }
            c if c.is_ascii_uppercase() => name.push(c),
            c => assert!(c.is_whitespace(), "{c} is out of place"),
        }
    }
    nodes
}

struct Viewer {
    width: usize,
    height: usize,
    /// Rows from the top.
    stones: Vec<Option<char>>,
    /// Takes a stone's own chain off if the move left it without liberties.
    takes_suicides: bool,
}

impl Viewer {
    fn new(root: &Node, takes_suicides: bool) -> Viewer {
        let size = root["SZ"][0].as_str();
        let (width, height) = size.split_once(':').unwrap_or((size, size));
        let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
        Viewer { width, height, stones: vec![None; width * height], takes_suicides }
    }

    fn point(&self, value: &str) -> usize {
        let number = |b: u8| if b >= b'a' { b - b'a' } else { b - b'A' + 26 } as usize;
        let [column, row] = value.as_bytes() else { panic!("no point: {value}") };
        let (column, row) = (number(*column), number(*row));
        assert!(column < self.width && row < self.height, "{value} is off the board");
        row * self.width + column
    }

    fn around(&self, at: usize) -> Vec<usize> {
        let (x, y) = (at % self.width, at / self.width);
        let mut found = Vec::new();
        if x > 0 {
            found.push(at - 1);
        }
        if x + 1 < self.width {
            found.push(at + 1);
        }
        if y > 0 {
            found.push(at - self.width);
        }
        if y + 1 < self.height {
            found.push(at + self.width);
        }
        found
    }

    /// Takes the chain off if it has no liberty.
    fn take(&mut self, stone: usize) {
        let color = self.stones[stone];
        let (mut chain, mut open) = (HashSet::from([stone]), vec![stone]);
        while let Some(at) = open.pop() {
            for next in self.around(at) {
                if self.stones[next].is_none() {
                    return;
                }
                if self.stones[next] == color && chain.insert(next) {
                    open.push(next);
                }
            }
        }
        chain.into_iter().for_each(|at| self.stones[at] = None);
    }

    /// Shows a node.
    fn node(&mut self, node: &Node) {
        let moved = ["B", "W"].into_iter().find_map(|name| Some((name, node.get(name)?)));
        let set: Vec<&str> = ["AB", "AW", "AE"].into_iter().filter(|name| node.contains_key(*name)).collect();
        assert!(moved.is_none() || set.is_empty() && !node.contains_key("PL"), "a move and a setup in one node");
        let mut named = HashSet::new();
        for name in set {
            for value in &node[name] {
                let at = self.point(value);
                assert!(named.insert(at), "{value} is set twice in a node");
                self.stones[at] = name.strip_prefix('A').unwrap().chars().next().filter(|&c| c != 'E');
            }
        }
        let Some((color, [value])) = moved.map(|(name, values)| (name, values.as_slice())) else { return };
        if value.is_empty() {
            return;
        }
        let at = self.point(value);
        assert!(self.stones[at].is_none(), "{value} is not empty");
        let color = color.chars().next();
        self.stones[at] = color;
        for next in self.around(at) {
            if self.stones[next].is_some() && self.stones[next] != color {
                self.take(next);
            }
        }
        if self.takes_suicides {
            self.take(at);
        }
    }

    /// Whether it shows a board of the game.
    fn shows(&self, game: &Game, board: &[Option<Color>]) -> bool {
        let mut expected = vec![None; self.stones.len()];
        for point in game.topology().points() {
            let (column, row) = game.topology().place(point);
            expected[(self.height - 1 - row) * self.width + column] = board[point.index()].map(Color::letter);
        }
        self.stones == expected
    }
}

/// Shows a whole game; how many corrections there were.
fn watch(game: &Game, takes_suicides: bool) -> usize {
    let text = write_sgf(game, Flavour::Plain).to_string();
    let nodes = nodes(&text);
    let mut viewer = Viewer::new(&nodes[0], takes_suicides);
    let boards = boards(game);
    let (mut turn, mut corrections) = (0, 0);
    for (i, node) in nodes.iter().enumerate() {
        viewer.node(node);
        let correction = node.contains_key("EGX");
        corrections += correction as usize;
        if i > 0 && !correction {
            let record = &game.turns()[turn];
            turn += 1;
            let letter = record.color.letter().to_string();
            match record.turn {
                Turn::Special(_) => assert!(node.contains_key("EGT"), "turn {turn}\n{text}"),
                _ => assert!(node.contains_key(&letter), "turn {turn}\n{text}"),
            }
        }
        if let Some(next) = node.get("PL").filter(|_| i > 0) {
            assert_eq!(next[0].chars().next(), Some(game.turns()[turn - 1].color.other().letter()), "{text}");
        }
        let last = nodes.get(i + 1).is_none_or(|next| !next.contains_key("EGX"));
        assert!(!last || viewer.shows(game, &boards[turn]), "after turn {turn} ({takes_suicides})\n{text}");
    }
    assert_eq!(turn, game.turns().len(), "{text}");
    corrections
}

#[test]
fn every_board_is_shown_rightly() {
    let (mut turns, mut specials, mut corrections) = (0, 0, BTreeMap::new());
    for kind in [Kind::Rect, Kind::Torus, Kind::Hex] {
        for seed in 0..3_000 {
            let wishes = Wishes { kind: Some(kind), wild: seed % 2 == 0, large: seed % 100 == 99 };
            let game = game(&mut Random::new(seed ^ 0xb0a_2d00), wishes);
            turns += game.turns().len();
            specials += game.turns().iter().filter(|record| matches!(record.turn, Turn::Special(_))).count();
            for takes_suicides in [false, true] {
                *corrections.entry(kind.name()).or_insert(0) += watch(&game, takes_suicides);
            }
        }
    }
    println!("{turns} turns, {specials} special, corrections: {corrections:?}");
    assert!(turns > 50_000 && specials > 500 && corrections.values().all(|&n| n > 200), "{corrections:?}");
}

/// Programs that know tori get no corrections and no board that is not theirs.
#[test]
fn q5go_gets_moves_alone() {
    for seed in 0..500 {
        let wishes = Wishes { kind: Some(Kind::Torus), wild: seed % 2 == 0, ..Wishes::default() };
        let game = game(&mut Random::new(seed ^ 0x95_60), wishes);
        let nodes = nodes(&write_sgf(&game, Flavour::Q5go).to_string());
        assert_eq!((nodes[0]["GM"][0].as_str(), nodes[0]["TO"][0].as_str()), ("q5go-1", "3"));
        assert_eq!(nodes.len(), game.turns().len() + 1);
        assert!(nodes.iter().all(|node| !node.contains_key("EGX")));
    }
}
