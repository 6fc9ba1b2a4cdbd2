//! The adapter for shogi.

use crate::tunable::{Terms, Tunable};
use hasami_api::{Game, Group, Start, parse_weights};
use hasami_shogi::{Shogi, eval};

pub struct ShogiWeights;

impl Tunable for ShogiWeights {
    const NAME: &'static str = "shogi";

    fn groups() -> Vec<Group> {
        eval::WEIGHT_GROUPS.to_vec()
    }

    fn initial() -> Vec<i32> {
        parse_weights(eval::WEIGHT_GROUPS, eval::WEIGHTS_TEXT).expect("the engine reads the same text")
    }

    fn terms(position: &str) -> Result<Terms, String> {
        let start = Start { text: Some(position.into()), ..Start::default() };
        let game = Shogi::new(&start).map_err(|error| error.to_string())?;
        let trace = eval::trace(&game);
        Ok(Terms { counts: trace.counts, phase: trace.phase, scale: 1.0, fixed: 0.0 })
    }
}
