//! Transcripts: plain GTP input for any engine, with what is expected in comments.
//!
//! ```text
//! play black D4
//! #=                 an answer `=` whose text is exactly what follows (here: empty)
//! final_score
//! #= /[BW]\+\d+/     the whole text matches a regular expression
//! play white D4
//! #? illegal move    an answer `?` whose text begins so
//! list_stones black
//! #= D4
//! #| E5              a further line of the text
//! ```
//!
//! In a room several controllers talk. A line that begins with `@NAME` is sent by the controller of that name, which is
//! there from its first line on; what a named group of a regular expression has matched is put in place of `${NAME}` in
//! later lines, and `${room}` is a name that no room has:
//!
//! ```text
//! egtp_open ${room} enhanced
//! #= /black (?<black>\w+)\nwhite (?<white>\w+)/
//! @black egtp_sit ${room} black ${black}
//! @black genmove white
//! #~                 no answer yet
//! @white egtp_sit ${room} white ${white}
//! @white play white D4
//! @black             no command: the answer that has not come yet
//! #? white has
//! ```
//!
//! A command without an expectation must still get one well-formed answer. The expectation of a command follows it
//! before the next one. Other comments and blank lines mean nothing.

use std::fmt;

use regex::{Regex, RegexBuilder};

use super::{Request, clean};

/// The largest compiled regular expression, in bytes.
const REGEX_SIZE: usize = 1 << 20;

/// One command of a transcript and what is expected of its answer.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line in the file, from 1.
    pub line: usize,
    /// Who sends it; empty for the controller without a name.
    pub who: String,
    /// What is sent; nothing if only an answer is awaited.
    pub command: String,
    /// The id it carries, which the answer must echo.
    pub id: Option<String>,
    /// What the answer must be.
    pub expected: Expected,
}

/// What an answer must be.
#[derive(Clone, Debug)]
pub enum Expected {
    /// Any well-formed answer.
    Any,
    /// `=` and exactly this text.
    Text(String),
    /// `=` and a text that this regular expression matches as a whole.
    Matches(String),
    /// `?` and a text that begins so.
    Refused(String),
    /// None yet.
    Nothing,
}

/// What transcripts have learnt from answers.
#[derive(Clone, Debug, Default)]
pub struct Variables(Vec<(String, String)>);

impl Variables {
    /// Notes a value.
    pub fn set(&mut self, name: &str, value: &str) {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.into(), value.into()));
    }

    /// A line with the values in their places.
    pub fn fill(&self, line: &str) -> String {
        let fill = |line: String, (name, value): &(String, String)| line.replace(&format!("${{{name}}}"), value);
        self.0.iter().fold(line.to_string(), fill)
    }

    /// Notes what the named groups of an expected pattern match.
    pub fn learn(&mut self, expected: &Expected, answer: &Answer) {
        let Expected::Matches(pattern) = expected else { return };
        let Ok(regex) = whole(pattern) else { return };
        let Some(found) = regex.captures(answer.text.trim()) else { return };
        for name in regex.capture_names().flatten() {
            if let Some(value) = found.name(name) {
                self.set(name, value.as_str());
            }
        }
    }
}

/// An engine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// `=` rather than `?`.
    pub success: bool,
    /// The id echoed.
    pub id: Option<String>,
    /// The text, lines separated by LF.
    pub text: String,
}

/// Why a transcript cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranscriptError {
    /// The line in the file, from 1.
    pub line: usize,
    message: String,
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for TranscriptError {}

