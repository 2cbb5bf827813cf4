//! What real programs sent, replayed; and what each of them needs from the answers.
//!
//! The streams in `tests/data/traces` were taken from the programs at work. The refereed commands that a stream asks
//! for may be refused under one ruleset and carried out under another: what holds under all of them is that every
//! command gets one well-formed answer, in order. What a client needs beyond that stands in a test with its name.

use std::path::PathBuf;

use crate::engine::{Answer, Asked, answered, asked, direct, options, play, run};

/// The ways in which the program is started for clients: rules, leniency.
const WAYS: [(&str, bool); 3] = [("enhanced", false), ("rulebook", false), ("tromp-taylor", true)];

fn args(rules: &'static str, lenient: bool) -> Vec<&'static str> {
    [&["--rules", rules][..], if lenient { &["--lenient"] } else { &[] }].concat()
}

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/traces"))
}

fn trace(name: &str) -> String {
    std::fs::read_to_string(folder().join(name).with_extension("gtp")).unwrap()
}

/// The names of all streams.
fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().into()).collect();
    names.sort();
    names
}

/// Whether a program sent it that was taken for a ruler; an engine that lists no rules commands never sees them.
fn is_rulers(name: &str, trace: &str) -> bool {
    name.contains("ruler") || trace.contains("gogui-rules_")
}

/// Processor time is never the same twice.
fn comparable(input: &[u8], mut answers: Vec<Answer>) -> Vec<Answer> {
    for ((_, command), answer) in asked(input).iter().zip(&mut answers) {
        if command == "cputime" {
            assert!(answer.text.parse::<f64>().unwrap() >= 0.0, "{answer:?}");
            answer.text.clear();
        }
    }
    answers
}

#[test]
fn every_command_gets_one_answer() {
    let names = names();
    assert!(names.len() >= 34, "{names:?}");
    for name in &names {
        let input = trace(name);
        for (rules, lenient) in WAYS {
            let without = answered(input.as_bytes(), &direct(options(rules, lenient), input.as_bytes()));
            let with = play(&args(rules, lenient), input.as_bytes());
            assert_eq!(
                comparable(input.as_bytes(), with),
                comparable(input.as_bytes(), without),
                "{name}, {rules}: over pipes and without"
            );
        }
    }
}

/// The default needs no option, and is the first of the ways.
#[test]
fn without_options_it_is_enhanced() {
    let input = trace("sabaki");
    assert_eq!(run(&[], input.as_bytes()).stdout, direct(options("enhanced", false), input.as_bytes()));
}

#[test]
fn what_is_not_for_rulers_is_known() {
    // what these streams ask for and the referee does not have, and may yet get
    let optional = ["level", "foo", "egtp_stage_list"];
    for name in names() {
        let input = trace(&name);
        if is_rulers(&name, &input) {
            continue;
        }
        let output = direct(options("tromp-taylor", true), input.as_bytes());
        for ((_, command), answer) in asked(input.as_bytes()).iter().zip(answered(input.as_bytes(), &output)) {
            let known = !answer.text.starts_with("unknown command");
            assert!(
                known || command.starts_with("gogui-") || optional.contains(&command.as_str()),
                "{name}: {command} is unknown"
            );
            // the only refusals that a stream of a plain engine may meet here
            let may = ["genmove", "fixed_handicap", "final_score", "final_status_list", "egtp_special", "play"];
            assert!(answer.success || !known || may.contains(&command.as_str()), "{name}: {command}: {}", answer.text);
        }
    }
}

/// A session that has been sent a stream up to the nth line that begins so, that line included.
fn after(name: &str, rules: &str, lenient: bool, line: &str, nth: usize) -> Asked {
    let mut session = Asked::new(rules, lenient);
    let mut seen = 0;
    for sent in trace(name).lines() {
        session.raw(sent);
        seen += sent.starts_with(line) as usize;
        if seen == nth {
            return session;
        }
    }
    panic!("{name} has no {line} {nth}")
}

/// A session that has been sent the whole stream.
fn whole(name: &str, rules: &str, lenient: bool) -> Asked {
    let mut session = Asked::new(rules, lenient);
    for sent in trace(name).lines() {
        session.raw(sent);
    }
    session
}

