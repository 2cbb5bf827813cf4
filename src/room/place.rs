//! One room and its official game.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::{Bell, Digest, Journal, RoomRecord, Stones};
use crate::board::Color;
use crate::game::{Bookmark, Event, Game, Phase, Resting};
use crate::record::event_text;

/// A shared game. Everything about it is behind one lock, which nobody holds while waiting.
#[derive(Debug)]
pub struct Room {
    record: RoomRecord,
    state: Mutex<State>,
}

/// What changes in a room.
#[derive(Debug)]
pub struct State {
    /// The official game. It is lent out while a command looks at it or changes it.
    pub game: Resting,
    /// The stones at the start and after each turn that was published; none while the room rests.
    boards: Vec<Stones>,
    /// Grows whenever something has happened.
    version: u64,
    /// How many events are written down.
    events: u64,
    /// How often play has stopped.
    stops: u64,
    phase: Phase,
    /// An event is being written; until it is, nobody sees it, and nothing else happens.
    pending: Option<Bookmark>,
    closed: bool,
    waiting: Vec<Arc<Bell>>,
    /// Connections that have asked for something and have not fallen silent since.
    pub awake: usize,
    /// Connections at Black's seat, at White's, and watching.
    present: [usize; 3],
}

/// A room in a list of them.
#[derive(Clone, Copy, Debug)]
pub struct Glance {
    /// An event is being written, and the rest may not be told.
    pub busy: bool,
    /// The name of the rules.
    pub ruleset: &'static str,
    /// What may happen in the game.
    pub phase: Phase,
    /// Turns made.
    pub turns: usize,
    /// Connections at Black's seat, at White's, and watching.
    pub present: [usize; 3],
}

/// Says, once it is known, whether an event was written down.
pub type Ticket = Arc<OnceLock<Result<(), String>>>;

/// The official game as a view sees it.
#[derive(Clone, Copy, Debug)]
pub struct Official<'a> {
    /// The game.
    pub game: &'a Game,
    /// The stones at the start and after each turn.
    pub boards: &'a [Stones],
    /// How often play has stopped.
    pub stops: u64,
}

impl Room {
    /// A room with a game that has gone as far as `events` events.
    pub(super) fn new(record: RoomRecord, game: Game, events: u64, pending: bool) -> Room {
        let boards = boards(&game);
        let phase = game.standing().phase;
        let state = State {
            pending: pending.then(|| game.bookmark()),
            game: Resting::new(game),
            boards,
            version: events,
            events,
            stops: (phase == Phase::Scoring) as u64,
            phase,
            closed: false,
            waiting: Vec::new(),
            awake: 0,
            present: [0; 3],
        };
        Room { record, state: Mutex::new(state) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.record.name
    }

    /// Its rules: a ruleset's name and settings, as [`crate::record::rules_text`] writes them.
    pub fn rules(&self) -> &str {
        &self.record.rules
    }

    /// When it was opened, in seconds since 1970.
    pub fn opened(&self) -> u64 {
        self.record.opened
    }

    /// Whether a key opens a seat.
    pub fn opens(&self, seat: Color, key: &str) -> bool {
        Digest(self.record.keys[seat.index()]).is_of(key)
    }

    /// Its state, for one command.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        let mut state = self.hold();
        if state.boards.is_empty() {
            state.boards = boards(&state.game);
        }
        state
    }

    /// How it stands, in short, without waking it.
    pub fn glance(&self) -> Glance {
        let state = self.hold();
        let (ruleset, phase, turns) = state.game.glance();
        Glance { busy: state.is_busy(), ruleset, phase, turns, present: state.present }
    }

    /// A connection that was [awake](State::awake) has been silent for a while, or is gone. When all are, the room takes as
    /// little memory as it can until one asks for something.
    pub fn fall_silent(&self) {
        let mut state = self.hold();
        state.awake = state.awake.saturating_sub(1);
        state.rest();
    }

