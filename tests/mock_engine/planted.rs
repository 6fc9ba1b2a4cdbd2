//! A toy engine of known strength: the engine loses Elo in proportion to the square of the distance between its option
//! Margin and an optimum.
//!
//! At each move, the engine resigns with a probability that depends on Margin. An engine that resigns with twice the
//! probability loses about twice as many games, so results approximately correspond to Elo.

use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

/// The optimum of Margin, and the distance from the optimum at which the engine is 100 Elo weaker.
const BEST: f64 = 140.0;
const WIDTH: f64 = 60.0;

/// Probability that the engine resigns at a move if Margin is at its optimum.
const LEAST: f64 = 0.04;

#[derive(Clone)]
pub struct Planted {
    margin: f64,
    games: u32,
    /// A number that differs between processes, so that processes which play the same moves do not resign at the same
    /// move.
    salt: u64,
}

impl Default for Planted {
    fn default() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { margin: 20.0, games: 0, salt: now.as_nanos() as u64 ^ u64::from(process::id()) << 32 }
    }
}

impl Planted {
    pub const OPTION: &'static str = "option name Margin type spin default 20 min 0 max 200";

    pub fn hear(&mut self, line: &str) {
        if let Some(value) = line.strip_prefix("setoption name Margin value ") {
            self.margin = value.parse().unwrap_or(self.margin);
        }
        self.games += u32::from(line == "usinewgame");
    }

    pub fn resigns(&self, position: &str) -> bool {
        let elo = 100.0 * ((self.margin - BEST) / WIDTH).powi(2);
        let chance = (LEAST * 10f64.powf(elo / 400.0)).min(1.0);
        let mut hash =
            0xcbf2_9ce4_8422_2325_u64 ^ self.salt ^ u64::from(self.games).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for byte in position.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((hash >> 11) as f64 / (1u64 << 53) as f64) < chance
    }
}
