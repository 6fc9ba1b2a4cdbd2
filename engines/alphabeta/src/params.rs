//! The numbers of the search, each with the range in which it may be tuned. Margins are in hundredths of a pawn and are
//! scaled by the game's pawn ([`margin`]), so that they fit any evaluation; depths are in plies.

use hasami_api::SearchGame;

/// A number of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The constant's name in this file.
    pub name: &'static str,
    /// The value in use; its unit is in the constant's description.
    pub value: i32,
    /// The least value worth trying.
    pub low: i32,
    /// The greatest value worth trying.
    pub high: i32,
}

/// Constants, so that the search pays nothing for them, and a list of them all.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])* $name:ident = $value:literal, $low:literal..=$high:literal;)*) => {
        $($(#[doc = $doc])* pub(crate) const $name: i32 = $value;)*

        /// All numbers of the search that may be tuned.
        pub const PARAMETERS: &[Parameter] =
            &[$(Parameter { name: stringify!($name), value: $value, low: $low, high: $high }),*];
    };
}

parameters! {
    /// Deepest node that is razored, plies.
    RAZOR_DEPTH = 4, 1..=8;
    /// How far below alpha a node is razored, hundredths of a pawn.
    RAZOR_BASE = 250, 50..=600;
    /// The same for each square of a ply of depth.
    RAZOR_PER_DEPTH_SQUARED = 180, 50..=500;
    /// Deepest node that a value far above beta settles, plies.
    REVERSE_FUTILITY_DEPTH = 9, 4..=14;
    /// How far above beta, hundredths of a pawn a ply.
    REVERSE_FUTILITY_PER_PLY = 75, 20..=200;
    /// So much less a ply at an expected cut node without a table move.
    REVERSE_FUTILITY_CUT_DISCOUNT = 15, 0..=50;
    /// The part of what is above beta that counts is one in so many.
    REVERSE_FUTILITY_RETURN_DIVISOR = 3, 1..=8;
    /// Shallowest node at which a pass is tried, plies.
    NULL_MOVE_DEPTH = 3, 1..=6;
    /// How far the static value is above beta for a pass, hundredths of a pawn.
    NULL_MOVE_BASE = 140, 0..=400;
    /// So much less a ply of depth.
    NULL_MOVE_PER_PLY = 18, 0..=60;
    /// Plies that a pass saves.
    NULL_MOVE_REDUCTION = 4, 2..=8;
    /// One ply more for each so many plies of depth.
    NULL_MOVE_DEPTH_DIVISOR = 4, 2..=8;
    /// One ply more for each so many hundredths of a pawn above beta.
    NULL_MOVE_VALUE_STEP = 200, 50..=500;
    /// At most so many plies more by value.
    NULL_MOVE_VALUE_LIMIT = 3, 1..=6;
    /// From this depth on a search without passes verifies a pass that fails high.
    NULL_VERIFICATION_DEPTH = 14, 8..=24;
    /// Shallowest node that loses a ply where there is no table move (internal iterative reduction), plies.
    INTERNAL_REDUCTION_DEPTH = 4, 1..=10;
    /// The side to move gets worse if its value falls by so much, hundredths of a pawn.
    WORSENING_MARGIN = 100, 20..=400;
    /// Shallowest node of ProbCut, plies.
    PROBCUT_DEPTH = 5, 3..=10;
    /// How far above beta a capture is to come, hundredths of a pawn.
    PROBCUT_MARGIN = 190, 50..=400;
    /// The same where the side to move improves.
    PROBCUT_IMPROVING_MARGIN = 140, 50..=400;
    /// Plies less for the search that confirms it.
    PROBCUT_REDUCTION = 4, 2..=6;
    /// Shallowest node at which singularity is asked for, plies.
    SINGULAR_DEPTH = 7, 4..=12;
    /// The table's entry may be so many plies shallower.
    SINGULAR_TABLE_SLACK = 3, 1..=6;
    /// The bar lies so many halves of a hundredth of a pawn a ply below the table's value.
    SINGULAR_MARGIN = 2, 1..=8;
    /// The same where the node was on a principal variation once.
    SINGULAR_PV_MARGIN = 3, 1..=8;
    /// Two plies more if all others are so much below the bar, hundredths of a pawn.
    SINGULAR_DOUBLE_MARGIN = 15, 0..=60;
    /// Double extensions on a line.
    SINGULAR_MOST_DOUBLES = 10, 1..=20;
    /// Reduction of quiet moves, 1024ths of a ply.
    LMR_QUIET_BASE = 780, 0..=2000;
    /// The product of the logarithms of depth and number is divided by so many hundredths.
    LMR_QUIET_DIVISOR = 240, 100..=500;
    /// Reduction of captures and promotions, 1024ths of a ply.
    LMR_NOISY_BASE = 100, -500..=1500;
    /// The same as for quiet moves.
    LMR_NOISY_DIVISOR = 330, 100..=700;
    /// More at an expected cut node, 1024ths of a ply.
    LMR_CUT = 1500, 0..=3000;
    /// More where the side to move does not improve.
    LMR_NOT_IMPROVING = 600, 0..=2000;
    /// Less in the principal variation.
    LMR_PV = 1024, 0..=3000;
    /// Less where the node was on a principal variation once.
    LMR_WAS_PV = 800, 0..=2500;
    /// Less for a move that checks.
    LMR_CHECK = 900, 0..=2500;
    /// More where children have cut off often.
    LMR_CUTOFFS = 700, 0..=2000;
    /// More cutoffs than these are many.
    LMR_MANY_CUTOFFS = 3, 1..=8;
    /// Less for a killer move.
    LMR_KILLER = 1024, 0..=2500;
    /// History that is worth a ply, captures and promotions.
    LMR_NOISY_HISTORY = 10_000, 2000..=40_000;
    /// The same for quiet moves.
    LMR_QUIET_HISTORY = 14_000, 2000..=40_000;
    /// Quiet moves that are tried before the late ones are left out.
    LATE_MOVES_BASE = 4, 1..=12;
    /// Deepest node at which moves that lose material are left out, plies.
    LATE_MOVES_DEPTH = 9, 4..=14;
    /// Deepest reduced depth at which a capture is futile, plies.
    FUTILE_NOISY_DEPTH = 6, 2..=12;
    /// What a capture may be short of alpha, hundredths of a pawn.
    FUTILE_NOISY_BASE = 280, 50..=600;
    /// The same for each ply.
    FUTILE_NOISY_PER_PLY = 220, 50..=500;
    /// History that counts as a unit of value for it.
    FUTILE_NOISY_HISTORY = 64, 16..=256;
    /// Deepest reduced depth at which a quiet move is futile, plies.
    FUTILE_QUIET_DEPTH = 9, 4..=14;
    /// What a quiet move may be short of alpha, hundredths of a pawn.
    FUTILE_QUIET_BASE = 110, 20..=400;
    /// The same for each ply.
    FUTILE_QUIET_PER_PLY = 95, 20..=300;
    /// Deepest node at which a quiet move with a bad record is left out, plies.
    HISTORY_PRUNING_DEPTH = 5, 1..=10;
    /// A record below minus so much a ply is bad.
    HISTORY_PRUNING_PER_PLY = 4000, 1000..=10_000;
    /// What a capture may lose, hundredths of a pawn a ply.
    SEE_NOISY_PER_PLY = 110, 20..=300;
    /// History that counts as a unit of value for it.
    SEE_NOISY_HISTORY = 48, 16..=256;
    /// What a quiet move may lose, hundredths of a pawn for each square of a ply.
    SEE_QUIET_PER_PLY_SQUARED = 24, 5..=80;
    /// From this depth on the root is searched in a window.
    ASPIRATION_DEPTH = 4, 1..=8;
    /// Half of its width, hundredths of a pawn.
    ASPIRATION_WINDOW = 14, 5..=60;
    /// Wider by one in so many of the value.
    ASPIRATION_VALUE_DIVISOR = 100, 20..=1000;
    /// Wider windows are opened altogether, hundredths of a pawn.
    ASPIRATION_LIMIT = 600, 200..=2000;
    /// What a capture may be short of alpha in quiescence, hundredths of a pawn.
    QUIESCENCE_MARGIN = 150, 50..=400;
    /// What a capture may lose in quiescence, hundredths of a pawn.
    QUIESCENCE_LOSS = 20, 0..=150;
    /// Later captures are to win something where alpha is far.
    QUIESCENCE_MOVES = 3, 1..=8;
    /// What a move that cuts off gains in history, a ply.
    HISTORY_BONUS = 150, 50..=400;
    /// At most so much.
    HISTORY_BONUS_LIMIT = 1600, 500..=4000;
    /// What those tried before it lose, a ply.
    HISTORY_MALUS = 180, 50..=400;
    /// At most so much.
    HISTORY_MALUS_LIMIT = 1300, 500..=4000;
    /// So much less of both, whatever the depth.
    HISTORY_OFFSET = 80, 0..=300;
    /// At least so much of both.
    HISTORY_LEAST = 60, 0..=300;
    /// What a killer move is worth in the order of quiet moves, as history.
    KILLER_SCORE = 30_000, 8000..=60_000;
    /// The same for the counter move.
    COUNTER_SCORE = 12_000, 4000..=40_000;
    /// The same for a check.
    CHECK_SCORE = 16_000, 0..=40_000;
    /// What a pawn that is captured is worth in the order of captures.
    VICTIM_WEIGHT = 700, 200..=2000;
    /// What a promotion is worth there.
    PROMOTION_SCORE = 700, 0..=3000;
    /// History counts one in so many there.
    NOISY_HISTORY_DIVISOR = 8, 2..=32;
    /// A capture with so much of that score may lose a unit of value and still come early.
    LOSING_NOISY_HISTORY = 32, 8..=128;
    /// Weight of the first correction history, 256ths.
    CORRECTION_FIRST = 256, 0..=512;
    /// Weight of each of the two others.
    CORRECTION_OTHERS = 160, 0..=512;
    /// A correction learns one in so many of the error a ply.
    CORRECTION_DEPTH_DIVISOR = 8, 2..=32;
    /// Corrections at their limit in all tables are worth this, hundredths of a pawn.
    CORRECTION_SCALE = 16, 4..=64;
}

