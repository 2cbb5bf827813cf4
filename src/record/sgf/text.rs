//! Property values: where they end, what their escapes mean.

use std::borrow::Cow;

use memchr::memchr2;

/// Where the value that begins here ends: the place of the `]` that is not escaped.
#[inline]
pub(super) fn closing(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr2(b']', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b']' {
            return Some(at);
        }
        // whatever follows is not looked at; if it is the beginning of a longer character, the rest of that is neither
        // a bracket nor a backslash
        at += 2;
    }
}

/// A raw value, but with a `\` before each `]` and a last `\` that have none.
pub(super) fn push_closed(out: &mut String, raw: &str) {
    let mut rest = raw;
    while let Some(at) = memchr2(b']', b'\\', rest.as_bytes()) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        out.push('\\');
        let mut chars = found.chars();
        let escaped = match chars.next() {
            Some('\\') => chars.next().unwrap_or('\\'),
            _ => ']',
        };
        out.push(escaped);
        rest = chars.as_str();
    }
    out.push_str(rest);
}

/// Writes a text as the raw value of a property of type Text.
pub fn escape_text(text: &str) -> String {
    escape(text, |c| matches!(c, '\\' | ']'))
}

/// Writes a text as the raw value of a property of type SimpleText, or as one side of a composed value. Line breaks
/// become spaces.
pub fn escape_simple(text: &str) -> String {
    escape(&one_line(text), |c| matches!(c, '\\' | ']' | ':'))
}

fn one_line(text: &str) -> Cow<'_, str> {
    if memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", " ").replace(['\n', '\r'], " "))
}

fn escape(text: &str, special: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if special(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The text that a raw value of type Text stands for: `\` and what follows it is that character, a line break behind
/// `\` is nothing, any other line break (LF, CR, or both) is `\n`, other white space is a space.
pub fn unescape_text(raw: &str) -> Cow<'_, str> {
    unescape(raw, '\n')
}

/// The text that a raw value of type SimpleText stands for: as [`unescape_text`], but line breaks are spaces.
pub fn unescape_simple(raw: &str) -> Cow<'_, str> {
    unescape(raw, ' ')
}

fn unescape(raw: &str, line_break: char) -> Cow<'_, str> {
    let plain = |b: u8| !matches!(b, b'\\' | b'\t' | 0x0b | 0x0c | b'\r') && (b != b'\n' || line_break == '\n');
    if raw.bytes().all(plain) {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        let (c, escaped) = if c == '\\' { (chars.next(), true) } else { (Some(c), false) };
        match c {
            Some('\n' | '\r') => {
                let other = if c == Some('\n') { '\r' } else { '\n' };
                if let Some(rest) = chars.as_str().strip_prefix(other) {
                    chars = rest.chars();
                }
                if !escaped {
                    out.push(line_break);
                }
            }
            // an escape does not save white space
            Some('\t' | '\u{b}' | '\u{c}') => out.push(' '),
            Some(c) => out.push(c),
            None => {}
        }
    }
    Cow::Owned(out)
}

/// The raw sides of a composed value: before and behind its first `:` that is not escaped. `None` if there is none.
pub fn split_composed(raw: &str) -> Option<(&str, &str)> {
    let bytes = raw.as_bytes();
    let mut at = 0;
    loop {
        at += memchr2(b':', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b':' {
            return Some((&raw[..at], &raw[at + 1..]));
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_value_ends_at_a_bare_bracket() {
        let cases = [
            ("aa]", Some(2)),
            ("]", Some(0)),
            ("a]]", Some(1)),
            (r"\]]", Some(2)),
            (r"a\]]", Some(3)),
            (r"\\]]", Some(2)),
            (r"a\", None),
            (r"a\]", None),
            (r"\é]", Some(3)),
            ("", None),
            ("[x]", Some(2)),
        ];
        for (text, end) in cases {
            assert_eq!(closing(text.as_bytes()), end, "{text}");
        }
    }

    #[test]
    fn escapes_and_line_breaks_as_ff4_has_them() {
        let cases = [
            ("plain: text", "plain: text", "plain: text"),
            (r"a\]b\\c\:d\e", r"a]b\c:de", r"a]b\c:de"),
            ("a\\\nb\\\r\nc\\\rd\\\n\re", "abcde", "abcde"),
            ("a\nb\r\nc\rd\n\re", "a\nb\nc\nd\ne", "a b c d e"),
            ("\n\n\r\n", "\n\n\n", "   "),
            ("a\tb\u{b}c\u{c}d\\\te", "a b c d e", "a b c d e"),
            (r"cut\", "cut", "cut"),
            ("é\\棋\0", "é棋\0", "é棋\0"),
        ];
        for (raw, text, simple) in cases {
            assert_eq!((unescape_text(raw), unescape_simple(raw)), (text.into(), simple.into()), "{raw:?}");
        }
        assert!(matches!(unescape_text("a\nb"), Cow::Borrowed(_)));
    }

    #[test]
    fn composed_values_are_split_at_a_bare_colon() {
        let cases = [
            ("aa:bb", Some(("aa", "bb"))),
            ("a:b:c", Some(("a", "b:c"))),
            (r"a\:b:c", Some((r"a\:b", "c"))),
            (r"a\\:b", Some((r"a\\", "b"))),
            (":", Some(("", ""))),
            (r"a\:", None),
            (r"a\", None),
            ("", None),
        ];
        for (raw, sides) in cases {
            assert_eq!(split_composed(raw), sides, "{raw}");
        }
    }

    proptest! {
        #[test]
        fn escaped_text_comes_back(text in r"[a-z\\\]\[:;()é棋\n ]{0,20}", other in r"[a-z\\\]:\n]{0,5}") {
            let raw = escape_text(&text);
            prop_assert_eq!(closing(format!("{raw}]").as_bytes()), Some(raw.len()));
            prop_assert_eq!(unescape_text(&raw), text.as_str());
            let raw = format!("{}:{}", escape_simple(&text), escape_simple(&other));
            let (left, right) = split_composed(&raw).unwrap();
            prop_assert_eq!(unescape_simple(left), text.replace('\n', " "));
            prop_assert_eq!(unescape_simple(right), other.replace('\n', " "));
        }

        #[test]
        fn any_raw_value_can_be_closed(raw in r"[a\\\]é]{0,9}") {
            let mut closed = String::new();
            push_closed(&mut closed, &raw);
            prop_assert_eq!(closing(format!("{closed}]").as_bytes()), Some(closed.len()));
            if closing(format!("{raw}]").as_bytes()) == Some(raw.len()) {
                prop_assert_eq!(closed, raw);
            }
        }
    }
}
