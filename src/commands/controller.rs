//! One controller's private engine: its game and what it has asked for.

use super::Failure;
use super::special::Stage;
use crate::board::{Color, Point, Shape};
use crate::game::{Event, Game, Refused};
use crate::rules::{Points, Ruleset, Selection, Turn};

/// What the command line asks for beside the rules.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The rules of the first game.
    pub selection: Selection,
    /// Handicap is given even where the ruleset has none.
    pub allow_handicap: bool,
    /// Resignation is taken even where the ruleset has none.
    pub allow_resign: bool,
    /// Turns are taken back even where the ruleset has no takeback.
    pub allow_undo: bool,
    /// Either side may move at any time, and a turn in scoring resumes play by itself.
    pub free_order: bool,
    /// Processor time used by the program, in seconds: what `cputime` answers.
    pub cpu_seconds: fn() -> f64,
}

impl Options {
    /// These rules and nothing else.
    pub fn new(selection: Selection) -> Options {
        Options {
            selection,
            allow_handicap: false,
            allow_resign: false,
            allow_undo: false,
            free_order: false,
            cpu_seconds: || 0.0,
        }
    }
}

/// A private engine: a game, and everything its controller has set.
#[derive(Clone, Debug)]
pub struct Controller {
    options: Options,
    game: Game,
    /// Komi as the controller set it; kept from game to game.
    komi: Option<Points>,
    /// A special turn that is being put together.
    pub(super) stage: Option<Stage>,
    /// The game with the turns made by `trymove`, if there are any.
    tried: Option<Box<Game>>,
    /// Time as it was told: settings, and what is left for each side. It has no effect on the rules.
    pub(super) time: [String; 3],
    /// Why a command was last refused.
    refusal: String,
}

impl Controller {
    /// A new engine.
    pub fn new(options: Options) -> Controller {
        let selection = Controller::allowed(&options, options.selection);
        Controller {
            options,
            game: Controller::game_of(&options, selection),
            komi: selection.komi,
            stage: None,
            tried: None,
            time: Default::default(),
            refusal: String::new(),
        }
    }

    fn allowed(options: &Options, mut selection: Selection) -> Selection {
        let rules = &mut selection.ruleset;
        rules.handicap |= options.allow_handicap;
        rules.resign |= options.allow_resign;
        rules.takeback |= options.allow_undo;
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

    /// The game that questions about the board are answered from: with the turns made by `trymove`.
    #[inline]
    pub fn shown(&self) -> &Game {
        self.tried.as_deref().unwrap_or(&self.game)
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

    /// Changes the game. If it did change, what was only tried is forgotten, and a staged turn is dropped unless the
    /// event is about dead stones or komi.
    #[inline]
    pub(super) fn apply(&mut self, event: &Event) -> Result<(), Refused> {
        self.game.apply(event)?;
        self.tried = None;
        if !matches!(event, Event::Mark(_) | Event::Accept(_) | Event::Komi(_)) {
            self.stage = None;
        }
        if matches!(event, Event::TakeBack(_)) {
            // komi told after the end of the game was kept for later; now it is later
            self.game.apply(&Event::Komi(self.komi))?;
        }
        Ok(())
    }

    /// Makes turns, all or none.
    pub(super) fn apply_all(&mut self, events: &[Event]) -> Result<(), Refused> {
        let mut game = self.game.clone();
        events.iter().try_for_each(|event| game.apply(event))?;
        self.game = game;
        self.tried = None;
        self.stage = None;
        Ok(())
    }

    /// Whether a side may make a turn now at all: play goes on and it is its turn.
    pub(super) fn may_move(&self, color: Color) -> Result<(), Failure> {
        self.game.may_move(color, false).map_err(Failure::Illegal)
    }

    /// Makes a turn of either side on a copy of the game that questions about the board are answered from.
    pub(super) fn try_turn(&mut self, color: Color, turn: &Turn) -> Result<(), Refused> {
        let mut game = self.shown().clone();
        game.try_turn(color, turn)?;
        self.tried = Some(Box::new(game));
        Ok(())
    }

    /// Takes the last tried turn back; false if there is none.
    pub(super) fn pop_try(&mut self) -> bool {
        let turns = self.game.turns().len();
        let Some(game) = &mut self.tried else { return false };
        let popped = game.take_back(1).is_ok();
        if game.turns().len() == turns {
            self.tried = None;
        }
        popped
    }

    /// A new game under the same rules, komi and board.
    pub(super) fn clear(&mut self) {
        self.tried = None;
        self.stage = None;
        self.game.restart(self.komi);
    }

    /// A new game under other rules. Komi becomes theirs.
    pub(super) fn start(&mut self, selection: Selection) {
        let selection = Controller::allowed(&self.options, selection);
        self.komi = selection.komi;
        self.game = Controller::game_of(&self.options, selection);
        self.tried = None;
        self.stage = None;
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
        let selection = Selection { ruleset: Ruleset { kind, ..ruleset }, shape, komi: self.komi };
        let mut changed = Controller::game_of(&self.options, Controller::allowed(&self.options, selection));
        if handicap > 0 && changed.ruleset().handicap {
            changed.apply(&Event::Handicap(stones.iter().map(|s| s.1).collect()))?;
        } else {
            changed.apply(&Event::SetUp { stones, to_move })?;
        }
        self.game = changed;
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
            return Err(refused(format!("{} is played on {}", ruleset.name, ruleset.sizes.in_words())));
        }
        let shape = Shape::new(present.kind(), width, height).map_err(|e| refused(e.to_string()))?;
        let selection = Selection { ruleset, shape, komi: self.komi };
        self.game = Controller::game_of(&self.options, selection);
        self.tried = None;
        self.stage = None;
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
