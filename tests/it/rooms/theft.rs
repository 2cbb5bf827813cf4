//! Nobody moves for a side whose seat they do not hold: streams of every command there is, from seats, from people who
//! look on and from people with wrong keys, and an observer who reads the official game before and after every line.

use std::collections::BTreeMap;

use egtp::commands;

use super::board::Side;
use super::random::{is_long, program};
use super::text::{Wire, read_answer};
use crate::play::Random;

/// The room that is watched, and another one with keys of its own.
const ROOMS: [&str; 2] = ["watched", "other"];

const RULES: [&str; 4] = [
    "enhanced size=3x3 komi=0 resign=yes",
    "rulebook size=3x2 ending=proposal special=yes repetition=positional",
    "aga size=3x3 special=yes",
    "rulebook size=2x2 ending=pass-proposal handicap=2",
];

/// A connection: which keys it knows, and which seat of the watched room it should hold.
struct Person {
    conn: usize,
    knows: Vec<Side>,
    seat: Option<Side>,
}

struct Room<W> {
    program: W,
    observer: usize,
    keys: BTreeMap<&'static str, [String; 2]>,
    people: Vec<Person>,
    script: Vec<String>,
}

/// The official game as the observer reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Seen {
    turns: Vec<String>,
    board: String,
    status: BTreeMap<String, String>,
}

impl Seen {
    fn value(&self, key: &str) -> &str {
        self.status.get(key).map_or("", String::as_str)
    }
}

impl<W: Wire> Room<W> {
    fn new(mut program: W, rules: &str) -> Room<W> {
        let observer = program.connect();
        let open = |room: &'static str| {
            let answers = program.line(observer, &format!("egtp_open {room} {rules}"));
            let text = read_answer(&answers[0].1).1.unwrap();
            let keys: Vec<String> = text.lines().map(|line| line.split(' ').nth(1).unwrap().into()).collect();
            (room, [keys[0].clone(), keys[1].clone()])
        };
        let keys = ROOMS.map(open).into();
        program.line(observer, "egtp_watch watched");
        let mut room = Room { program, observer, keys, people: Vec::new(), script: Vec::new() };
        for knows in [vec![Side::Black], vec![Side::White], vec![], vec![Side::Black, Side::White], vec![]] {
            let conn = room.program.connect();
            room.people.push(Person { conn, knows, seat: None });
        }
        room
    }

    fn see(&mut self) -> Seen {
        let [turns, board, status] = ["egtp_turns", "egtp_board", "egtp_status"].map(|line| {
            let answers = self.program.line(self.observer, line);
            read_answer(&answers[0].1).1.unwrap()
        });
        let pair = |line: &str| line.split_once(' ').map(|(key, value)| (key.to_string(), value.to_string()));
        // what the observer itself was refused last is not the game's
        let status = status.lines().filter_map(pair).filter(|(key, _)| key != "reason").collect();
        Seen { turns: turns.lines().map(String::from).collect(), board, status }
    }

    /// A person says a line, and the game is as it was but for what they may do.
    fn say(&mut self, who: usize, line: &str) {
        let before = self.see();
        let conn = self.people[who].conn;
        self.script.push(format!("{who} > {line}"));
        let answers = self.program.line(conn, line);
        self.script.extend(answers.iter().map(|(conn, text)| format!("    {conn} < {}", text.replace('\n', " | "))));
        // the answer to a line comes last; those that waited were answered before
        let own = answers.iter().rfind(|(id, text)| *id == conn && !text.contains("interrupted"));
        self.enters(who, line, own.is_some_and(|(_, text)| text.starts_with('=')));
        let after = self.see();
        if let Some(why) = self.crime(who, &before, &after) {
            panic!("{why}, by {who}: {line}\n{before:?}\n{after:?}\n{}", self.script.join("\n"));
        }
    }

    /// Keeps a list of who should be where.
    fn enters(&mut self, who: usize, line: &str, done: bool) {
        let words: Vec<&str> = line.split(' ').collect();
        let key = |side: Side, room: &str| self.keys.get(room).map_or("", |keys| &keys[side as usize]);
        let seat = match (words.as_slice(), done) {
            (["egtp_sit", room, color, given, ..], true) => {
                let side = Side::read(color).unwrap();
                assert_eq!(*given, key(side, room), "{who} sits with a key that is not the seat's");
                Some(side).filter(|_| *room == ROOMS[0])
            }
            (["egtp_watch", ..] | ["egtp_leave"], true) => None,
            (["quit", ..], true) => {
                self.people[who].conn = self.program.connect();
                None
            }
            _ => return,
        };
        let person = &mut self.people[who];
        person.seat = seat;
        assert!(seat.is_none_or(|side| person.knows.contains(&side)), "{who} has learnt a key");
    }

    /// What has happened that this person may not do.
    fn crime(&self, who: usize, before: &Seen, after: &Seen) -> Option<String> {
        let seat = self.people[who].seat;
        let own = seat.map_or("nobody", Side::name);
        if !after.turns.starts_with(&before.turns) || after.turns.len() > before.turns.len() + 1 {
            return Some("the record has changed".into());
        }
        if before == after {
            return None;
        }
        if seat.is_none() {
            return Some("somebody without a seat has changed the game".into());
        }
        if let Some(turn) = after.turns.get(before.turns.len()) {
            let mine = turn.split(' ').nth(1) == Some(own);
            return if mine { None } else { Some("a turn was made for another side".into()) };
        }
        if before.board != after.board {
            return Some("the board has changed without a turn".into());
        }
        let gained = |key: &str| {
            let sides = after.value(key).split(' ').filter(|side| !before.value(key).contains(side));
            sides.map(String::from).collect::<Vec<_>>()
        };
        for key in ["accepted", "proposed"] {
            // the last acceptance ends the game, and with it what was proposed
            if gained(key).iter().any(|side| side != own && !side.is_empty()) && after.value("phase") == "scoring" {
                return Some(format!("{key} for another side"));
            }
        }
        let lost = match after.value("result") {
            "W+R" => "black",
            "B+R" => "white",
            _ => own,
        };
        (lost != own && before.value("result") != after.value("result")).then(|| "resigned for another side".into())
    }
}

