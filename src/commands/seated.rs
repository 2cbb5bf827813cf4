//! Commands of a connection that is in a room.
//!
//! While one runs, the official game stands where a private engine's game would, so that the handlers that ask a game
//! ask the official one, or the one that the connection's view shows.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use super::table::{Command, Done, Entry, Handler, InRoom, Run, check_phase};
use super::{Controller, Failure};
use crate::board::Color;
use crate::game::{Bookmark, Event, Game};
use crate::gtp::Args;
use crate::room::{Bell, Official, Room, Rooms, State, Ticket, View};
use crate::rules::Ending;

/// A connection that can enter rooms.
#[derive(Debug)]
pub(super) struct Guest {
    pub(super) rooms: Arc<Rooms>,
    /// Rung when it is worth asking again.
    pub(super) bell: Arc<Bell>,
    pub(super) wait: Option<Waiting>,
    pub(super) seat: Option<Box<Seat>>,
    /// Keys and tokens that were wrong, since the driver last asked.
    pub(super) wrong_keys: u32,
    pub(super) meter: Arc<dyn Meter>,
}

/// What a connection may ask for that costs much for what it is, such as opening a room.
pub trait Meter: Debug + Send + Sync {
    /// Spends one such command; if too many were spent, the seconds until there is another.
    fn spend(&self) -> Result<(), u64>;
}

/// As much as one likes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unlimited;

impl Meter for Unlimited {
    fn spend(&self) -> Result<(), u64> {
        Ok(())
    }
}

/// Where a connection is.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) room: Arc<Room>,
    pub(super) view: View,
    /// The official turns there were when the staged special turn was begun.
    staged_at: usize,
    /// Whether the room knows that it must not rest.
    awake: bool,
    /// What happens in its game when play stops, once that is known.
    pub(super) ending: Option<Ending>,
}

impl Seat {
    pub(super) fn new(room: Arc<Room>, view: View) -> Seat {
        Seat { room, view, staged_at: 0, awake: false, ending: None }
    }

    /// Something is asked for.
    pub(super) fn wake(&mut self, state: &mut State) {
        state.awake += !std::mem::replace(&mut self.awake, true) as usize;
        self.ending = Some(state.game.ending());
    }

    /// Nothing has come for a while.
    pub(super) fn fall_silent(&mut self) {
        if std::mem::take(&mut self.awake) {
            self.room.fall_silent();
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.fall_silent();
        self.room.leave(self.view.seat());
    }
}

/// What a connection waits for.
#[derive(Debug)]
pub(super) enum Waiting {
    /// Until an event of the room is written down; then the command is to be sent again.
    Room,
    /// The same in a room that the connection is not in.
    Elsewhere,
    /// The next turn of a side.
    Turn(Color),
    /// A version of the room that is not this one.
    Version(u64),
    /// An event of its own to be written down; then this is the answer, and this becomes of the view.
    Written(Ticket, String, After),
    /// A new room to be written down; then this is the answer.
    Opened(Ticket, String),
}

/// What becomes of a view when an event of its own has happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum After {
    Nothing,
    /// It follows a play of its own, the last of that many turns.
    Played(usize),
    /// It becomes the position after that many turns.
    Follow(usize),
    /// It has been shown the dead stones.
    Saw,
}

impl After {
    fn on(self, view: &mut View, official: Official<'_>) {
        match self {
            After::Nothing => {}
            After::Played(turns) => view.advance(turns, official),
            After::Follow(turns) => view.rest_at(turns),
            After::Saw => view.saw(official),
        }
    }
}

/// A command at work in a room. The controller's game is the official one.
pub(super) struct Sitting<'a> {
    pub(super) controller: &'a mut Controller,
    pub(super) seat: &'a mut Seat,
    pub(super) state: &'a mut State,
    pub(super) bell: &'a Arc<Bell>,
    pub(super) wait: &'a mut Option<Waiting>,
    act: Option<Act>,
}

/// An event that has happened to the game and is not yet written down.
struct Act {
    event: Event,
    before: Bookmark,
    after: After,
}

/// What a command does in a room.
pub(super) type RoomHandler = fn(&mut Sitting<'_>, &Args<'_>, &mut String) -> Result<Done, Failure>;

