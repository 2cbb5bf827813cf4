//! Writing answers.

use bytes::{BufMut, BytesMut};

/// Writes one response: `=` or `?`, the id, a space, the text, and one blank line. No line within the text is left
/// blank, since clients stop reading there: it gets a space. Trailing line ends are dropped.
#[inline]
pub fn write_answer(out: &mut BytesMut, id: Option<&str>, success: bool, text: &str) {
    // most answers of a game that is only watched over
    if success && id.is_none() && text.is_empty() {
        out.put_slice(b"= \n\n");
        return;
    }
    out.put_u8(if success { b'=' } else { b'?' });
    if let Some(id) = id {
        out.put_slice(id.as_bytes());
    }
    out.put_u8(b' ');
    let text = text.trim_end_matches('\n');
    if text.starts_with('\n') || text.contains("\n\n") {
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                out.put_u8(b'\n');
            }
            // the first line stands behind `= ` and is never blank on the wire
            out.put_slice(if line.is_empty() && i > 0 { b" " } else { line.as_bytes() });
        }
    } else {
        out.put_slice(text.as_bytes());
    }
    out.put_slice(b"\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_blank_line_at_the_end() {
        let cases = [
            (None, true, "", "= \n\n"),
            (Some("007"), true, "D4", "=007 D4\n\n"),
            (Some("1"), false, "illegal move", "?1 illegal move\n\n"),
            (None, true, "\na\n\n\nb\n\n", "= \na\n \n \nb\n\n"),
            (None, true, "a\nb\n", "= a\nb\n\n"),
        ];
        for (id, success, text, wire) in cases {
            let mut out = BytesMut::new();
            write_answer(&mut out, id, success, text);
            assert_eq!(out, wire, "{text:?}");
        }
    }
}
