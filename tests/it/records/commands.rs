//! `loadsgf`, `printsgf`, `egtp_sgf`, `egtp_draw` and `--record`, in a process of their own.

use egtp::record::read_sgf;
use std::io::Write;
use std::time::{Duration, Instant};

use super::Folder;
use crate::engine::{PATIENCE, Process, Server, play};

/// The texts of answers; refusals begin with `?`.
fn said(args: &[&str], lines: &[String]) -> Vec<String> {
    let answers = play(args, (lines.join("\n") + "\n").as_bytes());
    answers.into_iter().map(|a| if a.success { a.text } else { format!("? {}", a.text) }).collect()
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_string()).collect()
}

const GAME: &str = "(;FF[4]SZ[9]KM[6.5]RU[Japanese];B[ee];W[cc];B[gc];W[cg];B[gg]\n;W[ec];B[];W[eg])";

#[test]
fn loading_whole_and_in_part() {
    let folder = Folder::new();
    let game = folder.file("game.sgf", GAME);
    let last = |how: &str| {
        let said = said(&[], &[format!("loadsgf {game}{how}"), "egtp_turns".into(), "get_komi".into()]);
        let turns = said[1].lines().count();
        (said[0].clone(), turns, said[1].lines().last().unwrap_or_default().to_string())
    };
    let of = |to_move: &str, turns, last: &str| (to_move.to_string(), turns, last.to_string());
    assert_eq!(last(""), of("black", 8, "8 white E3"));
    assert_eq!(last(" 1"), of("black", 0, ""));
    assert_eq!(last(" 0"), of("black", 0, ""));
    assert_eq!(last(" 4"), of("white", 3, "3 black G7"));
    assert_eq!(last(" 8"), of("white", 7, "7 black pass"));
    assert_eq!(last(" 9"), of("black", 8, "8 white E3"));
    assert_eq!(last(" 1000000"), of("black", 8, "8 white E3"));
    assert_eq!(last(" E5"), of("black", 0, ""));
    assert_eq!(last(" c3"), of("white", 3, "3 black G7"));
    // a vertex on which there never is a stone, or which the board has not
    assert_eq!(last(" A1"), of("black", 8, "8 white E3"));
    assert_eq!(last(" T19"), of("black", 8, "8 white E3"));
}

#[test]
fn what_cannot_be_loaded_changes_nothing() {
    let folder = Folder::new();
    let bad = folder.file("bad.sgf", "(;FF[4]SZ[9];B[ee]\n;W[cc]\n;B[cc])");
    let torn = folder.file("torn.sgf", "(;FF[4]SZ[9];B[ee");
    let empty = folder.file("empty.sgf", "");
    let cases = [
        (bad.clone(), "line 3: turn 3, black C7: C7 is not empty"),
        (torn, "line 1, column 15: a property value is not closed"),
        (empty, "line 1, column 1: there is no game tree, which begins with `(;`"),
        (folder.name("nowhere.sgf"), "No such file or directory (os error 2)"),
        (folder.path().to_str().unwrap().into(), "a folder, not a file"),
    ];
    for (file, why) in cases {
        let said = said(
            &[],
            &[
                &["play b C3".into(), format!("loadsgf {file}")],
                &lines(&["egtp_turns", "query_boardsize", "egtp_reason"])[..],
            ]
            .concat(),
        );
        assert_eq!(said[1], format!("? cannot load file: {file}: {why}"));
        assert_eq!(said[2..4], ["1 black C3", "9"], "{file}");
        assert_eq!(format!("? {}", said[4]), said[1]);
    }
    // the turns before the one that is refused are there to be had
    let part = said(&[], &[format!("loadsgf {bad} 3"), "egtp_turns".into()]);
    assert_eq!(part, ["black", "1 black E5\n2 white C7"]);
    let usage = said(
        &[],
        &lines(&["loadsgf", "loadsgf a b c", "loadsgf a I5", "printsgf a b", "egtp_sgf kgs", "egtp_draw a b"]),
    );
    assert!(usage.iter().all(|text| text.starts_with('?')), "{usage:?}");
}

