//! Events in words: every event comes back from its line, and the same game from its lines.

use egtp::game::{Event, Game};
use egtp::record::{event_text, game_from_journal, parse_event};
use egtp::rules::Selection;

use crate::play::Random;
use crate::properties::{event, selection};

/// The rules in words, as a room keeps them.
fn in_words(selection: &Selection) -> String {
    let rules = &selection.ruleset;
    let switches = rules.switches().map(|(key, value)| format!(" {key}={value}")).concat();
    format!("{} topology={} size={}{switches}", rules.name, selection.shape.kind().name(), selection.shape)
}

#[test]
fn every_event_comes_back_and_every_game() {
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    for number in 0..2_000 {
        let mut random = Random::new(number ^ 0x0e4e);
        let selection = selection(&mut random);
        let mut game = Game::new(selection);
        let mut lines = Vec::new();
        for _ in 0..random.below(100) {
            let event = event(&mut random, &game);
            let line = event_text(game.topology(), &event);
            assert!(!line.contains(['\n', '\r']));
            // also those that the game refuses
            assert_eq!(parse_event(game.topology(), &line).as_ref(), Some(&event), "{line}");
            *kinds.entry(line.split(' ').next().unwrap().into()).or_default() += 1;
            if game.apply(&event).is_ok() {
                lines.push(line);
            }
        }
        let again = game_from_journal(&in_words(&selection), &lines).unwrap();
        assert_eq!(again.ruleset(), game.ruleset());
        assert_eq!(again.position(), game.position());
        assert_eq!(again.standing(), game.standing());
        assert_eq!((again.komi(), again.handicap(), again.start()), (game.komi(), game.handicap(), game.start()));
        let turns = |game: &Game| game.turns().iter().map(|r| (r.color, r.turn.clone())).collect::<Vec<_>>();
        assert_eq!(turns(&again), turns(&game));
    }
    println!("{kinds:?}");
    let all = ["accept", "handicap", "komi", "mark", "propose", "resign", "resume", "setup", "takeback", "turn"];
    assert!(kinds.keys().eq(all) && kinds.values().all(|&n| n > 100), "{kinds:?}");
}

#[test]
fn changed_lines_are_no_events_or_other_ones() {
    for number in 0..3_000 {
        let mut random = Random::new(number ^ 0xbad);
        let game = Game::new(selection(&mut random));
        let line = event_text(game.topology(), &event(&mut random, &game));
        let mut words: Vec<&str> = line.split(' ').collect();
        let at = random.below(words.len());
        match random.below(4) {
            0 => words.insert(at, random.pick(&["black", "pay", "D4", "7", "turn", "é"])),
            1 => drop(words.remove(at)),
            2 => words.swap(0, at),
            _ => words[at] = random.pick(&["white", "place", "A1", "-1", "(0,0)", "pass"]),
        }
        // whatever is read means what it is written as
        if let Some(event) = parse_event(game.topology(), &words.join(" ")) {
            let text = event_text(game.topology(), &event);
            assert_eq!(parse_event(game.topology(), &text), Some(event), "{words:?}");
            let resume = matches!(parse_event(game.topology(), &text), Some(Event::Resume));
            assert_eq!(resume, text == "resume");
        }
    }
}