/// The value of a key in `key value` lines.
fn value(text: &str, key: &str) -> String {
    let line = text.lines().find(|line| line.split(' ').next() == Some(key)).unwrap_or_else(|| panic!("no {key}"));
    line[key.len()..].trim().into()
}

fn to_move(session: &mut Asked) -> String {
    value(&session.yes("egtp_status"), "to_move")
}

const EMPTY: &str = ".........";

mod q5go {
    use super::*;

    #[test]
    fn starts_without_a_refusal() {
        // any `?` to these ends the engine, and so does another version than 2
        for (rules, lenient) in WAYS {
            let input = trace("q5go-torus");
            let found = play(&args(rules, lenient), input.as_bytes());
            assert_eq!(found[0], Answer { success: true, id: "1".into(), text: "2".into() });
            for i in [1, 2, 3, 7, 8] {
                assert_eq!(found[i], Answer { success: true, id: (i + 1).to_string(), text: String::new() }, "{rules}");
            }
            // no engine that analyses
            assert_eq!((found[4].text.as_str(), found[5].text.as_str()), ("false", "false"), "{rules}");
            assert_eq!(found[9].text, "true", "{rules}: known_command known_command");
            assert_eq!(found[14], Answer { success: true, id: "15".into(), text: String::new() }, "{rules}: quit");
        }
    }

    #[test]
    fn genmove_right_behind_a_play_is_refused_at_once() {
        // both are sent without waiting; if genmove waited, nobody would ever move
        let found = play(&[], b"1 play black E5\n2 genmove white\n3 play black J5\n4 genmove white\n5 name\n");
        let good: Vec<bool> = found.iter().map(|answer| answer.success).collect();
        assert_eq!(good, [true, false, false, false, true]);
    }

    #[test]
    fn boards_and_vertices_beyond_the_letter_z() {
        let mut session = Asked::new("tromp-taylor", false);
        session.all(&["1 boardsize 37", "2 play black AM37", "3 play white am1", "rectangular_boardsize 27 13"]);
        session.yes("play black AB13");
        assert_eq!(session.yes("list_stones black"), "AB13");
        assert_eq!(session.no("play white AC1"), "illegal move: AC1 is not on the board");
    }

    #[test]
    fn komi_with_the_comma_of_a_locale() {
        let mut session = Asked::new("enhanced", false);
        session.yes("4 komi 7,50");
        assert_eq!(session.yes("get_komi"), "7.5");
    }
}

mod kigo {
    use super::*;

    #[test]
    fn the_first_bytes_and_two_characters_to_be_cut_off() {
        let ran = run(&[], b"name\nversion\nplay black E5\nlist_stones black\nlist_stones white\n");
        assert!(ran.stdout.starts_with(b"= "));
        let text = String::from_utf8(ran.stdout).unwrap();
        let cut: Vec<&str> = text.trim_end_matches('\n').split("\n\n").map(|block| &block[2..]).collect();
        assert_eq!(cut, ["egtp", env!("CARGO_PKG_VERSION"), "", "E5", ""]);
    }

    #[test]
    fn the_board_is_drawn_from_list_stones() {
        for (rules, lenient) in WAYS {
            let mut session = Asked::new(rules, lenient);
            session.all(&["boardsize 9", "clear_board"]);
            // black takes A9: rows from the top, from left to right in each
            session.all(&["play black B9", "play white A9", "play black A8", "play white J1", "play black C3"]);
            session.all(&["play white A1", "play black J9"]);
            assert_eq!(session.yes("list_stones black"), "B9 J9 A8 C3", "{rules}");
            assert_eq!(session.yes("list_stones white"), "A1 J1", "{rules}");
            assert_eq!((session.yes("captures black"), session.yes("captures white")), ("1".into(), "0".into()));
            // a line for each turn
            assert_eq!(session.yes("move_history").lines().count(), 7);
            // nothing is drawn for a turn that was refused
            session.no("play white A1");
            assert_eq!(session.yes("list_stones white"), "A1 J1");
        }
    }

