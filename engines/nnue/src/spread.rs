//! Measures the spread of a network's outputs. Networks differ in the units of their outputs, so the search margins
//! must be scaled to the spread of the network in use.

use crate::element::Inputs;
use hasami_api::Start;

/// Returns the mean absolute output for the sample positions of the game.
pub fn mean<G: Inputs>(mut output: impl FnMut(&G) -> i64) -> i64 {
    let value = |text: &str| {
        let start = Start { text: Some(text.into()), ..Start::default() };
        output(&G::new(&start).expect("tests check every sample position")).abs()
    };
    G::SAMPLE.lines().map(value).sum::<i64>() / G::SAMPLE.lines().count() as i64
}
