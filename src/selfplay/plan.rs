//! The plan of a self-play run: the conditions of its games.

use hasami_api::Line;
use serde::Serialize;

/// Rules for ending a game early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Adjudication {
    /// A side with at least this score, in centipawns, counts as winning; 0 turns this rule off.
    pub win_score: u16,
    /// A game is won after this many consecutive plies with scores of at least `win_score` for the same side.
    pub win_plies: u16,
    /// A position with at most this absolute score, in centipawns, counts as drawn.
    pub draw_score: u16,
    /// A game is drawn after this many consecutive plies with absolute scores of at most `draw_score`; 0 for never.
    pub draw_plies: u16,
    /// The draw rule counts plies from this one on.
    pub draw_from: u16,
    /// A game of this many plies is adjudicated as a draw.
    pub most_plies: u16,
}

impl Default for Adjudication {
    fn default() -> Self {
        Self { win_score: 1_500, win_plies: 6, draw_score: 8, draw_plies: 10, draw_from: 80, most_plies: 400 }
    }
}

/// With this many nodes per move, a whole game of about a hundred moves fills one MiB of the hash table.
const NODES_PER_MIB: u64 = 625;

/// Largest default size of the hash table, in MiB.
const MOST_USUAL_MIB: u64 = 8;

/// Default limit on the first score of an opening, in centipawns.
pub const USUAL_OPENING_SCORE: u16 = 800;

/// Returns the default size of the hash table in MiB: enough for a whole game with this many nodes per move. A larger
/// table would take longer to clear before every game.
pub fn usual_hash(nodes: u64) -> u32 {
    nodes.div_ceil(NODES_PER_MIB).clamp(1, MOST_USUAL_MIB) as u32
}

/// The plan of a self-play run: every setting that can change a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SelfPlayPlan {
    /// The name of the game.
    pub game: &'static str,
    /// A description of the network that evaluates positions.
    pub evaluation: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// Soft node limit: the search for a move ends after the first iteration that reaches the limit.
    pub nodes: u64,
    /// Number of random plies at the beginning, after the opening if there is one; half of the games have one more.
    pub random_plies: u16,
    /// If the absolute first score after an opening exceeds this, in centipawns, another opening is drawn.
    pub most_opening_score: u16,
    /// Size of each thread's hash table, in MiB.
    pub hash_mb: u32,
    pub adjudication: Adjudication,
    /// Opening lines; each game starts at the end of one or, if there are none, at the initial position.
    #[serde(skip)]
    pub openings: Vec<Line>,
    /// The name of the openings file.
    pub openings_file: Option<String>,
}
