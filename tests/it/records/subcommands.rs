//! `egtp referee`, `egtp draw` and `egtp hahn`, as they are called.

use serde_json::Value;

use super::Folder;
use crate::engine::{Ran, play, run};

const GOOD: &str = "(;FF[4]SZ[9]PB[Anna]PW[Ben]RE[B+R];B[ee];W[cc])";
const BAD: &str = "(;FF[4]SZ[9]RE[B+R];B[ee]\n;W[ee])";
const FIVE: &str = "(;FF[4]SZ[5]KM[0.5]RU[Japanese]RE[RESULT]PB[Ben]PW[Anna]\n;B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];\
                    B[ce];W[de];B[];W[]TB[aa:be]TW[ea:ee])";

/// What it prints, with the folder taken out of names.
fn lines(ran: &Ran, folder: &Folder) -> Vec<String> {
    let text = String::from_utf8(ran.stdout.clone()).unwrap();
    text.replace(&format!("{}/", folder.path().display()), "").lines().map(String::from).collect()
}

fn referee(folder: &Folder, args: &[&str], input: &[u8]) -> (Option<i32>, Vec<String>) {
    let ran = run(&[&["referee"], args].concat(), input);
    assert_eq!(ran.stderr, "", "{args:?}");
    (ran.code, lines(&ran, folder))
}

/// A folder of everything, in the order of names.
fn archive() -> Folder {
    let folder = Folder::new();
    folder.file("a.sgf", GOOD);
    folder.file("b/inner.SGF", FIVE.replace("RESULT", "B+4.5"));
    folder.file("b/ignored.txt", "nothing");
    folder.file("c.sgf", FIVE.replace("RESULT", "W+3.5"));
    folder.file("d.sgf", BAD);
    folder.file("e.sgf", [GOOD, BAD, &FIVE.replace("RESULT", "?")].concat());
    folder.file("f.sgf", [GOOD, "(;FF[4]SZ[9]RE[B+R];B[ee];W["].concat());
    folder.file("g.sgf", "nothing at all");
    let log = folder.name("h.gtp");
    play(
        &["--log-gtp", &log, "--rules", "enhanced"],
        b"1 play b D4\nplay w D4\nplay w pass\nplay b pass\negtp_accept b\negtp_accept w\nfinal_score\n",
    );
    folder
}

const SAID: [&str; 13] = [
    "a.sgf: ok: 2 turns, B+R claimed",
    "b/inner.SGF: ok: 12 turns, B+4.5 counted",
    "c.sgf: differs: 12 turns, counted B+4.5, claimed W+3.5; eyes in seki count for nothing",
    "d.sgf:2: illegal: turn 2, white E5: E5 is not empty",
    "e.sgf#1: ok: 2 turns, B+R claimed",
    "e.sgf#2:2: illegal: turn 2, white E5: E5 is not empty",
    "e.sgf#3: ok: 12 turns, B+4.5 counted, ? claimed",
    "f.sgf#1: ok: 2 turns, B+R claimed",
    "f.sgf#2: ok: 1 turns, B+R claimed",
    "f.sgf: unreadable: line 1, column 75: a property value is not closed",
    "g.sgf: unreadable: line 1, column 1: there is no game tree, which begins with `(;`",
    "h.gtp: ok: 3 turns, B+73.5",
    "12 games, 7 in order, 5 not",
];

#[test]
fn a_folder_of_everything() {
    let folder = archive();
    let (code, lines) = referee(&folder, &[folder.path().to_str().unwrap()], b"");
    assert_eq!(code, Some(1));
    assert_eq!(lines, SAID);
    // the same, whatever the processors do
    for _ in 0..5 {
        assert_eq!(referee(&folder, &[folder.path().to_str().unwrap()], b"").1, SAID);
    }
}

