//! The bridge without sockets: what it sends, what it answers, and what it does after a lost connection.

use std::collections::VecDeque;

use egtp::board::Color;
use egtp::gtp::Line;
use egtp::server::bridge::{Bridge, Event, Response, Seat};

const LOST: &str = "? connection lost; see egtp_status\n\n";
const SIT: &str = "egtp_sit r black k";

/// A bridge between a board program and a server that are both this test.
struct Ends {
    bridge: Bridge,
    /// Ids that the server has not answered, the oldest first.
    open: VecDeque<u64>,
    notices: Vec<String>,
}

impl Ends {
    fn new(holder: Option<(Color, String)>) -> Ends {
        Ends { bridge: Bridge::new(Seat { room: "r".into(), holder }), open: VecDeque::new(), notices: Vec::new() }
    }

    /// Black's seat in a room with these turns, taken.
    fn seated(turns: &str) -> Ends {
        let mut ends = Ends::new(Some((Color::Black, "k".into())));
        ends.bridge.connected();
        ends.server(&[SIT]);
        ends.says(&format!("= {}", turns.lines().count()));
        ends.server(&["egtp_turns"]);
        ends.says(&format!("= {turns}"));
        assert!(ends.bridge.is_up());
        ends
    }

    /// The board program sends these lines.
    fn gui(&mut self, lines: &[&str]) {
        lines.iter().for_each(|line| self.bridge.line(Line::Raw(line.as_bytes())));
    }

    /// Exactly these lines reach the server, with new ids.
    #[track_caller]
    fn server(&mut self, expected: &[&str]) {
        let bytes = self.bridge.to_server.split();
        let sent = std::str::from_utf8(&bytes).unwrap();
        let mut lines = Vec::new();
        for line in sent.lines() {
            match line.split_once(' ') {
                Some((id, line)) if id.starts_with(|c: char| c.is_ascii_digit()) => {
                    self.open.push_back(id.parse().unwrap());
                    lines.push(line);
                }
                _ => lines.push(line),
            }
        }
        assert_eq!(lines, expected);
    }

    /// The server answers the oldest command.
    #[track_caller]
    fn says(&mut self, answer: &str) {
        let id = self.open.pop_front();
        assert!(id.is_some(), "nothing was asked");
        let text = answer[1..].trim_start().to_string();
        self.bridge.response(Response { success: answer.starts_with('='), id, text });
    }

    /// The board program has got this.
    #[track_caller]
    fn answered(&mut self, expected: &str) {
        let bytes = self.bridge.to_gui.split();
        assert_eq!(std::str::from_utf8(&bytes).unwrap(), expected);
    }

    fn events(&mut self) -> Vec<Event> {
        let events: Vec<Event> = std::iter::from_fn(|| self.bridge.event()).collect();
        let notice = |event: &Event| match event {
            Event::Notice(text) => Some(text.clone()),
            _ => None,
        };
        self.notices.extend(events.iter().filter_map(notice));
        events.into_iter().filter(|event| !matches!(event, Event::Notice(_))).collect()
    }

    /// One command and its answer.
    #[track_caller]
    fn told(&mut self, line: &str, answer: &str) {
        self.gui(&[line]);
        self.server(&[line]);
        self.says(answer);
        self.answered(&format!("{answer}\n\n"));
    }

    /// Sits down on a new connection.
    #[track_caller]
    fn comes_back(&mut self, sit: &str, turns: usize) {
        self.loses();
        self.returns(sit, turns);
    }

    fn loses(&mut self) {
        self.open.clear();
        self.bridge.lost("cut");
    }

    #[track_caller]
    fn returns(&mut self, sit: &str, turns: usize) {
        self.bridge.connected();
        self.server(&[sit]);
        self.says(&format!("= {turns}"));
    }
}

#[test]
fn ids_and_texts_are_the_board_programs_own() {
    let mut ends = Ends::seated("");
    ends.gui(&["7 name\r", "", "# comment", "version # why", "28showboard", "  play\tb  D4 "]);
    ends.server(&["name", "version", "showboard", "play b D4"]);
    ends.says("= egtp");
    ends.answered("=7 egtp\n\n");
    ends.says("= 1.0");
    ends.says("= \nA B\n \nC");
    ends.says("? illegal move");
    ends.answered("= 1.0\n\n=28 A B\n \nC\n\n? illegal move\n\n");
    ends.gui(&["12"]);
    ends.server(&[""]);
    ends.says("? syntax error: an id without a command");
    ends.answered("?12 syntax error: an id without a command\n\n");
}

