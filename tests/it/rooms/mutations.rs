//! Whether the checks can fire: a model that forgets a sentence of the protocol is found out, by the comparison with one
//! that does not, and by what the clients' users mean.

use super::flaw::{AS_FIRST_WRITTEN, Flaw};
use super::games::{Cast, game};
use super::scoring;
use super::text::Speaker;

const CASTS: [Cast; 3] = [Cast::Clients, Cast::Specials, Cast::Anybody];

/// What goes wrong in a game.
fn fault(seed: u64, cast: Cast, model: &[Flaw], real: &[Flaw]) -> Option<String> {
    game(seed, 40, cast, Speaker::new(model), Speaker::new(real)).err()
}

#[test]
fn a_program_that_forgets_a_sentence_disagrees_with_the_model() {
    use Flaw::*;
    let all = [
        NotWoken,
        AlwaysWaits,
        NoReplays,
        InterruptLoses,
        Sequence,
        Undo,
        Start,
        Over,
        Ambiguous,
        Follow,
        Settle,
        Shown,
    ];
    for flaw in all {
        let seeds = (0..5_000).flat_map(|seed| CASTS.map(|cast| (seed, cast)));
        let mut games = seeds.map(|(seed, cast)| fault(seed, cast, &[], &[flaw]));
        if flaw == Flaw::Shown {
            let game = |seed| scoring::game(seed, 60, Speaker::new(&[]), Speaker::new(&[flaw]));
            assert!((0..500).any(|seed| game(seed).is_err()), "it is not noticed what was shown in an earlier scoring");
            continue;
        }
        let after = games.position(|why| why.is_some());
        println!("{flaw:?}: noticed after {after:?} games");
        assert!(after.is_some(), "{flaw:?} is not noticed");
    }
}

#[test]
fn the_users_of_a_program_that_forgets_sentences_are_surprised() {
    let kinds: [(&[Flaw], &str); 6] = [
        (&[Flaw::NotWoken], "HANG"),
        (&[Flaw::AlwaysWaits], "HANG"),
        (&[Flaw::NoReplays], "CATCH-UP"),
        (&[Flaw::Over], "SWALLOWED"),
        (&[Flaw::Follow], "SWALLOWED"),
        (AS_FIRST_WRITTEN, "SWALLOWED"),
    ];
    for (flaws, kind) in kinds {
        let found: Vec<String> = (0..1_000).filter_map(|seed| fault(seed, Cast::Clients, flaws, flaws)).collect();
        let count = found.iter().filter(|why| why.starts_with(kind)).count();
        println!("{flaws:?}: {} of 1000 games, {count} of them {kind}", found.len());
        assert!(count > 0, "{flaws:?} surprise nobody");
    }
}
