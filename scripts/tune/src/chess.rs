//! The adapter for chess.

use crate::tunable::{Terms, Tunable};
use hasami_api::{Group, parse_weights};
use hasami_chess::{Chess, eval};

pub struct ChessWeights;

impl Tunable for ChessWeights {
    const NAME: &'static str = "chess";

    fn groups() -> Vec<Group> {
        eval::WEIGHT_GROUPS.to_vec()
    }

    fn initial() -> Vec<i32> {
        parse_weights(eval::WEIGHT_GROUPS, eval::WEIGHTS_TEXT).expect("the engine reads the same text")
    }

    fn terms(position: &str) -> Result<Terms, String> {
        let game = Chess::from_fen(position).map_err(|error| error.to_string())?;
        let trace = eval::trace(&game);
        Ok(Terms { counts: trace.counts, phase: trace.phase, scale: trace.scale, fixed: trace.fixed })
    }
}