#[test]
fn commands_wait_for_a_connection() {
    let mut ends = Ends::new(Some((Color::White, "k".into())));
    ends.gui(&["1 name", "2 clear_board", "3 play b D4"]);
    ends.bridge.connected();
    ends.server(&["egtp_sit r white k"]);
    ends.says("= 0");
    ends.server(&["egtp_turns"]);
    ends.says("=");
    ends.server(&["name", "clear_board", "play b D4"]);
    ends.answered("");
}

#[test]
fn a_line_that_is_too_long_is_answered_in_its_place() {
    let mut ends = Ends::seated("");
    ends.gui(&["1 name"]);
    ends.bridge.line(Line::TooLong(b"2 echo aaaa"));
    ends.gui(&["3 version"]);
    ends.server(&["name", "version"]);
    ends.answered("");
    ends.says("= egtp");
    ends.says("= 1");
    let bytes = ends.bridge.to_gui.split();
    let answers = std::str::from_utf8(&bytes).unwrap();
    assert!(answers.starts_with("=1 egtp\n\n?2 line too long") && answers.ends_with("\n\n=3 1\n\n"), "{answers}");
}

#[test]
fn a_waiting_genmove_survives() {
    let mut ends = Ends::seated("");
    ends.told("boardsize 9", "= ");
    ends.told("clear_board", "= ");
    ends.told("play B D4", "= ");
    ends.gui(&["5 genmove w"]);
    ends.server(&["genmove w"]);
    ends.loses();
    ends.answered("");
    ends.returns(SIT, 2);
    ends.server(&["clear_board", "gogui-play_sequence B D4"]);
    ends.says("= ");
    ends.says("= ");
    ends.server(&["genmove w"]);
    ends.says("= E5");
    ends.answered("=5 E5\n\n");
    // and the view goes on from there
    ends.told("play B F6", "= ");
    ends.comes_back(SIT, 3);
    ends.server(&["clear_board", "gogui-play_sequence B D4 w E5 B F6"]);
    ends.events();
    assert_eq!(ends.notices[0], "connected: black in room r");
    assert_eq!(ends.notices[1..3], ["connection lost: cut; trying again", "connected again: black in room r"]);
}

#[test]
fn only_what_is_safe_is_repeated() {
    let mut ends = Ends::seated("");
    ends.told("clear_board", "= ");
    let commands =
        ["1 showboard", "2 undo", "3 play B D4", "4 egtp_mark_dead D4", "5 komi 6.5", "6 egtp_accept b", "7 genmove w"];
    ends.gui(&commands);
    ends.server(&["showboard", "undo", "play B D4", "egtp_mark_dead D4", "komi 6.5", "egtp_accept b", "genmove w"]);
    ends.loses();
    // in order: the first answer is not there yet
    ends.answered("");
    ends.returns(SIT, 0);
    ends.server(&["clear_board"]);
    ends.says("= ");
    ends.server(&["showboard", "play B D4", "komi 6.5", "genmove w"]);
    ends.says("= A");
    ends.says("= ");
    ends.says("= ");
    ends.says("= E5");
    let lost = |id: u32| LOST.replace('?', &format!("?{id}"));
    ends.answered(&["=1 A\n\n", &lost(2), "=3 \n\n", &lost(4), "=5 \n\n", &lost(6), "=7 E5\n\n"].concat());
}

#[test]
fn commands_never_heard_of_are_not_repeated() {
    let mut ends = Ends::seated("");
    ends.gui(&["egtp_special b place A1 A2 pay B1 B2 B3 B4"]);
    ends.server(&["egtp_special b place A1 A2 pay B1 B2 B3 B4"]);
    ends.gui(&["frobnicate"]);
    ends.server(&["frobnicate"]);
    ends.loses();
    ends.answered(&LOST.repeat(2));
}