#[test]
fn files_come_in_the_order_in_which_they_are_named() {
    let folder = archive();
    let names: Vec<String> = ["h.gtp", "a.sgf", "b", "a.sgf"].iter().map(|name| folder.name(name)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (code, lines) = referee(&folder, &names, b"");
    assert_eq!(
        (code, lines),
        (
            Some(0),
            vec![SAID[11].into(), SAID[0].into(), SAID[1].into(), SAID[0].into(), "4 games, 4 in order, 0 not".into()]
        )
    );
    let nowhere = folder.name("nowhere.sgf");
    let (code, lines) = referee(&folder, &[&nowhere, names[1]], b"");
    assert_eq!(code, Some(1));
    assert_eq!(
        lines,
        ["nowhere.sgf: unreadable: No such file or directory (os error 2)", SAID[0], "2 games, 1 in order, 1 not"]
    );
    let many: Vec<String> =
        (0..300).map(|i| folder.file(&format!("many/{i:03}.sgf"), if i % 3 == 0 { BAD } else { GOOD })).collect();
    let (code, lines) = referee(&folder, &[&folder.name("many")], b"");
    assert_eq!((code, lines.len()), (Some(1), many.len() + 1));
    assert!(lines.iter().zip(0..300).all(|(line, i)| line.starts_with(&format!("many/{i:03}.sgf:"))));
    assert_eq!(lines[300], "300 games, 200 in order, 100 not");
}

#[test]
fn standard_input() {
    let folder = Folder::new();
    assert_eq!(
        referee(&folder, &["-"], GOOD.as_bytes()),
        (Some(0), vec!["-: ok: 2 turns, B+R claimed".into(), "1 game, 1 in order, 0 not".into()])
    );
    let (code, lines) = referee(&folder, &["-", "--json"], BAD.as_bytes());
    assert_eq!((code, lines.len()), (Some(1), 1));
    let (code, lines) = referee(&folder, &["-"], b"");
    assert_eq!((code, lines[0].starts_with("-: unreadable: ")), (Some(1), true));
}

#[test]
fn rules_from_the_command_line() {
    let folder = Folder::new();
    let suicide = folder.file("s.sgf", "(;FF[4]SZ[9]RE[B+R]RU[Chinese];B[ab];W[ii];B[ba];W[aa];B[ee])");
    let order = folder.file("o.sgf", "(;FF[4]SZ[9]RE[B+R];B[ab];B[ba])");
    assert_eq!(referee(&folder, &[&suicide], b"").0, Some(1));
    assert_eq!(referee(&folder, &["--rules", "new-zealand", &suicide], b"").0, Some(0));
    assert_eq!(referee(&folder, &["--rules", "chinese,suicide=allowed,repetition=none", &suicide], b"").0, Some(0));
    let (code, lines) = referee(&folder, &[&order], b"");
    assert_eq!((code, lines[0].as_str()), (Some(1), "o.sgf:1: illegal: turn 2, black B9: white to move"));
    assert_eq!(referee(&folder, &["--any-order", &order], b"").0, Some(0));
    // area, not territory: another count than the one claimed
    let five = folder.file("five.sgf", FIVE.replace("RESULT", "B+4.5"));
    assert_eq!(referee(&folder, &["--rules", "chinese", &five], b"").0, Some(0));
    assert_eq!(run(&["referee", "--rules", "chess", &five], b"").code, Some(2));
    assert_eq!(run(&["referee"], b"").code, Some(2));
}

#[test]
fn lines_for_machines() {
    let folder = archive();
    let (code, lines) = referee(&folder, &["--json", folder.path().to_str().unwrap()], b"");
    assert_eq!((code, lines.len()), (Some(1), SAID.len() - 1));
    let objects: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (object, said) in objects.iter().zip(SAID) {
        let game = object["game"].as_str().unwrap();
        assert!(said.starts_with(&format!("{game}:")), "{object}");
        let status = object["status"].as_str().unwrap();
        assert!(said.contains(&format!(": {status}:")), "{object}");
        if status != "unreadable" {
            let turns = object["turns"].as_u64().unwrap();
            assert!(status == "illegal" || said.contains(&format!(": {turns} turns")), "{object}");
        }
    }
    let of = |game: &str| objects.iter().find(|object| object["game"] == game).unwrap();
    let good = serde_json::json!({
        "game": "a.sgf", "status": "ok", "turns": 2, "problem": null, "ruleset": "rulebook", "size": "9", "komi": "6.5",
        "black": "Anna", "white": "Ben", "claimed": "B+R", "counted": null, "remarks": [],
    });
    assert_eq!(of("a.sgf"), &good);
    let problem = serde_json::json!({"turn": 2, "line": 2, "what": "white E5", "kind": "illegal-turn", "reason": "E5 is not empty"});
    assert_eq!(of("d.sgf")["problem"], problem);
    assert_eq!((&of("c.sgf")["counted"], &of("c.sgf")["claimed"]), (&"B+4.5".into(), &"W+3.5".into()));
    assert_eq!(of("g.sgf")["reason"], "line 1, column 1: there is no game tree, which begins with `(;`");
    assert_eq!(of("c.sgf")["remarks"], serde_json::json!(["eyes in seki count for nothing"]));
}

#[test]
fn recorded_conversations() {
    let folder = Folder::new();
    let log = folder.name("log.gtp");
    let input = b"# a comment\n7 boardsize 9\nplay b D4\nplay b E4\nshowboard\n\nundo\necho /a/\nplay b E4\nplay w D4\negtp_status\nquit\n";
    play(&["--log-gtp", &log, "--rules", "chinese"], input);
    // it was held under other rules than those it is judged by
    assert_eq!(referee(&folder, &[&log], b"").0, Some(1));
    let (code, lines) = referee(&folder, &["--rules", "chinese", &log], b"");
    assert_eq!((code, lines[0].as_str()), (Some(0), "log.gtp: ok: 2 turns"));
    // somebody has changed an answer
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("play b E4\n#? illegal move: white to move\n"), "{text}");
    let forged = folder.file("forged.gtp", text.replace("#? illegal move: white to move", "#="));
    let (code, lines) = referee(&folder, &["--rules", "chinese", &forged], b"");
    assert_eq!(code, Some(1));
    assert!(
        lines[0].contains(": line ") && lines[0].contains("play b E4") && lines[0].contains("white to move"),
        "{lines:?}"
    );
    let broken = folder.file("broken.gtp", "#= an answer to nothing\n");
    let (code, lines) = referee(&folder, &[&broken], b"");
    assert_eq!((code, lines[0].starts_with("broken.gtp: unreadable: ")), (Some(1), true));
}