/// Reads a transcript.
pub fn parse(text: &str) -> Result<Vec<Step>, TranscriptError> {
    let mut steps: Vec<Step> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (i, line) in text.lines().enumerate() {
        let error = |message: &str| TranscriptError { line: i + 1, message: message.into() };
        let line = line.trim_end_matches('\r');
        let expectation = ["#=", "#?", "#|", "#~"].iter().find_map(|mark| Some((*mark, line.strip_prefix(mark)?)));
        if let Some((mark, rest)) = expectation {
            let step = steps.last_mut().ok_or_else(|| error("an expectation before the first command"))?;
            let rest = rest.strip_prefix(' ').unwrap_or(rest);
            match (mark, &mut step.expected) {
                ("#|", Expected::Text(before) | Expected::Refused(before)) => {
                    before.push('\n');
                    before.push_str(rest);
                }
                ("#|", _) => return Err(error("`#|` continues the text of a `#=` or `#?` line")),
                (_, Expected::Text(_) | Expected::Matches(_) | Expected::Refused(_) | Expected::Nothing) => {
                    return Err(error("a second expectation for one command"));
                }
                ("#~", Expected::Any) => step.expected = Expected::Nothing,
                ("#?", Expected::Any) => step.expected = Expected::Refused(rest.into()),
                (_, Expected::Any) => {
                    let pattern = match rest.trim_end().strip_prefix('/') {
                        Some(rest) => {
                            Some(rest.strip_suffix('/').ok_or_else(|| error("a regular expression ends with /"))?)
                        }
                        None => None,
                    };
                    if let Some(pattern) = pattern {
                        whole(pattern).map_err(|e| error(&e.to_string().replace('\n', " ")))?;
                    }
                    step.expected =
                        pattern.map_or_else(|| Expected::Text(rest.into()), |p| Expected::Matches(p.into()));
                }
            }
            continue;
        }
        if line.starts_with(['=', '?']) {
            return Err(error("an answer? what is expected stands behind `#=` or `#?`"));
        }
        if ["#=", "#?", "#|"].iter().any(|mark| line.contains(mark)) && !line.starts_with('#') {
            return Err(error("what is expected stands on a line of its own, below the command"));
        }
        let (who, sent) = match line.strip_prefix('@') {
            Some(rest) => rest.split_once(' ').unwrap_or((rest.trim_end(), "")),
            None => ("", line),
        };
        let command = clean(sent.as_bytes());
        let nothing = matches!(Request::parse(&command), Ok(None));
        if nothing && !line.starts_with('@') {
            continue;
        }
        let id = super::leading_id(&command).map(String::from);
        // a comment that is sent, as `# interrupt`, gets no answer of its own
        steps.push(Step { line: i + 1, who: who.into(), command: sent.into(), id, expected: Expected::Any });
    }
    Ok(steps)
}

/// A pattern that matches whole texts. Made anew for each comparison: thousands of large ones, kept, would fill memory.
fn whole(pattern: &str) -> Result<Regex, regex::Error> {
    // alone it must be a regular expression, too, so that it cannot close the group it is put in
    RegexBuilder::new(pattern).size_limit(REGEX_SIZE).build()?;
    RegexBuilder::new(&format!(r"\A(?s:{pattern})\z")).size_limit(REGEX_SIZE).build()
}

