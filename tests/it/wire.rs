//! The wire under stress: bytes that are no commands, commands that make no sense, and streams that begin, end or
//! stand still where they should not.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use bytes::BytesMut;
use egtp::commands;
use egtp::session::Session;

use crate::engine::{
    Answer, Asked, LONGEST, PATIENCE, Process, answered, answers, asked, direct, options, play, reading, run,
};
use crate::engine::{soon, writing};
use crate::play::Random;

/// How long a program may take to notice that nobody listens any more.
const SHORTLY: Duration = Duration::from_secs(10);

const ENHANCED: &[&str] = &[];

fn good(text: &str) -> Answer {
    Answer { success: true, id: String::new(), text: text.into() }
}

/// A file that is removed with the value.
struct Scratch(PathBuf);

impl Scratch {
    /// In the folder that cargo has for tests; the name must be the test's own.
    fn new(name: &str) -> Scratch {
        Scratch(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id())))
    }

    fn with(name: &str, bytes: &[u8]) -> Scratch {
        let scratch = Scratch::new(name);
        std::fs::write(&scratch.0, bytes).unwrap();
        scratch
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).ok();
    }
}

// ---- bytes and lines

/// Bytes in which what the reader looks at is frequent.
fn noise(random: &mut Random, length: usize) -> Vec<u8> {
    let byte = |random: &mut Random| match random.below(12) {
        0 => b'\n',
        1 => random.pick(b" \t\r#\0\x7f\x0b\x0c"),
        2 => random.pick(b"0123456789"),
        3..7 => random.below(256) as u8,
        _ => b'a' + random.below(26) as u8,
    };
    (0..length).map(|_| byte(random)).collect()
}

#[test]
fn random_bytes() {
    let mut all = Vec::new();
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let length = random.below(400);
        let input = noise(&mut random, length);
        answered(&input, &direct(options("enhanced", false), &input));
        all.extend(input);
    }
    let found = play(ENHANCED, &all);
    assert!(found.len() > 10_000, "{}", found.len());
}

/// Arguments of all kinds, most of them such as some command takes.
fn argument(random: &mut Random, rules: &[&'static str]) -> String {
    let column = b"ABCDEFGHJKLMNOPQRSTUVWXYZI";
    match random.below(20) {
        0..4 => random.pick(&["b", "w", "black", "White", "BLACK"]).into(),
        4..11 => format!("{}{}", random.pick(&column[..9]) as char, 1 + random.below(9)),
        11 => format!("{}{}{}", random.pick(column) as char, random.pick(column) as char, random.below(60)),
        12 => {
            random.pick(&["pass", "PASS", "resign", "place", "pay", "dead", "alive", "dame", "none", "byoyomi"]).into()
        }
        13 => random.below(12).to_string(),
        14 => random
            .pick(&[
                "-1",
                "0",
                "1.5",
                "7,5",
                "+3",
                "nan",
                "1e9",
                "65536",
                "4294967296",
                "18446744073709551616",
                "1e400",
            ])
            .into(),
        15 => random.pick(rules).into(),
        16 => {
            let keys = ["size", "komi", "topology", "repetition", "suicide", "counting", "ending", "special"];
            let mut values =
                vec!["1", "2", "5", "9x3", "torus", "hex", "rect", "none", "ko", "positional", "yes", "no"];
            values.extend(["area", "territory", "agreement", "proposal", "pass-proposal", "aga", "automatic"]);
            values.extend(["all-alive", "allowed", "refused", "x", "", "52", "-0.001"]);
            format!("{}={}", random.pick(&keys), random.pick(&values))
        }
        17 => random
            .pick(&["{\"ko\":\"SIMPLE\"}", "{\"suicide\":true}", "{", "ko", "tax", "SEKI", "true", "(0,0)", "(8,9)"])
            .into(),
        18 => random.pick(&["grüße", "\u{fffd}", "囲碁", "\u{2028}", "a\u{a0}b", "=", "?", "%s%n", "--"]).into(),
        _ => random.pick(commands_of_the_table().as_slice()).into(),
    }
}

fn commands_of_the_table() -> Vec<&'static str> {
    commands::all().map(|command| command.name).filter(|name| *name != "quit").collect()
}

