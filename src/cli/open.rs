//! `egtp open`: a new room.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use super::clients::{OpenArgs, word_in};
use super::engine::Engine;
use super::run::print;
use crate::board::Color;

/// A server that takes longer than this has gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// Opens the room and prints the keys, or writes them to files.
pub(super) async fn run(args: &OpenArgs) -> anyhow::Result<()> {
    let mut command = format!("egtp_open {}", args.room);
    for word in args.rules.iter().flat_map(|rules| rules.split(',')) {
        command = format!("{command} {word}");
    }
    if command.contains(['\n', '\r', '#']) {
        bail!("rules are a name and key=value settings, separated by commas");
    }
    if let Some(file) = &args.token_file {
        command = format!("{command} token={}", word_in(file, "the server's token")?);
    }
    // first of all: keys that cannot be kept would be lost, and with them the room
    let mut files = args.keys.as_ref().map(|folder| KeyFiles::create(folder, &args.room)).transpose()?;
    let mut engine = Engine::connect(&args.server.remote()?, PATIENCE).await?;
    let answer = engine.ask(&command).await?;
    if !answer.success {
        bail!("room {} is not open: {}", args.room, answer.text);
    }
    match &mut files {
        None => drop(print(&format!("{}\n", answer.text))?),
        Some(files) => {
            // the files' own words, if they cannot be written after all: nobody else knows the keys
            if let Err(error) = files.fill(&answer.text) {
                print(&format!("{}\n", answer.text))?;
                return Err(error);
            }
            print(&files.names())?;
        }
    }
    Ok(())
}

/// The files for the keys of a room. They are removed again if nothing is written to them.
#[derive(Debug)]
pub(super) struct KeyFiles {
    files: [(Color, PathBuf, File); 2],
    filled: bool,
}

impl KeyFiles {
    /// Makes both files, which nobody else may read, and neither of which may be there before.
    pub(super) fn create(folder: &Path, room: &str) -> anyhow::Result<KeyFiles> {
        let create = |color: Color| {
            let path = folder.join(format!("{room}-{color}.key"));
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(&path).with_context(|| format!("cannot create {}", path.display()))?;
            anyhow::Ok((color, path, file))
        };
        let black = create(Color::Black)?;
        match create(Color::White) {
            Ok(white) => Ok(KeyFiles { files: [black, white], filled: false }),
            Err(error) => {
                std::fs::remove_file(&black.1).unwrap_or_default();
                Err(error)
            }
        }
    }

    /// Writes the keys that the server has answered.
    pub(super) fn fill(&mut self, answer: &str) -> anyhow::Result<()> {
        for (color, path, file) in &mut self.files {
            let key = answer.lines().find_map(|line| line.strip_prefix(color.name())?.strip_prefix(' '));
            let key = key.with_context(|| format!("the server did not say {color}'s key"))?;
            let written = writeln!(file, "{}", key.trim()).and_then(|()| file.sync_all());
            written.with_context(|| format!("cannot write {}", path.display()))?;
        }
        self.filled = true;
        Ok(())
    }

    /// Where a colour's key is.
    pub(super) fn path(&self, color: Color) -> &Path {
        &self.files[color.index()].1
    }

    fn names(&self) -> String {
        Color::BOTH.map(|color| format!("{color} {}\n", self.path(color).display())).concat()
    }
}

impl Drop for KeyFiles {
    fn drop(&mut self) {
        if !self.filled {
            for (_, path, _) in &self.files {
                std::fs::remove_file(path).unwrap_or_default();
            }
        }
    }
}
