//! A connection's own board in a room, and how far it has followed the official game.
//!
//! Programs that show boards replay what they know, browse, take back and try things. What they send is told apart from
//! turns of the game by the cursor: how many official turns the board has followed.

use super::{Official, Stones};
use crate::board::{Color, Point, Position};
use crate::game::{Game, Outcome, Phase, TurnRecord};
use crate::rules::Turn;

/// The most steps that a view remembers to take back.
const MOST_STEPS: usize = 4_000;

/// A connection's own board.
#[derive(Clone, Debug)]
pub struct View {
    seat: Option<Color>,
    now: Step,
    /// What `undo` goes back to, the last last; before these the official positions up to `base`.
    before: Vec<Step>,
    base: usize,
    /// It has been in step since it was last emptied.
    was_in_step: bool,
    /// Found by its stones after a play, and nothing but plays has come since: it may be on its way elsewhere.
    passing: bool,
    /// It has no board of its own: it is the official position.
    follows: bool,
    /// The program draws its board from what it asks for.
    pub draws: bool,
    /// The dead stones last shown, and in which scoring.
    shown: (u64, Vec<Point>),
}

/// Where a view is, or was.
#[derive(Clone, Debug)]
struct Step {
    place: Place,
    /// The cursor was lost and found again by the stones.
    found: bool,
}

#[derive(Clone, Debug)]
enum Place {
    /// The official position after that many turns.
    At(usize),
    /// Another one, and the side that would move.
    Off(Stones, Color),
}

/// What a `play` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// The view has moved; nothing has happened in the game.
    Shown,
    /// A turn of the game, which has yet to be made.
    Turn,
}

/// What a `genmove` comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// This turn, to be shown as that point or as a pass.
    Turn(Option<Point>),
    /// The side has resigned.
    Resigned,
    /// It has not been made yet.
    Wait,
}

impl View {
    /// The view of somebody who has just come: the official position.
    pub fn new(seat: Option<Color>, official: Official<'_>) -> View {
        let mut view = View {
            seat,
            now: Step { place: Place::At(0), found: false },
            before: Vec::new(),
            base: 0,
            was_in_step: true,
            passing: false,
            follows: true,
            draws: false,
            shown: (official.stops, Vec::new()),
        };
        view.follow(official);
        view
    }

    /// Whose seat it is; nobody's if it only watches.
    pub fn seat(&self) -> Option<Color> {
        self.seat
    }

    /// The view becomes the official position.
    pub fn follow(&mut self, official: Official<'_>) {
        self.rest_at(official.game.turns().len());
    }

    /// The view becomes the position after that many turns, the last of which it has just made.
    pub fn rest_at(&mut self, turns: usize) {
        self.go_to(turns);
        self.was_in_step = true;
    }

    /// A view of its own that has followed this many official turns.
    pub fn follow_to(&mut self, official: Official<'_>, turns: usize) {
        self.follow(official);
        self.go_to(turns.min(official.game.turns().len()));
        self.follows = false;
    }

    /// The view goes on with an official turn that it has made itself, the last of that many.
    pub fn advance(&mut self, turns: usize, official: Official<'_>) {
        self.push(Step { place: Place::At(turns), found: false }, official);
    }

    fn go_to(&mut self, turns: usize) {
        self.now = Step { place: Place::At(turns), found: false };
        self.before.clear();
        self.base = turns;
    }

    /// A command has come; `play` alone does not settle a view that was found by its stones.
    pub fn heard(&mut self, is_play: bool) {
        self.passing &= is_play;
    }

    /// From now on the view has a board of its own.
    pub fn own(&mut self) {
        self.follows = false;
    }

    /// How many official turns it has followed, if its stones are those after them.
    pub fn cursor(&self) -> Option<usize> {
        match self.now.place {
            Place::At(cursor) => Some(cursor),
            Place::Off(..) => None,
        }
    }

    /// Whether it has followed the whole game.
    pub fn is_in_step(&self, official: Official<'_>) -> bool {
        self.cursor() == Some(official.game.turns().len()) && !self.passing
    }

    fn push(&mut self, step: Step, official: Official<'_>) {
        let before = std::mem::replace(&mut self.now, step);
        match before {
            // the step back leads to where it would lead anyway
            Step { place: Place::At(at), found: false } if self.before.is_empty() && at == self.base => self.base += 1,
            before => self.before.push(before),
        }
        self.was_in_step |= self.is_in_step(official);
    }