/// Lines of commands with arguments that may or may not fit.
fn chatter(random: &mut Random, lines: usize) -> Vec<u8> {
    let rules: Vec<&'static str> = egtp::rules::RULESETS.iter().map(|ruleset| ruleset.name).collect();
    let names = commands_of_the_table();
    let mut text = Vec::new();
    for _ in 0..lines {
        match random.below(10) {
            0 => text.extend(format!("{}", random.below(1_000_000)).bytes()),
            1 => text.extend(b"  007"),
            _ => {}
        }
        let id = text.last().is_some_and(u8::is_ascii_digit);
        if id && !random.percent(5) {
            text.push(b' ');
        }
        // turns most of all, so that something is on the board
        let name = match random.below(10) {
            0..4 => "play",
            4 => random.pick(&["trymove", "egtp_special", "egtp_preview", "egtp_stage", "egtp_stage_pay"]),
            5 if random.percent(5) => "PLAY",
            _ => random.pick(&names),
        };
        // each of these takes as long as ten thousand others
        let long = name.contains("estimate") || name == "egtp_preview_pass";
        let name = if long && !random.percent(5) { "showboard" } else { name };
        text.extend(name.bytes());
        let arity = random.pick(&[0, 1, 1, 2, 2, 2, 2, 2, 3, 4, 6, 9]);
        let fitting = name == "play" && random.percent(90);
        if fitting {
            let color = random.pick(&["b", "w"]);
            let vertex = format!("{}{}", random.pick(b"ABCDE") as char, 1 + random.below(5));
            text.extend(format!(" {color} {}", if random.percent(8) { "pass" } else { &vertex }).bytes());
        }
        for _ in 0..if fitting { 0 } else { arity } {
            text.extend(random.pick(&[" ", "  ", "\t"]).bytes());
            text.extend(argument(random, &rules).bytes());
        }
        text.extend(random.pick(&["\n", "\n", "\n", "\r\n", " \n", "# comment\n", "\n\n", "\x07\n"]).bytes());
    }
    text
}

/// Rules under which random commands are sent, and whether leniently.
const UNDER: [(&str, bool); 10] = [
    ("enhanced", false),
    ("enhanced,size=5", true),
    ("hexgo,size=3", true),
    ("toroidal,size=4x3", true),
    ("aga,size=5", true),
    ("playboard,size=5", true),
    ("tromp-taylor,size=1", true),
    ("littlegolem,size=2", true),
    ("toroidal,size=5x4", false),
    ("aga,size=4", false),
];

#[test]
fn random_commands() {
    for (seed, (rules, lenient)) in (1..).zip(UNDER) {
        let mut random = Random::new(seed);
        // short sessions, since the first `egtp_rules` leads away from the rules that are meant
        for _ in 0..100 {
            let input = chatter(&mut random, 150);
            answered(&input, &direct(options(rules, lenient), &input));
        }
    }
}

/// A session that is put to rest now and then answers as one that never is.
#[test]
fn sessions_that_rest() {
    let mut rested = 0;
    for (seed, (rules, lenient)) in (31..).zip(UNDER) {
        let mut random = Random::new(seed);
        for _ in 0..40 {
            let mut sessions = [(); 2].map(|()| Session::new(options(rules, lenient)));
            for line in chatter(&mut random, 200).split(|&b| b == b'\n') {
                if random.percent(30) {
                    sessions[0].rest();
                    rested += 1;
                }
                let [one, two] = sessions.each_mut().map(|session| {
                    let mut out = BytesMut::new();
                    session.handle_text(line, &mut out);
                    out
                });
                let time = line.windows(7).any(|word| word == b"cputime");
                assert!(one == two || time, "{}: {one:?} and {two:?}", String::from_utf8_lossy(line));
            }
        }
    }
    assert!(rested > 10_000, "{rested}");
}