/// Runs a command of a connection that is in a room.
pub(super) fn dispatch(
    controller: &mut Controller,
    guest: &mut Guest,
    entry: &Entry,
    args: &Args<'_>,
    text: &mut String,
) -> Result<Done, String> {
    let Guest { rooms, bell, wait, seat: Some(seat), .. } = guest else { return Err("not in a room".into()) };
    let room = seat.room.clone();
    let mut state = room.lock();
    if state.is_busy() {
        state.call(bell);
        *wait = Some(Waiting::Room);
        return Ok(Done::Busy);
    }
    seat.wake(&mut state);
    std::mem::swap(controller.game_mut(), &mut state.game);
    let before = controller.game().bookmark();
    let mut act = None;
    let run = AssertUnwindSafe(|| {
        let mut sitting =
            Sitting { controller: &mut *controller, seat: &mut *seat, state: &mut state, bell, wait, act: None };
        let result = sitting.run(entry, args, text);
        act = sitting.act.take();
        result.map_err(|failure| failure.text(controller, Some(entry.command)))
    });
    let result = catch_unwind(run);
    if act.is_none() {
        // nothing has happened, whatever was tried or broke off
        controller.game_mut().return_to(before);
    }
    std::mem::swap(controller.game_mut(), &mut state.game);
    let result = result.unwrap_or_else(|panic| resume_unwind(panic));
    let Some(Act { event, before, after }) = act else { return result };
    let ticket = room.commit(&mut state, &event, before, rooms.journal());
    rooms.count_event();
    if let Some(ticket) = ticket {
        state.call(bell);
        *wait = Some(Waiting::Written(ticket, std::mem::take(text), after));
        return Ok(Done::Busy);
    }
    let state = &*state;
    after.on(&mut seat.view, state.official(&state.game));
    result
}

/// Looks whether what is waited for has come; then the answer, or `Busy` if the command is to be sent again.
pub(super) fn wake(guest: &mut Guest, text: &mut String) -> Option<Result<Done, String>> {
    match guest.wait.take()? {
        Waiting::Opened(ticket, answer) => {
            let Some(result) = ticket.get() else {
                guest.wait = Some(Waiting::Opened(ticket, answer));
                return None;
            };
            if result.is_ok() {
                text.push_str(&answer);
            }
            written(result)
        }
        Waiting::Written(ticket, answer, after) => {
            let Some(result) = ticket.get() else {
                guest.wait = Some(Waiting::Written(ticket, answer, after));
                return None;
            };
            if let (Ok(()), Some(seat)) = (result, &mut guest.seat) {
                let state = seat.room.lock();
                after.on(&mut seat.view, state.official(&state.game));
                text.push_str(&answer);
            }
            written(result)
        }
        Waiting::Elsewhere => Some(Ok(Done::Busy)),
        waiting => {
            let seat = guest.seat.as_mut()?;
            let room = seat.room.clone();
            let mut state = room.lock();
            let answer = if state.is_busy() { None } else { ask(&waiting, seat, &state, text) };
            if answer.is_none() {
                state.call(&guest.bell);
                guest.wait = Some(waiting);
            }
            answer
        }
    }
}

fn written(result: &Result<(), String>) -> Option<Result<Done, String>> {
    Some(match result {
        Ok(()) => Ok(Done::Answered),
        Err(why) => Err(format!("not stored, and not done: {why}; try again later")),
    })
}

/// Asks a room that is not busy.
fn ask(waiting: &Waiting, seat: &mut Seat, state: &State, text: &mut String) -> Option<Result<Done, String>> {
    if state.is_closed() {
        return Some(Err("the room is closed".into()));
    }
    match waiting {
        Waiting::Room => Some(Ok(Done::Busy)),
        Waiting::Turn(color) => match next_turn(&mut seat.view, *color, state.official(&state.game), text) {
            Ok(Done::Wait) => None,
            result => Some(result.map_err(|failure| failure_text(&failure))),
        },
        Waiting::Version(version) if *version != state.version() => {
            text.push_str(&super::rooms::brief_status(state, &state.game));
            seat.view.saw(state.official(&state.game));
            Some(Ok(Done::Answered))
        }
        _ => None,
    }
}

fn failure_text(failure: &Failure) -> String {
    match failure {
        Failure::Other(text) => text.clone(),
        _ => "the turn cannot be shown; see egtp_status".into(),
    }
}

/// What a `genmove` of the other side comes to now.
pub(super) fn next_turn(
    view: &mut View,
    color: Color,
    official: Official<'_>,
    text: &mut String,
) -> Result<Done, Failure> {
    use crate::room::Next;
    match view.next(color, official).map_err(Failure::Other)? {
        Next::Wait => return Ok(Done::Wait),
        Next::Turn(point) => text.push_str(point.map_or("PASS", |p| official.game.topology().name(p))),
        Next::Resigned => text.push_str("resign"),
    }
    Ok(Done::Answered)
}

