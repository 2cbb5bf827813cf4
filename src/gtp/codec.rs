//! Cutting a stream of bytes into lines.

use std::io;

use bytes::{Buf, BytesMut};
use memchr::memchr;
use tokio_util::codec::Decoder;

/// The longest line that is read, in bytes, its newline not counted.
pub const MAX_LINE: usize = 65_536;

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// Its bytes, without the newline.
    Text(BytesMut),
    /// It has more than [`MAX_LINE`] bytes; the first of them, for the id. The rest is skipped.
    TooLong(BytesMut),
}

/// Cuts a stream into lines at LF, the last one at the end of input.
#[derive(Clone, Debug, Default)]
pub struct LineCodec {
    /// Bytes of the present line that were looked at before.
    searched: usize,
    /// Within a line that was too long.
    skipping: bool,
    /// Past the place where a byte-order mark may be.
    begun: bool,
}

impl Decoder for LineCodec {
    type Item = Line;
    type Error = io::Error;

    fn decode(&mut self, source: &mut BytesMut) -> io::Result<Option<Line>> {
        if !self.begun {
            match source.as_ref() {
                [0xef, 0xbb, 0xbf, ..] => source.advance(3),
                [] | [0xef] | [0xef, 0xbb] => return Ok(None),
                _ => {}
            }
            self.begun = true;
        }
        loop {
            let newline = memchr(b'\n', &source[self.searched..]).map(|i| self.searched + i);
            if self.skipping {
                match newline {
                    Some(end) => {
                        source.advance(end + 1);
                        self.skipping = false;
                        self.searched = 0;
                        continue;
                    }
                    None => source.clear(),
                }
                self.searched = 0;
                return Ok(None);
            }
            return match newline {
                Some(end) if end <= MAX_LINE => {
                    let mut line = source.split_to(end + 1);
                    line.truncate(end);
                    self.searched = 0;
                    Ok(Some(Line::Text(line)))
                }
                None if source.len() <= MAX_LINE => {
                    self.searched = source.len();
                    Ok(None)
                }
                _ => {
                    self.skipping = true;
                    self.searched = 0;
                    Ok(Some(Line::TooLong(source.split_to(MAX_LINE))))
                }
            };
        }
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> io::Result<Option<Line>> {
        if let Some(line) = self.decode(source)? {
            return Ok(Some(line));
        }
        // a last line without newline is a line; a lone beginning of a byte-order mark is nothing
        self.begun = true;
        self.searched = 0;
        if source.is_empty() || self.skipping {
            source.clear();
            return Ok(None);
        }
        Ok(Some(Line::Text(source.split())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Feeds the parts one after the other, as reads would bring them.
    fn lines(parts: &[&[u8]]) -> Vec<Line> {
        let (mut codec, mut buffer, mut found) = (LineCodec::default(), BytesMut::new(), Vec::new());
        for part in parts {
            buffer.extend_from_slice(part);
            while let Some(line) = codec.decode(&mut buffer).unwrap() {
                found.push(line);
            }
        }
        while let Some(line) = codec.decode_eof(&mut buffer).unwrap() {
            found.push(line);
        }
        found
    }

    fn text(bytes: &[u8]) -> Line {
        Line::Text(bytes.into())
    }

    #[test]
    fn lines_end_at_lf_or_at_the_end() {
        assert_eq!(
            lines(&[b"name\nver", b"sion\n\nquit"]),
            [text(b"name"), text(b"version"), text(b""), text(b"quit")]
        );
        assert_eq!(lines(&[b"\xef\xbb", b"\xbfname\n"]), [text(b"name")]);
        assert_eq!(lines(&[b"\xef\xbb"]), [text(b"\xef\xbb")]);
        assert_eq!(lines(&[]), []);
    }

    #[test]
    fn every_length_round_the_limit() {
        for length in MAX_LINE - 2..MAX_LINE + 3 {
            let line = vec![b'a'; length];
            for newline in [&b"\n"[..], b""] {
                let input = [&line[..], newline, if newline.is_empty() { b"" } else { b"name\n" }].concat();
                for cut in [1, 100, MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, input.len()] {
                    let parts: Vec<&[u8]> = input.chunks(cut.max(50)).collect();
                    let found = lines(&parts);
                    let first = if length <= MAX_LINE { text(&line) } else { Line::TooLong(line[..MAX_LINE].into()) };
                    let rest = if newline.is_empty() { vec![] } else { vec![text(b"name")] };
                    assert_eq!(found, [vec![first], rest].concat(), "length {length}, cut {cut}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn where_reads_end_does_not_matter(
            bytes in prop::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(b'\n')], 0..300),
            cut in 1usize..50,
        ) {
            let parts: Vec<&[u8]> = bytes.chunks(cut).collect();
            prop_assert_eq!(lines(&parts), lines(&[&bytes]));
        }
    }
}