/// An argument as the command's usage names it.
fn argument<W>(random: &mut Random, room: &Room<W>, who: usize, word: &str) -> String {
    let person = &room.people[who];
    let name = word.trim_matches(['[', ']', '…']);
    let vertex = |random: &mut Random| {
        format!("{}{}", random.pick(&["A", "B", "C", "C", "D"]), random.pick(&["1", "2", "3", "3", "4"]))
    };
    match name {
        "COLOR" => match person.seat {
            Some(side) if random.percent(60) => side.name().into(),
            _ => random.pick(&["black", "white", "b", "W", "green"]).into(),
        },
        "V" | "VERTEX" => vertex(random),
        "MOVE" if random.percent(30) => random.pick(&["pass", "resign", "PASS"]).into(),
        "MOVE" => vertex(random),
        "N" | "WIDTH" | "HEIGHT" | "VERSION" => random.below(5).to_string(),
        "ROOM" => random.pick(&["watched", "watched", "other", "third"]).into(),
        "KEY" => {
            let mut keys: Vec<&str> =
                person.knows.iter().map(|&side| room.keys[ROOMS[0]][side as usize].as_str()).collect();
            keys.extend(room.keys[ROOMS[1]].iter().map(String::as_str));
            keys.extend(["0", "00000000000000000000000000000000", "black"]);
            random.pick(&keys).into()
        }
        "NAME" => random.pick(&["genmove", "enhanced", "chinese", "play"]).into(),
        "RULESET" => "rulebook".into(),
        "KEY=VALUE" | "key=value" => random.pick(&["size=3x3", "takeback=yes", "resign=yes"]).into(),
        "STATUS" => random.pick(&["dead", "alive"]).into(),
        "FILE" => "/tmp/no-such-file.sgf".into(),
        literal if literal.chars().all(|c| c.is_ascii_lowercase()) => literal.into(),
        _ => random.pick(&["1", "0.5", "word"]).into(),
    }
}

