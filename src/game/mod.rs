//! One game: whose turn it is, when play stops, agreement on dead stones, takeback, the outcome.
//!
//! A [`Game`] changes through one door, [`Game::apply`]; a refused [`Event`] changes nothing, and the same events in
//! the same order make the same game.
//!
//! ```
//! use egtp::board::Color;
//! use egtp::game::{Event, Game, Phase};
//! use egtp::rules::{Selection, Turn, find};
//!
//! let mut game = Game::new(Selection::of(find("enhanced").unwrap()));
//! for color in Color::BOTH {
//!     game.apply(&Event::Turn(color, Turn::Pass)).unwrap();
//! }
//! assert_eq!(game.standing().phase, Phase::Scoring);
//! for color in Color::BOTH {
//!     game.apply(&Event::Accept(color)).unwrap();
//! }
//! assert_eq!(game.outcome().unwrap().to_string(), "W+7.5");
//! ```

mod assess;
mod event;
mod play;
mod refused;
mod resting;
mod scoring;
mod standing;
mod tournament;

pub use assess::{Assess, ByPlayouts, NoneDead};
pub use event::Event;
pub use play::{Bookmark, Game, Start, TurnRecord};
pub use refused::Refused;
pub use resting::Resting;
pub use standing::{Outcome, OutcomeError, Phase, Standing};
pub use tournament::{Entry, Tournament};