#[test]
fn random_commands_over_pipes() {
    for (seed, args) in [(11, &[][..]), (12, &["--lenient", "--rules", "tromp-taylor,size=5"])] {
        let input = chatter(&mut Random::new(seed), 20_000);
        play(args, &input);
    }
}

/// Commands that only ask.
const QUESTIONS: &[&str] = &[
    "known_command",
    "list_commands",
    "help",
    "echo",
    "cputime",
    "last_move",
    "move_history",
    "showboard",
    "is_legal",
    "all_legal",
    "list_stones",
    "color",
    "countlib",
    "findlib",
    "captures",
    "query_boardsize",
    "query_orientation",
    "get_komi",
    "get_handicap",
    "final_status",
    "final_status_list",
    "final_score",
    "egtp_preview",
    "egtp_affordable",
    "egtp_stage_show",
    "egtp_marks",
    "egtp_score",
    "egtp_hahn",
    "egtp_topology",
    "egtp_reason",
    "egtp_rulesets",
    "kata-get-rules",
    "genmove",
    "reg_genmove",
];

/// A failed command leaves no trace: whatever was refused, the game is as it was. Nor does a question.
#[test]
fn refusals_and_questions_change_nothing() {
    for (seed, rules) in [(21, "enhanced,size=5"), (22, "hexgo,size=3"), (23, "rulebook,size=5"), (24, "aga,size=5")] {
        let mut random = Random::new(seed);
        let mut session = Asked::new(rules, seed % 2 == 0);
        let state = |session: &mut Asked| {
            let status = session.yes("egtp_status");
            let lines = status.lines().filter(|line| !line.starts_with("reason"));
            let status = lines.collect::<Vec<_>>().join("\n");
            (status, session.yes("egtp_turns"), session.yes("egtp_board"), session.yes("egtp_rules"))
        };
        let mut refused = 0;
        let mut before = state(&mut session);
        for line in String::from_utf8(chatter(&mut random, 3_000)).unwrap().lines() {
            // a session under rules that have no stones soon would try nothing any more
            // (and `trymove` has a test of its own)
            if ["egtp_rules", "boardsize", "trymove"].iter().any(|word| line.contains(word)) {
                continue;
            }
            let response = session.raw(line);
            let after = state(&mut session);
            let refusal = response.starts_with('?');
            if refusal || asked(line.as_bytes()).iter().any(|(_, command)| QUESTIONS.contains(&command.as_str())) {
                assert_eq!(after, before, "{rules}: {line}: {response}");
                refused += refusal as usize;
            }
            before = after;
        }
        assert!(refused > 100, "{rules}: {refused}");
    }
}

#[test]
fn a_refused_play_leaves_what_is_tried() {
    let mut session = Asked::new("rulebook,size=9", false);
    session.all(&["play b A1", "trymove w B2"]);
    session.no("play w A1");
    assert_eq!(session.yes("list_stones w"), "B2");
    session.yes("popgo");
}

#[test]
fn lines_round_the_limit() {
    let mut input = Vec::new();
    for length in [LONGEST - 2, LONGEST - 1, LONGEST, LONGEST + 1, LONGEST + 2, 2 * LONGEST, 1_000_000] {
        let mut line = b"17 echo ".to_vec();
        line.resize(length, b'x');
        // at the end of input the newline may be missing
        let output = direct(options("enhanced", false), &line);
        let alone = answered(&line, &output).remove(0);
        line.extend(b"\nname\n");
        let found = answered(&line, &direct(options("enhanced", false), &line));
        assert_eq!(found[0], alone, "{length}");
        assert_eq!((alone.success, alone.id.as_str()), (length <= LONGEST, "17"), "{length}");
        if alone.success {
            assert_eq!(alone.text.len(), length - 8, "{length}: nothing is lost");
        } else {
            assert!(alone.text.starts_with("line too long"), "{}", alone.text);
        }
        assert_eq!(found[1], good("egtp"), "{length}: and the connection goes on");
        input.extend(line);
    }
    let found = play(ENHANCED, &input);
    let accepted: Vec<bool> = found.iter().step_by(2).map(|answer| answer.success).collect();
    assert_eq!(accepted, [true, true, true, false, false, false, false]);
    // without a newline at the end, over pipes
    assert_eq!(play(ENHANCED, &vec![b'x'; 3 * LONGEST]).len(), 1);
}

