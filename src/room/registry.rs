//! All rooms of a server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;

use super::{Digest, Done, Glance, Journal, Key, Room, RoomRecord, StoredRoom, Ticket};
use crate::board::Point;
use crate::game::{Assess, ByPlayouts, Event, Game, Refused};
use crate::record::{event_text, game_from_journal, rules_text};
use crate::rules::Selection;

/// What a server allows in its rooms.
#[derive(Clone, Copy, Debug)]
pub struct RoomLimits {
    /// Rooms at one time.
    pub rooms: usize,
    /// Connections at one seat, and watching one room.
    pub per_seat: usize,
    /// What opens rooms, if not everybody may.
    pub token: Option<Digest>,
    /// The time, in seconds since 1970.
    pub now: fn() -> u64,
}

impl Default for RoomLimits {
    fn default() -> RoomLimits {
        RoomLimits { rooms: 10_000, per_seat: 16, token: None, now: || 0 }
    }
}

/// What has happened in all rooms since the start, for an operator.
#[derive(Debug, Default)]
pub struct Counters {
    /// Events of games.
    pub events: AtomicU64,
    /// Keys that did not open a seat.
    pub wrong_keys: AtomicU64,
    /// Commands that had to wait.
    pub waits: AtomicU64,
}

/// All rooms of a server.
#[derive(Debug)]
pub struct Rooms {
    limits: RoomLimits,
    journal: Option<Arc<dyn Journal>>,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// What has happened.
    pub counters: Counters,
    assess: Arc<dyn Assess>,
}

/// A room that is being opened.
#[derive(Debug)]
pub struct Opening {
    /// Black's and White's key.
    pub keys: [Key; 2],
    /// When it is written down, with a journal.
    pub ticket: Option<Ticket>,
    /// The room, which is no more if it cannot be written down.
    pub room: Arc<Room>,
}

/// Why a room cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenError {
    /// Names are 1 to 64 letters, digits, `.`, `-` and `_`.
    Name,
    /// There is one of that name.
    Exists,
    /// There are as many as the server allows.
    TooMany,
    /// The server wants a token, and this is not it.
    Token,
    /// The handicap cannot be.
    Handicap(Refused),
    /// Keys cannot be made.
    Keys(String),
}

/// Seconds after which a room in which nobody has made a turn may be given up for another one.
const UNUSED: u64 = 24 * 60 * 60;

impl Rooms {
    /// No rooms yet, and none that will outlive the program.
    pub fn new(limits: RoomLimits) -> Rooms {
        Rooms {
            limits,
            journal: None,
            rooms: Mutex::default(),
            counters: Counters::default(),
            assess: Arc::new(ByPlayouts),
        }
    }

    /// The rooms that were written down, to be gone on with and written on.
    pub fn restored(
        limits: RoomLimits,
        journal: Arc<dyn Journal>,
        stored: impl IntoIterator<Item = StoredRoom>,
    ) -> Result<Rooms, String> {
        let mut rooms = HashMap::new();
        for StoredRoom { record, events } in stored {
            let name = record.name.clone();
            let game = game_from_journal(&record.rules, &events).map_err(|why| format!("room {name}: {why}"))?;
            let room = Room::new(record, game, events.len() as u64, false);
            room.lock().rest();
            rooms.insert(name, Arc::new(room));
        }
        Ok(Rooms {
            limits,
            journal: Some(journal),
            rooms: Mutex::new(rooms),
            counters: Counters::default(),
            assess: Arc::new(ByPlayouts),
        })
    }

    /// New rooms have this assessment of life and death instead of the built-in one.
    pub fn set_assessment(&mut self, assess: Arc<dyn Assess>) {
        self.assess = assess;
    }

    /// Where events are written.
    pub fn journal(&self) -> Option<&Arc<dyn Journal>> {
        self.journal.as_ref()
    }

    /// How many connections may be at one seat.
    pub fn per_seat(&self) -> usize {
        self.limits.per_seat
    }