/// History values lie between this and its negative.
pub(crate) const HISTORY_LIMIT: i32 = 16_384;

/// The deepest iteration, and the deepest node of any line, plies from the root.
pub(crate) const MAX_DEPTH: i32 = 245;
pub(crate) const MAX_PLY: usize = 246;

/// Outside every score.
pub(crate) const INFINITE: i32 = 32_001;

/// Hundredths of a pawn in the units of the game's evaluation.
#[inline]
pub(crate) const fn margin<G: SearchGame>(hundredths: i32) -> i32 {
    hundredths * G::PAWN / 100
}

pub(crate) const fn correction_weight(feature: usize) -> i32 {
    [CORRECTION_FIRST, CORRECTION_OTHERS, CORRECTION_OTHERS][feature]
}

/// History bonus for the move that cut off at `depth`, and malus for those tried before it.
pub(crate) fn bonus(depth: i32) -> i32 {
    (HISTORY_BONUS * depth - HISTORY_OFFSET).clamp(HISTORY_LEAST, HISTORY_BONUS_LIMIT)
}

pub(crate) fn malus(depth: i32) -> i32 {
    (HISTORY_MALUS * depth - HISTORY_OFFSET).clamp(HISTORY_LEAST, HISTORY_MALUS_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_number_lies_in_its_range_and_has_a_name_of_its_own() {
        for Parameter { name, value, low, high } in PARAMETERS {
            assert!(low < high && (low..=high).contains(&value), "{name}: {value} of {low} to {high}");
        }
        let names: HashSet<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
        assert_eq!(names.len(), PARAMETERS.len());
    }
}