#[test]
fn what_is_dropped_and_what_is_not() {
    let some = |id: &str, text: &str| Answer { id: id.into(), ..good(text) };
    let cases: [(&[u8], Vec<Answer>); 13] = [
        (b"na\0me\n", vec![good("egtp")]),
        (b"\xef\xbb\xbf5 name\r\n", vec![some("5", "egtp")]),
        (b"\xef\xbb\xbf\r\n# nothing\n\t \r\n", vec![]),
        (b"\xef\xbb\xbf", vec![]),
        (b"name", vec![good("egtp")]),
        (b"name\r", vec![good("egtp")]),
        (b"\t\t6\tname\t\t\n", vec![some("6", "egtp")]),
        (b"\x01\x02\x1b\x7f\n\x0b\x0c\n", vec![]),
        (b"0012name # name\n", vec![some("0012", "egtp")]),
        (b"99999999999999999999999999 name\n", vec![some("99999999999999999999999999", "egtp")]),
        ("echo grüße 囲碁\n".as_bytes(), vec![good("grüße 囲碁")]),
        (b"\n\n\n\nname\n\n\n\n", vec![good("egtp")]),
        (b"", vec![]),
    ];
    for (input, expected) in cases {
        assert_eq!(play(ENHANCED, input), expected, "{:?}", String::from_utf8_lossy(input));
    }
    // a mark elsewhere is no mark, and broken UTF-8 no command: refused, and nothing worse
    for line in
        [&b"name\n\xef\xbb\xbfname\n"[..], b"name\n\xff\xfe\n", b"name\nplay b \xc3\xa4\n", b"name\nkomi \xc3\n"]
    {
        let found = play(ENHANCED, line);
        assert_eq!((found.len(), &found[0], found[1].success), (2, &good("egtp"), false), "{line:?}");
    }
}

#[test]
fn ids_without_commands() {
    let found = play(ENHANCED, b"12\n 13 \t\n14 # name\n15\r\nname\n");
    let ids: Vec<(&str, bool)> = found.iter().map(|answer| (answer.id.as_str(), answer.success)).collect();
    assert_eq!(ids, [("12", false), ("13", false), ("14", false), ("15", false), ("", true)]);
    assert!(found[..4].iter().all(|answer| answer.text.starts_with("syntax error")));
}

// ---- beginnings and ends

#[test]
fn input_that_ends_within_a_line() {
    let found = play(ENHANCED, b"name\n8 versi");
    assert_eq!((found.len(), found[1].id.as_str(), found[1].success), (2, "8", false));
}

#[test]
fn nothing_follows_quit() {
    for input in ["1 quit\n2 name\n3 play b D4\n", "1 quit", "1 quit now\n2 name\n", "1 quit\nquit\nquit\n"] {
        let found = play(ENHANCED, input.as_bytes());
        assert_eq!(found, [Answer { id: "1".into(), ..good("") }], "{input}");
    }
    // with more behind it than pipes hold; the writer meets a closed pipe, and that is all
    let input = ["name\nquit\n".as_bytes(), &b"showboard\n".repeat(100_000)].concat();
    assert_eq!(play(ENHANCED, &input), [good("egtp"), good("")]);
}

#[test]
fn answers_do_not_wait_for_the_end() {
    let mut process = Process::piped(ENHANCED);
    let (mut stdin, stdout) = process.take_pipes();
    let mut stdout = BufReader::new(stdout);
    for i in 0..200 {
        // half a line first: it must not count as one
        stdin.write_all(format!("{i} na").as_bytes()).unwrap();
        stdin.flush().unwrap();
        stdin.write_all(b"me\n").unwrap();
        let (mut answer, mut blank) = (String::new(), String::new());
        stdout.read_line(&mut answer).unwrap();
        stdout.read_line(&mut blank).unwrap();
        assert_eq!((answer, blank), (format!("={i} egtp\n"), "\n".into()));
    }
    drop(stdin);
    assert!(process.end(PATIENCE).success());
}

