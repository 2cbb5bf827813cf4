//! A game as text: the words of a turn, SGF, pictures. Still no files.
//!
//! ```
//! use egtp::board::Color;
//! use egtp::game::{Event, Game};
//! use egtp::record::{Flavour, read_sgf, write_sgf};
//! use egtp::rules::{Selection, Turn, find};
//!
//! let mut game = Game::new(Selection::of(find("enhanced").unwrap()));
//! let d4 = game.topology().point("D4").unwrap();
//! game.apply(&Event::Turn(Color::Black, Turn::Play(d4))).unwrap();
//! let text = write_sgf(&game, Flavour::Plain).to_string();
//! let again = read_sgf(text.as_bytes(), &Default::default()).unwrap().remove(0);
//! assert_eq!(again.game.position(), game.position());
//! ```

pub mod picture;
pub mod sgf;

mod coordinates;
mod draw;
mod journal;
mod read;
mod reading;
mod reason;
mod rules;
mod verdict;
mod words;
mod write;

pub use draw::draw_game;
pub use journal::{event_text, game_from_journal, parse_event};
pub use read::{read_sgf, read_tree};
pub use reading::{Problem, ReadError, ReadOptions, Reading, Trouble};
pub use reason::reason;
pub use rules::rules_text;
pub use verdict::{Status, Verdict};
pub use words::{parse_turn, turn_text};
pub use write::{Flavour, Origin, write_sgf, write_sgf_over};