    fn stones(&self, official: Official<'_>) -> Stones {
        match &self.now.place {
            Place::At(cursor) => official.boards[*cursor].clone(),
            Place::Off(stones, _) => stones.clone(),
        }
    }

    /// The side that moves next on this board.
    fn to_move(&self, official: Official<'_>) -> Color {
        match &self.now.place {
            Place::At(cursor) => {
                let next = official.game.turns().get(*cursor);
                next.map_or(official.game.standing().to_move, |record| record.color)
            }
            Place::Off(_, to_move) => *to_move,
        }
    }

    /// The place of these stones: the latest official position that has them, if one has.
    fn place(stones: Stones, to_move: Color, official: Official<'_>) -> (Place, bool) {
        match official.boards.iter().rposition(|board| *board == stones) {
            Some(cursor) => (Place::At(cursor), true),
            None => (Place::Off(stones, to_move), false),
        }
    }

    /// The view becomes empty, without a way back.
    pub fn clear(&mut self, official: Official<'_>) {
        let nothing = vec![None; official.game.topology().len()];
        self.set(&nothing, Color::Black, official);
        self.now.found = false;
    }

    /// The view becomes these stones, without a way back. The start of the game is where it begins, even if the same
    /// stones stood there again later.
    pub fn set(&mut self, stones: &[Option<Color>], to_move: Color, official: Official<'_>) {
        let stones = Stones::of(stones);
        let (place, found) = match official.boards.first() {
            Some(start) if *start == stones => (Place::At(0), true),
            _ => View::place(stones, to_move, official),
        };
        self.before.clear();
        self.base = 0;
        self.now = Step { place, found };
        self.was_in_step = self.is_in_step(official);
        self.follows = false;
    }

    /// Follows the next official turn, if this is it.
    fn replays(&mut self, color: Color, turn: &Turn, official: Official<'_>) -> bool {
        let Some(cursor) = self.cursor() else { return false };
        let next = official.game.turns().get(cursor);
        let same = next.is_some_and(|record| record.color == color && record.turn == *turn);
        if same {
            self.push(Step { place: Place::At(cursor + 1), found: self.now.found }, official);
        }
        same
    }

    /// A `play` of the controller's: what it is, or why it is refused.
    pub fn play(&mut self, color: Color, point: Option<Point>, official: Official<'_>) -> Result<Play, String> {
        let turn = point.map_or(Turn::Pass, Turn::Play);
        let own = self.seat == Some(color);
        if own && self.follows {
            self.follow(official);
        } else if self.replays(color, &turn, official) {
            return Ok(Play::Shown);
        }
        if own {
            if self.is_in_step(official) {
                return if self.may_repeat(&turn, official) {
                    Err("this may be a turn that was made before; egtp_sit again to go on".into())
                } else {
                    Ok(Play::Turn)
                };
            }
            if self.was_in_step || self.draws {
                return Err(self.has_moved_on(official));
            }
        }
        self.show(color, point, true, official)?;
        Ok(Play::Shown)
    }

    /// Whether a view that was found by its stones may be at an earlier position with the same stones, after which this
    /// very turn was made.
    fn may_repeat(&self, turn: &Turn, official: Official<'_>) -> bool {
        let found = self.now.found || self.before.iter().any(|step| step.found);
        let (here, turns) = (self.stones(official), official.game.turns());
        let same = |record: &TurnRecord| Some(record.color) == self.seat && record.turn == *turn;
        found && turns.iter().zip(official.boards).any(|(record, board)| same(record) && *board == here)
    }

    /// What has been played already at the place where the view is.
    fn has_moved_on(&self, official: Official<'_>) -> String {
        let next = self.cursor().and_then(|cursor| official.game.turns().get(cursor));
        match next {
            Some(record) => {
                let what = match &record.turn {
                    Turn::Pass => "passed here".into(),
                    turn => {
                        let point = first(turn).map_or("", |p| official.game.topology().name(p));
                        format!("played {point} here")
                    }
                };
                format!("{} has already {what}", record.color)
            }
            None => not_the_rooms(),
        }
    }

