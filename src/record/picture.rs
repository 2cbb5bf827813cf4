//! Positions as pictures: SVG 1.1 in its plainest parts, which every viewer shows alike.
//!
//! All coordinates are whole numbers, so a picture is the same text on every machine.

mod plan;

use std::fmt::{Display, Write};

use self::plan::{Plan, TITLE};
use crate::board::{Color, Kind, Point, Position};

/// A stone's radius; neighbours leave a gap.
const STONE: i32 = 14;
const WOOD: &str = "#e4bb6c";
const INK: &str = "#3d2b12";

const GRADIENTS: &str = r##"<defs>
<radialGradient id="black" cx="0.35" cy="0.3" r="0.7"><stop offset="0" stop-color="#6a6a6a"/><stop offset="1" stop-color="#141414"/></radialGradient>
<radialGradient id="white" cx="0.35" cy="0.3" r="0.8"><stop offset="0.3" stop-color="#ffffff"/><stop offset="1" stop-color="#d2d2d2"/></radialGradient>
</defs>
"##;

/// What is drawn beside the stones. Points are of the position's board.
#[derive(Clone, Copy, Default, Debug)]
pub struct Marks<'a> {
    /// The stones of the last turn, each with a ring.
    pub last: &'a [Point],
    /// The stones that the last turn paid, drawn as ghosts of the colour of `last`; only outlined where a stone is.
    pub paid: &'a [Point],
    /// The stones of the last turn have numbers from 1, in the order of `last`, instead of rings.
    pub numbered: bool,
    /// Stones faded and crossed out.
    pub dead: &'a [Point],
    /// Black's and White's points, with small squares of their colours.
    pub territory: [&'a [Point]; 2],
    /// On a torus: how many lines of the opposite edge are repeated round the board, paler.
    pub strips: usize,
    /// A line below the board; may be empty.
    pub title: &'a str,
}

/// The position as an SVG document.
pub fn svg(position: &Position, marks: &Marks<'_>) -> String {
    let plan = Plan::new(position.topology(), marks.strips, marks.title);
    let (width, height) = plan.size;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n{GRADIENTS}\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{WOOD}\"/>\n"
    );
    board(&plan, &mut text);
    stones(&plan, position, marks, &mut text);
    annotations(&plan, position, marks, &mut text);
    wrap(&plan, &mut text);
    coordinates(&plan, &mut text);
    if !marks.title.is_empty() {
        let style = format!("font-family=\"sans-serif\" text-anchor=\"middle\" font-size=\"15\" fill=\"{INK}\"");
        group(&mut text, &style, &label((width / 2, height - TITLE / 2), &escaped(marks.title)));
    }
    text.push_str("</svg>\n");
    text
}

fn stones(plan: &Plan<'_>, position: &Position, marks: &Marks<'_>, text: &mut String) {
    let mut dead = vec![false; position.stones().len()];
    marks.dead.iter().for_each(|p| dead[p.index()] = true);
    for (faded, opacity) in [(false, ""), (true, " opacity=\"0.5\"")] {
        for (color, outline) in Color::BOTH.into_iter().zip(["#000000", "#5a5a5a"]) {
            let these = plan.topology.points().filter(|&p| position.at(p) == Some(color) && dead[p.index()] == faded);
            let style = format!("fill=\"url(#{color})\" stroke=\"{outline}\" stroke-width=\"0.8\"{opacity}");
            group(text, &style, &circles(plan, these, STONE));
        }
    }
}

fn annotations(plan: &Plan<'_>, position: &Position, marks: &Marks<'_>, text: &mut String) {
    // a turn pays own stones, so those it placed say whose they were
    let payer = marks.last.iter().find_map(|&p| position.at(p));
    for empty in [true, false] {
        let fill = match payer.filter(|_| empty) {
            None => "none",
            Some(Color::Black) => "#000000",
            Some(Color::White) => "#ffffff",
        };
        let style = format!(
            "fill=\"{fill}\" fill-opacity=\"0.3\" stroke=\"#cc2218\" stroke-width=\"2\" stroke-dasharray=\"4 3\""
        );
        let these = marks.paid.iter().copied().filter(|&p| position.at(p).is_none() == empty);
        group(text, &style, &circles(plan, these, STONE - 2));
    }

    let crossed = marks.dead.iter().copied().filter(|&p| position.at(p).is_some());
    let arms = plan.spots_of(crossed).map(|(x, y)| format!("M{} {}l18 18m0 -18l-18 18", x - 9, y - 9));
    group(text, "fill=\"none\" stroke=\"#cc2218\" stroke-width=\"2\"", &path(arms));

    for (color, points) in Color::BOTH.into_iter().zip(marks.territory) {
        let (fill, outline) = if color == Color::Black { ("#141414", "#000000") } else { ("#ffffff", "#5a5a5a") };
        let mut squares = String::new();
        for (x, y) in plan.spots_of(points.iter().copied()) {
            writeln!(squares, "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\"/>", x - 5, y - 5).ok();
        }
        group(text, &format!("fill=\"{fill}\" stroke=\"{outline}\" stroke-width=\"0.8\""), &squares);
    }

    for (under, ink) in [(Some(Color::Black), "#ffffff"), (Some(Color::White), "#000000"), (None, "#cc2218")] {
        let these = (1..).zip(marks.last.iter().copied()).filter(|&(_, p)| position.at(p) == under);
        if marks.numbered {
            let mut numbers = String::new();
            for (number, point) in these {
                plan.spots(point).into_iter().for_each(|place| numbers.push_str(&label(place, &number)));
            }
            let font = "font-family=\"sans-serif\" font-weight=\"bold\" font-size=\"14\" text-anchor=\"middle\"";
            group(text, &format!("{font} fill=\"{ink}\""), &numbers);
        } else {
            let style = format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"");
            group(text, &style, &circles(plan, these.map(|(_, p)| p), STONE / 2));
        }
    }
}