    #[test]
    fn handicaps_of_0_and_1_are_refused_without_harm() {
        for (rules, lenient) in WAYS {
            let mut session = Asked::new(rules, lenient);
            session.yes("boardsize 9");
            for n in [0, 1] {
                let why = session.no(&format!("fixed_handicap {n}"));
                assert!(why.starts_with("invalid number of stones"), "{why}");
            }
            session.all(&["komi 4.5", "play black E5"]);
            assert_eq!(session.yes("get_handicap"), "0");
        }
    }

    #[test]
    fn settings_are_plain_numbers() {
        let mut session = whole("kigo", "rulebook", false);
        assert_eq!(session.yes("get_komi"), "4.5");
        assert_eq!(session.yes("query_boardsize"), "9");
        session.yes("komi 5");
        assert_eq!(session.yes("get_komi").parse::<f64>().unwrap(), 5.0);
        assert!(session.yes("get_komi").contains('.'));
        assert!(session.no("level 1").starts_with("unknown command"), "Kigo does not mind");
        assert!(!session.ask("genmove white").success);
    }

    #[test]
    fn undo_where_there_is_takeback() {
        let mut session = Asked::new("rulebook,size=9", false);
        session.all(&["play black E5", "play white C3", "undo", "undo"]);
        assert_eq!(session.yes("list_stones black"), "");
    }

    #[test]
    fn territory_after_two_passes() {
        let mut session = Asked::new("rulebook,size=9", false);
        session.all(&["play black E5", "play white pass", "play black pass"]);
        assert_eq!(session.yes("final_status_list black_territory").split(' ').count(), 80);
        assert_eq!(session.yes("final_status_list white_territory"), "");
    }
}

mod sabaki {
    use super::*;

    #[test]
    fn nothing_listed_promises_thinking() {
        for (rules, lenient) in WAYS {
            let listed = Asked::new(rules, lenient).yes("list_commands");
            assert!(!listed.contains("analyze\n") && !listed.ends_with("analyze"), "{listed}");
            assert!(listed.lines().all(|name| !name.is_empty() && !name.contains(' ')));
        }
    }

    #[test]
    fn undo_is_listed_only_where_it_works() {
        for (rules, allow, works) in [
            ("enhanced", false, false),
            ("enhanced", true, true),
            ("littlegolem", false, false),
            ("rulebook", false, true),
            ("tromp-taylor", false, true),
        ] {
            let mut session = Asked::new(rules, allow);
            let listed = session.yes("list_commands");
            for name in ["undo", "gg-undo"] {
                assert_eq!(listed.lines().any(|line| line == name), works, "{rules}: {name}");
                assert_eq!(session.yes(&format!("known_command {name}")), works.to_string(), "{rules}: {name}");
            }
            session.yes("play b C3");
            let answer = session.ask("undo");
            assert_eq!(answer.success, works, "{rules}: {answer:?}");
            assert!(works || answer.text.starts_with("cannot undo"), "{rules}: {answer:?}");
        }
    }

    #[test]
    fn without_undo_it_clears_and_replays() {
        let mut session = Asked::new("enhanced", false);
        session.all(&["play B D4", "play W C3", "play B E5"]);
        session.all(&["clear_board", "play B D4", "play W C3"]);
        assert_eq!(to_move(&mut session), "black");
        session.yes("play B F6");
        assert_eq!(session.yes("list_stones black"), "F6 D4");
    }

    #[test]
    fn answers_come_in_the_order_of_the_commands() {
        // it has no ids and takes answers first in, first out, `protocol_version` in between
        let found = play(&[], trace("sabaki").as_bytes());
        let texts: Vec<&str> = found.iter().map(|answer| answer.text.as_str()).collect();
        assert_eq!((texts[0], texts[1], texts[2]), ("egtp", env!("CARGO_PKG_VERSION"), "2"));
        assert!(texts[3].starts_with("protocol_version\n"));
        assert_eq!(texts[9], "2", "the abort that follows genmove");
        let good: Vec<bool> = found.iter().map(|answer| answer.success).collect();
        // play B D4; genmove; protocol_version; egtp_special; play B E5 although White is to move
        assert_eq!(good[7..12], [true, false, true, false, false]);
        // cleared and replayed: D4, C3, E5, and nobody plays White
        assert_eq!(good[12..], [true, true, true, true, false, true]);
    }

