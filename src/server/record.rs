//! Recording a conversation as a transcript.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::notice;
use crate::gtp::Line;
use crate::gtp::transcript::record;

/// Writes every line and its answer to a file, in the form of a transcript: what was recorded can be checked again.
#[derive(Debug)]
pub struct Recorder {
    file: Option<BufWriter<File>>,
}

impl Recorder {
    /// Makes the file, or empties it, and notes how the program was started.
    pub fn create(path: &Path, started: &str) -> io::Result<Recorder> {
        let mut file = BufWriter::new(File::create(path)?);
        let started = started.replace(char::is_control, " ");
        writeln!(file, "# recorded by: {started}")?;
        Ok(Recorder { file: Some(file) })
    }

    /// Adds one line of input, as it came, and the response to it, empty if there was none.
    pub(super) fn record(&mut self, line: Line<'_>, response: &[u8]) {
        let response = String::from_utf8_lossy(response);
        let answered = (!response.is_empty()).then_some(response.as_ref());
        let step = match line {
            Line::Clean(line) => record(line, answered),
            Line::Raw(line) => record(String::from_utf8_lossy(line).trim_end_matches('\r'), answered),
            // it is not there to be sent again
            Line::TooLong(_) => format!("# a line that was too long; answered: {}\n", response.trim_end()),
        };
        self.attempt(|file| file.write_all(step.as_bytes()));
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
            notice(format_args!("the conversation is no longer recorded: {error}"));
            self.file = None;
        }
    }
}
