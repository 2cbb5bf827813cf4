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
use crate::server::Remote;

/// A server that takes longer than this has gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// Opens the room and prints the keys, or writes them to files.
pub(super) async fn run(args: &OpenArgs) -> anyhow::Result<()> {
    let token = args.token_file.as_deref().map(|file| word_in(file, "the server's token")).transpose()?;
    // first of all: keys that cannot be kept would be lost, and with them the room
    let mut files = args.keys.as_ref().map(|folder| KeyFiles::create(folder, &args.room)).transpose()?;
    let keys = request(&args.server.remote()?, &args.room, args.rules.as_deref(), token.as_deref()).await?;
    match &mut files {
        None => drop(print(&format!("{keys}\n"))?),
        Some(files) => {
            // the files' own words, if they cannot be written after all: nobody else knows the keys
            if let Err(error) = files.fill(&keys) {
                print(&format!("{keys}\n"))?;
                return Err(error);
            }
            print(&files.names())?;
        }
    }
    Ok(())
}

/// Opens a room; answers the lines with its keys.
pub(super) async fn request(
    remote: &Remote,
    room: &str,
    rules: Option<&str>,
    token: Option<&str>,
) -> anyhow::Result<String> {
    let rules = rules.iter().flat_map(|rules| rules.split(',')).map(String::from);
    let token = token.map(|token| format!("token={token}"));
    let words: Vec<String> = ["egtp_open".into(), room.into()].into_iter().chain(rules).chain(token).collect();
    let command = words.join(" ");
    if command.contains(['\n', '\r', '#']) {
        bail!("rules are a name and key=value settings, separated by commas");
    }
    let answer = Engine::connect(remote, PATIENCE).await?.ask(&command).await?;
    if !answer.success {
        bail!("room {room} is not open: {}", answer.text);
    }
    Ok(answer.text)
}

/// The file for a colour's key.
pub(super) fn key_path(folder: &Path, room: &str, color: Color) -> PathBuf {
    folder.join(format!("{room}-{color}.key"))
}

/// Why a file for a key cannot be made, most likely.
fn cannot_create(path: &Path) -> String {
    let shown = path.display();
    if path.exists() {
        format!("{shown} is another game's; move it away, or choose another room or folder (--keys)")
    } else {
        format!("cannot create {shown}")
    }
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
            let path = key_path(folder, room, color);
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(&path).with_context(|| cannot_create(&path))?;
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

    fn names(&self) -> String {
        self.files.each_ref().map(|(color, path, _)| format!("{color} {}\n", path.display())).concat()
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