#[test]
fn the_first_game_of_a_collection_is_loaded() {
    let folder = Folder::new();
    let both = folder.file("both.sgf", "(;SZ[9];B[ee])(;SZ[9];B[aa];W[aa])");
    assert_eq!(said(&[], &[format!("loadsgf {both}"), "egtp_turns".into()]), ["white", "1 black E5"]);
}

#[test]
fn written_and_loaded_again() {
    let folder = Folder::new();
    let (file, picture) = (folder.name("game.sgf"), folder.name("board.svg"));
    let setup = ["egtp_rules enhanced size=9", "gogui-setup b A1 b B1 b A2 b B2 w J9", "play b C3", "play w E5"];
    let special = "egtp_special black place D5 E4 pay A1 B1 A2 B2";
    let show = ["egtp_turns", "egtp_board", "egtp_status", "egtp_sgf"];
    let write = [format!("printsgf {file}"), "printsgf".into(), format!("egtp_draw {picture}"), "egtp_draw".into()];
    let first = said(&[], &[&lines(&setup)[..], &[special.into()], &lines(&show), &write].concat());
    assert!(first.iter().all(|text| !text.starts_with('?')), "{first:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!((text.trim(), first[8].as_str()), (first[10].as_str(), first[10].as_str()));
    assert_eq!(std::fs::read_to_string(picture).unwrap().trim(), first[12]);
    assert!(first[9].is_empty() && first[11].is_empty());
    let second = said(&[], &[&[format!("loadsgf {file}")], &lines(&show)[..]].concat());
    assert_eq!(second[0], "white");
    assert_eq!(second[1..], first[5..9]);
    assert_eq!(folder.listed(), ["board.svg", "game.sgf"]);
}

/// A special turn places stones, too.
#[test]
fn loading_up_to_a_stone_of_a_special_turn() {
    let folder = Folder::new();
    let special = "(;SZ[5]EGR[enhanced size=5]PL[B]AB[aa][ba][ab][bb];B[ee];W[ce];EGT[black special place E4 D4 pay A5 B5 A4 B4])";
    let game = folder.file("game.sgf", special);
    let said = said(&[], &[format!("loadsgf {game} D4"), "egtp_turns".into()]);
    assert_eq!(said, ["black", "1 black E1\n2 white C1"]);
}

/// A game whose sides did not take turns is still one when it has been loaded and written.
#[test]
fn free_order_survives_loading() {
    let folder = Folder::new();
    let game = folder.file("game.sgf", "(;FF[4]SZ[9]EGR[rulebook size=9]EGO[free];B[ee];B[cc])");
    let again = folder.name("again.sgf");
    let said = said(&[], &[format!("loadsgf {game}"), format!("printsgf {again}"), format!("loadsgf {again}")]);
    assert_eq!(said, ["white", "", "white"]);
}

/// What was taken back had been said: the game that goes on is another one.
#[test]
fn a_resignation_taken_back_stays_on_record() {
    let folder = Folder::new();
    let args = ["--record", folder.path().to_str().unwrap(), "--rules", "rulebook"];
    said(&args, &lines(&["play b D4", "play w resign", "undo"]));
    assert_eq!(kept(&folder)[0], (1, "B+R".into()));
}

#[test]
fn what_cannot_be_written() {
    let folder = Folder::new();
    let nowhere = folder.name("none/game.sgf");
    let here = folder.path().to_str().unwrap();
    let said = said(&[], &[format!("printsgf {nowhere}"), format!("egtp_draw {nowhere}"), format!("printsgf {here}")]);
    assert!(said.iter().all(|text| text.starts_with("? cannot write file: ")), "{said:?}");
    assert!(said[0].contains(&nowhere) && said[0].contains("No such file"), "{said:?}");
    assert_eq!(folder.listed(), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn links_and_rights_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let file = folder.file("real.sgf", "old");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink("real.sgf", folder.name("link.sgf")).unwrap();
    said(&[], &[format!("printsgf {}", folder.name("link.sgf")), format!("printsgf {}", folder.name("new.sgf"))]);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("(;FF[4]"));
    assert!(std::fs::symlink_metadata(folder.name("link.sgf")).unwrap().is_symlink());
    let mode = |name: &str| std::fs::metadata(folder.name(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("real.sgf"), mode("new.sgf")), (0o600, 0o644));
}

#[test]
fn over_tcp_there_are_no_files() {
    let folder = Folder::new();
    let (game, out) = (folder.file("game.sgf", GAME), folder.name("out"));
    let server = Server::start(&[]);
    let mut client = server.connect();
    let refused = "not available over the network\n\n";
    assert_eq!(client.ask(&format!("loadsgf {game}")), format!("? cannot load file: {refused}"));
    assert_eq!(client.ask(&format!("loadsgf {game} 3")), format!("? cannot load file: {refused}"));
    assert_eq!(client.ask(&format!("printsgf {out}")), format!("? cannot write file: {refused}"));
    assert_eq!(client.ask(&format!("egtp_draw {out}")), format!("? cannot write file: {refused}"));
    assert!(client.ask("printsgf").starts_with("= (;FF[4]"));
    assert!(client.ask("egtp_sgf").starts_with("= (;FF[4]"));
    assert!(client.ask("egtp_draw").starts_with("= <svg"));
    assert_eq!(folder.listed(), ["game.sgf"]);
}

/// The games kept in a folder, in order: their turns and results.
fn kept(folder: &Folder) -> Vec<(usize, String)> {
    let mut names = folder.listed();
    // what a killed process was writing
    names.retain(|name| !name.starts_with(".egtp-"));
    let number = |name: &String| name.rsplit('-').next().unwrap().trim_end_matches(".sgf").parse::<usize>().unwrap();
    names.sort_by_key(number);
    let mut found = Vec::new();
    for name in names {
        let reading = read_sgf(&std::fs::read(folder.name(&name)).unwrap(), &Default::default()).unwrap().remove(0);
        assert_eq!(reading.problem, None, "{name}");
        found.push((reading.game.turns().len(), reading.claimed.unwrap_or_default()));
    }
    found
}

#[test]
fn every_game_of_a_session_is_kept() {
    let folder = Folder::new();
    let within = folder.name("new");
    let input = [
        "egtp_rules rulebook size=9",
        "play b D4",
        "play w E5",
        "clear_board",
        // nothing has happened in this one
        "clear_board",
        "play b pass",
        "play w pass",
        "egtp_accept b",
        "egtp_accept w",
        "boardsize 13",
        "play b D4",
        "play w resign",
        // the turn before the resignation goes with it
        "undo",
        "play b D5",
        "play w D6",
        "egtp_rules tromp-taylor size=5",
        "play b C3",
    ];
    said(&["--record", &within], &lines(&input));
    let folder = Folder(within.into());
    assert_eq!(kept(&folder), [(2, ""), (2, "W+6.5"), (1, "B+R"), (2, ""), (1, "")].map(|(n, re)| (n, re.to_string())));
}

#[test]
fn a_folder_that_cannot_be() {
    let folder = Folder::new();
    let file = folder.file("file", "");
    let ran = crate::engine::run(&["--record", &file], b"name\n");
    assert_eq!((ran.code, ran.stdout.as_slice()), (Some(1), &b""[..]));
    assert!(ran.stderr.starts_with(&format!("egtp: cannot keep games in {file}: ")), "{}", ran.stderr);
}

/// A process that is killed has kept the games that ended before.
#[test]
fn a_killed_process_leaves_whole_games() {
    let folder = Folder::new();
    let mut process = Process::piped(&["--record", folder.path().to_str().unwrap(), "--rules", "tromp-taylor"]);
    let (mut stdin, _stdout) = process.take_pipes();
    stdin.write_all(b"play b D4\nplay w pass\nplay b pass\nclear_board\nplay b E5\nplay w D4\n").unwrap();
    let begun = Instant::now();
    while folder.listed().iter().all(|name| !name.ends_with("-1.sgf")) {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(2));
    }
    process.kill().unwrap();
    process.end(PATIENCE);
    assert_eq!(kept(&folder)[0], (3, "B+353.5".into()));
}