impl Sitting<'_> {
    fn run(&mut self, entry: &Entry, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
        if self.state.is_closed() {
            return Err(Failure::Other("the room is closed; egtp_leave".into()));
        }
        let command = entry.command;
        if !entry.takes(args.len()) {
            return Err(Failure::Usage);
        }
        match command.room {
            InRoom::Own(handler) => handler(self, args, text),
            InRoom::Refused(why) => Err(Failure::Other(why.into())),
            InRoom::Act => self.act(command, args, text),
            InRoom::View => self.on_view(command, args, text),
            InRoom::Official => self.on_official(command, args, text),
            InRoom::Marks => {
                let answered = self.on_official(command, args, text)?;
                self.saw();
                Ok(answered)
            }
            // these are not sent here
            InRoom::Same => Err(Failure::UnknownCommand),
        }
    }

    /// The official game, as a view looks at it.
    pub(super) fn official(&self) -> Official<'_> {
        self.state.official(self.controller.game())
    }

    /// Runs with the view, which looks at the official game.
    pub(super) fn view<T>(&mut self, look: impl FnOnce(&mut View, Official<'_>) -> T) -> T {
        look(&mut self.seat.view, self.state.official(self.controller.game()))
    }

    /// The dead stones have been shown to the connection.
    pub(super) fn saw(&mut self) {
        self.view(|view, official| view.saw(official));
    }

    /// The side whose seat this is, which may act.
    pub(super) fn own(&self) -> Result<Color, Failure> {
        self.seat.view.seat().ok_or_else(|| Failure::Other("you only watch here; egtp_sit ROOM COLOR KEY".into()))
    }

    /// Asks the game that the view shows.
    pub(super) fn on_view(&mut self, command: &Command, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
        let handler = handler(command)?;
        match self.seat.view.as_game(self.official()) {
            None => handler(self.controller, args, text)?,
            Some(shown) => self.with_game(shown, |controller| handler(controller, args, text)).1?,
        }
        Ok(Done::Answered)
    }

    /// Asks the official game.
    pub(super) fn on_official(
        &mut self,
        command: &Command,
        args: &Args<'_>,
        text: &mut String,
    ) -> Result<Done, Failure> {
        check_phase(command, self.controller)?;
        handler(command)?(self.controller, args, text)?;
        Ok(Done::Answered)
    }

    /// Runs while another game stands where the official one does, and gives back what has become of that.
    pub(super) fn with_game<T>(&mut self, mut game: Game, run: impl FnOnce(&mut Controller) -> T) -> (Game, T) {
        std::mem::swap(self.controller.game_mut(), &mut game);
        let result = catch_unwind(AssertUnwindSafe(|| run(self.controller)));
        std::mem::swap(self.controller.game_mut(), &mut game);
        (game, result.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    /// Waits until something has happened in the room.
    pub(super) fn wait_for(&mut self, waiting: Waiting) -> Result<Done, Failure> {
        self.state.call(self.bell);
        *self.wait = Some(waiting);
        Ok(Done::Wait)
    }

    /// A command that changes the official game, or gets ready to, for the seat's own side.
    pub(super) fn act(&mut self, command: &Command, args: &Args<'_>, text: &mut String) -> Result<Done, Failure> {
        let own = self.own()?;
        if command.params.trim_start_matches('[').starts_with("COLOR")
            && let Some(word) = args.get(0)
            && super::args::color(word)? != own
        {
            return Err(Failure::Other(format!("you are {own} here")));
        }
        let turns = self.controller.game().turns().len();
        if self.seat.staged_at != turns {
            // another connection of this side has moved
            self.controller.stage = None;
            self.seat.staged_at = turns;
        }
        check_phase(command, self.controller)?;
        let before = self.controller.game().bookmark();
        self.controller.note_events();
        let result = handler(command)?(self.controller, args, text);
        let event = self.controller.noted_event();
        result?;
        if let Some(event) = event {
            let after = match event {
                Event::Turn(..) => After::Follow(turns + 1),
                Event::Mark(_) | Event::Propose(..) => After::Saw,
                _ => After::Nothing,
            };
            self.act = Some(Act { event, before, after });
        }
        Ok(Done::Answered)
    }

    /// A turn or a resignation of the seat's own, from `play`.
    pub(super) fn happens(&mut self, event: Event, after: After) -> Result<(), Failure> {
        let before = self.controller.game().bookmark();
        self.controller.game_mut().apply(&event).map_err(Failure::Illegal)?;
        self.act = Some(Act { event, before, after });
        Ok(())
    }
}

/// What a command does to a game that it asks or changes.
fn handler(command: &Command) -> Result<Handler, Failure> {
    match command.run {
        Run::Text(handler) => Ok(handler),
        _ => Err(Failure::Other("not available in a room".into())),
    }
}
