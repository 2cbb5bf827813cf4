//! The commands that bring a view back.

use crate::board::Color;

/// Turns put into one line when a view is brought back: such a line stays far below the longest that is read.
const TURNS_A_LINE: usize = 1_000;

/// The side that a word names: `b`, `w`, `black` or `white` in either case.
pub(super) fn side(word: &str) -> Option<Color> {
    Color::BOTH.into_iter().find(|color| {
        let name = color.name();
        word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..1])
    })
}

/// Where a view began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// After the room's first turns, so many of them.
    Turns(usize),
    /// With a command that made everything before it unimportant.
    Line(String),
}

/// One step of a view after its base.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    /// Put on the board, by whatever command.
    Turn { color: String, vertex: String },
    /// A command as it was sent.
    Line(String),
}

/// A view as the commands that lead to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Script {
    pub(super) base: Base,
    steps: Vec<Step>,
}

impl Script {
    /// A view that begins so.
    pub(super) fn new(base: Base) -> Script {
        Script { base, steps: Vec::new() }
    }

    /// A turn on the view.
    pub(super) fn turn(&mut self, color: &str, vertex: &str) {
        self.steps.push(Step::Turn { color: color.into(), vertex: vertex.into() });
    }

    /// Turns, as the arguments of a sequence.
    pub(super) fn sequence(&mut self, line: &str) {
        let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
        for pair in words.chunks_exact(2) {
            self.turn(pair[0], pair[1]);
        }
    }

    /// Another command that changed the view.
    pub(super) fn line(&mut self, line: &str) {
        self.steps.push(Step::Line(line.into()));
    }

    /// The last turns are taken back, so many of them.
    pub(super) fn undo(&mut self, count: usize) {
        let turns = self.steps.iter().rev().take_while(|step| matches!(step, Step::Turn { .. })).count();
        self.steps.truncate(self.steps.len() - turns.min(count));
        match count.saturating_sub(turns) {
            0 => {}
            1 => self.line("undo"),
            more => self.line(&format!("gg-undo {more}")),
        }
    }

    /// The lines to be sent after sitting down. Turns go as sequences, which a room never takes for turns of its game.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        if let Base::Line(line) = &self.base {
            lines.push(line.clone());
        }
        // turns in the last line; none if it is not a sequence
        let mut turns = 0;
        for step in &self.steps {
            match (step, lines.last_mut()) {
                (Step::Turn { color, vertex }, Some(last)) if (1..TURNS_A_LINE).contains(&turns) => {
                    last.push_str(&format!(" {color} {vertex}"));
                    turns += 1;
                }
                (Step::Turn { color, vertex }, _) => {
                    lines.push(format!("gogui-play_sequence {color} {vertex}"));
                    turns = 1;
                }
                (Step::Line(line), _) => {
                    lines.push(line.clone());
                    turns = 0;
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_gathered_and_taken_back() {
        let mut script = Script::new(Base::Line("clear_board".into()));
        script.line("komi 6.5");
        script.turn("B", "D4");
        script.turn("w", "E5");
        script.line("gogui-setup_player W");
        script.sequence("gogui-play_sequence W F6 B PASS");
        let all = [
            "clear_board",
            "komi 6.5",
            "gogui-play_sequence B D4 w E5",
            "gogui-setup_player W",
            "gogui-play_sequence W F6 B PASS",
        ];
        assert_eq!(script.lines(), all);
        script.undo(1);
        assert_eq!(script.lines()[4], "gogui-play_sequence W F6");
        script.undo(3);
        assert_eq!(script.lines()[4..], ["gg-undo 2"]);
        let mut script = Script::new(Base::Turns(7));
        assert_eq!(script.lines(), [""; 0]);
        script.undo(1);
        assert_eq!(script.lines(), ["undo"]);
    }

    #[test]
    fn no_line_is_too_long() {
        let mut script = Script::new(Base::Turns(0));
        (0..2_500).for_each(|_| script.turn("black", "AM37"));
        let lines = script.lines();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() < crate::gtp::MAX_LINE));
        assert_eq!(lines.iter().map(|line| line.split(' ').count() / 2).sum::<usize>(), 2_500);
    }

    #[test]
    fn sides() {
        let (black, white) = (Some(Color::Black), Some(Color::White));
        assert_eq!(["b", "W", "Black", "wh", ""].map(side), [black, white, black, None, None]);
    }
}
