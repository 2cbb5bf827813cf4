//! The model's official game: turns, phases, marks. Every board since the start is kept, and compared whole.

use std::collections::BTreeSet;

use super::board::{Board, Grid, Points, Side};

/// One turn of the official game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    pub(crate) side: Side,
    pub(crate) what: What,
}

/// What is done in a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum What {
    Pass,
    Stones { place: Points, pay: Points },
}

impl Turn {
    pub(crate) fn new(side: Side, mv: Move) -> Turn {
        let stone = |p| What::Stones { place: Points::from([p]), pay: Points::new() };
        Turn { side, what: mv.map_or(What::Pass, stone) }
    }

    /// What a client that knows only plain moves takes the turn for.
    pub(crate) fn plain(&self) -> (Side, Move) {
        match &self.what {
            What::Pass => (self.side, None),
            What::Stones { place, .. } => (self.side, place.first().copied()),
        }
    }

    pub(crate) fn is_special(&self) -> bool {
        matches!(&self.what, What::Stones { pay, .. } if !pay.is_empty())
    }
}

/// A point, or a pass.
pub(crate) type Move = Option<usize>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repetition {
    Ko,
    Positional,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Agreement,
    Proposal,
    Automatic,
}

/// What a room is opened with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    pub(crate) grid: Grid,
    pub(crate) repetition: Repetition,
    pub(crate) ending: Ending,
    pub(crate) special: bool,
    pub(crate) resign: bool,
}

impl Rules {
    /// As `egtp_open` takes them, behind the name of the room.
    pub(crate) fn settings(&self) -> String {
        let repetition = match self.repetition {
            Repetition::Ko => "ko",
            Repetition::Positional => "positional",
        };
        let ending = match self.ending {
            Ending::Agreement => "agreement",
            Ending::Proposal => "proposal",
            Ending::Automatic => "automatic",
        };
        let word = |yes| if yes { "yes" } else { "no" };
        let (Grid { width, height }, special, resign) = (self.grid, word(self.special), word(self.resign));
        format!(
            "rulebook size={width}x{height} repetition={repetition} ending={ending} special={special} resign={resign}"
        )
    }

    /// What `settings` wrote.
    pub(crate) fn read(settings: &str) -> Option<Rules> {
        let value = |key: &str| settings.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        let (width, height) = value("size")?.split_once('x')?;
        Some(Rules {
            grid: Grid { width: width.parse().ok()?, height: height.parse().ok()? },
            repetition: if value("repetition")? == "ko" { Repetition::Ko } else { Repetition::Positional },
            ending: match value("ending")? {
                "proposal" => Ending::Proposal,
                "automatic" => Ending::Automatic,
                _ => Ending::Agreement,
            },
            special: value("special")? == "yes",
            resign: value("resign")? == "yes",
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Play,
    Scoring,
    Finished,
}

impl Phase {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Phase::Play => "play",
            Phase::Scoring => "scoring",
            Phase::Finished => "finished",
        }
    }
}

/// The game that both seats share.
#[derive(Clone, Debug)]
pub(crate) struct Official {
    pub(crate) rules: Rules,
    pub(crate) turns: Vec<Turn>,
    /// The board before the first turn, and after each.
    pub(crate) boards: Vec<Board>,
    pub(crate) to_move: Side,
    pub(crate) phase: Phase,
    passes: usize,
    pub(crate) marks: Points,
    pub(crate) accepted: BTreeSet<Side>,
    pub(crate) proposed: Option<Side>,
    pub(crate) resigned: Option<Side>,
    /// How often play has stopped.
    pub(crate) scorings: usize,
}

impl Official {
    pub(crate) fn new(rules: Rules, start: Board, first: Side) -> Official {
        Official {
            rules,
            turns: Vec::new(),
            boards: vec![start],
            to_move: first,
            phase: Phase::Play,
            passes: 0,
            marks: Points::new(),
            accepted: BTreeSet::new(),
            proposed: None,
            resigned: None,
            scorings: 0,
        }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.boards[self.turns.len()]
    }