    /// Its state, perhaps at rest.
    fn hold(&self) -> MutexGuard<'_, State> {
        // whatever panicked under the lock has put the game back
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An event has happened to the game, which was `before` it: writes it down and shows it to everybody. With a journal
    /// that takes a while, and the ticket says when; nobody must see the game until then.
    pub fn commit(
        self: &Arc<Self>,
        state: &mut State,
        event: &Event,
        before: Bookmark,
        journal: Option<&Arc<dyn Journal>>,
    ) -> Option<Ticket> {
        let Some(journal) = journal else {
            state.publish();
            return None;
        };
        state.pending = Some(before);
        let ticket = Ticket::default();
        let (room, told) = (self.clone(), ticket.clone());
        let done = move |result: Result<(), String>| room.settle(result, &told);
        let line = event_text(state.game.topology(), event);
        journal.append(&self.record.name, state.events + 1, &line, Box::new(done));
        Some(ticket)
    }

    /// What was being written is written, or is not and has never happened.
    pub(super) fn settle(&self, result: Result<(), String>, ticket: &Ticket) {
        let mut state = self.hold();
        let before = state.pending.take();
        let written = result.is_ok();
        // known before anybody is woken
        ticket.set(result).unwrap_or_default();
        match before {
            _ if written => state.publish(),
            Some(before) => state.game.return_to(before),
            None => {}
        }
        state.ring();
    }

    /// The room itself is written down; or is not, and is no more.
    pub(super) fn founded(&self, result: Result<(), String>, ticket: &Ticket) {
        let mut state = self.hold();
        state.pending = None;
        state.closed |= result.is_err();
        // known before anybody is woken
        ticket.set(result).unwrap_or_default();
        state.ring();
    }

    /// The room is no more; who waits in it is told.
    pub(super) fn close(&self) {
        let mut state = self.hold();
        state.closed = true;
        state.ring();
    }

    /// A connection comes in, if there are fewer than `most` of its kind.
    pub fn enter(&self, seat: Option<Color>, most: usize) -> bool {
        let mut state = self.hold();
        let present = &mut state.present[seat.map_or(2, Color::index)];
        let enters = *present < most;
        *present += enters as usize;
        enters
    }

    /// A connection that came in leaves.
    pub fn leave(&self, seat: Option<Color>) {
        self.hold().present[seat.map_or(2, Color::index)] -= 1;
    }
}

impl State {
    /// Whether an event is being written; nothing may be asked until that has ended.
    pub fn is_busy(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether the room is no more.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// A number that is another one whenever something has happened.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Connections at Black's seat, at White's, and watching.
    pub fn present(&self) -> [usize; 3] {
        self.present
    }

    /// The official game, which is elsewhere while a command runs, with what is kept about it here.
    pub fn official<'a>(&'a self, game: &'a Game) -> Official<'a> {
        Official { game, boards: &self.boards, stops: self.stops }
    }

    /// Rings this bell when something happens next.
    pub fn call(&mut self, bell: &Arc<Bell>) {
        if !self.waiting.iter().any(|other| Arc::ptr_eq(other, bell)) {
            self.waiting.push(bell.clone());
        }
    }

    /// Takes as little memory as possible, unless somebody is awake or an event is being written.
    pub(super) fn rest(&mut self) {
        if self.awake == 0 && !self.is_busy() {
            self.game.rest();
            if self.game.rests() {
                self.boards = Vec::new();
            }
        }
    }

    fn ring(&mut self) {
        self.waiting.drain(..).for_each(|bell| bell.ring());
    }

    /// Everybody may see what has happened to the game.
    fn publish(&mut self) {
        self.events += 1;
        self.version += 1;
        if self.game.turns().len() + 1 > self.boards.len() {
            self.boards.push(Stones::of(self.game.position().stones()));
        } else if self.game.at_start() {
            // handicap
            self.boards = boards(&self.game);
        }
        let phase = self.game.standing().phase;
        self.stops += (phase == Phase::Scoring && self.phase != Phase::Scoring) as u64;
        self.phase = phase;
        self.ring();
    }
}

/// The stones at the start of a game and after each of its turns.
fn boards(game: &Game) -> Vec<Stones> {
    let mut game = game.clone();
    let mut boards = Vec::with_capacity(game.turns().len() + 1);
    loop {
        boards.push(Stones::of(game.position().stones()));
        if game.turns().is_empty() || game.take_back(1).is_err() {
            break;
        }
    }
    boards.reverse();
    boards
}