    #[test]
    fn komi_comes_before_the_size() {
        let mut session = Asked::new("enhanced", false);
        session.all(&["komi 6.5", "boardsize 13", "clear_board"]);
        assert_eq!(session.yes("get_komi"), "6.5");
        assert!(session.no("komi NaN").starts_with("syntax error"));
        assert_eq!(session.yes("get_komi"), "6.5");
    }

    #[test]
    fn a_colour_alone_is_no_turn() {
        let mut session = Asked::new("enhanced", false);
        assert_eq!(session.no("play B"), "syntax error: usage: play COLOR MOVE");
        assert_eq!(to_move(&mut session), "black");
    }

    #[test]
    fn a_root_position_is_a_handicap_where_there_is_one() {
        let mut session = Asked::new("enhanced", true);
        session.all(&["clear_board", "set_free_handicap C3 G7", "play W E5"]);
        assert_eq!(session.yes("list_stones black"), "G7 C3");
    }
}

mod quarry {
    use super::*;

    #[test]
    fn the_probe() {
        let found = play(&[], b"protocol_version\nname\nversion\nlist_commands\nquit\n");
        assert!(found.iter().all(|answer| answer.success));
        let texts: Vec<&str> = found.iter().map(|answer| answer.text.as_str()).collect();
        assert_eq!(texts[..3], ["2", "egtp", env!("CARGO_PKG_VERSION")]);
        assert_eq!(texts[4], "");
        let listed: Vec<&str> = texts[3].lines().collect();
        for name in ["boardsize", "clear_board", "komi", "play", "genmove", "final_status_list", "time_settings"] {
            assert!(listed.contains(&name), "{name}");
        }
    }

    #[test]
    fn a_handicap_game() {
        let mut session = after("quarry", "tromp-taylor", true, "komi", 1);
        assert_eq!((session.yes("list_stones black"), session.yes("get_handicap")), ("G7 C3".into(), "2".into()));
        assert_eq!(session.yes("get_komi"), "7.5");
        assert_eq!(to_move(&mut session), "white");
        // under Enhanced Go there is no handicap, and the game is as before
        let mut session = after("quarry", "enhanced", false, "komi", 1);
        assert_eq!((session.yes("list_stones black"), to_move(&mut session)), (String::new(), "black".into()));
    }

    #[test]
    fn dead_stones_after_two_passes() {
        let mut session = Asked::new("enhanced", false);
        session.all(&["play black E5", "play white C3", "play black PASS", "play white PASS"]);
        assert_eq!(session.yes("final_status_list dead"), "");
        session.yes("egtp_mark_dead C3");
        assert_eq!(session.yes("final_status_list dead"), "C3");
    }
}

mod gogui {
    use super::*;

    #[test]
    fn the_text_follows_the_first_space() {
        // GoGui reads what stands behind the first space, so `=` alone would lose the next line
        let mut session = Asked::new("enhanced", false);
        assert_eq!(session.raw("name"), "= egtp\n\n");
        assert_eq!(session.raw("12 name"), "=12 egtp\n\n");
        assert_eq!(session.raw("clear_board"), "= \n\n");
        assert_eq!(session.raw("3 clear_board"), "=3 \n\n");
        assert_eq!(session.raw("play w D4"), "? illegal move: black to move\n\n");
        for command in ["showboard", "egtp_board", "egtp_status", "egtp_rules", "egtp_topology", "help"] {
            let response = session.raw(command);
            assert_eq!(response.find("\n\n"), Some(response.len() - 2), "{command}: a blank line ends the answer");
        }
    }

    #[test]
    fn what_it_looks_for_in_list_commands() {
        for (rules, lenient) in WAYS {
            let listed = Asked::new(rules, lenient).yes("list_commands");
            let mut needed = vec!["boardsize", "clear_board", "play", "genmove", "name", "version", "quit"];
            needed.extend(["protocol_version", "list_commands", "komi", "time_settings", "time_left"]);
            needed.extend(["gogui-play_sequence", "gogui-setup", "gogui-setup_player", "set_free_handicap"]);
            needed.push("final_status_list");
            if lenient {
                needed.extend(["undo", "gg-undo"]);
            }
            for name in needed {
                assert!(listed.lines().any(|line| line == name), "{rules}: {name}");
            }
            // without `--ruler` it must not be taken for a ruler
            assert!(!listed.contains("gogui-rules_legal_moves"), "{rules}");
        }
    }

