//! The interface between the tuner and a game's evaluation, which must be linear and tapered.

use hasami_api::Group;

/// The parts of a position's value for the first player (White, Sente): in centipawns:
/// `value = opening * phase + ending * scale * (1 - phase) + fixed`. `opening` and `ending` are the sums of the features'
/// counts times their two weights.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// Features, and how often they occur: the first player's count minus the second's.
    pub counts: Vec<(u16, i16)>,
    /// 1 in the opening, 0 in the ending. A game without phases always has 1 and never uses the weights of the ending.
    pub phase: f32,
    /// Share of the ending's sum that counts, from 0 to 1.
    pub scale: f32,
    /// The part that does not depend on any weight.
    pub fixed: f32,
}

/// An evaluation that can be tuned: a list of features, each with a weight for the opening and one for the ending.
pub trait Tunable {
    /// The name of the game on the command line.
    const NAME: &'static str;

    /// The groups of the weights file: two numbers per feature, opening and ending, in the order of the features.
    fn groups() -> Vec<Group>;

    /// The initial weights, in the order of the groups.
    fn initial() -> Vec<i32>;

    /// Splits the value of a position, given as text, into its parts. An error says what was expected and what was
    /// found.
    fn terms(position: &str) -> Result<Terms, String>;
}
