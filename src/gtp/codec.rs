//! Cutting a stream of bytes into lines.

use std::io;

use bytes::{Buf, BytesMut};
use memchr::{memchr, memchr_iter, memrchr};
use tokio_util::codec::Decoder;

use super::request::is_plain;

/// The longest line that is read, in bytes, its newline not counted.
pub const MAX_LINE: usize = 65_536;

/// Whole lines that came together: looking at them at once costs a fraction of looking at them one by one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// Lines, the last one without its newline.
    Lines(BytesMut),
    /// The beginning of a line of more than [`MAX_LINE`] bytes. The rest is skipped.
    TooLong(BytesMut),
}

/// A line of input, without its newline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line<'a> {
    /// There is nothing in it that must be dropped or replaced.
    Clean(&'a str),
    /// It may have to be [cleaned](super::clean).
    Raw(&'a [u8]),
    /// It has more than [`MAX_LINE`] bytes; the first of them, for the id.
    TooLong(&'a [u8]),
}

impl Block {
    /// The lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let (Block::Lines(bytes) | Block::TooLong(bytes)) = self;
        let cut = matches!(self, Block::TooLong(_));
        // once for all lines
        let clean = if is_plain(bytes) { std::str::from_utf8(bytes).ok() } else { None };
        let mut from = 0;
        memchr_iter(b'\n', bytes).chain([bytes.len()]).map(move |end| {
            let start = std::mem::replace(&mut from, end + 1);
            match clean {
                _ if cut || end - start > MAX_LINE => Line::TooLong(&bytes[start..end.min(start + MAX_LINE)]),
                Some(text) => Line::Clean(&text[start..end]),
                None => Line::Raw(&bytes[start..end]),
            }
        })
    }
}

/// Cuts a stream into blocks of lines, ended by LF, the last one by the end of input.
#[derive(Clone, Debug, Default)]
pub struct LineCodec {
    /// Within a line that was too long.
    skipping: bool,
    /// Past the place where a byte-order mark may be.
    begun: bool,
}

impl Decoder for LineCodec {
    type Item = Block;
    type Error = io::Error;

    fn decode(&mut self, source: &mut BytesMut) -> io::Result<Option<Block>> {
        if !self.begun {
            match source.as_ref() {
                [0xef, 0xbb, 0xbf, ..] => source.advance(3),
                [] | [0xef] | [0xef, 0xbb] => return Ok(None),
                _ => {}
            }
            self.begun = true;
        }
        if self.skipping {
            match memchr(b'\n', source) {
                None => source.clear(),
                Some(end) => {
                    source.advance(end + 1);
                    self.skipping = false;
                }
            }
        }
        match memrchr(b'\n', source) {
            Some(end) => {
                let mut lines = source.split_to(end + 1);
                lines.truncate(end);
                Ok(Some(Block::Lines(lines)))
            }
            None if source.len() > MAX_LINE => {
                self.skipping = true;
                Ok(Some(Block::TooLong(source.split_to(MAX_LINE))))
            }
            None => Ok(None),
        }
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> io::Result<Option<Block>> {
        if let Some(block) = self.decode(source)? {
            return Ok(Some(block));
        }
        // a last line without newline is a line; a lone beginning of a byte-order mark is nothing
        self.begun = true;
        if source.is_empty() || self.skipping {
            source.clear();
            return Ok(None);
        }
        Ok(Some(Block::Lines(source.split())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A line with its bytes; `true` if it was too long.
    type Found = (bool, Vec<u8>);

    /// Feeds the parts one after the other, as reads would bring them.
    fn lines(parts: &[&[u8]]) -> Vec<Found> {
        let (mut codec, mut buffer, mut found) = (LineCodec::default(), BytesMut::new(), Vec::new());
        let mut take = |block: Block| {
            found.extend(block.lines().map(|line| match line {
                Line::Clean(text) => (false, text.as_bytes().to_vec()),
                Line::Raw(bytes) => (false, bytes.to_vec()),
                Line::TooLong(bytes) => (true, bytes.to_vec()),
            }));
        };
        for part in parts {
            buffer.extend_from_slice(part);
            while let Some(block) = codec.decode(&mut buffer).unwrap() {
                take(block);
            }
        }
        while let Some(block) = codec.decode_eof(&mut buffer).unwrap() {
            take(block);
        }
        found
    }

    fn text(bytes: &[u8]) -> Found {
        (false, bytes.to_vec())
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
                    let first = if length <= MAX_LINE { text(&line) } else { (true, line[..MAX_LINE].to_vec()) };
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
