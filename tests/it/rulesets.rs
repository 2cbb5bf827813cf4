//! Rules are data: a ruleset that nobody listed is a value, and everything works under it.

use bytes::BytesMut;
use egtp::board::Kind;
use egtp::commands::Options;
use egtp::gtp::transcript::Answer;
use egtp::rules::{Counting, Ending, KomiRule, Points, Repetition, Ruleset, Selection, Sizes};
use egtp::session::Session;

/// Special turns on a torus, counted as territory, with pass stones, ended as the AGA does.
const MADE_UP: Ruleset = Ruleset {
    name: "made-up",
    aliases: &[],
    about: "for this test only",
    beyond: "",
    kind: Kind::Torus,
    sizes: Sizes::Square(&[5, 7]),
    komi: &[
        KomiRule { size: Some(7), counting: None, komi: Points::thousandths(3250) },
        KomiRule { size: None, counting: None, komi: Points::thousandths(1500) },
    ],
    repetition: Repetition::Situational,
    suicide: true,
    counting: Counting::Territory,
    ending: Ending::Aga,
    special: true,
    pass_stones: true,
    handicap: true,
    resign: false,
    takeback: true,
};

fn ask(session: &mut Session, line: &str) -> Answer {
    let mut out = BytesMut::new();
    session.handle_text(line.as_bytes(), &mut out);
    Answer::parse(&String::from_utf8_lossy(&out)).unwrap()
}

#[test]
fn a_ruleset_is_one_value() {
    let mut session = Session::new(Options::new(Selection::of(MADE_UP)));
    let mut expect = |line: &str, success: bool, text: &str| {
        let answer = ask(&mut session, line);
        assert_eq!((answer.success, answer.text.as_str()), (success, text), "{line}");
    };
    expect("query_boardsize", true, "5");
    expect("get_komi", true, "1.5");
    expect(
        "boardsize 9",
        false,
        "unacceptable size: made-up is played on 5 or 7; egtp_rules made-up size=N takes any other",
    );
    expect("boardsize 7", true, "");
    expect("get_komi", true, "3.25");
    expect("boardsize 5", true, "");
    expect("set_free_handicap A1 E5 C3 C2", true, "");
    expect("get_komi", true, "0.0");
    expect("play white A5", true, "");
    // E5 touches A5 over the edge; the payment opens A1
    expect("egtp_special black place B5 A4 pay A1 E5 C3 C2", true, "");
    expect("countlib A5", true, "2");
    expect("undo", true, "");
    expect("play black resign", false, "illegal move: no resignation in this ruleset");
    for pass in ["play black pass", "play white pass"] {
        expect(pass, true, "");
    }
    expect("egtp_mark_dead A5", true, "A5");
    expect("egtp_resume", true, "black");
    for pass in ["play black pass", "play white pass"] {
        expect(pass, true, "");
    }
    // two passes at once after the dispute leave every stone alive; what is empty touches both colours, and both have passed
    // twice
    expect("egtp_marks", true, "");
    expect("final_score", true, "0");
}
