//! Files made to hurt, through the whole path: an answer within bounded time and memory, never a crash.

use std::time::{Duration, Instant};

use egtp::record::{Flavour, Trouble, Verdict, read_sgf, read_tree, sgf, write_sgf};

use super::Folder;
use super::games::{Wishes, game};
use super::round_trips::difference;
use crate::engine::{Ran, run};
use crate::play::Random;

/// What no file here may take, on a busy machine.
const LONG: Duration = Duration::from_secs(30);

/// Refereed with at most this memory, in MiB.
fn referee(file: &str, memory: usize) -> (Ran, Duration) {
    let begun = Instant::now();
    let limit = format!("ulimit -v {}; exec \"$0\" referee \"$1\"", memory * 1024);
    let ran = if cfg!(target_os = "linux") {
        let output = std::process::Command::new("sh")
            .args(["-c", &limit, env!("CARGO_BIN_EXE_egtp"), file])
            .env_remove("EGTP_LOG")
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Ran { stdout: output.stdout, stderr, code: output.status.code() }
    } else {
        run(&["referee", file], b"")
    };
    (ran, begun.elapsed())
}

/// The first line of what is said of a text.
fn said(name: &str, text: impl AsRef<[u8]>, memory: usize) -> String {
    let folder = Folder::new();
    let size = text.as_ref().len();
    let (ran, took) = referee(&folder.file("x.sgf", text), memory);
    println!("{name}: {} KB, {took:?}", size / 1000);
    assert!(matches!(ran.code, Some(0 | 1)) && ran.stderr.is_empty(), "{name}: {:?} {}", ran.code, ran.stderr);
    assert!(took < LONG, "{name}: {took:?}");
    let text = String::from_utf8(ran.stdout).unwrap();
    text.lines().next().unwrap().split_once("x.sgf").unwrap().1.chars().take(300).collect()
}

#[test]
fn deep_nesting() {
    let n = 100_000;
    let text = format!("(;SZ[9]RE[B+R]{}{}{})", "(;B[];W[]".repeat(n), "(;B[aa](;W[aa]))", ")".repeat(n));
    assert!(said("nesting", &text, 1_000).starts_with(":1: illegal: turn 50001, black pass: "));
    let open = said("open parentheses", "(;SZ[9]".to_string() + &"(;B[]".repeat(n), 1_000);
    assert!(open.starts_with(":1: illegal: turn 2, black pass: white to move"), "{open}");
    assert_eq!(
        said("parentheses", "(".repeat(10 * n), 1_000),
        ": unreadable: line 1, column 1: there is no game tree, which begins with `(;`"
    );
}

#[test]
fn long_values() {
    let long = "a\\]".repeat(7_000_000);
    assert_eq!(said("comment", format!("(;SZ[9]RE[B+R];B[ee]C[{long}];W[cc])"), 1_500), ": ok: 2 turns, B+R claimed");
    let open = said("comment not closed", format!("(;SZ[9]RE[B+R];B[ee]C[{long}"), 1_500);
    assert_eq!(open, ": ok: 1 turns, B+R claimed");
    assert_eq!(said("name", format!("(;SZ[9]PB[{long}]RE[B+R];B[ee])"), 1_500), ": ok: 1 turns, B+R claimed");
}

#[test]
fn too_many_turns() {
    let passes = format!("(;SZ[19]RE[B+R]\n{})", ";B[];W[]\n".repeat(500_000));
    let limit = "a game has at most 50000 turns; start a new one with clear_board";
    assert_eq!(said("passes", passes, 1_000), format!(":25002: illegal: turn 50001, black pass: {limit}"));
    // ko fights without a rule against them, on a large board
    let cycle = ";B[bb];W[ba];B[ac];W[ca]";
    let kos = format!("(;SZ[52]RU[Chinese-OGS]RE[B+R]{cycle}\n{})", ";B[aa];W[ab];B[];W[]\n".repeat(250_000));
    assert!(said("repetitions", kos, 1_000).contains("superko"), "a superko ends it");
    // stones and captures all the time: every position is a new one
    let suicide = "(;SZ[2:1]EGR[tromp-taylor topology=rect size=2x1 repetition=none]RE[B+R]";
    let text = format!("{suicide}{})", ";B[aa];W[ba]".repeat(500_000));
    assert_eq!(said("captures", text, 1_000), format!(":1: illegal: turn 50001, black A1: {limit}"));
}