    /// The room of that name.
    pub fn find(&self, name: &str) -> Option<Arc<Room>> {
        self.lock().get(name).cloned()
    }

    /// How many rooms there are.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All rooms, by name.
    pub fn all(&self) -> Vec<Arc<Room>> {
        let mut all: Vec<Arc<Room>> = self.lock().values().cloned().collect();
        all.sort_by(|a, b| a.name().cmp(b.name()));
        all
    }

    /// Opens a room.
    pub fn open(
        self: &Arc<Self>,
        name: &str,
        selection: Selection,
        handicap: Vec<Point>,
        token: &str,
    ) -> Result<Opening, OpenError> {
        if self.limits.token.is_some_and(|digest| !digest.is_of(token)) {
            return Err(OpenError::Token);
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        if !(1..=64).contains(&name.len()) || !name.chars().all(fits) {
            return Err(OpenError::Name);
        }
        let mut game = Game::new(selection);
        game.set_assessment(self.assess.clone());
        let given = (!handicap.is_empty()).then_some(Event::Handicap(handicap));
        given.iter().try_for_each(|event| game.apply(event)).map_err(OpenError::Handicap)?;
        let key = || Key::random().map_err(OpenError::Keys);
        let keys = [key()?, key()?];
        let record = RoomRecord {
            name: name.into(),
            rules: rules_text(&selection),
            keys: [keys[0].digest().0, keys[1].digest().0],
            opened: (self.limits.now)(),
        };
        let line = given.map(|event| event_text(game.topology(), &event));
        let room = Arc::new(Room::new(record.clone(), game, line.is_some() as u64, self.journal.is_some()));
        {
            let mut rooms = self.lock();
            if rooms.contains_key(name) {
                return Err(OpenError::Exists);
            }
            if rooms.len() >= self.limits.rooms {
                let Some(unused) = self.long_unused(&rooms) else { return Err(OpenError::TooMany) };
                rooms.remove(unused.name());
                if let Some(journal) = &self.journal {
                    journal.close(unused.name(), Box::new(|_| {}));
                }
                unused.close();
            }
            rooms.insert(name.into(), room.clone());
        }
        let ticket = self.journal.as_ref().map(|journal| {
            let ticket = Ticket::default();
            match line {
                None => journal.create(&record, self.opened(&room, &ticket)),
                Some(line) => {
                    // written in this order; the second fails if the first does
                    journal.create(&record, Box::new(|_| {}));
                    journal.append(name, 1, &line, self.opened(&room, &ticket));
                }
            }
            ticket
        });
        Ok(Opening { keys, ticket, room })
    }

    /// The room that was opened first of those in which nobody has made a turn for a day, and nobody is.
    fn long_unused(&self, rooms: &HashMap<String, Arc<Room>>) -> Option<Arc<Room>> {
        let now = (self.limits.now)();
        let long = rooms.values().filter(|room| room.opened().saturating_add(UNUSED) <= now);
        let unused = long.filter(|room| {
            let Glance { busy, turns, present, .. } = room.glance();
            !busy && turns == 0 && present == [0; 3]
        });
        unused.min_by_key(|room| room.opened()).cloned()
    }

    /// What happens once a new room is written down, or is not and is no more.
    fn opened(self: &Arc<Self>, room: &Arc<Room>, ticket: &Ticket) -> Done {
        // called by the store, which must not be what keeps the store
        let (rooms, room, ticket) = (Arc::downgrade(self), room.clone(), ticket.clone());
        Box::new(move |result| {
            if result.is_err()
                && let Some(rooms) = rooms.upgrade()
            {
                rooms.lock().remove(room.name());
            }
            room.founded(result, &ticket);
        })
    }

    /// An event has happened to a game.
    pub fn count_event(&self) {
        self.counters.events.fetch_add(1, Ordering::Relaxed);
    }

    /// A key did not open a seat.
    pub fn wrong_key(&self) {
        self.counters.wrong_keys.fetch_add(1, Ordering::Relaxed);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