#[test]
fn undo_setup_and_sequences_are_brought_back() {
    let mut ends = Ends::seated("");
    ends.told("boardsize 9", "= ");
    ends.told("gogui-setup B C7 W E5", "= ");
    ends.told("gogui-setup_player W", "= ");
    ends.told("gogui-play_sequence W F4 B B8", "= ");
    ends.told("play W A1", "= ");
    ends.told("play W A1", "? illegal move: A1 is not empty");
    ends.told("gg-undo 2", "= ");
    ends.told("undo", "= ");
    ends.told("undo", "= ");
    ends.told("trymove B C3", "= ");
    ends.told("fixed_handicap 2", "? invalid number of stones: no");
    ends.comes_back(SIT, 9);
    let script = ["boardsize 9", "gogui-setup B C7 W E5", "gogui-setup_player W", "undo", "trymove B C3"];
    ends.server(&script);
    script.iter().for_each(|_| ends.says("= "));
    assert!(ends.bridge.is_up());
}

#[test]
fn whoever_only_follows_sits_again() {
    let mut ends = Ends::seated("1 black D4\n2 white E5");
    ends.told("egtp_status", "= turns 2");
    ends.told("play black F6", "= ");
    ends.comes_back(SIT, 4);
    ends.server(&["egtp_turns"]);
    ends.says("= 1 black D4\n2 white E5\n3 black F6\n4 white G7");
    ends.server(&[]);
    assert!(ends.bridge.is_up());
}

#[test]
fn a_play_that_arrived_is_not_made_again() {
    for (turns, again) in [
        ("1 black D4\n2 white E5\n3 black D4", false),
        ("1 black D4\n2 white E5\n3 black D4\n4 white A1", false),
        ("1 black D4\n2 white E5", true),
    ] {
        // the same point as before: it was captured, say
        let mut ends = Ends::seated("1 black D4\n2 white E5");
        ends.gui(&["1 play b d4"]);
        ends.server(&["play b d4"]);
        ends.comes_back(SIT, turns.lines().count());
        ends.server(&["egtp_turns"]);
        ends.says(&format!("= {turns}"));
        ends.server(if again { &["play b d4"] } else { &[] });
        ends.answered(if again { "" } else { "=1 \n\n" });
    }
}

/// What was sent over the old connection came through after the new one had looked for it.
#[test]
fn a_play_that_arrives_late_is_not_refused() {
    for (turns, made) in [("1 black D4\n2 white E5\n3 black F6", true), ("1 black D4\n2 white E5", false)] {
        let mut ends = Ends::seated("1 black D4\n2 white E5");
        ends.gui(&["1 play b f6"]);
        ends.server(&["play b f6"]);
        let comes_back = |ends: &mut Ends| {
            ends.comes_back(SIT, 2);
            ends.server(&["egtp_turns"]);
            ends.says("= 1 black D4\n2 white E5");
            ends.server(&["play b f6"]);
        };
        comes_back(&mut ends);
        ends.says("? white to move; see egtp_status");
        ends.server(&["egtp_turns"]);
        // it is doubtful still when the connection is lost once more
        comes_back(&mut ends);
        // what comes behind it makes the view a board of its own
        ends.gui(&["2 genmove w"]);
        ends.server(&["egtp_sit r black k 2"]);
        ends.says("? white to move; see egtp_status");
        ends.server(&["egtp_turns"]);
        ends.says("= 3");
        ends.says(&format!("= {turns}"));
        ends.answered(if made { "=1 \n\n" } else { "?1 white to move; see egtp_status\n\n" });
        ends.server(&["genmove w"]);
    }
}

#[test]
fn a_genmove_of_one_who_followed() {
    let mut ends = Ends::seated("1 black D4");
    ends.gui(&["genmove w"]);
    // where the view is must be known before: it is needed if the answer never comes
    ends.server(&["egtp_view"]);
    ends.gui(&["# interrupt"]);
    ends.answered("? interrupted\n\n");
    ends.server(&["# interrupt"]);
    ends.says("= turns 1\ncursor 1\nin_step yes");
    ends.gui(&["genmove w"]);
    ends.server(&["genmove w"]);
    ends.loses();
    ends.returns("egtp_sit r black k 1", 2);
    ends.server(&["genmove w"]);
    ends.says("= E5");
    ends.answered("= E5\n\n");
    // the other side might have moved between the two: where is the view now?
    ends.gui(&["play b F6"]);
    ends.server(&["egtp_view"]);
    ends.says("= turns 2\ncursor 2\nin_step yes");
    ends.server(&["play b F6"]);
    ends.says("= ");
    ends.comes_back("egtp_sit r black k 2", 3);
    ends.server(&["gogui-play_sequence b F6"]);
}

