//! The conditions of self-play.

use hasami_api::Line;
use serde::Serialize;

/// When a game ends before the rules end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
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
