//! Responses out of a stream.

use bytes::{Buf, BytesMut};
use memchr::memmem;

/// The largest response that is read, in bytes: more than any command answers.
const MOST: usize = 16 << 20;

/// One response of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response {
    /// `=` rather than `?`.
    pub success: bool,
    /// The id that the command had.
    pub id: Option<u64>,
    /// The text, lines separated by LF.
    pub text: String,
}

/// Cuts a stream of bytes into responses.
#[derive(Debug, Default)]
pub struct Responses {
    bytes: BytesMut,
    /// So many bytes have been searched for the end.
    searched: usize,
}

impl Responses {
    /// Where the next bytes go.
    pub fn buffer(&mut self) -> &mut BytesMut {
        &mut self.bytes
    }

    /// The next whole response, if there is one; what is wrong if this is no server that speaks GTP.
    pub fn take(&mut self) -> Result<Option<Response>, String> {
        while self.searched == 0 && matches!(self.bytes.first(), Some(b'\n' | b'\r')) {
            self.bytes.advance(1);
        }
        if self.bytes.first().is_some_and(|first| !matches!(first, b'=' | b'?')) {
            return Err("it does not speak GTP; does it need --tls?".into());
        }
        match memmem::find(&self.bytes[self.searched..], b"\n\n") {
            Some(end) => {
                let response = self.bytes.split_to(self.searched + end);
                self.bytes.advance(2);
                self.searched = 0;
                Ok(Some(Response::parse(&String::from_utf8_lossy(&response))))
            }
            None if self.bytes.len() > MOST => {
                Err(format!("the server sent more than {} MiB in one answer", MOST >> 20))
            }
            None => {
                // the first of the two may have come already
                self.searched = self.bytes.len().saturating_sub(1);
                Ok(None)
            }
        }
    }
}

impl Response {
    /// Reads a response without the blank line at its end, whose first character is known to be good.
    fn parse(response: &str) -> Response {
        let success = response.starts_with('=');
        let rest = response.get(1..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (id, text) = rest.split_at(digits);
        // no server shall write to a terminal what is more than text
        let text =
            text.strip_prefix(' ').unwrap_or(text).replace(|c: char| c.is_control() && c != '\n' && c != '\t', "");
        Response { success, id: id.parse().ok(), text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_text_reaches_a_terminal() {
        let mut responses = Responses::default();
        responses.buffer().extend_from_slice(b"?1 \x1b[31mred\x07\x00\nand\tmore\r\n\n");
        assert_eq!(responses.take().unwrap().unwrap().text, "[31mred\nand\tmore");
    }

    #[test]
    fn wherever_the_stream_is_cut() {
        let stream = b"=1 \n\n\n?22 illegal move: no\n\n= \nA\n \nB\n\n=3 x";
        for cut in 1..stream.len() {
            let (mut responses, mut found) = (Responses::default(), Vec::new());
            for part in stream.chunks(cut) {
                responses.buffer().extend_from_slice(part);
                while let Some(Response { success, id, text }) = responses.take().unwrap() {
                    found.push((success, id, text));
                }
            }
            let expected = [
                (true, Some(1), "".into()),
                (false, Some(22), "illegal move: no".into()),
                (true, None, "\nA\n \nB".to_string()),
            ];
            assert_eq!(found, expected, "{cut}");
        }
    }

    #[test]
    fn what_does_not_speak_gtp() {
        let mut responses = Responses::default();
        responses.buffer().extend_from_slice(b"SSH-2.0-OpenSSH_9.2\r\n");
        assert!(responses.take().is_err());
    }
}
