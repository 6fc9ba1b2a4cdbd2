//! The conditions of self-play.

use hasami_api::Line;
use serde::Serialize;

/// The conditions under which a game is adjudicated before the rules end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Adjudication {
    /// Smallest score, in centipawns, that decides a game if both sides agree on the winner.
    pub win_score: u16,
    /// Number of consecutive plies with scores of at least `win_score` after which the game is won.
    pub win_plies: u16,
    /// Largest absolute score, in centipawns, of a position that counts as drawn.
    pub draw_score: u16,
    /// Number of consecutive plies with scores of at most `draw_score` after which the game is drawn.
    pub draw_plies: u16,
    /// First ply at which a game may be adjudicated as a draw by its scores.
    pub draw_from: u16,
    /// Number of plies after which a game is adjudicated as a draw.
    pub most_plies: u16,
}

impl Default for Adjudication {
    fn default() -> Self {
        Self { win_score: 1_500, win_plies: 6, draw_score: 8, draw_plies: 10, draw_from: 80, most_plies: 400 }
    }
}

/// Number of nodes per move at which a whole game, some hundred moves long, fills one MiB of the table.
const NODES_PER_MIB: u64 = 625;

/// Largest default size of the table, in MiB.
const MOST_USUAL_MIB: u64 = 8;

/// Default limit on the first score of an opening, in centipawns.
pub const USUAL_OPENING_SCORE: u16 = 800;

/// Returns the default size of the table in MiB, which is large enough for a whole game with this number of nodes per
/// move. A larger table takes longer to clear for every game.
pub fn usual_hash(nodes: u64) -> u32 {
    nodes.div_ceil(NODES_PER_MIB).clamp(1, MOST_USUAL_MIB) as u32
}

/// The conditions of self-play: everything that can change a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SelfPlayPlan {
    /// The name of the game.
    pub game: &'static str,
    /// Description of the network that evaluates positions.
    pub evaluation: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// Soft limit of nodes: the search of a move ends after the first iteration that has reached it.
    pub nodes: u64,
    /// Number of random moves from the initial position or from one of the openings; half of the games have one more.
    pub random_plies: u16,
    /// Largest absolute first score of an opening, in centipawns; an opening with a larger score is drawn again.
    pub most_opening_score: u16,
    /// Size of the table of each thread, in MiB.
    pub hash_mb: u32,
    pub adjudication: Adjudication,
    /// The positions at which games begin; if empty, the initial position.
    #[serde(skip)]
    pub openings: Vec<Line>,
    /// The name of the openings file.
    pub openings_file: Option<String>,
}