impl Answer {
    /// Reads one response: its lines without the blank one that ends it.
    pub fn parse(response: &str) -> Option<Answer> {
        let response = response.trim_end_matches('\n');
        let success = match response.as_bytes().first()? {
            b'=' => true,
            b'?' => false,
            _ => return None,
        };
        let rest = &response[1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (id, text) = rest.split_at(digits);
        let text = text.strip_prefix(' ').unwrap_or(text);
        Some(Answer { success, id: (digits > 0).then(|| id.into()), text: text.into() })
    }

    /// As it stands in a response: `= text`, with the id.
    pub fn shown(&self) -> String {
        let mark = if self.success { '=' } else { '?' };
        format!("{mark}{} {}", self.id.as_deref().unwrap_or_default(), self.text)
    }
}

impl Step {
    /// Nothing if the answer is as expected; otherwise what was expected and what was got, for a reader.
    ///
    /// Differences that GTP leaves open do not count: spaces at the ends of the text.
    pub fn mismatch(&self, answer: &Answer) -> Option<(String, String)> {
        let got = answer.shown();
        // an answer that was waited for carries the id of another line
        if answer.id != self.id && !self.command.is_empty() {
            let id = self.id.as_deref().unwrap_or("none");
            return Some((format!("the id echoed: {id}"), got));
        }
        let text = answer.text.trim();
        if matches!(self.expected, Expected::Nothing) {
            return Some(("no answer yet".into(), got));
        }
        let id = self.id.as_deref().unwrap_or_default();
        let (right, expected) = match &self.expected {
            Expected::Any | Expected::Nothing => (true, String::new()),
            Expected::Text(wanted) => (answer.success && text == wanted.trim(), format!("={id} {wanted}")),
            Expected::Matches(pattern) => {
                let matches = whole(pattern).is_ok_and(|regex| regex.is_match(text));
                (answer.success && matches, format!("={id} matching /{pattern}/"))
            }
            Expected::Refused(start) => (!answer.success && text.starts_with(start.trim()), format!("?{id} {start}")),
        };
        (!right).then_some((expected, got))
    }
}

/// Writes a line of input and the response to it as a step of a transcript, so that a recorded conversation can be
/// checked again. A line that got no response, a comment, must not be taken for an expectation.
pub fn record(line: &str, response: Option<&str>) -> String {
    let Some(answer) = response.and_then(Answer::parse) else {
        let comment = line.trim_start().strip_prefix('#');
        return match comment {
            Some(rest) if rest.starts_with(['=', '?', '|']) => format!("# {rest}\n"),
            _ => format!("{line}\n"),
        };
    };
    let mut lines = answer.text.split('\n');
    let first = lines.next().unwrap_or_default();
    if answer.success && first.trim().starts_with('/') {
        // what looks like a regular expression is written as one
        return format!("{line}\n#= /{}/\n", regex::escape(answer.text.trim()).replace('\n', "\\n"));
    }
    let mut text = format!("{line}\n{} {first}", if answer.success { "#=" } else { "#?" }).trim_end().to_string();
    for line in lines {
        text += &format!("\n#| {line}");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(transcript: &str, answers: &[&str]) -> Vec<bool> {
        let steps = parse(transcript).unwrap();
        assert_eq!(steps.len(), answers.len());
        steps.iter().zip(answers).map(|(s, a)| s.mismatch(&Answer::parse(a).unwrap()).is_none()).collect()
    }

    #[test]
    fn expectations() {
        let transcript = "# a comment\nname\n#= egtp\n\n3 version\n#= /\\d+\\.\\d+/\nplay b D4\n#? illegal move\nlist\n#= a\n#| b\nfree\n";
        let right = ["= egtp\n\n", "=3 0.1\n\n", "? illegal move: ko\n\n", "= a\nb\n\n", "? whatever\n\n"];
        assert_eq!(verdicts(transcript, &right), [true; 5]);
        let wrong = ["= egtp2\n\n", "= 0.1\n\n", "= illegal move\n\n", "= a\n\n", "= \n\n"];
        assert_eq!(verdicts(transcript, &wrong), [false, false, false, false, true]);
        assert_eq!(verdicts("a\n#= /x|y/\n", &["= xy\n\n"]), [false], "the whole text must match");
    }

    #[test]
    fn mistakes_in_transcripts_are_named() {
        for (text, line) in [("#= x\n", 1), ("a\n#= x\n#= y\n", 3), ("a\n#= /(/\n", 2), ("a\n#| x\n", 2)] {
            assert_eq!(parse(text).unwrap_err().line, line, "{text:?}");
        }
    }

    #[test]
    fn a_recorded_conversation_checks_out() {
        let exchanges = [("1 name", "=1 egtp\n\n"), ("bad", "? unknown command\n\n"), ("board", "= \n. .\n \nX\n\n")];
        let text: String = exchanges.iter().map(|(line, answer)| record(line, Some(answer))).collect();
        assert_eq!(verdicts(&text, &exchanges.map(|(_, answer)| answer)), [true; 3]);
        let odd = record("#= not an expectation", None) + "\n" + &record("echo /a+/", Some("= /a+/\n\n"));
        assert_eq!(verdicts(&odd, &["= /a+/\n\n"]), [true]);
        assert_eq!(verdicts(&odd, &["= /aa/\n\n"]), [false]);
    }
}