    /// Moves the view alone.
    fn show(&mut self, color: Color, point: Option<Point>, single: bool, official: Official<'_>) -> Result<(), String> {
        if self.before.len() >= MOST_STEPS {
            return Err(format!("a board has at most {MOST_STEPS} moves; clear_board begins anew"));
        }
        let mut stones = self.stones(official);
        if let Some(point) = point {
            let game = official.game;
            let mut position = Position::new(game.topology().clone());
            position.replace(&stones.unpack(game.topology().len()));
            if position.at(point).is_some() {
                return Err(format!("illegal move: {} is not empty", game.topology().name(point)));
            }
            position.put(color, point);
            for &near in game.topology().neighbours(point) {
                if position.at(near) == Some(color.other()) && !position.breathes(near) {
                    position.remove_chain(near, |_| {});
                }
            }
            if game.ruleset().suicide && !position.breathes(point) {
                position.remove_chain(point, |_| {});
            }
            stones = Stones::of(position.stones());
        }
        let (place, found) = View::place(stones, color.other(), official);
        // after a single play it may be passing through on its way elsewhere
        self.passing = found && single;
        self.push(Step { place, found }, official);
        Ok(())
    }

    /// Plays of a sequence: replays, or moves of the view alone; all or none.
    pub fn sequence(&mut self, plays: &[(Color, Option<Point>)], official: Official<'_>) -> Result<(), String> {
        self.follows = false;
        let before = self.clone();
        for &(color, point) in plays {
            if self.replays(color, &point.map_or(Turn::Pass, Turn::Play), official) {
                continue;
            }
            if let Err(why) = self.show(color, point, false, official) {
                *self = before;
                return Err(why);
            }
        }
        Ok(())
    }

    /// Takes back the last steps of the view; false, and nothing has changed, if there are fewer.
    pub fn undo(&mut self, n: usize) -> bool {
        self.follows = false;
        if n > self.before.len() + self.base {
            return false;
        }
        for _ in 0..n {
            self.now = self.before.pop().unwrap_or_else(|| {
                self.base -= 1;
                Step { place: Place::At(self.base), found: false }
            });
        }
        true
    }

    /// The next turn of the other side.
    pub fn next(&mut self, color: Color, official: Official<'_>) -> Result<Next, String> {
        let (game, standing) = (official.game, official.game.standing());
        let Some(cursor) = self.cursor() else { return Err(not_the_rooms()) };
        if let Some(record) = game.turns().get(cursor) {
            if record.color != color {
                return Err(self.has_moved_on(official));
            }
            if matches!(record.turn, Turn::Special(_)) && !self.draws {
                let what = crate::record::turn_text(game.topology(), color, &record.turn);
                return Err(format!("special turn: {what}"));
            }
            let point = first(&record.turn);
            self.push(Step { place: Place::At(cursor + 1), found: false }, official);
            return Ok(Next::Turn(point));
        }
        match standing.outcome {
            Some(Outcome::Resigned { winner }) if winner != color => return Ok(Next::Resigned),
            Some(outcome) => return Err(format!("the game is over: {outcome}")),
            None => {}
        }
        if standing.phase != Phase::Play {
            return Err("play has stopped; see egtp_status".into());
        }
        if standing.to_move != color {
            return Err(format!("{} to move; see egtp_status", standing.to_move));
        }
        Ok(Next::Wait)
    }

    /// The game as this view shows it, to be asked; nothing if it is the official one.
    pub fn as_game(&self, official: Official<'_>) -> Option<Game> {
        let game = official.game;
        match &self.now.place {
            Place::At(cursor) if *cursor == game.turns().len() => None,
            Place::At(cursor) => {
                let mut shown = game.clone();
                shown.take_back(game.turns().len() - cursor).unwrap_or_default();
                Some(shown)
            }
            Place::Off(stones, to_move) => {
                let mut shown = game.clone();
                let stones = stones.unpack(game.topology().len());
                shown.show(game.topology().points().filter_map(|p| Some((stones[p.index()]?, p))), *to_move);
                Some(shown)
            }
        }
    }

    /// The stones and the side to move.
    pub fn board(&self, official: Official<'_>) -> (Vec<Option<Color>>, Color) {
        (self.stones(official).unpack(official.game.topology().len()), self.to_move(official))
    }

    /// These dead stones have been shown.
    pub fn saw(&mut self, official: Official<'_>) {
        self.shown = (official.stops, official.game.standing().dead().to_vec());
    }

    /// Whether the present marking is the one last shown; at the start of every scoring nothing is marked.
    pub fn knows(&self, official: Official<'_>) -> bool {
        let dead = official.game.standing().dead();
        if self.shown.0 == official.stops { self.shown.1 == dead } else { dead.is_empty() }
    }
}

fn not_the_rooms() -> String {
    "this board is not the room's; see egtp_status".into()
}

/// The point by which a turn is shown to programs that know one point a turn.
fn first(turn: &Turn) -> Option<Point> {
    match turn {
        Turn::Play(point) => Some(*point),
        Turn::Special(special) => special.place.first().copied(),
        Turn::Pass => None,
    }
}
