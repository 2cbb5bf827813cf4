//! What the model can be made to do wrong.

/// A sentence that the model can be made to forget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flaw {
    /// Those who wait are never told.
    NotWoken,
    /// `genmove` waits whenever the cursor is at the end, whoever is to move.
    AlwaysWaits,
    /// No play is ever taken for a replay.
    NoReplays,
    /// A wait that is interrupted is not answered.
    InterruptLoses,
    /// A sequence is not followed play by play.
    Sequence,
    /// `undo` does not bring back the cursor that the view had.
    Undo,
    /// A view equal to the start is found at the latest equal position.
    Start,
    /// An own play out of step moves the view.
    Over,
    /// An own play from a view found by its stones may repeat a turn.
    Ambiguous,
    /// A connection that has asked for the ruler's board may act.
    Ruler,
    /// A connection without a board of its own is treated as one with a board.
    Follow,
    /// A view found by its stones after a play is in step at once.
    Settle,
    /// What was shown in an earlier scoring can be accepted.
    Shown,
}

/// All sentences that the protocol gained when it was model-checked.
pub(crate) const AS_FIRST_WRITTEN: &[Flaw] = {
    use Flaw::*;
    &[Sequence, Undo, Start, Over, Ambiguous, Ruler, Follow, Settle, Shown]
};
