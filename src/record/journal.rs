//! Events in words, a line each: what a room's journal holds.
//!
//! | line | event |
//! |---|---|
//! | `turn black D4`, `turn white pass`, `turn black special place E5 E6 pay A1 B1 C1 D1` | a turn |
//! | `resign black` | a resignation |
//! | `mark A1 B2` | chains turned from alive to dead or back |
//! | `accept black` | a side accepts |
//! | `propose black A1 B2` | a side says which chains are dead |
//! | `resume` | play goes on |
//! | `takeback 2` | turns taken back |
//! | `setup white black D4 white E5` | the side that begins, and stones |
//! | `handicap D4 Q16` | handicap stones |
//! | `komi 6.5`, `komi` | komi, or the ruleset's again |

use super::{parse_turn, reason, turn_text};
use crate::board::{Color, Point, Topology};
use crate::game::{Event, Game};
use crate::rules::Selection;

/// An event in words, in one line.
pub fn event_text(topology: &Topology, event: &Event) -> String {
    let names = |points: &[Point]| points.iter().map(|&p| format!(" {}", topology.name(p))).collect::<String>();
    match event {
        Event::Turn(color, turn) => format!("turn {}", turn_text(topology, *color, turn)),
        Event::Resign(color) => format!("resign {color}"),
        Event::Mark(stones) => format!("mark{}", names(stones)),
        Event::Accept(color) => format!("accept {color}"),
        Event::Propose(color, stones) => format!("propose {color}{}", names(stones)),
        Event::Resume => "resume".into(),
        Event::TakeBack(n) => format!("takeback {n}"),
        Event::SetUp { stones, to_move } => {
            let stones = stones.iter().map(|&(color, p)| format!(" {color} {}", topology.name(p)));
            format!("setup {to_move}{}", stones.collect::<String>())
        }
        Event::Handicap(points) => format!("handicap{}", names(points)),
        Event::Komi(Some(komi)) => format!("komi {komi}"),
        Event::Komi(None) => "komi".into(),
    }
}

/// The event that [`event_text`] wrote; `None` if the words are no event on this board.
pub fn parse_event(topology: &Topology, text: &str) -> Option<Event> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let points = |words: &[&str]| words.iter().map(|word| topology.point(word).ok()).collect::<Option<Vec<Point>>>();
    let event = match words.as_slice() {
        ["turn", ..] => {
            let (color, turn) = parse_turn(topology, text.trim_start().strip_prefix("turn")?)?;
            Event::Turn(color, turn)
        }
        ["resign", who] => Event::Resign(color(who)?),
        ["mark", names @ ..] => Event::Mark(points(names)?),
        ["accept", who] => Event::Accept(color(who)?),
        ["propose", who, names @ ..] => Event::Propose(color(who)?, points(names)?),
        ["resume"] => Event::Resume,
        ["takeback", n] => Event::TakeBack(n.parse().ok()?),
        ["setup", to_move, stones @ ..] => {
            let (pairs, rest) = stones.as_chunks::<2>();
            let stone = |[who, name]: &[&str; 2]| Some((color(who)?, topology.point(name).ok()?));
            let stones = pairs.iter().map(stone).collect::<Option<_>>().filter(|_| rest.is_empty())?;
            Event::SetUp { stones, to_move: color(to_move)? }
        }
        ["handicap", names @ ..] => Event::Handicap(points(names)?),
        ["komi"] => Event::Komi(None),
        ["komi", komi] => Event::Komi(Some(komi.parse().ok()?)),
        _ => return None,
    };
    Some(event)
}

fn color(word: &str) -> Option<Color> {
    Color::BOTH.into_iter().find(|color| color.name() == word)
}

/// The game of a journal: its rules, a name and settings as `egtp_rules` takes them, and its events, the first first.
/// Fails with one line that names the event that could not happen.
pub fn game_from_journal(rules: &str, events: &[String]) -> Result<Game, String> {
    let mut words = rules.split_whitespace();
    let selection = Selection::parse(words.next().unwrap_or_default(), words);
    let mut game = Game::new(selection.map_err(|error| format!("rules {rules:?}: {error}"))?);
    for (number, text) in (1..).zip(events) {
        let wrong = |why: String| format!("event {number}, {text:?}: {why}");
        let event = parse_event(game.topology(), text).ok_or_else(|| wrong("not an event on this board".into()))?;
        game.apply(&event).map_err(|refused| wrong(reason(&refused, game.topology())))?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;

    #[test]
    fn the_words_are_the_documented_ones() {
        let topology = Topology::new(Shape::rect(9, 9).unwrap());
        for line in [
            "turn black D4",
            "turn white pass",
            "turn black special place E5 E6 pay A1 B1 C1 D1",
            "turn white special place pay",
            "resign white",
            "mark A1 B2",
            "mark",
            "accept black",
            "propose black",
            "propose white A1",
            "resume",
            "takeback 2",
            "setup white black D4 white E5",
            "setup black",
            "handicap D4 F6",
            "komi 6.5",
            "komi -3",
            "komi",
        ] {
            let event = parse_event(&topology, line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(event_text(&topology, &event), line);
            assert_eq!(parse_event(&topology, &format!(" {line}\r\n")), Some(event));
        }
        for line in [
            "",
            "turn",
            "turn black",
            "turns black D4",
            "turn black T19",
            "turn red D4",
            "turn turn black D4",
            "resign",
            "resign black white",
            "mark Z9",
            "accept",
            "propose",
            "resume now",
            "takeback",
            "takeback -1",
            "setup",
            "setup D4 black",
            "setup black white",
            "setup black white D4 E5",
            "handicap black D4",
            "komi six",
            "play black D4",
        ] {
            assert_eq!(parse_event(&topology, line), None, "{line}");
        }
    }

    #[test]
    fn a_journal_that_cannot_be_a_game_is_named() {
        let game = |rules: &str, events: &[&str]| {
            let events: Vec<String> = events.iter().map(|event| event.to_string()).collect();
            game_from_journal(rules, &events).map(|game| game.turns().len())
        };
        assert_eq!(game("rulebook size=9 komi=5", &["handicap D4 F6", "turn white E5"]), Ok(1));
        let wrong = |rules, events: &[&str]| game(rules, events).unwrap_err();
        assert_eq!(
            wrong("enhanced", &["turn black D4", "turn white D4"]),
            "event 2, \"turn white D4\": D4 is not empty"
        );
        assert_eq!(wrong("enhanced", &["turn black D"]), "event 1, \"turn black D\": not an event on this board");
        assert!(wrong("", &[]).starts_with("rules \"\": no ruleset ; there are enhanced"));
        assert!(wrong("enhanced size=99", &[]).starts_with("rules \"enhanced size=99\": a rect is 1 to 52"));
    }
}