    #[test]
    fn komi_and_clock_outlast_a_new_game() {
        // it sends them only when they differ from what it sent last
        for (rules, lenient) in WAYS {
            let mut session = Asked::new(rules, lenient);
            session.all(&["boardsize 9", "komi 3.5", "time_settings 600 300 3"]);
            for command in ["clear_board", "boardsize 13", "boardsize 9", "boardsize 9"] {
                session.yes(command);
                assert_eq!(session.yes("get_komi"), "3.5", "{rules}: {command}");
                assert_eq!(value(&session.yes("egtp_status"), "time_settings"), "600 300 3", "{rules}: {command}");
            }
        }
    }

    #[test]
    fn a_sequence_is_all_or_nothing() {
        for (rules, lenient) in WAYS {
            let mut session = Asked::new(rules, lenient);
            session.yes("boardsize 9");
            session.yes("gogui-play_sequence B D4 W E5");
            let before = (session.yes("egtp_board"), session.yes("egtp_turns"), to_move(&mut session));
            for bad in ["B F6 W F6", "B F6 W pass B Z99", "B F6 W", "B F6 W C3 B C3", "B F6 green C3"] {
                session.no(&format!("gogui-play_sequence {bad}"));
                let now = (session.yes("egtp_board"), session.yes("egtp_turns"), to_move(&mut session));
                assert_eq!(now, before, "{rules}: {bad}");
            }
            session.yes("gogui-play_sequence B F6 W PASS B C3");
            assert_eq!(session.yes("egtp_turns").lines().count(), 5);
        }
    }

    #[test]
    fn a_long_sequence() {
        // a whole 19×19 board in one line
        let mut session = Asked::new("tromp-taylor", false);
        let columns = "ABCDEFGHJKLMNOPQRST";
        let points = columns.chars().flat_map(|c| (1..=19).step_by(2).map(move |row| format!("{c}{row}")));
        let moves: String = points.zip(["B", "W"].iter().cycle()).map(|(p, c)| format!(" {c} {p}")).collect();
        session.yes(&format!("gogui-play_sequence{moves}"));
        assert_eq!(session.yes("move_history").lines().count(), 190);
    }

    #[test]
    fn lower_case_and_passes() {
        let mut session = Asked::new("enhanced", false);
        session.all(&["play b d4", "play W PASS", "play B e5", "play white Pass"]);
        assert_eq!(session.yes("move_history"), "white PASS\nblack E5\nwhite PASS\nblack D4");
        assert!(session.no("PLAY b d5").starts_with("unknown command"));
    }

    #[test]
    fn a_size_refused_leaves_the_board() {
        let mut session = Asked::new("enhanced", false);
        session.all(&["boardsize 13", "play B D4"]);
        for size in ["30", "9 13", "1", "0", "53", "99999999999999999999"] {
            assert!(session.no(&format!("boardsize {size}")).starts_with("unacceptable size"), "{size}");
        }
        assert_eq!((session.yes("query_boardsize"), session.yes("list_stones black")), ("13".into(), "D4".into()));
        // as the end of the recorded stream
        let mut session = whole("gogui-attach-and-play", "enhanced", false);
        assert_eq!(session.yes("query_boardsize"), "13");
    }

    #[test]
    fn attach_play_and_score() {
        // four turns by hand, then Score
        let mut session = after("gogui-attach-and-play", "enhanced", false, "final_status_list", 1);
        assert_eq!(value(&session.yes("egtp_status"), "phase"), "scoring");
        assert_eq!(session.raw("final_status_list dead"), "= \n\n");
        // back to play by taking the last pass back, which needs takeback
        let mut session = after("gogui-attach-and-play", "tromp-taylor", true, "undo", 1);
        assert_eq!(value(&session.yes("egtp_status"), "phase"), "play");
        assert_eq!(session.yes("move_history"), "black PASS\nwhite E5\nblack D4");
    }