/// Somebody reads the first line and goes.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_is_no_failure() {
    let folder = Folder::new();
    let file = folder.file("many.sgf", GOOD.repeat(50_000));
    let script = "\"$0\" referee \"$1\" | head -n 1";
    let output =
        std::process::Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_egtp"), &file]).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn conversations_in_capitals() {
    let folder = Folder::new();
    play(&["--log-gtp", &folder.name("LOG.GTP")], b"name\n");
    let (code, lines) = referee(&folder, &[folder.path().to_str().unwrap()], b"");
    assert_eq!((code, lines[0].as_str()), (Some(0), "LOG.GTP: ok: 0 turns"));
}

#[test]
fn a_line_a_game_whatever_is_in_it() {
    let folder = Folder::new();
    for (i, game) in [
        "(;FF[4]SZ[9]RE[B\n+\nR];B[ee])",
        "(;FF[4]SZ[9]RE[B+R];B[e\ne])",
        "(;FF[4]SZ[9]RE[B+R]AB[a\na];B[ee])",
        "(;FF[4]SZ[9\n\n]RE[B+R];B[ee])",
        "(;FF[4]GM[\n7\n]SZ[9]RE[B+R];B[ee])",
        "(;FF[4]SZ[9]RE[B+R];B[ee]EGT[a\nturn])",
        "(;FF[4]SZ[9]RE[B+R];B[ee]EGE[an\nevent])",
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.file(&format!("{i}.sgf"), game);
        let lines = referee(&folder, &[&file], b"").1;
        assert_eq!(lines.len(), 2, "{game:?}: {lines:?}");
    }
}

#[test]
fn long_values_are_not_shown_whole() {
    let folder = Folder::new();
    let long = "x".repeat(100_000);
    for (i, game) in [
        "(;SZ[9]RE[VALUE];B[ee])",
        "(;SZ[9];B[VALUE])",
        "(;SZ[9]AB[VALUE];B[ee])",
        "(;SZ[VALUE])",
        "(;SZ[9];EGT[VALUE])",
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.file(&format!("{i}.sgf"), game.replace("VALUE", &long));
        let lines = referee(&folder, &[&file], b"").1;
        assert!(lines[0].len() < 1_000, "{game}: {} bytes", lines[0].len());
    }
}

fn draw(args: &[&str]) -> Result<String, String> {
    let ran = run(&[&["draw"], args].concat(), b"");
    let text = String::from_utf8(ran.stdout).unwrap();
    match ran.code {
        Some(0) => Ok(text),
        code => {
            assert_eq!((code, text.as_str()), (Some(1), ""), "{args:?}");
            Err(ran.stderr)
        }
    }
}

