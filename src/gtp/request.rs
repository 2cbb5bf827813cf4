//! A line as a request.

use std::borrow::Cow;

use smallvec::SmallVec;

/// A command with its id and arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request<'a> {
    /// Digits to be echoed.
    pub id: Option<&'a str>,
    /// The command's name; case matters.
    pub command: &'a str,
    /// What follows it.
    pub args: Args<'a>,
}

/// The words after a command's name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Args<'a>(SmallVec<[&'a str; 4]>);

/// A line with an id and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BareId<'a>(pub &'a str);

/// A line without what GTP says to drop: carriage returns and other control characters, and comments. Tabs separate
/// words as spaces do. What is not UTF-8 becomes U+FFFD.
pub fn clean(line: &[u8]) -> Cow<'_, str> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if is_plain(line) {
        return String::from_utf8_lossy(line);
    }
    let text = line.split(|&b| b == b'#').next().unwrap_or_default();
    let kept: Vec<u8> = text.iter().copied().filter(|&b| b == b'\t' || !b.is_ascii_control()).collect();
    Cow::Owned(String::from_utf8_lossy(&kept).into_owned())
}

/// Whether lines have nothing that must be dropped: no control character but tabs and line ends, and no comment.
pub(super) fn is_plain(lines: &[u8]) -> bool {
    // no early end: so the compiler looks at many bytes at once
    !lines.iter().fold(false, |odd, &b| odd | (b < 32) & (b != b'\n') & (b != b'\t') | (b == 127) | (b == b'#'))
}

impl<'a> Request<'a> {
    /// The request in a clean line; `None` if the line is blank.
    #[inline]
    pub fn parse(line: &'a str) -> Result<Option<Request<'a>>, BareId<'a>> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(None) };
        let digits = first.bytes().take_while(u8::is_ascii_digit).count();
        let (id, glued) = first.split_at(digits);
        let id = (digits > 0).then_some(id);
        // GNU Go reads `28name` as the id 28 and a command, and no command begins with a digit
        let command = if glued.is_empty() { words.next() } else { Some(glued) };
        match (id, command) {
            (_, Some(command)) => {
                let mut args = SmallVec::new();
                words.for_each(|word| args.push(word));
                Ok(Some(Request { id, command, args: Args(args) }))
            }
            (id, None) => Err(BareId(id.unwrap_or_default())),
        }
    }
}

/// The id at the beginning of a line, if there is one.
pub fn leading_id(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| &line[..digits])
}

impl<'a> Args<'a> {
    /// All words.
    #[inline]
    pub fn words(&self) -> &[&'a str] {
        &self.0
    }

    /// The word at a place, from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&'a str> {
        self.0.get(index).copied()
    }

    /// How many words there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> FromIterator<&'a str> for Args<'a> {
    fn from_iter<I: IntoIterator<Item = &'a str>>(words: I) -> Args<'a> {
        Args(words.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &[u8]) -> Option<(Option<String>, String, String)> {
        let line = clean(line);
        let request = Request::parse(&line).unwrap()?;
        Some((request.id.map(String::from), request.command.into(), request.args.words().join("|")))
    }

    #[test]
    fn ids_words_and_what_is_dropped() {
        let some =
            |id: Option<&str>, command: &str, args: &str| Some((id.map(String::from), command.into(), args.into()));
        let cases = [
            (&b"play B D4"[..], some(None, "play", "B|D4")),
            (b"01 play\tB   D4 \r", some(Some("01"), "play", "B|D4")),
            (b"28name", some(Some("28"), "name", "")),
            (b"echo a # b", some(None, "echo", "a")),
            (b"pl\x00a\x07y\r\x7f B", some(None, "play", "B")),
            ("echo grüße".as_bytes(), some(None, "echo", "grüße")),
            (b"echo \xff", some(None, "echo", "\u{fffd}")),
            (b"# 12 name", None),
            (b" \t\r", None),
            (b"", None),
        ];
        for (line, expected) in cases {
            assert_eq!(parsed(line), expected, "{:?}", String::from_utf8_lossy(line));
        }
        assert_eq!(Request::parse("12"), Err(BareId("12")));
        assert_eq!(Request::parse(" 12 \t"), Err(BareId("12")));
        assert_eq!((leading_id(" 12 name"), leading_id("name 12"), leading_id("7")), (Some("12"), None, Some("7")));
    }
}
