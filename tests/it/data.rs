//! Reading `tests/data`, and the words used in it.

use std::fmt::Debug;

use egtp::board::{Color, Point, Position, Shape, Topology, board_rows};
use egtp::rules::{Refusal, Repetition, SpecialTurn, Turn};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A file of `tests/data`, by its name without `.json`.
pub(crate) fn load<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A turn, made or to be tried, with the number of stones it should capture.
#[derive(Deserialize)]
pub(crate) struct Action {
    pub(crate) who: Option<String>,
    #[serde(rename = "move")]
    vertex: Option<String>,
    special: Option<Special>,
    pub(crate) captured: Option<usize>,
}

#[derive(Deserialize)]
struct Special {
    place: Vec<String>,
    pay: Vec<String>,
}

impl Action {
    /// The side that moves.
    pub(crate) fn color(&self) -> Color {
        color(self.who.as_deref().unwrap())
    }

    /// The turn, on a board.
    pub(crate) fn turn(&self, topology: &Topology) -> Turn {
        match (&self.special, &self.vertex) {
            (Some(special), None) => self::special(topology, &special.place, &special.pay),
            (None, Some(vertex)) => turn(topology, vertex),
            _ => panic!("a turn is either a move or special"),
        }
    }
}

/// An ordinary turn or a pass.
pub(crate) fn turn(topology: &Topology, vertex: &str) -> Turn {
    if vertex == "pass" { Turn::Pass } else { Turn::Play(topology.point(vertex).unwrap()) }
}

/// A special turn.
pub(crate) fn special(topology: &Topology, place: &[String], pay: &[String]) -> Turn {
    Turn::Special(Box::new(SpecialTurn { place: points(topology, place), pay: points(topology, pay) }))
}

/// `rect 9 9`, `torus 11 11`, `hex 8`.
pub(crate) fn shape(text: &str) -> Shape {
    let words: Vec<&str> = text.split(' ').collect();
    let number = |word: &str| word.parse().unwrap();
    match words[..] {
        ["rect", w, h] => Shape::rect(number(w), number(h)).unwrap(),
        ["torus", w, h] => Shape::torus(number(w), number(h)).unwrap(),
        ["hex", side] => Shape::hex(number(side)).unwrap(),
        _ => panic!("no shape: {text}"),
    }
}

/// `b`, `B`, `black` and the like.
pub(crate) fn color(text: &str) -> Color {
    match text.as_bytes()[0] | 32 {
        b'b' => Color::Black,
        b'w' => Color::White,
        _ => panic!("no colour: {text}"),
    }
}

/// The rule of repetition, under all the names the data have for it.
pub(crate) fn repetition(text: &str) -> Repetition {
    match text {
        "none" => Repetition::None,
        "ko" | "simple" => Repetition::Ko,
        "psk" | "positional" => Repetition::Positional,
        "ssk" | "situational" => Repetition::Situational,
        _ => panic!("no rule of repetition: {text}"),
    }
}

/// Points by name.
pub(crate) fn points(topology: &Topology, names: &[impl AsRef<str>]) -> Vec<Point> {
    names.iter().map(|name| topology.point(name.as_ref()).unwrap()).collect()
}

/// Points as sorted names, to be compared.
pub(crate) fn names(topology: &Topology, points: &[Point]) -> String {
    let mut points = points.to_vec();
    points.sort_unstable();
    points.iter().map(|&p| topology.name(p)).collect::<Vec<_>>().join(" ")
}

/// The stones of rows from the top, written one after another: `X`, `O`, `.`.
pub(crate) fn stones(topology: &Topology, rows: &str) -> Vec<(Color, Point)> {
    assert_eq!(rows.len(), topology.len(), "{rows}");
    let color = |c| match c {
        'X' => Some(Color::Black),
        'O' => Some(Color::White),
        '.' => None,
        _ => panic!("no stone: {c}"),
    };
    rows.chars().zip(topology.points()).filter_map(|(c, p)| color(c).map(|color| (color, p))).collect()
}

/// The position with these stones.
pub(crate) fn position(shape: Shape, rows: &str) -> Position {
    let mut position = Position::new(std::sync::Arc::new(Topology::new(shape)));
    for (color, point) in stones(&position.topology().clone(), rows) {
        position.put(color, point);
    }
    position
}

/// A position as [`stones`] reads it.
pub(crate) fn board(position: &Position) -> String {
    board_rows(position).concat().replace('?', "")
}

/// The data's word for a refusal.
pub(crate) fn reason(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::NoSpecialTurns => "no-special",
        Refusal::NamedTwice(_) => "duplicate",
        Refusal::TooFew => "too-few",
        Refusal::TooMany { .. } => "cannot-afford",
        Refusal::Price { .. } => "bad-payment",
        Refusal::NotYours(..) => "not-own",
        Refusal::NotEmpty(_) => "occupied",
        Refusal::Suicide => "suicide",
        Refusal::Repetition { rule: Repetition::Ko, .. } => "ko",
        Refusal::Repetition { .. } => "superko",
    }
}

/// Everything that a test found wrong, so that one failure does not hide the next.
#[derive(Default)]
pub(crate) struct Findings {
    checks: usize,
    wrong: Vec<String>,
}

impl Findings {
    /// Compares what there is with what the data expect.
    pub(crate) fn same<T: PartialEq + Debug>(&mut self, id: &str, what: &str, got: T, expected: T) {
        self.checks += 1;
        if got != expected {
            self.wrong.push(format!("{id}: {what}: expected {expected:?}, got {got:?}"));
        }
    }

    /// How much was compared.
    pub(crate) fn checks(&self) -> usize {
        self.checks
    }

    /// Fails if anything was wrong, or if nothing was compared.
    pub(crate) fn finish(self) {
        assert!(self.wrong.is_empty(), "{} of {} wrong\n{}", self.wrong.len(), self.checks, self.wrong.join("\n"));
        assert!(self.checks > 0, "nothing was compared");
    }
}

/// Rows from the top, written apart or together.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Rows {
    Apart(Vec<String>),
    Together(String),
}

impl Rows {
    /// All rows, one after another.
    pub(crate) fn text(&self) -> String {
        match self {
            Rows::Apart(rows) => rows.concat(),
            Rows::Together(text) => text.clone(),
        }
    }
}