#[test]
fn drawings() {
    let folder = Folder::new();
    let file = folder.file("g.sgf", [GOOD, FIVE, "(;GM[q5go-1]TO[3]SZ[9];B[ee];W[aa])"].concat());
    let circles = |svg: &str| svg.matches(" r=\"14\"/>").count();
    let whole = draw(&[&file]).unwrap();
    assert!(whole.starts_with("<svg ") && whole.ends_with("</svg>\n"));
    assert_eq!(circles(&whole), 2);
    assert_eq!(circles(&draw(&[&file, "--turn", "0"]).unwrap()), 0);
    assert_eq!(circles(&draw(&[&file, "--turn", "1"]).unwrap()), 1);
    assert_eq!(draw(&[&file, "--turn", "2"]).unwrap(), whole);
    assert_eq!(circles(&draw(&[&file, "--game", "2"]).unwrap()), 10);
    let torus = |strips: &str| circles(&draw(&[&file, "--game", "3", "--strips", strips]).unwrap());
    assert!(torus("0") == 2 && torus("3") > 2, "{} {}", torus("0"), torus("3"));
    assert!(draw(&[&file, "--game", "3", "--strips", "1000000"]).unwrap().len() < 1_000_000);
    let out = folder.name("out.svg");
    assert_eq!(draw(&[&file, "-o", &out]), Ok(String::new()));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), whole);
    assert_eq!(draw(&[&file, "--output", &out, "--turn", "1"]), Ok(String::new()));
    assert_eq!(circles(&std::fs::read_to_string(&out).unwrap()), 1);
    let suicide = folder.file("s.sgf", "(;FF[4]SZ[9]RU[Chinese];B[ab];W[ii];B[ba];W[aa])");
    assert!(draw(&[&suicide]).is_err());
    assert_eq!(circles(&draw(&[&suicide, "--rules", "new-zealand"]).unwrap()), 3);
}

#[test]
fn what_cannot_be_drawn() {
    let folder = Folder::new();
    let (good, bad, torn) = (folder.file("g.sgf", GOOD), folder.file("b.sgf", BAD), folder.file("t.sgf", "(;SZ[9"));
    let nowhere = folder.name("nowhere.sgf");
    let cases: [(&[&str], &str); 8] = [
        (&[&good, "--turn", "3"], "g.sgf has only 2 turns"),
        (&[&good, "--game", "2"], "g.sgf has 1 games; --game counts from 1"),
        (&[&good, "--game", "0"], "g.sgf has 1 games; --game counts from 1"),
        (&[&bad], "b.sgf:2: turn 2, white E5: E5 is not empty"),
        (&[&torn], "t.sgf: line 1, column 5: a property value is not closed"),
        (&[&nowhere], "cannot read nowhere.sgf: No such file or directory (os error 2)"),
        (&[folder.path().to_str().unwrap()], ": a folder, not a file"),
        (&[&good, "--game", "18446744073709551615"], "g.sgf has 1 games; --game counts from 1"),
    ];
    for (args, why) in cases {
        let said = draw(args).unwrap_err().replace(&format!("{}/", folder.path().display()), "");
        assert!(said.starts_with("egtp: ") && said.ends_with(&format!("{why}\n")), "{args:?}: {said}");
    }
    let said = draw(&[&good, "-o", "/nowhere/out.svg"]).unwrap_err();
    assert!(said.starts_with("egtp: cannot write /nowhere/out.svg: No such file or directory"), "{said}");
    // up to the turn before the wrong one there is a picture
    assert!(draw(&[&bad, "--turn", "1"]).is_ok());
    for args in
        [&["draw"][..], &["draw", &good, "--turn", "x"], &["draw", &good, "--strips", "-1"], &["draw", &good, &bad]]
    {
        assert_eq!(run(args, b"").code, Some(2), "{args:?}");
    }
}

#[test]
fn a_table_of_games() {
    let folder = Folder::new();
    folder.file("games/1.sgf", GOOD);
    folder.file("games/2.SGF", [FIVE.replace("RESULT", "B+4.5"), GOOD.replace("B+R", "0")].concat());
    folder.file("games/notes.txt", "nothing");
    let text = folder.file("more.txt", "Anna Ben B+25\n");
    let ran = run(&["hahn", &folder.name("games"), &text], b"");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let table = String::from_utf8(ran.stdout).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1], ["1", "Anna", "270", "4", "2", "1", "1"]);
    assert_eq!(rows[2], ["2", "Ben", "130", "4", "1", "2", "1"]);
    let left_out = "left out: it does not say both players and a result";
    for (game, code, why) in [
        ("(;SZ[9]PB[Anna]PW[Ben];B[ee])", 0, left_out),
        ("(;SZ[9]RE[Void]PB[Anna]PW[Ben])", 0, left_out),
        ("(;SZ[9]RE[B+3.5]PB[Anna])", 0, left_out),
        ("(;SZ[9]RE[White won]PB[Anna]PW[Ben])", 1, "RE[White won]: a result is B+3.5"),
        ("(;SZ[9]RE[B+R]", 1, "line 1, column 15: the tree begun in line 1 is not closed"),
    ] {
        let ran = run(&["hahn", &folder.file("bad.sgf", game)], b"");
        assert_eq!(ran.code, Some(code), "{game}");
        assert!(ran.stderr.contains(why) && ran.stderr.contains("bad.sgf"), "{}", ran.stderr);
    }
}
