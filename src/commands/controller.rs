//! One controller's private engine: its game and what it has asked for.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use super::Failure;
use super::seated::{Guest, Meter, Unlimited};
use super::special::Stage;
use super::table::{Done, Entry};
use crate::board::{Color, Point, Shape};
use crate::game::{Event, Game, Refused, Resting};
use crate::record::{Flavour, Origin, write_sgf, write_sgf_over};
use crate::room::{Bell, Rooms};
use crate::rules::{Allowance, Ending, Points, Ruleset, Selection, Turn};

/// What the command line asks for beside the rules.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The rules of the first game.
    pub selection: Selection,
    /// What is allowed although the rules refuse it.
    pub allowance: Allowance,
    /// Either side may move at any time, and a turn in scoring resumes play by itself.
    pub free_order: bool,
    /// The controller may name files: it sits at this machine.
    pub files: bool,
    /// Games are handed over as SGF when they end or are given up: see [`Controller::take_records`].
    pub records: bool,
    /// Diagrams are drawn with a terminal's colours.
    pub color: bool,
    /// Processor time used by the program, in seconds: what `cputime` answers.
    pub cpu_seconds: fn() -> f64,
}

impl Options {
    /// These rules and nothing else.
    pub fn new(selection: Selection) -> Options {
        Options {
            selection,
            allowance: Allowance::default(),
            free_order: false,
            files: false,
            records: false,
            color: false,
            cpu_seconds: || 0.0,
        }
    }
}

/// A private engine: a game, and everything its controller has set.
#[derive(Debug)]
pub struct Controller {
    options: Options,
    game: Resting,
    /// Komi as the controller set it; kept from game to game.
    komi: Option<Points>,
    /// A special turn that is being put together.
    pub(super) stage: Option<Stage>,
    /// The command that came last.
    pub(super) last: Option<&'static Entry>,
    /// Turns made by `trymove`; the last ones of the game.
    tries: Vec<(Color, Turn)>,
    /// Whether the present command has changed the game.
    changed: bool,
    /// Time as it was told: settings, and what is left for each side. It has no effect on the rules.
    pub(super) time: [String; 3],
    /// Why a command was last refused.
    refusal: String,
    /// The file that the game was loaded from.
    origin: Option<Box<Origin>>,
    /// Games that have ended or were given up, not yet handed over.
    records: Vec<GameRecord>,
    /// The number of the present game in this session, from 1.
    number: usize,
    /// It has ended, and was handed over so.
    ended: bool,
    /// What a connection has to do with rooms.
    pub(super) guest: Option<Box<Guest>>,
    /// Whether events are noted, and the last one.
    noting: bool,
    noted: Option<Event>,
}

/// A game to be kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Its number in the session, from 1. A game that goes on after it has ended is handed over again.
    pub number: usize,
    /// The game as SGF.
    pub sgf: String,
}

impl Controller {
    /// A new engine.
    pub fn new(options: Options) -> Controller {
        let selection = Controller::allowed(&options, options.selection);
        Controller {
            options,
            game: Resting::new(Controller::game_of(&options, selection)),
            komi: selection.komi,
            stage: None,
            last: None,
            tries: Vec::new(),
            changed: false,
            time: Default::default(),
            refusal: String::new(),
            origin: None,
            records: Vec::new(),
            number: 1,
            ended: false,
            guest: None,
            noting: false,
            noted: None,
        }
    }

    /// A new engine whose controller can enter rooms.
    pub fn with_rooms(options: Options, rooms: Arc<Rooms>) -> Controller {
        let mut controller = Controller::new(options);
        let guest =
            Guest { rooms, bell: Arc::default(), wait: None, seat: None, wrong_keys: 0, meter: Arc::new(Unlimited) };
        controller.guest = Some(Box::new(guest));
        controller
    }

    /// Whether there are rooms that can be entered.
    pub(super) fn has_rooms(&self) -> bool {
        self.guest.is_some()
    }