/// Lines and star points.
fn board(plan: &Plan<'_>, text: &mut String) {
    group(text, &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1\""), &path(plan.lines().into_iter()));
    let stars = circles(plan, plan.topology.star_points().into_iter(), 3);
    group(text, &format!("fill=\"{INK}\""), &stars);
}

/// On a torus: a veil over what the strips repeat, and a frame where the edges meet.
fn wrap(plan: &Plan<'_>, text: &mut String) {
    if plan.kind != Kind::Torus {
        return;
    }
    let rectangle = |(left, top, right, bottom)| format!("M{left} {top}H{right}V{bottom}H{left}Z");
    let board = rectangle(plan.frame((0, 0)));
    if plan.strips != (0, 0) {
        let veil = path([rectangle(plan.frame(plan.strips)), board.clone()].into_iter());
        group(text, &format!("fill=\"{WOOD}\" fill-opacity=\"0.55\" fill-rule=\"evenodd\""), &veil);
    }
    let style = "fill=\"none\" stroke=\"#cc2218\" stroke-width=\"1.6\" stroke-dasharray=\"7 5\"";
    group(text, style, &path([board].into_iter()));
}

fn coordinates(plan: &Plan<'_>, text: &mut String) {
    let font = format!("font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\" fill=\"{INK}\"");
    let names = plan.names();
    for (repeated, paler) in [(false, ""), (true, " fill-opacity=\"0.5\"")] {
        let these = names.iter().filter(|name| name.repeated == repeated);
        group(text, &format!("{font}{paler}"), &these.map(|name| label(name.place, &name.text)).collect::<String>());
    }
}

fn circles(plan: &Plan<'_>, points: impl Iterator<Item = Point>, radius: i32) -> String {
    let mut text = String::new();
    for (x, y) in plan.spots_of(points) {
        writeln!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>").ok();
    }
    text
}

fn group(text: &mut String, style: &str, content: &str) {
    if !content.is_empty() {
        write!(text, "<g {style}>\n{content}</g>\n").ok();
    }
}

fn path(parts: impl Iterator<Item = String>) -> String {
    let parts: String = parts.collect();
    if parts.is_empty() { parts } else { format!("<path d=\"{parts}\"/>\n") }
}

