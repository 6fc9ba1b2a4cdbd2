//! The seam between the tuner and a game's evaluation: what a linear, tapered evaluation tells about a position.

use hasami_api::Group;

/// A position's value taken apart, all from the first player's side (White, Sente):
/// `value = opening * phase + ending * scale * (1 - phase) + fixed`, centipawns, where `opening` and `ending` are the sums of
/// the features' counts times their two weights.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// Features present and how often: the first player's minus the second's.
    pub counts: Vec<(u16, i16)>,
    /// 1 in the opening, 0 in the ending. A game without phases says 1 and never sees its endings' weights.
    pub phase: f32,
    /// How much of the ending's sum counts, 0 to 1.
    pub scale: f32,
    /// The part that no weight changes.
    pub fixed: f32,
}

/// An evaluation that can be tuned: a list of features, each with one weight for the opening and one for the ending.
pub trait Tunable {
    /// The word of the command line.
    const NAME: &'static str;

    /// The groups of the weights file; two numbers a feature, opening and ending, in the order of the features.
    fn groups() -> Vec<Group>;

    /// The weights to start from, as the groups say.
    fn initial() -> Vec<i32>;

    /// Takes a position in its text form apart; an error says what was expected and what was found.
    fn terms(position: &str) -> Result<Terms, String>;
}