/// A follower's view goes on with its own turns only; what the other side has played since is answered to `genmove`, also
/// over a new connection.
#[test]
fn a_follower_catches_up() {
    for answered in [true, false] {
        let mut ends = Ends::seated("1 black A1\n2 white A2");
        ends.gui(&["play b D4"]);
        ends.server(&["play b D4"]);
        if answered {
            ends.says("= ");
        }
        ends.comes_back(SIT, 4);
        ends.server(&["egtp_turns"]);
        ends.says("= 1 black A1\n2 white A2\n3 black D4\n4 white E5");
        ends.answered("= \n\n");
        ends.gui(&["genmove w"]);
        ends.server(&["egtp_sit r black k 3"]);
        ends.says("= 4");
        ends.server(&["genmove w"]);
        ends.says("= E5");
        ends.answered("= E5\n\n");
        ends.comes_back("egtp_sit r black k 3", 4);
        ends.server(&["gogui-play_sequence w E5"]);
    }
    // and those who replay the other side's turn
    let mut ends = Ends::seated("1 black A1");
    ends.gui(&["play w A2", "genmove w"]);
    ends.server(&["play w A2", "egtp_view"]);
    ends.says("= ");
    ends.server(&["egtp_view"]);
    ends.says("= cursor 2");
    ends.says("= cursor 2");
    ends.server(&["genmove w"]);
}

#[test]
fn a_size_that_the_room_has_not() {
    let mut ends = Ends::seated("1 black D4");
    ends.told("boardsize 19", "? unacceptable size");
    ends.server(&["egtp_view"]);
    ends.says("= turns 1\ncursor 1\nin_step yes");
    ends.comes_back("egtp_sit r black k 1", 1);
    // what comes together is not asked about in between, if it is refused or not
    let mut ends = Ends::seated("");
    ends.gui(&["boardsize 9", "clear_board", "gogui-play_sequence B D4 W E5"]);
    ends.server(&["boardsize 9", "clear_board", "egtp_view"]);
    ends.says("= ");
    ends.says("= ");
    ends.says("= turns 5\ncursor 0\nin_step no");
    ends.server(&["gogui-play_sequence B D4 W E5"]);
    ends.says("= ");
    ends.comes_back(SIT, 5);
    ends.server(&["clear_board", "gogui-play_sequence B D4 W E5"]);
}

#[test]
fn special_turns_of_ones_own_begin_a_new_script() {
    let mut ends = Ends::seated("");
    ends.told("clear_board", "= ");
    ends.told("play b A1", "= ");
    ends.gui(&["egtp_special b 2 C3 D4 A1 A2 B1 B2", "genmove w"]);
    // nothing more before the place is known
    ends.server(&["egtp_special b 2 C3 D4 A1 A2 B1 B2"]);
    ends.says("= ");
    ends.server(&["egtp_view"]);
    ends.says("= turns 9\ncursor 9\nin_step yes");
    ends.server(&["genmove w"]);
    ends.comes_back("egtp_sit r black k 9", 9);
    ends.server(&["genmove w"]);
    ends.says("= E5");
    // without an answer to the question, the room's turns tell
    ends.gui(&["egtp_stage_commit"]);
    ends.server(&["egtp_stage_commit"]);
    ends.says("= ");
    ends.server(&["egtp_view"]);
    ends.comes_back(SIT, 12);
    ends.server(&["egtp_turns"]);
    ends.says("= 10 white E5\n11 black special\n12 white A9");
    ends.server(&["egtp_sit r black k 11"]);
    ends.says("= 12");
    ends.server(&[]);
    assert!(ends.bridge.is_up());
}

#[test]
fn a_special_turn_of_the_other_side() {
    let mut ends = Ends::seated("");
    ends.told("clear_board", "= ");
    ends.gui(&["4 genmove w"]);
    ends.server(&["genmove w"]);
    ends.says("? special turn: white places C3 D4 and pays A1");
    ends.answered("?4 special turn: white places C3 D4 and pays A1\n\n");
    ends.server(&["egtp_sgf"]);
    ends.says("= (;FF[4])");
    ends.answered("");
    assert_eq!(ends.events(), [Event::Sgf("(;FF[4])".into())]);
    assert!(ends.notices.contains(&"special turn: white places C3 D4 and pays A1".to_string()));
}

