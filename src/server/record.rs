//! Recording a conversation as a transcript.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::gtp::transcript::record;

/// Writes every line and its answer to a file, in the form of a transcript: what was recorded can be checked again.
#[derive(Debug)]
pub struct Recorder {
    file: Option<BufWriter<File>>,
}

impl Recorder {
    /// Makes the file, or empties it.
    pub fn create(path: &Path) -> io::Result<Recorder> {
        Ok(Recorder { file: Some(BufWriter::new(File::create(path)?)) })
    }

    /// Adds one line of input, as it came, and the response to it, empty if there was none.
    pub(super) fn record(&mut self, line: &[u8], response: &[u8]) {
        let (line, response) = (String::from_utf8_lossy(line), String::from_utf8_lossy(response));
        let response = (!response.is_empty()).then_some(response.as_ref());
        self.attempt(|file| file.write_all(record(line.trim_end_matches('\r'), response).as_bytes()));
    }

    /// Hands what was recorded to the operating system.
    pub(super) fn flush(&mut self) {
        self.attempt(Write::flush);
    }

    /// A full disk ends the recording, not the game.
    fn attempt(&mut self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) {
        if let Some(file) = &mut self.file
            && let Err(error) = write(file)
        {
            eprintln!("egtp: the conversation is no longer recorded: {error}");
            self.file = None;
        }
    }
}
