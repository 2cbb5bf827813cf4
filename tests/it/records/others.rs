//! Files as other programs write them, or carelessly by hand. `tests/data/sgf` has them, all made for these tests, and
//! `expected.json` what is to be made of each.

use std::collections::BTreeMap;

use egtp::board::board_rows;
use egtp::record::{Reading, Verdict, read_sgf, read_tree, sgf};
use serde_json::{Value, json};

fn folder() -> String {
    format!("{}/tests/data/sgf", env!("CARGO_MANIFEST_DIR"))
}

/// What was made of a game. Empty things are left out.
fn seen(reading: &Reading) -> Value {
    let (game, verdict) = (&reading.game, Verdict::new(reading));
    let mut seen = json!({
        "status": verdict.status.name(),
        "players": reading.players,
        "turns": verdict.turns,
        "rules": game.ruleset().name,
        "topology": game.shape().kind().name(),
        "size": game.shape().to_string(),
        "komi": game.komi().to_string(),
        "handicap": game.handicap(),
        "to_move": game.standing().to_move.name(),
        "phase": game.standing().phase.name(),
        "problem": reading.problem.as_ref().map(|problem| json!({
            "turn": problem.turn, "line": problem.line, "what": problem.what,
            "kind": problem.trouble.name(), "reason": problem.reason,
        })),
        "claimed": verdict.claimed,
        "counted": verdict.counted.map(|outcome| outcome.to_string()),
        "remarks": verdict.remarks,
    });
    // large boards by their stones
    let rows = board_rows(game.position());
    let stones: Vec<String> = game
        .topology()
        .points()
        .filter_map(|p| Some(format!("{}{}", game.position().at(p)?.letter(), game.topology().name(p))))
        .collect();
    seen["board"] = if rows.len() > 9 { json!(stones.join(" ")) } else { json!(rows) };
    let empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(all) => all.iter().all(Value::is_null),
        _ => *value == json!(0),
    };
    seen.as_object_mut().unwrap().retain(|_, value| !empty(value));
    seen
}

/// All games of a file, and what ends the reading.
fn file(bytes: &[u8]) -> Value {
    let text = sgf::decode(bytes);
    let (trees, error) = sgf::parse_lenient(&text);
    let games: Vec<Value> = trees.iter().map(|tree| seen(&read_tree(tree, &Default::default()))).collect();
    match (read_sgf(bytes, &Default::default()), error) {
        (Ok(readings), None) => {
            assert_eq!(readings.iter().map(seen).collect::<Vec<_>>(), games);
            json!({"games": games})
        }
        (Err(strict), Some(error)) => {
            assert_eq!(strict, error);
            json!({"games": games, "error": error.to_string()})
        }
        (strict, error) => panic!("{strict:?}, but {error:?}"),
    }
}

#[test]
fn files_of_other_programs() {
    let table = std::fs::read_to_string(format!("{}/expected.json", folder())).unwrap();
    let mut expected: BTreeMap<String, Value> = serde_json::from_str(&table).unwrap();
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "expected.json")
        .collect();
    names.sort();
    let mut wrong = Vec::new();
    for name in &names {
        let got = file(&std::fs::read(format!("{}/{name}", folder())).unwrap());
        let wanted = expected.remove(name);
        if wanted.as_ref() != Some(&got) {
            let line = |what: &Value| format!("{}: {what},", json!(name));
            let wanted = wanted.map_or("no expectation".into(), |wanted| line(&wanted));
            wrong.push(format!("expected {wanted}\ngot:\n{}", line(&got)));
        }
    }
    assert!(expected.is_empty(), "expectations without a file: {:?}", expected.keys());
    assert!(wrong.is_empty(), "{} of {} files\n{}", wrong.len(), names.len(), wrong.join("\n"));
    assert!(names.len() >= 60, "{}", names.len());
}

/// What was read from another program's file can be written, and then comes back.
#[test]
fn read_written_and_read_again() {
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "sgf") {
            continue;
        }
        let (trees, _) = sgf::parse_lenient(&sgf::decode(&std::fs::read(&path).unwrap()));
        for tree in &trees {
            let game = read_tree(tree, &Default::default()).game;
            let text = egtp::record::write_sgf(&game, egtp::record::Flavour::Plain).to_string();
            let again = read_sgf(text.as_bytes(), &Default::default()).unwrap().remove(0);
            let shown = path.display();
            assert_eq!(again.problem, None, "{shown}\n{text}");
            assert_eq!(again.game.standing(), game.standing(), "{shown}\n{text}");
            assert!(again.game.position() == game.position(), "{shown}\n{text}");
        }
    }
}