/// A line with one of all commands.
fn any_line<W>(random: &mut Random, room: &Room<W>, who: usize) -> String {
    let all: Vec<&commands::Command> = commands::all().collect();
    let command = random.pick(&all);
    let alternatives: Vec<&str> = command.params.split('|').collect();
    let mut line = command.name.to_string();
    for word in random.pick(&alternatives).split_whitespace() {
        if word.starts_with('[') && random.percent(50) {
            continue;
        }
        for _ in 0..if word.contains('…') { 1 + random.below(4) } else { 1 } {
            line.push(' ');
            line.push_str(&argument(random, room, who, word));
        }
    }
    line
}

/// A line that is more likely to be taken.
fn likely_line<W>(random: &mut Random, room: &Room<W>, who: usize) -> String {
    let person = &room.people[who];
    if person.seat.is_none() && !person.knows.is_empty() && random.percent(50) {
        let side = random.pick(&person.knows);
        return format!("egtp_sit watched {} {}", side.name(), room.keys[ROOMS[0]][side as usize]);
    }
    let side = match person.seat {
        Some(side) if random.percent(80) => side.name(),
        _ => random.pick(&["black", "white"]),
    };
    let vertex = format!("{}{}", random.pick(&["A", "B", "C"]), random.pick(&["1", "2", "3"]));
    match random.below(12) {
        0..=4 => format!("play {side} {vertex}"),
        5 | 6 => format!("play {side} pass"),
        7 => format!("egtp_mark_dead {vertex}"),
        8 => format!("egtp_accept {side}"),
        9 => format!("egtp_propose {side}"),
        10 => "egtp_resume".into(),
        _ => {
            let (room, key) = (argument(random, room, who, "ROOM"), argument(random, room, who, "KEY"));
            format!("egtp_sit {room} {side} {key}")
        }
    }
}

#[test]
fn nobody_acts_for_a_seat_that_they_do_not_hold() {
    let (games, length) = if is_long() { (2_000, 400) } else { (60, 300) };
    let (mut turns, mut over) = (0, 0);
    for seed in 0..games {
        let mut random = Random::new(seed);
        let mut room = Room::new(program(), random.pick(&RULES));
        for (who, side) in [(0, Side::Black), (1, Side::White)] {
            let key = room.keys[ROOMS[0]][side as usize].clone();
            room.say(who, &format!("egtp_sit watched {} {key}", side.name()));
        }
        room.say(2, "egtp_watch watched");
        for _ in 0..length {
            let who = random.below(room.people.len());
            let any = random.percent(30);
            let line = if any { any_line(&mut random, &room, who) } else { likely_line(&mut random, &room, who) };
            // a game that has ended shows no more
            if !line.contains("resign") || random.percent(5) {
                room.say(who, &line);
            }
        }
        let seen = room.see();
        turns += seen.turns.len();
        over += (seen.value("phase") == "finished") as usize;
    }
    println!("{} lines, {turns} turns, {over} of {games} games over", games as usize * length);
    assert!(turns as u64 > 5 * games && over > 5, "the games are games");
}

/// Who asks for a place that is taken keeps the one they have.
#[test]
fn a_seat_that_is_full() {
    let mut room = Room::new(program(), RULES[1]);
    let [black, white] = room.keys[ROOMS[0]].clone();
    room.say(1, &format!("egtp_sit watched white {white}"));
    let sit = format!("egtp_sit watched black {black}");
    let mut conns = Vec::new();
    let full = (0..1_000).any(|_| {
        let conn = room.program.connect();
        conns.push(conn);
        room.program.line(conn, &sit)[0].1.starts_with('?')
    });
    assert!(full, "a seat is never full");
    let conn = room.people[1].conn;
    assert!(room.program.line(conn, &sit)[0].1.starts_with('?'));
    assert!(room.program.line(conns[0], "play black A1")[0].1.starts_with('='));
    let answer = &room.program.line(conn, "play white B1")[0].1;
    assert!(answer.starts_with('=') && room.see().turns.len() == 2, "the old place is lost: {answer}");
}