#[test]
fn a_reader_that_goes_away() {
    let mut process = Process::piped(ENHANCED);
    let (stdin, mut stdout) = process.take_pipes();
    writing(stdin, b"showboard\n".repeat(200_000));
    let mut some = [0; 10_000];
    stdout.read_exact(&mut some).unwrap();
    drop(stdout);
    let status = process.end(SHORTLY);
    assert_eq!((status.code(), process.complaints().as_str()), (Some(0), ""), "it ends without a word");
}

#[test]
fn a_reader_that_is_gone_from_the_start() {
    let mut process = Process::piped(ENHANCED);
    let (stdin, stdout) = process.take_pipes();
    drop(stdout);
    writing(stdin, b"name\n".to_vec());
    let status = process.end(SHORTLY);
    assert_eq!((status.code(), process.complaints().as_str()), (Some(0), ""));
}

#[test]
fn files_instead_of_pipes() {
    let commands = b"1 name\n2 play b D4\n3 egtp_board\n".repeat(2_000);
    let (input, output) = (Scratch::with("in.gtp", &commands), Scratch::new("out.gtp"));
    let start = |stdin: Stdio, stdout: Stdio| Process::start(ENHANCED, stdin, stdout, Stdio::piped());
    let file = |scratch: &Scratch| File::open(&scratch.0).unwrap();
    let expected = direct(options("enhanced", false), &commands);

    let mut process = start(file(&input).into(), File::create(&output.0).unwrap().into());
    assert_eq!((process.end(PATIENCE).code(), process.complaints().as_str()), (Some(0), ""));
    assert!(std::fs::read(&output.0).unwrap() == expected, "a file in, a file out");

    let mut process = start(file(&input).into(), Stdio::piped());
    assert!(soon(reading(process.stdout.take().unwrap())) == expected, "a file in, a pipe out");
    assert!(process.end(PATIENCE).success());

    let mut process = start(Stdio::piped(), File::create(&output.0).unwrap().into());
    writing(process.stdin.take().unwrap(), commands.clone());
    assert!(process.end(PATIENCE).success());
    assert!(std::fs::read(&output.0).unwrap() == expected, "a pipe in, a file out");

    let mut process = start(Stdio::null(), Stdio::piped());
    assert_eq!(soon(reading(process.stdout.take().unwrap())), b"", "nothing in");
    assert!(process.end(PATIENCE).success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_line_of_complaint() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut process = Process::start(ENHANCED, Stdio::piped(), full.into(), Stdio::piped());
    writing(process.stdin.take().unwrap(), b"name\n".to_vec());
    assert_eq!(process.end(SHORTLY).code(), Some(1));
    let said = process.complaints();
    assert!(said.starts_with("egtp: ") && said.lines().count() == 1, "{said}");
}

// ---- length

/// A million turns and new games, while memory stays what it was.
#[cfg(target_os = "linux")]
#[test]
fn a_million_lines() {
    const ROUNDS: usize = 50_000;
    let round = "clear_board\nplay b E5\nplay w D4\nplay b D5\nplay w E4\nplay b F4\nplay w C5\nplay b pass\nplay w F5\n\
                 egtp_special b place A1 B1 pay E5 D5 F4\nplay b G5\nplay w C4\nplay b F6\nplay w E6\nkomi 6.5\n\
                 list_stones black\nplay b A1\nplay w J9\nname\nplay b J1\n";
    let lines = round.lines().count();
    assert_eq!(lines * ROUNDS, 1_000_000);
    let mut process = Process::piped(ENHANCED);
    let (mut stdin, stdout) = process.take_pipes();
    // the pipe is left open until memory has been read
    let writer = std::thread::spawn(move || {
        let many = round.repeat(100);
        (0..ROUNDS / 100).try_for_each(|_| stdin.write_all(many.as_bytes())).unwrap();
        stdin
    });
    let mut stdout = BufReader::with_capacity(1 << 16, stdout);
    let (mut line, mut seen, mut refused, mut early) = (Vec::new(), 0, 0, 0);
    while seen < 1_000_000 {
        line.clear();
        assert!(stdout.read_until(b'\n', &mut line).unwrap() > 0, "it ended after {seen} answers");
        seen += (line == b"\n") as usize;
        refused += line.starts_with(b"?") as usize;
        if seen == 100_000 && early == 0 {
            early = process.memory();
        }
    }
    let late = process.memory();
    drop(writer.join().unwrap());
    assert!(process.end(PATIENCE).success());
    assert_eq!(refused, ROUNDS, "three stones do not pay for two");
    assert!(late <= early + 2_048, "{early} KiB after a tenth, {late} KiB at the end");
}

/// A line without an end is not kept.
#[cfg(target_os = "linux")]
#[test]
fn a_line_of_a_hundred_megabytes() {
    let mut process = Process::piped(ENHANCED);
    let (mut stdin, stdout) = process.take_pipes();
    let mut stdout = BufReader::new(stdout);
    let mut said = String::new();
    stdin.write_all(b"name\n").unwrap();
    stdout.read_line(&mut said).unwrap();
    let early = process.memory();
    let part = vec![b'x'; 1 << 20];
    (0..100).for_each(|_| stdin.write_all(&part).unwrap());
    let late = process.memory();
    stdin.write_all(b"\n7 name\n").unwrap();
    drop(stdin);
    stdout.read_to_string(&mut said).unwrap();
    let found = answers(said.as_bytes());
    assert_eq!((found.len(), found[1].success, found[2].text.as_str()), (3, false, "egtp"));
    assert!(late <= early + 4_096, "{early} KiB before, {late} KiB within");
    assert!(process.end(PATIENCE).success());
}

#[test]
fn a_very_long_game_and_back() {
    const TURNS: usize = 5_000;
    // two surrounded points next to each other: whoever plays there takes the other's stone, for ever
    let opening = ["b C4", "w D4", "b B3", "w E3", "b C2", "w D2"];
    let forever = ["b D3", "w C3"].into_iter().cycle();
    let moves: Vec<&str> = opening.into_iter().chain(forever).take(TURNS).collect();
    let mut input: String = moves.iter().map(|turn| format!("play {turn}\n")).collect();
    input += "captures b\ncaptures w\negtp_board\nmove_history\n";
    input += &"undo\n".repeat(TURNS / 2);
    input += &format!("gg-undo {}\ngg-undo {}\n", TURNS / 2 + 1, TURNS / 2);
    input += "egtp_board\nundo\ncaptures b\n";
    let found = play(&["--rules", "tromp-taylor,size=5,repetition=none"], input.as_bytes());
    assert!(found[..TURNS].iter().all(|answer| answer.success));
    // the 8th turn takes the first stone, and so does every turn after it
    assert_eq!((found[TURNS].text.as_str(), found[TURNS + 1].text.as_str()), ("2496", "2497"));
    assert_eq!(found[TURNS + 2].text, ".....\n..XO.\n.XO.O\n..XO.\n.....");
    assert_eq!(found[TURNS + 3].text.lines().count(), TURNS);
    let back = &found[TURNS + 4..];
    assert!(back[..TURNS / 2].iter().all(|answer| answer.success));
    let end = &back[TURNS / 2..];
    assert!(!end[0].success && end[0].text.starts_with("cannot undo"), "one more than there are: {:?}", end[0]);
    assert_eq!((end[1].clone(), end[2].text.as_str()), (good(""), ".....\n.....\n.....\n.....\n....."));
    assert!(!end[3].success && end[3].text.starts_with("cannot undo"));
    assert_eq!(end[4], good("0"));
}

// ---- options

/// A conversation is recorded, and `egtp check` finds the same answers.
fn recorded(name: &str, args: &[&str], input: &[u8]) {
    recorded_but(0, name, args, input);
}

/// The same, where some lines are recorded only as comments.
fn recorded_but(left_out: usize, name: &str, args: &[&str], input: &[u8]) {
    let scratch = Scratch::new(name);
    let ran = run(&[args, &["--log-gtp", scratch.path()]].concat(), input);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let steps = answered(input, &ran.stdout).len() - left_out;
    let checked = run(&[&["check"], args, &[scratch.path()]].concat(), b"");
    let said = String::from_utf8(checked.stdout).unwrap();
    let recorded = std::fs::read(&scratch.0).unwrap();
    let expected = format!("{steps} passed, 0 failed\n");
    assert_eq!((checked.code, said), (Some(0), expected), "{}", String::from_utf8_lossy(&recorded));
}

#[test]
fn a_recorded_conversation_checks_out() {
    let input = "\u{feff}name\r\n12 version\n\n# a comment\n  7play b D4 # first\nplay b D4\nshowboard\negtp_status\nhelp\n\
                 list_commands\necho a  b\necho\nkomi x\nplay b I5\n99\negtp_topology\nknown_command grüße\nplay b\tpass\n\
                 echo = x\necho ? y\nfinal_score\nlist_stones white\nquit\nname\n";
    recorded("plain", ENHANCED, input.as_bytes());
    recorded("lenient", &["--rules", "hexgo", "--lenient"], input.as_bytes());
    recorded("bytes", ENHANCED, b"name\n\xff\xfe x\nna\0me\n\tname\t\n\x0b\necho \xe2\x82\n");
}

#[test]
fn a_transcript_that_is_played_can_be_recorded() {
    recorded("comments", ENHANCED, b"#= x\nname\n#= egtp\nplay w D4\n#? illegal move\n#| more\n");
}

#[test]
fn an_answer_between_slashes_can_be_recorded() {
    recorded("slashes", ENHANCED, b"echo /a+/\necho /(/\n");
}

#[test]
fn a_line_too_long_can_be_recorded() {
    let line = [vec![b'x'; LONGEST + 1], b"\nname\n".to_vec()].concat();
    recorded_but(1, "long", ENHANCED, &line);
}

/// The program says what is wrong in its first line, and fails.
fn complains(args: &[&str], about: &[&str]) {
    let ran = run(args, b"");
    let first = ran.stderr.lines().next().unwrap_or_default().to_string();
    assert!(matches!(ran.code, Some(1 | 2)), "{args:?}: {:?}, {}", ran.code, ran.stderr);
    assert!(ran.stdout.is_empty() && !ran.stderr.contains("panicked"), "{args:?}: {}", ran.stderr);
    for word in about {
        assert!(first.contains(word), "{args:?}: {first}");
    }
}

#[test]
fn arguments_that_cannot_be() {
    complains(&["--bogus"], &["--bogus"]);
    complains(&["bogus"], &["bogus"]);
    complains(&["--rules", "nonsense"], &["nonsense", "enhanced", "rulebook"]);
    complains(&["--rules", "enhanced,size=99"], &["52"]);
    complains(&["--rules", "enhanced,colour=red"], &["colour"]);
    complains(&["--rules"], &["--rules"]);
    complains(&["--allow", "everything"], &["everything"]);
    complains(&["--turn-order", "random"], &["random"]);
    complains(&["--log", "egtp=loud"], &["--log", "loud"]);
    complains(&["--log-gtp", "/no/such/folder/x"], &["/no/such/folder/x"]);
    complains(&["check"], &["required"]);
    complains(&["check", "--engine", "egtp", "--lenient", "x.gtp"], &["--lenient"]);
    complains(&["serve", "--listen", "nowhere"], &["nowhere"]);
    complains(&["serve", "--max-connections", "-1"], &["-1"]);
    complains(&["serve", "--max-connections", "18446744073709551615"], &["--max-connections"]);
    complains(&["serve", "--max-connections", "0"], &["1..=100000"]);
}

#[test]
fn a_level_that_is_none() {
    complains(&["--log", "loud"], &["--log", "loud"]);
}

#[test]
fn notices_go_to_standard_error() {
    let ran = run(&["--log", "trace"], b"name\n");
    assert_eq!((ran.code, answers(&ran.stdout)), (Some(0), vec![good("egtp")]));
}