#[test]
fn a_file_cut_at_each_byte() {
    let file = "(;FF[4]CA[UTF-8]SZ[9]HA[2]AB[gc][cg]\r\nRU[Chinese]PB[é \\] (;\\\\]RE[W+R]KM[0.5]\r\n;W[ee]C[棋];B[cc](;W[gg];B[]\
                ;W[]TB[aa:bb]TW[ee])(;W[ee];EGT[black special place A1]EGE[mark A1]))(;SZ[5:4]GM[1];B[ee])";
    let folder = Folder::new();
    for cut in 0..file.len() {
        let bytes = &file.as_bytes()[..cut];
        let (trees, error) = sgf::parse_lenient(&sgf::decode(bytes));
        let strict = read_sgf(bytes, &Default::default());
        assert_eq!(strict.as_ref().err(), error.as_ref());
        for tree in &trees {
            let reading = read_tree(tree, &Default::default());
            let shown = reading.problem.as_ref().is_none_or(|problem| problem.line >= 1 && !problem.reason.is_empty());
            assert!(shown, "{cut}: {:?}", reading.problem);
        }
        folder.file(&format!("{cut:04}.sgf"), bytes);
    }
    let (ran, took) = referee(folder.path().to_str().unwrap(), 1_000);
    let text = String::from_utf8(ran.stdout).unwrap();
    println!("{} cuts: {took:?}", file.len());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    for cut in 0..file.len() {
        assert!(text.contains(&format!("/{cut:04}.sgf")), "{cut}");
    }
}

#[test]
fn thousands_of_setups_on_the_largest_board() {
    let setup = ";AB[aa];AE[aa]AW[ZZ];AB[Aa:AZ];AE[Aa:AZ]\n".repeat(1_000);
    let ok = said("4000 setup nodes", format!("(;SZ[52]RE[B+R];B[cc]{setup})"), 1_000);
    assert_eq!(ok, ": ok: 1 turns, B+R claimed; a position is set up in mid-game");
    let moves = ";B[aa];AE[aa]PL[B]\n".repeat(2_000);
    let ok = said("setup and move by turns", format!("(;SZ[52]RE[B+R]{moves})"), 1_000);
    assert_eq!(ok, ": ok: 2000 turns, B+R claimed; a position is set up in mid-game");
}

#[test]
fn a_hundred_thousand_games() {
    let folder = Folder::new();
    let count = 100_000;
    let file = folder.file("x.sgf", "(;SZ[9]RE[B+R];B[ee])\n".repeat(count));
    let (ran, took) = referee(&file, 1_000);
    println!("{count} games: {took:?}");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(took < LONG, "{took:?}");
    assert!(String::from_utf8(ran.stdout).unwrap().ends_with(&format!("\n{count} games, {count} in order, 0 not\n")));
}

/// What all lists of one file together stand for must not outgrow the file without bound.
#[test]
fn fifty_thousand_rectangles() {
    rectangles(50_000);
}

#[test]
fn five_thousand_rectangles() {
    rectangles(5_000);
}

fn rectangles(count: usize) {
    let all = "[aa:ZZ]".repeat(count);
    for (name, text) in [
        ("territory", format!("(;SZ[52]RE[B+R];B[aa];W[bb];B[];W[]TB{all}TW{all})")),
        ("set up at the root", format!("(;SZ[52]RE[B+R]AB{all};W[bb])")),
        ("set up in mid-game", format!("(;SZ[52]RE[B+R];B[aa];AE{all})")),
        ("handicap", format!("(;SZ[52]HA[9]RE[B+R]AB{all};W[bb])")),
    ] {
        let said = said(name, text, 300);
        assert!(!said.is_empty());
    }
    let nodes = ";B[aa]TB[aa:ZZ];W[ba]TW[aa:ZZ]".to_string() + &";TB[aa:ZZ]".repeat(4 * count);
    said("territory in every node", format!("(;SZ[52]RE[B+R]{nodes})"), 1_000);
}

