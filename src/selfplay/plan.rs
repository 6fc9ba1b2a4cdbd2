//! The conditions of self-play.

use hasami_api::Line;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// When a game ends before the rules end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Adjudication {
    /// Centipawns that both sides see in the same way.
    pub win_score: u16,
    /// Plies in a row of such a score.
    pub win_plies: u16,
    /// Centipawns within which a game is drawn.
    pub draw_score: u16,
    /// Plies in a row within it.
    pub draw_plies: u16,
    /// No draw by scores before this ply.
    pub draw_from: u16,
    /// A game of so many plies is drawn.
    pub most_plies: u16,
}

impl Default for Adjudication {
    fn default() -> Self {
        Self { win_score: 1_500, win_plies: 6, draw_score: 8, draw_plies: 10, draw_from: 80, most_plies: 400 }
    }
}

/// Nodes a move whose games of some hundred moves fill a MiB of the table.
const NODES_PER_MIB: u64 = 625;

/// MiB of the table where nothing is said, at most.
const MOST_USUAL_MIB: u64 = 8;

/// Centipawns of the first score of an opening where nothing is said.
pub const USUAL_OPENING_SCORE: u16 = 800;

/// MiB of a table that holds what a game searches with so many nodes a move. A larger one takes longer to clear for every
/// game.
pub fn usual_hash(nodes: u64) -> u32 {
    nodes.div_ceil(NODES_PER_MIB).clamp(1, MOST_USUAL_MIB) as u32
}

/// The conditions of self-play. Whatever changes a game is in here.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SelfPlayPlan {
    /// The word of the game.
    pub game: &'static str,
    /// The evaluation, as the network describes itself.
    pub evaluation: String,
    /// Of all that is random.
    pub seed: u64,
    /// The search of a move ends after the first iteration that has made so many moves.
    pub nodes: u64,
    /// Random moves from the initial position, or from one of the openings; half of the games have one more.
    pub random_plies: u16,
    /// Openings whose first score is beyond this are drawn anew.
    pub most_opening_score: u16,
    /// MiB of the table of each thread.
    pub hash_mb: u32,
    pub adjudication: Adjudication,
    /// Where games begin; none: the initial position.
    #[serde(skip)]
    pub openings: Vec<Line>,
    /// The name of their file.
    pub openings_file: Option<String>,
}

/// What of a plan is in its text.
#[derive(Deserialize)]
struct PlanText {
    evaluation: String,
    seed: u64,
    nodes: u64,
    random_plies: u16,
    most_opening_score: u16,
    hash_mb: u32,
    adjudication: Adjudication,
}

impl SelfPlayPlan {
    /// A plan of this game from its JSON, which has no openings.
    pub fn read(game: &'static str, text: &Value, openings: Vec<Line>) -> Result<Self, String> {
        let expected = |error: serde_json::Error| format!("expected a plan of self-play, found: {error}");
        let text: PlanText = PlanText::deserialize(text).map_err(expected)?;
        Ok(Self {
            game,
            evaluation: text.evaluation,
            seed: text.seed,
            nodes: text.nodes.clamp(1, 1_000_000_000),
            random_plies: text.random_plies.min(100),
            most_opening_score: text.most_opening_score,
            hash_mb: text.hash_mb.clamp(1, 65_536),
            adjudication: Adjudication {
                most_plies: text.adjudication.most_plies.clamp(1, 4_000),
                ..text.adjudication
            },
            openings,
            openings_file: None,
        })
    }
}