#[test]
fn those_who_draw_from_list_stones() {
    let mut ends = Ends::seated("");
    ends.told("clear_board", "= ");
    ends.told("list_stones black", "= ");
    ends.gui(&["genmove w"]);
    ends.server(&["genmove w"]);
    // the first stone of a special turn, perhaps
    ends.says("= E5");
    ends.server(&["egtp_view"]);
    ends.says("= turns 1\ncursor 1\nin_step yes");
    ends.comes_back("egtp_sit r black k 1", 1);
    ends.server(&["list_stones black"]);
    ends.says("= ");
    assert!(ends.bridge.is_up());
}

#[test]
fn a_staged_turn_is_still_there() {
    let mut ends = Ends::seated("");
    for line in
        ["egtp_stage b 3", "egtp_stage b 2", "egtp_stage_pay A1", "egtp_stage_place C3", "trymove b A1", "popgo"]
    {
        ends.told(line, "= ");
    }
    ends.comes_back(SIT, 0);
    ends.server(&["egtp_turns"]);
    ends.says("= ");
    ends.server(&["egtp_stage b 2", "egtp_stage_pay A1", "egtp_stage_place C3"]);
    // the other side has moved meanwhile, say
    (0..3).for_each(|_| ends.says("? nothing is staged"));
    assert!(ends.bridge.is_up());
    ends.told("egtp_stage_cancel", "= ");
    ends.comes_back(SIT, 0);
    ends.server(&["egtp_turns"]);
    ends.says("= ");
    ends.server(&[]);
}

#[test]
fn a_script_that_is_refused() {
    let mut ends = Ends::seated("");
    ends.told("clear_board", "= ");
    ends.told("play w A1", "= ");
    ends.gui(&["1 play b D4", "2 showboard"]);
    ends.server(&["play b D4", "showboard"]);
    ends.comes_back(SIT, 6);
    ends.server(&["clear_board", "gogui-play_sequence w A1"]);
    ends.says("? no");
    ends.says("? no");
    ends.server(&[SIT]);
    ends.says("= 6");
    ends.answered("?1 connection lost; see egtp_status\n\n");
    ends.server(&["egtp_turns"]);
    ends.says("= 1 black C3");
    ends.server(&["showboard"]);
    assert_eq!(ends.events(), []);
    assert!(ends.notices.iter().any(|notice| notice.contains("could not be brought back: no;")), "{:?}", ends.notices);
}

#[test]
fn a_room_that_is_not_there_yet_again() {
    let mut ends = Ends::seated("");
    ends.gui(&["genmove w"]);
    ends.server(&["egtp_view"]);
    ends.says("= turns 4\ncursor 4");
    ends.server(&["genmove w"]);
    for _ in 0..2 {
        ends.loses();
        ends.bridge.connected();
        ends.server(&["egtp_sit r black k 4"]);
        ends.says("? no room r");
        ends.server(&[SIT]);
        ends.says("? no room r");
        assert_eq!(ends.events(), [Event::Disconnect]);
    }
    assert_eq!(ends.notices.iter().filter(|notice| notice.contains("no room r")).count(), 1, "{:?}", ends.notices);
    // the place is not forgotten
    ends.returns("egtp_sit r black k 4", 4);
    ends.server(&["genmove w"]);
    ends.answered("");
}

#[test]
fn refused_at_the_start() {
    let mut ends = Ends::new(Some((Color::Black, "k".into())));
    ends.gui(&["1 name", "2 quit"]);
    ends.bridge.connected();
    ends.server(&[SIT]);
    ends.says("? wrong key");
    ends.answered("?1 cannot be black in room r: wrong key\n\n=2 \n\n");
    assert_eq!(ends.events(), [Event::End(1)]);
    assert_eq!(ends.notices, ["cannot be black in room r: wrong key"]);
}

#[test]
fn turned_away() {
    let mut ends = Ends::new(None);
    ends.bridge.connected();
    ends.server(&["egtp_watch r"]);
    let text = "too many connections; try again later".to_string();
    ends.bridge.response(Response { success: false, id: None, text });
    assert_eq!(ends.events(), [Event::End(1)]);
}