    #[test]
    fn auto_run() {
        let mut session = whole("gogui-auto-run", "tromp-taylor", true);
        assert_eq!(session.yes("move_history"), "white F6\nblack PASS\nwhite E5\nblack D4");
    }

    #[test]
    fn computer_plays_white() {
        // nobody does, so Black plays on under the free order; `gg-undo 2` takes the pass and C3 back
        let mut session = whole("gogui-computer-white", "tromp-taylor", true);
        assert_eq!(session.yes("move_history"), "black F6\nblack E5\nblack D4");
        let mut session = whole("gogui-computer-white", "enhanced", false);
        assert_eq!(session.yes("move_history"), "black D4", "alternation");
    }

    #[test]
    fn handicap() {
        let mut session = whole("gogui-handicap", "enhanced", true);
        assert_eq!((session.yes("list_stones black"), session.yes("list_stones white")), ("G7 C3".into(), "E5".into()));
        assert_eq!((session.yes("get_handicap"), session.yes("get_komi")), ("2".into(), "0.0".into()));
        assert!(session.no("final_status_list dead").starts_with("cannot score"));
    }

    #[test]
    fn clocks_and_the_interrupt_comment() {
        for (rules, lenient) in WAYS {
            let mut session = Asked::new(rules, lenient);
            session.all(&["time_settings 600 300 3", "time_settings 0 1 0", "time_left w 600 0", "time_left b -3 0"]);
            assert_eq!(session.raw("# interrupt"), "");
        }
    }

    #[test]
    fn setup_at_the_root() {
        for name in ["gogui-sgf-with-setup-1", "gogui-sgf-with-setup-3"] {
            for (rules, lenient) in WAYS {
                let mut session = after(name, rules, lenient, "showboard", 1);
                let end = ["O........", ".X.......", EMPTY, EMPTY, EMPTY, ".....O...", "......X..", ".......X.", EMPTY];
                assert_eq!(session.yes("egtp_board"), end.join("\n"), "{name}, {rules}");
                assert_eq!(to_move(&mut session), "white");
            }
            // back at the root, with White to move
            let mut session = whole(name, "enhanced", true);
            let root = ["O........", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, "......X..", ".......X.", EMPTY];
            assert_eq!(session.yes("egtp_board"), root.join("\n"), "{name}");
            assert_eq!(to_move(&mut session), "white");
            assert_eq!(session.yes("get_komi"), "5.5");
        }
    }

    const MIDDLE: [&str; 9] =
        ["O........", ".X.......", "..X......", EMPTY, "....O....", ".....O...", "......X..", ".......X.", EMPTY];

    #[test]
    fn setup_in_the_middle() {
        for (rules, lenient) in WAYS {
            let mut session = after("gogui-sgf-with-setup-2", rules, lenient, "showboard", 1);
            assert_eq!(session.yes("egtp_board"), MIDDLE.join("\n"), "{rules}");
            let mut session = whole("gogui-sgf-with-setup-2", rules, lenient);
            assert_eq!(session.yes("egtp_board"), [EMPTY; 9].join("\n"), "{rules}");
        }
    }

    #[test]
    fn setup_by_plays_out_of_turn() {
        let mut session = after("gogui-no-setup", "enhanced", true, "showboard", 1);
        assert_eq!(session.yes("egtp_board"), MIDDLE.join("\n"));
        let mut session = whole("gogui-no-setup", "enhanced", true);
        let mut before = MIDDLE;
        before[1] = EMPTY;
        assert_eq!(session.yes("egtp_board"), before.join("\n"), "B8 taken back");
        // without leniency the first of them is refused: Black begins
        let mut session = after("gogui-no-setup", "enhanced", false, "play W E5", 1);
        assert_eq!(session.yes("egtp_board"), [EMPTY; 9].join("\n"));
    }

