//! Games as files: loading, saving, drawing. The files themselves are read and written by whoever drives the session.

use std::io;

use super::admin::answer;
use super::args::{number, vertex};
use super::rooms;
use super::state::STRIPS;
use super::table::{Command, InRoom};
use super::{Controller, Failure};
use crate::gtp::Args;
use crate::record::{Flavour, Origin, ReadOptions, draw_game, read_tree, sgf, write_sgf};

pub(super) const COMMANDS: &[Command] = &[
    Command::file(
        "loadsgf",
        "FILE [N|VERTEX]",
        "loads a game, or its turns before the Nth or before a stone on a vertex; answers the side to move",
        load,
    ),
    Command::file("printsgf", "[FILE]", "writes the game to a file as SGF, or answers it", |controller, args, text| {
        let sgf = controller.as_sgf();
        save(controller, args, sgf, text)
    })
    .in_room(InRoom::Own(rooms::sgf)),
    Command::new(
        "egtp_sgf",
        "[q5go]",
        "the game as SGF; q5go for a torus in q5Go's own way",
        |controller, args, text| {
            let flavour = match args.get(0) {
                None => Flavour::Plain,
                Some("q5go") => Flavour::Q5go,
                Some(_) => return Err(Failure::Usage),
            };
            answer(text, &write_sgf(controller.game(), flavour).to_string())
        },
    )
    .in_room(InRoom::Official),
    Command::file(
        "egtp_draw",
        "[FILE]",
        "draws the position to a file as SVG, or answers the drawing",
        |controller, args, text| {
            let svg = draw_game(controller.game(), STRIPS);
            save(controller, args, svg, text)
        },
    )
    .in_room(InRoom::Own(rooms::drawing)),
];

/// Something to be done with a file for a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileJob {
    /// Its contents are needed.
    Load {
        /// The file's name.
        path: String,
        /// Only the turns before this one, or before a stone on this vertex.
        until: Option<String>,
    },
    /// These contents are to be written, whole or not at all.
    Save {
        /// The file's name.
        path: String,
        /// What is to be in it.
        contents: String,
    },
}

fn load(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<Option<FileJob>, Failure> {
    if !controller.has_files() {
        return Err(Failure::NoFile("not available over the network".into()));
    }
    let path = args.get(0).ok_or(Failure::Usage)?.into();
    let until = args.get(1);
    if let Some(word) = until {
        options_until(word, &mut ReadOptions::default())?;
    }
    Ok(Some(FileJob::Load { path, until: until.map(String::from) }))
}

fn save(
    controller: &Controller,
    args: &Args<'_>,
    contents: String,
    text: &mut String,
) -> Result<Option<FileJob>, Failure> {
    let Some(path) = args.get(0) else {
        answer(text, &contents)?;
        return Ok(None);
    };
    if !controller.has_files() {
        return Err(Failure::Other("cannot write file: not available over the network".into()));
    }
    Ok(Some(FileJob::Save { path: path.into(), contents }))
}

/// Goes on with a command when its file has been read (then with its contents) or written.
pub fn complete(
    controller: &mut Controller,
    job: &FileJob,
    result: io::Result<Vec<u8>>,
    text: &mut String,
) -> Result<(), String> {
    let done = match (job, result) {
        (FileJob::Save { path, .. }, Err(error)) => Err(Failure::Other(format!("cannot write file: {path}: {error}"))),
        (FileJob::Save { .. }, Ok(_)) => Ok(()),
        (FileJob::Load { path, .. }, Err(error)) => Err(Failure::NoFile(format!("{path}: {error}"))),
        (FileJob::Load { path, until }, Ok(bytes)) => loaded(controller, path, until.as_deref(), &bytes, text),
    };
    done.map_err(|failure| failure.text(controller, None))
}

fn loaded(
    controller: &mut Controller,
    path: &str,
    until: Option<&str>,
    bytes: &[u8],
    text: &mut String,
) -> Result<(), Failure> {
    let wrong = |why: String| Failure::NoFile(format!("{path}: {why}"));
    let (free_order, allowance) = (controller.is_free(), controller.allowance());
    let mut options = ReadOptions { free_order, allowance, ..ReadOptions::default() };
    if let Some(word) = until {
        options_until(word, &mut options)?;
    }
    let trees = sgf::parse(&sgf::decode(bytes)).map_err(|error| wrong(error.to_string()))?;
    let tree = trees.into_iter().next().ok_or_else(|| wrong("no game in it".into()))?;
    let reading = read_tree(&tree, &options);
    if let Some(problem) = &reading.problem {
        return Err(wrong(format!("line {}: {problem}", problem.line)));
    }
    controller.take_over(Origin::new(tree, &reading), reading.game);
    answer(text, controller.game().standing().to_move.name())
}

/// Where reading is to end: before a turn, or before a stone on a vertex.
fn options_until(word: &str, options: &mut ReadOptions) -> Result<(), Failure> {
    match number(word) {
        Ok(n) => options.before_turn = Some(n),
        // whether the file's board has the vertex is seen only later
        Err(_) => options.before_vertex = Some(name_of(word)?),
    }
    Ok(())
}

/// A vertex in capitals, if it is one of the largest board.
fn name_of(word: &str) -> Result<[u8; 4], Failure> {
    let shape = crate::board::Shape::rect(52, 52).map_err(|error| Failure::Other(error.to_string()))?;
    let topology = crate::board::Topology::new(shape);
    let point = vertex(&topology, word)?;
    let mut name = [0; 4];
    for (to, from) in name.iter_mut().zip(topology.name(point).bytes()) {
        *to = from;
    }
    Ok(name)
}