    /// Whether the controller is in a room.
    #[inline]
    pub fn is_seated(&self) -> bool {
        self.guest.as_ref().is_some_and(|guest| guest.seat.is_some())
    }

    /// A line has come, a `play` or another, understood or not.
    #[inline]
    pub fn heard(&mut self, is_play: bool) {
        if let Some(seat) = self.guest.as_mut().and_then(|guest| guest.seat.as_mut()) {
            seat.view.heard(is_play);
        }
    }

    /// Runs with what the controller has to do with rooms taken out; it is put back whatever happens.
    pub(super) fn with_guest(
        &mut self,
        run: impl FnOnce(&mut Controller, &mut Guest) -> Result<Done, String>,
    ) -> Result<Done, String> {
        let Some(mut guest) = self.guest.take() else { return Err("no rooms here".into()) };
        let result = catch_unwind(AssertUnwindSafe(|| run(self, &mut guest)));
        self.guest = Some(guest);
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Rung when it is worth asking a waiting controller again.
    pub fn bell(&self) -> Option<&Arc<Bell>> {
        self.guest.as_ref().map(|guest| &guest.bell)
    }

    /// Nobody waits any more.
    pub fn stop_waiting(&mut self) {
        if let Some(guest) = &mut self.guest {
            guest.wait = None;
        }
    }

    /// Whether dead stones are looked for at a pass, as far as is known without waking a game.
    pub fn assesses_passes(&self) -> bool {
        let ending = match self.guest.as_ref().and_then(|guest| guest.seat.as_ref()) {
            Some(seat) => seat.ending,
            None => Some(self.game.ending()),
        };
        matches!(ending, Some(Ending::Automatic | Ending::PassProposal))
    }

    /// From now on what costs much is spent here.
    pub fn set_meter(&mut self, meter: Arc<dyn Meter>) {
        if let Some(guest) = &mut self.guest {
            guest.meter = meter;
        }
    }

    /// Keys and tokens that were wrong since the last call.
    pub fn take_wrong_keys(&mut self) -> u32 {
        self.guest.as_mut().map_or(0, |guest| std::mem::take(&mut guest.wrong_keys))
    }

    /// The game, to be changed or replaced.
    pub(super) fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// From now on the event that happens to the game is noted.
    pub(super) fn note_events(&mut self) {
        self.noting = true;
        self.noted = None;
    }

    /// The event that has happened, if one has; no more are noted.
    pub(super) fn noted_event(&mut self) -> Option<Event> {
        self.noting = false;
        self.noted.take()
    }

    fn allowed(options: &Options, mut selection: Selection) -> Selection {
        options.allowance.apply(&mut selection.ruleset);
        selection
    }

    fn game_of(options: &Options, selection: Selection) -> Game {
        let mut game = Game::new(selection);
        game.set_free_order(options.free_order);
        game
    }

    /// The game.
    #[inline]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Nothing has come for a while: takes as little memory as it can until something does.
    pub fn rest(&mut self) {
        self.game.rest();
        self.refusal.shrink_to_fit();
        if let Some(seat) = self.guest.as_mut().and_then(|guest| guest.seat.as_mut()) {
            seat.fall_silent();
        }
    }

    /// The rules of the game.
    pub fn ruleset(&self) -> &Ruleset {
        self.game.ruleset()
    }

    /// Why a command was last refused; empty if none was.
    pub fn refusal(&self) -> &str {
        &self.refusal
    }

    /// Notes why a command was refused.
    pub fn refused(&mut self, why: &str) {
        why.clone_into(&mut self.refusal);
    }

    /// Processor time used, in seconds.
    pub(super) fn cpu_seconds(&self) -> f64 {
        (self.options.cpu_seconds)()
    }

    /// What is allowed although the rules refuse it.
    pub(super) fn allowance(&self) -> Allowance {
        self.options.allowance
    }

    /// Whether the controller may name files.
    pub(super) fn has_files(&self) -> bool {
        self.options.files
    }

    /// Whether diagrams are drawn with colours.
    pub(super) fn is_colored(&self) -> bool {
        self.options.color
    }

    /// Whether the sides need not take turns.
    pub(super) fn is_free(&self) -> bool {
        self.options.free_order
    }

    /// The games that have ended or were given up since the last call, if they are kept at all.
    pub fn take_records(&mut self) -> Vec<GameRecord> {
        std::mem::take(&mut self.records)
    }

    /// Takes back for good what was only tried.
    pub fn forget_tries(&mut self) {
        if self.has_tries() {
            self.suspend_tries();
        }
    }

    /// Keeps the game as it is, if games are kept and anything has happened in it.
    pub fn keep(&mut self) {
        if self.options.records && !self.game.at_start() {
            self.ended |= self.game.outcome().is_some();
            let sgf = self.as_sgf();
            self.records.retain(|record| record.number != self.number);
            self.records.push(GameRecord { number: self.number, sgf });
        }
    }

    /// The game as SGF, with what else the file has that it was loaded from.
    pub(super) fn as_sgf(&self) -> String {
        match &self.origin {
            Some(origin) => write_sgf_over(&self.game, origin).to_string(),
            None => write_sgf(&self.game, Flavour::Plain).to_string(),
        }
    }

    /// The present game is given up for another.
    fn leave(&mut self) {
        self.forget_tries();
        self.keep();
        self.number += (self.ended || !self.game.at_start()) as usize;
        self.ended = false;
        self.changed = true;
        self.stage = None;
        self.origin = None;
    }

    /// Goes on with a game that was loaded. Its rules and komi become the controller's.
    pub(super) fn take_over(&mut self, origin: Origin, mut game: Game) {
        self.leave();
        self.origin = Some(Box::new(origin));
        game.set_free_order(self.options.free_order);
        self.komi = Some(game.komi());
        self.game = Resting::new(game);
    }

    /// Changes the game. If it did change, what was only tried is forgotten, and a staged turn is dropped unless the
    /// event is about dead stones or komi.
    #[inline]
    pub(super) fn apply(&mut self, event: &Event) -> Result<(), Refused> {
        self.game.apply(event)?;
        if self.noting {
            self.noted = Some(event.clone());
        }
        self.changed = true;
        if !matches!(event, Event::Mark(_) | Event::Accept(_) | Event::Komi(_)) {
            self.stage = None;
        }
        if matches!(event, Event::TakeBack(_)) {
            // komi told after the end of the game was kept for later; now it is later
            self.game.apply(&Event::Komi(self.komi))?;
            // a game that has ended stays as it ended; what comes of its beginning is another
            self.number += std::mem::take(&mut self.ended) as usize;
        }
        if self.game.outcome().is_some() {
            self.keep();
        }
        Ok(())
    }

    /// Makes turns, all or none.
    pub(super) fn apply_all(&mut self, events: &[Event]) -> Result<(), Refused> {
        self.game.apply_all(events)?;
        self.changed = true;
        self.stage = None;
        if self.game.outcome().is_some() {
            self.keep();
        }
        Ok(())
    }

    /// Whether a side may make a turn now at all: play goes on and it is its turn.
    pub(super) fn may_move(&self, color: Color) -> Result<(), Failure> {
        self.game.may_move(color, false).map_err(Failure::Illegal)
    }

    /// Makes a turn of either side to look at what it does.
    pub(super) fn try_turn(&mut self, color: Color, turn: Turn) -> Result<(), Refused> {
        self.game.try_turn(color, &turn)?;
        self.tries.push((color, turn));
        Ok(())
    }

    /// Takes the last tried turn back; false if there is none.
    pub(super) fn pop_try(&mut self) -> bool {
        self.tries.pop().is_some() && self.game.take_back(1).is_ok()
    }

    /// Takes all tried turns back while a command runs that is not about them.
    #[cold]
    pub(super) fn suspend_tries(&mut self) -> Vec<(Color, Turn)> {
        self.changed = false;
        let tries = std::mem::take(&mut self.tries);
        self.game.take_back(tries.len()).unwrap_or_default();
        tries
    }

    /// Makes them again, unless the command has changed the game.
    #[cold]
    pub(super) fn resume_tries(&mut self, tries: Vec<(Color, Turn)>) {
        if !self.changed {
            for (color, turn) in tries {
                self.try_turn(color, turn).unwrap_or_default();
            }
        }
    }

    /// Whether turns have been tried.
    #[inline]
    pub(super) fn has_tries(&self) -> bool {
        !self.tries.is_empty()
    }

    /// A new game under the same rules, komi and board.
    pub(super) fn clear(&mut self) {
        self.leave();
        self.game.restart(self.komi);
    }

    /// A new game under other rules. Komi becomes theirs.
    pub(super) fn start(&mut self, selection: Selection) {
        let selection = Controller::allowed(&self.options, selection);
        self.leave();
        self.komi = selection.komi;
        self.game = Resting::new(Controller::game_of(&self.options, selection));
    }

    /// Other rules for a game that has not begun; board, stones, side to move and komi stay.
    pub(super) fn change_rules(&mut self, ruleset: Ruleset) -> Result<(), Refused> {
        let game = &self.game;
        let (shape, to_move) = (game.shape(), game.standing().to_move);
        let position = game.position();
        let stones: Vec<(Color, Point)> =
            game.topology().points().filter_map(|p| position.at(p).map(|color| (color, p))).collect();
        let handicap = game.handicap();
        let kind = shape.kind();
        let selection = Selection { ruleset: Ruleset { kind, ..ruleset }, shape, komi: Some(game.komi()) };
        let mut changed = Controller::game_of(&self.options, Controller::allowed(&self.options, selection));
        if handicap > 0 && changed.ruleset().handicap {
            changed.apply(&Event::Handicap(stones.iter().map(|s| s.1).collect()))?;
        } else {
            changed.apply(&Event::SetUp { stones, to_move })?;
        }
        self.game = Resting::new(changed);
        self.changed = true;
        self.stage = None;
        Ok(())
    }

    /// A new game on a board of another size, if the ruleset is played on it. Komi becomes the ruleset's for that size
    /// unless the controller has set it.
    pub(super) fn resize(&mut self, width: usize, height: usize) -> Result<(), Failure> {
        let ruleset = *self.ruleset();
        let present = self.game.shape();
        if (width, height) == present.size() {
            self.clear();
            return Ok(());
        }
        let refused = |why: String| Failure::UnacceptableSize(why);
        if !ruleset.sizes.offer(width, height) {
            let (name, sizes) = (ruleset.name, ruleset.sizes.in_words());
            return Err(refused(format!("{name} is played on {sizes}; egtp_rules {name} size=N takes any other")));
        }
        let shape = Shape::new(present.kind(), width, height).map_err(|e| refused(e.to_string()))?;
        let selection = Selection { ruleset, shape, komi: self.komi };
        self.leave();
        self.game = Resting::new(Controller::game_of(&self.options, selection));
        Ok(())
    }

    /// Komi for this game and those that follow under the same rules.
    pub(super) fn set_komi(&mut self, komi: Points) {
        self.komi = Some(komi);
        // a game that is over keeps the komi it was counted with; the next one gets this
        self.game.apply(&Event::Komi(Some(komi))).unwrap_or_default();
    }

    /// Points as the protocol lists them: names separated by spaces.
    pub(super) fn names(&self, points: &[Point]) -> String {
        let topology = self.game.topology();
        let mut text = String::with_capacity(points.len() * 4);
        for &point in points {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(topology.name(point));
        }
        text
    }
}