#[test]
fn many_of_everything() {
    let events = "[mark A1]".repeat(20_000);
    said("events", format!("(;SZ[52]RE[B+R];B[aZ];W[];B[];W[]EGE{events})"), 1_000);
    let names: String = (0..200_000).map(|i| format!("A{i}[x]")).collect();
    said("properties", format!("(;SZ[9]RE[B+R]{names};B[ee]{names})"), 2_000);
    let values = "[aa]".repeat(1_000_000);
    said("moves in one property", format!("(;SZ[9]RE[B+R];B{values};W[bb])"), 1_000);
    said("handicap", format!("(;SZ[52]HA[1000000]RE[B+R]{})", ";B[aa]".repeat(1_000_000)), 1_000);
    said("handicap number", "(;SZ[9]HA[99999999999999999999]RE[B+R];B[ee])", 1_000);
    said("variations", format!("(;SZ[9]RE[B+R]{})", "(;B[aa])".repeat(500_000)), 1_000);
    let special = " A1".repeat(300_000);
    said(
        "a special turn",
        format!("(;SZ[9]RE[B+R]EGR[enhanced];EGT[black special place{special} pay{special}])"),
        1_000,
    );
}

/// Files with bytes changed, taken out, doubled and put elsewhere: whatever is read can be written and comes back.
#[test]
fn files_with_mistakes() {
    let mut files: Vec<Vec<u8>> = Vec::new();
    for seed in 0..60 {
        let game = game(&mut Random::new(seed ^ 0xfa17), Wishes { wild: seed % 2 == 0, ..Wishes::default() });
        files.push(write_sgf(&game, Flavour::Plain).to_string().into_bytes());
    }
    let folder = format!("{}/tests/data/sgf", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    files.extend(names.iter().map(|path| std::fs::read(path).unwrap()).filter(|bytes| bytes.len() < 4_000));
    let mut random = Random::new(11);
    let (mut read, mut turns) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = files[random.below(files.len())].clone();
        for _ in 0..1 + random.below(4) {
            mutate(&mut random, &mut bytes);
        }
        let (trees, _) = sgf::parse_lenient(&sgf::decode(&bytes));
        for tree in &trees {
            let reading = read_tree(tree, &Default::default());
            let _ = Verdict::new(&reading);
            read += 1;
            turns += reading.game.turns().len();
            if let Some(what) = difference(&reading.game, Flavour::Plain) {
                let text = String::from_utf8_lossy(&bytes);
                panic!("{what}\nread from\n{text}");
            }
        }
    }
    println!("{read} games read, {turns} turns");
    assert!(read > 15_000 && turns > 30_000, "{read} {turns}");
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(20)).min(bytes.len());
    match random.below(6) {
        0 => bytes[at] = random.pick(b"[]();\\abcdeBWAEPL: \n01\xff"),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.insert(at, random.pick(b"[]();\\abBWE\r\n")),
        3 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
        }
        4 => {
            let part: Vec<u8> = bytes.drain(at..end).collect();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
        _ => {
            let word = random.pick(&[
                "AB[aa]",
                "AW[bb]",
                "AE[aa:bb]",
                "PL[W]",
                "PL[B]",
                ";B[]",
                ";W[]",
                "HA[2]",
                "EGE[resume]",
                "EGX[x]",
                "KM[0.25]",
                "EGE[mark A1]",
                "EGE[accept white]",
                "EGE[propose black]",
                "EGE[resign black]",
                "EGO[free]",
                "RU[aga]",
                "TB[aa]",
                "TW[bb]",
                "EGT[black pass]",
                "EGT[white B2]",
                "SZ[5]",
                "EGR[enhanced size=5]",
                "TO[3]",
                "GM[q5go-1]",
            ]);
            bytes.splice(at..at, word.bytes());
        }
    }
    if bytes.is_empty() {
        bytes.push(b'(');
    }
}

#[test]
fn problems_have_lines() {
    for (text, line, trouble) in [
        ("(;SZ[9]\n\n;B[ee]\n;W[ee])", 4, Trouble::IllegalTurn),
        ("\n\n(;SZ[99];B[ee])", 3, Trouble::NotUnderstood),
        ("(;SZ[9]\nAB[zz])", 1, Trouble::Setup),
        ("(;SZ[9]\r\n;B[ee]\r;AB[zz])", 3, Trouble::Setup),
        ("(;SZ[9]\n;B[ee]\n\n;B[cc])", 4, Trouble::WrongOrder),
        ("(;SZ[9]HA[3]\n;B[ee])", 1, Trouble::Handicap),
        ("(;SZ[9]RU[cgos]\n;B[ee];W[];B[]\n;W[aa])", 3, Trouble::AfterTheEnd),
    ] {
        let problem = read_sgf(text.as_bytes(), &Default::default()).unwrap().remove(0).problem.unwrap();
        assert_eq!((problem.line, problem.trouble), (line, trouble), "{text:?}: {problem}");
    }
}