    /// The board that a turn leads to.
    fn judge(&self, turn: &Turn) -> Result<Board, &'static str> {
        let stone = turn.what != What::Pass;
        let resumes = self.phase == Phase::Scoring && self.rules.ending == Ending::Proposal && stone;
        if self.phase != Phase::Play && !resumes {
            return Err("play has stopped");
        }
        if turn.side != self.to_move {
            return Err("not to move");
        }
        let What::Stones { place, pay } = &turn.what else { return Ok(self.board().clone()) };
        if place.len() != 1 || !pay.is_empty() {
            if !self.rules.special {
                return Err("no special turns");
            }
            if place.len() < 2 || pay.len() != place.len().pow(2) {
                return Err("n stones for n times n");
            }
        }
        let board = self.rules.grid.after(self.board(), turn.side, place, pay)?;
        let before = self.turns.len().checked_sub(1).map(|i| &self.boards[i]);
        match self.rules.repetition {
            Repetition::Positional if self.boards.contains(&board) => Err("superko"),
            Repetition::Ko if before == Some(&board) => Err("ko"),
            _ => Ok(board),
        }
    }

    /// Makes a turn, or says why not.
    pub(crate) fn make(&mut self, turn: Turn) -> Result<(), &'static str> {
        let board = self.judge(&turn)?;
        self.unmark();
        self.phase = Phase::Play;
        self.passes = if turn.what == What::Pass { self.passes + 1 } else { 0 };
        self.to_move = turn.side.other();
        self.turns.push(turn);
        self.boards.push(board);
        if self.passes == 2 {
            self.passes = 0;
            self.scorings += 1;
            self.phase = if self.rules.ending == Ending::Automatic { Phase::Finished } else { Phase::Scoring };
        }
        Ok(())
    }

    fn unmark(&mut self) {
        self.marks.clear();
        self.accepted.clear();
        self.proposed = None;
    }

    pub(crate) fn resign(&mut self, side: Side) -> Result<(), &'static str> {
        if !self.rules.resign || self.phase == Phase::Finished {
            return Err("not allowed");
        }
        self.phase = Phase::Finished;
        self.resigned = Some(side);
        Ok(())
    }

    pub(crate) fn resume(&mut self) -> Result<(), &'static str> {
        self.in_scoring()?;
        if self.rules.ending == Ending::Proposal {
            return Err("a stone resumes");
        }
        self.unmark();
        self.phase = Phase::Play;
        Ok(())
    }

    fn in_scoring(&self) -> Result<(), &'static str> {
        if self.phase == Phase::Scoring { Ok(()) } else { Err("not in the scoring phase") }
    }

    /// The chains of some stones, each named once.
    fn chains(&self, stones: &[usize]) -> Result<Vec<Points>, &'static str> {
        let mut chains: Vec<Points> = Vec::new();
        for &stone in stones {
            let side = self.board().at(stone).ok_or("empty")?;
            let chain = self.rules.grid.chain(self.board().of(side), stone);
            if chains.contains(&chain) {
                return Err("one chain");
            }
            chains.push(chain);
        }
        Ok(chains)
    }

    /// A changed marking withdraws every acceptance.
    pub(crate) fn mark(&mut self, stones: &[usize]) -> Result<(), &'static str> {
        self.in_scoring()?;
        for chain in self.chains(stones)? {
            self.marks = &self.marks ^ &chain;
        }
        self.accepted.clear();
        self.proposed = None;
        Ok(())
    }

    /// Whether the game is over by it.
    pub(crate) fn accept(&mut self, side: Side) -> Result<bool, &'static str> {
        self.in_scoring()?;
        if self.rules.ending == Ending::Proposal && self.proposed != Some(side.other()) {
            return Err("nothing to accept");
        }
        self.accepted.insert(side);
        let over = self.accepted.len() == 2;
        if over {
            self.phase = Phase::Finished;
        }
        Ok(over)
    }

    /// Marks exactly these chains, and accepts or proposes that. Says whether the game is over by it.
    pub(crate) fn propose(&mut self, side: Side, stones: &[usize]) -> Result<bool, &'static str> {
        self.in_scoring()?;
        let marks: Points = self.chains(stones)?.into_iter().flatten().collect();
        let proposal = self.rules.ending == Ending::Proposal;
        if proposal || marks != self.marks {
            self.accepted.clear();
            self.marks = marks;
        }
        if proposal {
            self.accepted.insert(side);
            self.proposed = Some(side);
            return Ok(false);
        }
        self.accept(side)
    }
}