    #[test]
    fn setup_by_the_toolbar() {
        for (rules, lenient) in WAYS {
            let mut session = after("gogui-setup-mode", rules, lenient, "play W B4", 1);
            let edited = [EMPTY, EMPTY, EMPTY, "...O.....", "....XO...", ".O...O...", "......X..", EMPTY, "X........"];
            assert_eq!(session.yes("egtp_board"), edited.join("\n"), "{rules}");
            let mut session = whole("gogui-setup-mode", rules, lenient);
            let end = [EMPTY, EMPTY, "..X......", "...O.....", "....X....", ".....O...", "......X..", EMPTY, EMPTY];
            assert_eq!(session.yes("egtp_board"), end.join("\n"), "{rules}");
            assert_eq!(to_move(&mut session), "white");
        }
    }

    #[test]
    fn twogtp_with_a_referee() {
        let mut session = after("twogtp-referee", "tromp-taylor", false, "play B C4", 1);
        let rows = ["..XO.", ".XXXO", "..XO.", ".....", "....."];
        assert_eq!(session.yes("egtp_board"), rows.join("\n"));
        assert_eq!((session.yes("captures black"), session.yes("captures white")), ("1".into(), "0".into()));
        assert_eq!((session.yes("get_komi"), session.yes("query_boardsize")), ("3.5".into(), "5".into()));
        // after two passes it asks for the score, and nothing but `B+n`, `W+n` or `0` will do
        session.all(&["play W pass", "play B pass"]);
        // 5 stones against 3, E5 and komi; the rest of the board touches both colours
        assert_eq!(session.yes("final_score"), "W+2.5");
    }

    #[test]
    fn regression_runs_with_ids() {
        let found = play(&["--rules", "tromp-taylor"], trace("gogui-regress").as_bytes());
        let ids: Vec<&str> = found.iter().map(|answer| answer.id.as_str()).filter(|id| !id.is_empty()).collect();
        assert_eq!(ids, ["10", "20", "30", "40", "50", "60"]);
        let by_id = |id: &str| found.iter().find(|answer| answer.id == id).unwrap();
        assert_eq!((by_id("10").text.as_str(), by_id("40").text.as_str()), ("egtp", "false"));
        assert!(by_id("50").text.starts_with("illegal move") && !by_id("50").success);
        assert!(by_id("60").text.starts_with("cannot score") && !by_id("60").success);
    }
}

mod lizzie {
    use super::*;

    #[test]
    fn protocol_version_is_listed_first() {
        for (rules, lenient) in WAYS {
            let listed = Asked::new(rules, lenient).raw("3 list_commands");
            assert!(listed.starts_with("=3 protocol_version\n"), "{rules}: {listed}");
        }
    }

    #[test]
    fn the_version_is_numbers_with_dots() {
        let version = Asked::new("enhanced", false).yes("version");
        let parts: Vec<u32> = version.split('.').map(|part| part.parse().unwrap()).collect();
        assert_eq!(parts.len(), 3);
    }

    #[test]
    fn vertices_as_pairs_from_the_top_left() {
        let mut session = Asked::new("tromp-taylor", false);
        session.all(&["boardsize 9", "play b (0,0)", "play w (8,8)", "play b (2,3)"]);
        assert_eq!((session.yes("list_stones b"), session.yes("list_stones w")), ("A9 C6".into(), "J1".into()));
        for bad in ["(9,0)", "(0,9)", "(2,3)"] {
            assert!(session.no(&format!("play w {bad}")).starts_with("illegal move"), "{bad}");
        }
        for bad in ["(1", "(1,)", "(a,b)", "(-1,2)", "1,2", "(1,2,3)"] {
            assert!(session.no(&format!("play w {bad}")).starts_with("syntax error"), "{bad}");
        }
        session.all(&["boardsize 37", "play b (36,0)"]);
        assert_eq!(session.yes("list_stones b"), "AM37", "never written as a pair");
    }

    #[test]
    fn komi_with_a_comma() {
        let mut session = Asked::new("enhanced", false);
        session.yes("komi 7,5");
        assert_eq!(session.yes("get_komi"), "7.5");
    }

    #[test]
    fn every_line_of_an_answer_that_looks_like_one_has_an_id() {
        // it reads the number behind every `=` or `?` at the start of a line
        let mut session = Asked::new("hexgo", false);
        for command in ["showboard", "help", "egtp_status", "egtp_rules", "egtp_rulesets", "list_commands"] {
            let response = session.raw(&format!("7 {command}"));
            assert!(response.lines().skip(1).all(|line| !line.starts_with(['=', '?'])), "{command}: {response}");
        }
    }
}

