//! How far a network's values spread: networks differ by what they call a pawn, and the margins of a search have to follow.

use crate::element::Inputs;
use hasami_api::Start;

/// Mean of the absolute outputs in the positions of the game's sample.
pub fn mean<G: Inputs>(mut output: impl FnMut(&G) -> i64) -> i64 {
    let value = |text: &str| {
        let start = Start { text: Some(text.into()), ..Start::default() };
        output(&G::new(&start).expect("a test reads every position of the samples")).abs()
    };
    G::SAMPLE.lines().map(value).sum::<i64>() / G::SAMPLE.lines().count() as i64
}