/// Text whose middle is at a place: viewers differ in what they know of baselines, so it is lowered by hand.
fn label((x, y): (i32, i32), name: &dyn Display) -> String {
    format!("<text x=\"{x}\" y=\"{}\">{name}</text>\n", y + 5)
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            // XML has no way to write these
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => safe.push(' '),
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Shape, Topology};
    use std::collections::HashSet;
    use std::sync::Arc;

    /// Stones on these points, Black's and White's by turns.
    fn position(shape: Shape, stones: &str) -> Position {
        let topology = Arc::new(Topology::new(shape));
        let mut position = Position::new(topology.clone());
        for (i, name) in stones.split_whitespace().enumerate() {
            position.put(Color::BOTH[i % 2], topology.point(name).unwrap());
        }
        position
    }

    fn points(position: &Position, names: &str) -> Vec<Point> {
        names.split_whitespace().map(|name| position.topology().point(name).unwrap()).collect()
    }

    /// Everything drawn after the background, one element a line.
    fn drawn(position: &Position, marks: &Marks<'_>) -> String {
        let text = svg(position, marks);
        let (_, drawn) = text.split_once(&format!(" fill=\"{WOOD}\"/>\n")).unwrap();
        drawn.strip_suffix("</svg>\n").unwrap().into()
    }

    /// The content of the groups whose style begins like this.
    fn groups(text: &str, style: &str) -> Vec<String> {
        let parts = text.split("<g ").filter(|part| part.starts_with(style));
        parts.map(|part| part.split_once(">\n").unwrap().1.split("</g>").next().unwrap().into()).collect()
    }

    /// Why a text is not well-formed XML with quoted attributes, as far as pictures use XML.
    fn fault(text: &str) -> Option<String> {
        let mut open: Vec<&str> = Vec::new();
        let mut roots = 0;
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('<') {
            let entities = before.split('&').skip(1);
            if before.contains('>')
                || entities.into_iter().any(|e| !["amp;", "lt;", "gt;"].iter().any(|k| e.starts_with(k)))
            {
                return Some(format!("text {before}"));
            }
            if open.is_empty() && !before.trim().is_empty() {
                return Some(format!("outside {before}"));
            }
            let Some((tag, next)) = after.split_once('>') else { return Some("tag not ended".into()) };
            rest = next;
            if let Some(name) = tag.strip_prefix('/') {
                if open.pop() != Some(name) {
                    return Some(format!("unopened {name}"));
                }
                continue;
            }
            roots += open.is_empty() as usize;
            let (tag, single) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            let mut seen = Vec::new();
            while let Some((key, value)) = attributes.split_once("=\"") {
                let Some((value, next)) = value.split_once('"') else { return Some(format!("unquoted {tag}")) };
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
                if !key.chars().all(plain) || value.contains(['&', '<']) || seen.contains(&key) {
                    return Some(format!("attribute of {tag}"));
                }
                seen.push(key);
                attributes = next.strip_prefix(' ').unwrap_or(next);
            }
            if !attributes.is_empty() || name.is_empty() {
                return Some(format!("left over in {tag}"));
            }
            if !single {
                open.push(name);
            }
        }
        (!open.is_empty() || roots != 1 || !rest.trim().is_empty()).then(|| format!("end: {open:?} {roots} {rest}"))
    }

    #[test]
    fn the_checker_sees_faults() {
        assert_eq!(fault("<a b=\"1\" c=\"2\"><d/>x &amp; y</a>\n"), None);
        let bad =
            ["<a>", "<a></b>", "<a b=1/>", "<a b=\"1/>", "<a b=\"1\" b=\"2\"/>", "<a>&</a>", "<a/><a/>", "<a/>x", "<a"];
        bad.iter().for_each(|text| assert!(fault(text).is_some(), "{text}"));
    }

    #[test]
    fn rectangle() {
        let board = position(Shape::rect(2, 2).unwrap(), "A1 B2");
        let expected = r##"<g fill="none" stroke="#3d2b12" stroke-width="1">
<path d="M48 48L78 48M48 78L78 78M48 78L48 48M78 78L78 48"/>
</g>
<g fill="url(#black)" stroke="#000000" stroke-width="0.8">
<circle cx="48" cy="78" r="14"/>
</g>
<g fill="url(#white)" stroke="#5a5a5a" stroke-width="0.8">
<circle cx="78" cy="48" r="14"/>
</g>
<g font-family="sans-serif" font-size="13" text-anchor="middle" fill="#3d2b12">
<text x="48" y="113">A</text>
<text x="48" y="23">A</text>
<text x="78" y="113">B</text>
<text x="78" y="23">B</text>
<text x="18" y="83">1</text>
<text x="108" y="83">1</text>
<text x="18" y="53">2</text>
<text x="108" y="53">2</text>
</g>
<g font-family="sans-serif" text-anchor="middle" font-size="15" fill="#3d2b12">
<text x="63" y="146">a&lt;b </text>
</g>
"##;
        assert_eq!(drawn(&board, &Marks { title: "a<b\u{1}", ..Marks::default() }), expected);
    }

    #[test]
    fn torus_with_a_strip() {
        let board = position(Shape::torus(2, 2).unwrap(), "A1");
        let text = drawn(&board, &Marks { strips: 1, ..Marks::default() });
        let four = [(78, 108), (138, 108), (78, 48), (138, 48)]
            .map(|(x, y)| format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"14\"/>\n"));
        assert_eq!(groups(&text, "fill=\"url(#black)\""), [four.concat()]);
        assert_eq!(groups(&text, "fill=\"#e4bb6c\""), ["<path d=\"M33 33H153V153H33ZM63 63H123V123H63Z\"/>\n"]);
        assert!(text.contains("stroke-dasharray=\"7 5\">\n<path d=\"M63 63H123V123H63Z\"/>"));
        assert_eq!(groups(&text, "font")[1].matches("</text>").count(), 8);
        assert!(groups(&drawn(&board, &Marks::default()), "fill=\"#e4bb6c\"").is_empty());
    }

    #[test]
    fn hexagon() {
        let text = drawn(&position(Shape::hex(2).unwrap(), "A1 B2"), &Marks::default());
        let lines = "M63 48L93 48M48 74L108 74M63 100L93 100M108 74L93 48M63 100L48 74M93 100L63 48M48 74L63 48\
                     M63 100L93 48M93 100L108 74";
        assert_eq!(groups(&text, "fill=\"none\""), [format!("<path d=\"{lines}\"/>\n")]);
        assert_eq!(groups(&text, "fill=\"url(#black)\""), ["<circle cx=\"63\" cy=\"100\" r=\"14\"/>\n"]);
        assert_eq!(groups(&text, "fill=\"url(#white)\""), ["<circle cx=\"78\" cy=\"74\" r=\"14\"/>\n"]);
        for label in ["<text x=\"74\" y=\"125\">A<", "<text x=\"119\" y=\"99\">C<", "<text x=\"144\" y=\"105\">1<"] {
            assert!(text.contains(label), "{label}");
        }
    }

    #[test]
    fn marks() {
        let board = position(Shape::rect(5, 5).unwrap(), "A1 B5 C1 D5 E1 B1");
        let [last, paid, dead, territory] = ["E1 A1", "A1 B2 C3 D4", "B5", "A5 B5"].map(|names| points(&board, names));
        let marks = Marks {
            last: &last,
            paid: &paid,
            numbered: true,
            dead: &dead,
            territory: [&territory, &[]],
            ..Marks::default()
        };
        let text = drawn(&board, &marks);
        assert_eq!(
            groups(&text, "font-family=\"sans-serif\" font-weight"),
            ["<text x=\"168\" y=\"173\">1</text>\n<text x=\"48\" y=\"173\">2</text>\n"]
        );
        assert_eq!(groups(&text, "fill=\"#000000\" fill-opacity=\"0.3\"")[0].lines().count(), 3);
        assert_eq!(groups(&text, "fill=\"none\" fill-opacity=\"0.3\""), ["<circle cx=\"48\" cy=\"168\" r=\"12\"/>\n"]);
        assert_eq!(groups(&text, "fill=\"url(#white)\"").len(), 2);
        assert!(text.contains(" opacity=\"0.5\">\n<circle cx=\"78\" cy=\"48\" r=\"14\"/>\n</g>"));
        assert!(text.contains("<path d=\"M69 39l18 18m0 -18l-18 18\"/>"));
        assert_eq!(groups(&text, "fill=\"#141414\"")[0].lines().count(), 2);
        let rings = drawn(&board, &Marks { last: &last, ..Marks::default() });
        assert_eq!(groups(&rings, "fill=\"none\" stroke=\"#ffffff\"")[0].matches("r=\"7\"").count(), 2);
    }

    #[test]
    fn every_picture_is_well_formed_and_small_and_shows_each_stone_once() {
        let shapes = [
            Shape::rect(1, 1),
            Shape::rect(1, 9),
            Shape::rect(19, 19),
            Shape::rect(52, 52),
            Shape::hex(1),
            Shape::hex(26),
            Shape::torus(1, 3),
            Shape::torus(19, 19),
        ];
        for (shape, share) in shapes.map(Result::unwrap).into_iter().flat_map(|shape| [(shape, 1), (shape, 3)]) {
            let mut board = position(shape, "");
            let all: Vec<Point> = board.topology().points().collect();
            all.iter().step_by(share).for_each(|&p| board.put(Color::BOTH[p.index() / share % 2], p));
            let marks =
                Marks { last: &all[..1], paid: &all, dead: &all, title: "<&>\"'\n", strips: 2, ..Marks::default() };
            for marks in [
                Marks { strips: 99, numbered: true, territory: [&all, &all], ..marks },
                Marks { dead: &[], ..marks },
                Marks::default(),
            ] {
                let text = svg(&board, &marks);
                assert_eq!(fault(&text), None, "{shape:?}");
                let ending = format!("r=\"{STONE}\"/>");
                let stones: Vec<&str> = text.lines().filter(|line| line.ends_with(&ending)).collect();
                let drawn = stones.len();
                assert_eq!(drawn, stones.into_iter().collect::<HashSet<_>>().len());
                if shape.kind() != Kind::Torus || marks.strips == 0 {
                    assert_eq!(drawn, board.count(Color::Black) + board.count(Color::White));
                }
                let usual = shape == Shape::rect(19, 19).unwrap() && (marks.dead.is_empty() || share > 1);
                assert!(!usual || text.len() < 60_000, "{}", text.len());
            }
        }
    }
}