mod qgo {
    use super::*;

    #[test]
    fn undo_with_a_spare_argument() {
        let mut session = Asked::new("rulebook", false);
        session.all(&["play black E5", "play white C3", "undo 0"]);
        assert_eq!(session.yes("move_history"), "black E5");
        for command in ["clear_board 1", "list_commands x", "showboard x", "quit 0"] {
            session.yes(command);
        }
    }

    #[test]
    fn what_genmove_answers_is_no_move() {
        // it reads a refusal as a vertex, and as a pass if that word stands anywhere
        for (rules, lenient) in WAYS {
            let mut session = Asked::new(rules, lenient);
            session.yes("boardsize 9");
            let mut seen = |line: &str| {
                let why = session.no(line);
                let lower = why.to_lowercase();
                assert!(!lower.contains("pass") && !lower.contains("resign"), "{line}: {why}");
                let like_a_vertex = |word: &str| {
                    let rest = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                    rest.len() < word.len() && rest.starts_with(|c: char| c.is_ascii_digit())
                };
                assert!(!like_a_vertex(&why), "{line}: {why}");
                assert!(!why.contains('\n'), "{line}: {why}");
            };
            for line in ["genmove white", "genmove b", "genmove", "genmove x", "reg_genmove b", "genmove b w"] {
                seen(line);
            }
            session.all(&["play b pass", "play w pass"]);
            let why = session.no("genmove b");
            assert!(!why.to_lowercase().contains("pass"), "{why}");
        }
    }

    #[test]
    fn resignation_where_there_is_one() {
        let mut session = Asked::new("rulebook", false);
        session.all(&["play black E5", "play black resign"]);
        assert_eq!(session.yes("final_score"), "W+R");
        assert!(session.no("play white C3").starts_with("illegal move"));
        let mut session = Asked::new("enhanced", false);
        assert!(session.no("play black RESIGN").starts_with("illegal move"));
        session.yes("play black E5");
    }

    #[test]
    fn numbers_with_two_decimals() {
        let mut session = Asked::new("enhanced", false);
        session.all(&["protocol_version", "boardsize 9", "clear_board", "1000 komi 7.50"]);
        assert_eq!(session.yes("get_komi"), "7.5");
    }
}

/// gomill takes the text of a refused play for a claim only if the standard's words come first.
#[test]
fn gomill_illegal_move_comes_first() {
    let mut session = Asked::new("enhanced", false);
    session.yes("play b E5");
    for line in ["play w E5", "play b D4", "play w K10", "play w resign"] {
        assert!(session.no(line).starts_with("illegal move"), "{line}");
    }
    session.all(&["play w pass", "play b pass"]);
    assert!(session.no("play w D4").starts_with("illegal move"), "play has stopped");
}

/// The column that Go programs leave out is named in the refusal.
#[test]
fn the_letter_i_is_explained() {
    let mut session = Asked::new("enhanced", false);
    let why = session.no("play b I5");
    assert!(why.starts_with("syntax error") && why.contains("letter I"), "{why}");
}

/// gtp2ogs writes CRLF and lower case, and two sizes for rectangles.
#[test]
fn gtp2ogs_line_ends() {
    let input = b"list_commands\r\nboardsize 9 13\r\nkomi 7.5\r\nclear_board\r\nplay black d4\r\n7 play white e5\r\n\r\nlist_stones black\r\nquit\r\n";
    let found = play(&["--rules", "tromp-taylor"], input);
    assert!(found.iter().all(|answer| answer.success), "{found:?}");
    assert_eq!(found[6].text, "D4");
}

/// The CGOS client starts the engine only if all of these are listed.
#[test]
fn cgos_required_commands() {
    let listed = Asked::new("enhanced", false).yes("list_commands");
    for name in ["boardsize", "clear_board", "komi", "play", "genmove", "quit"] {
        assert!(listed.lines().any(|line| line == name), "{name}");
    }
}