#[test]
fn quit_and_the_end_of_input_without_a_connection() {
    for quit in [true, false] {
        let mut ends = Ends::seated("");
        ends.told("clear_board", "= ");
        ends.gui(&["1 genmove w"]);
        ends.server(&["genmove w"]);
        ends.loses();
        ends.gui(&["2 name"]);
        if quit {
            ends.gui(&["3 quit"]);
        } else {
            ends.bridge.end_of_input();
        }
        let lost = "?1 connection lost; see egtp_status\n\n?2 connection lost; see egtp_status\n\n";
        ends.answered(&format!("{lost}{}", if quit { "=3 \n\n" } else { "" }));
        assert_eq!(ends.events(), [Event::End(0)]);
    }
}

#[test]
fn the_end_of_input_with_a_connection() {
    let mut ends = Ends::seated("");
    ends.gui(&["1 name", "2 egtp_wait"]);
    ends.bridge.end_of_input();
    ends.server(&["name", "egtp_wait"]);
    assert_eq!(ends.events(), [Event::CloseWrite]);
    ends.says("= egtp");
    ends.says("? interrupted");
    ends.answered("=1 egtp\n\n?2 interrupted\n\n");
    assert_eq!(ends.events(), [Event::End(0)]);
}

/// Even nothing at all is not done without having been there: a wrong key is told.
#[test]
fn no_input_at_all() {
    let mut ends = Ends::new(None);
    ends.bridge.end_of_input();
    assert_eq!(ends.events(), []);
    ends.bridge.connected();
    ends.server(&["egtp_watch r"]);
    ends.says("= 3");
    assert_eq!(ends.events(), [Event::End(0)]);
}

#[test]
fn a_server_that_stops_in_good_order() {
    let mut ends = Ends::seated("");
    ends.told("clear_board", "= ");
    ends.gui(&["1 genmove w"]);
    ends.server(&["genmove w"]);
    ends.says("? the server is stopping");
    assert_eq!(ends.events(), [Event::Disconnect]);
    ends.answered("");
    ends.returns(SIT, 0);
    ends.server(&["clear_board"]);
    ends.says("= ");
    ends.server(&["genmove w"]);
}

#[test]
fn quit_with_a_connection() {
    let mut ends = Ends::seated("");
    ends.told("clear_board", "= ");
    ends.gui(&["1 genmove w", "2 quit", "3 name"]);
    ends.server(&["genmove w", "quit"]);
    ends.says("? interrupted");
    ends.says("= ");
    ends.answered("?1 interrupted\n\n=2 \n\n");
    assert_eq!(ends.events(), [Event::End(0)]);
}

#[test]
fn spectators() {
    let mut ends = Ends::new(None);
    ends.bridge.connected();
    ends.server(&["egtp_watch r"]);
    ends.says("= 3");
    ends.told("clear_board", "= ");
    ends.told("genmove b", "= D4");
    ends.told("genmove w", "= PASS");
    ends.comes_back("egtp_watch r", 5);
    ends.server(&["clear_board", "gogui-play_sequence b D4 w PASS"]);
}

#[test]
fn after_leaving_it_is_a_pipe() {
    let mut ends = Ends::seated("");
    ends.told("clear_board", "= ");
    ends.told("egtp_leave", "= ");
    ends.told("genmove w", "? no opponent here");
    ends.told("play b D4", "= ");
    // another room, without this bridge having been told on the command line
    ends.gui(&["egtp_sit q white key"]);
    ends.server(&["egtp_sit q white key"]);
    ends.says("= 1");
    ends.answered("= 1\n\n");
    ends.server(&["egtp_turns"]);
    ends.says("= 1 black D4");
    ends.comes_back("egtp_sit q white key", 1);
    ends.server(&["egtp_turns"]);
    ends.says("= 1 black D4");
    ends.told("egtp_leave", "= ");
    ends.gui(&["name"]);
    ends.loses();
    assert_eq!(ends.events(), [Event::End(1)]);
    ends.answered("? connection lost; see egtp_status\n\n");
}

/// What Sabaki and q5Go send while a `genmove` waits goes on at once, so that it ends the wait.
#[test]
fn commands_go_on_while_one_waits() {
    let mut ends = Ends::seated("");
    ends.told("clear_board", "= ");
    ends.gui(&["genmove w", "protocol_version"]);
    ends.server(&["genmove w", "protocol_version"]);
    ends.gui(&["# interrupt"]);
    ends.server(&["# interrupt"]);
    ends.says("? interrupted");
    ends.says("= 2");
    ends.answered("? interrupted\n\n= 2\n\n");
}
