//! The numbers of the search, each with the range in which it may be tuned. Margins are in hundredths of a pawn and are
//! scaled by the game's pawn ([`margin`]), so that they fit any evaluation; depths are in plies. The values here are for any
//! game; those that a game has tuned for itself are its [`SearchGame::SEARCH_NUMBERS`].

use hasami_api::SearchGame;
#[cfg(feature = "tunable")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

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

/// A function for each number, and a list of them all. The numbers are constants, so that the search pays nothing for them, but
/// where the program is built to be tuned.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])* $name:ident = $value:literal, $low:literal..=$high:literal;)*) => {
        $(
            $(#[doc = $doc])*
            #[inline(always)]
            pub(crate) fn $name<G: SearchGame>() -> i32 {
                #[cfg(feature = "tunable")]
                if let Some(value) = set_value(Place::$name as usize) {
                    return value;
                }
                const { own(G::SEARCH_NUMBERS, stringify!($name), $value) }
            }
        )*

        /// The numbers for any game.
        const PARAMETERS: &[Parameter] =
            &[$(Parameter { name: stringify!($name), value: $value, low: $low, high: $high }),*];

        #[cfg(feature = "tunable")]
        #[expect(non_camel_case_types, reason = "named as the functions are")]
        enum Place { $($name),* }
    };
}

/// All numbers of the search in a game.
#[must_use]
pub fn parameters<G: SearchGame>() -> Vec<Parameter> {
    let of_game = |p: &Parameter| Parameter { value: own(G::SEARCH_NUMBERS, p.name, p.value), ..*p };
    PARAMETERS.iter().map(of_game).collect()
}

/// The game's own value of a number, or else `value`.
const fn own(numbers: &[(&str, i32)], name: &str, value: i32) -> i32 {
    let mut at = 0;
    while at < numbers.len() {
        if is_same(numbers[at].0, name) {
            return numbers[at].1;
        }
        at += 1;
    }
    value
}

/// Each number of a game is one of those here and lies in its range.
pub(crate) const fn are_valid(numbers: &[(&str, i32)]) -> bool {
    let mut at = 0;
    while at < numbers.len() {
        let (mut place, (name, value)) = (0, numbers[at]);
        while place < PARAMETERS.len() && !is_same(PARAMETERS[place].name, name) {
            place += 1;
        }
        if place == PARAMETERS.len() || value < PARAMETERS[place].low || PARAMETERS[place].high < value {
            return false;
        }
        at += 1;
    }
    true
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Changes a number in all games; false where none has this name, or the value is outside its range. For engines that are made
/// afterwards.
#[cfg(feature = "tunable")]
pub fn set_parameter(name: &str, value: i32) -> bool {
    let place = PARAMETERS.iter().position(|parameter| parameter.name == name);
    let place = place.filter(|&place| (PARAMETERS[place].low..=PARAMETERS[place].high).contains(&value));
    if let Some(place) = place {
        SET[place].store(value, Relaxed);
    }
    place.is_some()
}

/// What no number can be.
#[cfg(feature = "tunable")]
const UNSET: i32 = i32::MIN;

/// The numbers that were set at run time.
#[cfg(feature = "tunable")]
static SET: [AtomicI32; PARAMETERS.len()] = [const { AtomicI32::new(UNSET) }; PARAMETERS.len()];

#[cfg(feature = "tunable")]
#[inline(always)]
fn set_value(place: usize) -> Option<i32> {
    Some(SET[place].load(Relaxed)).filter(|&value| value != UNSET)
}

parameters! {
    /// Deepest node that is razored, plies.
    razor_depth = 4, 1..=8;
    /// How far below alpha a node is razored, hundredths of a pawn.
    razor_base = 250, 50..=600;
    /// The same for each square of a ply of depth.
    razor_per_depth_squared = 180, 50..=500;
    /// Deepest node that a value far above beta settles, plies.
    reverse_futility_depth = 9, 4..=14;
    /// How far above beta, hundredths of a pawn a ply.
    reverse_futility_per_ply = 75, 20..=200;
    /// So much less a ply at an expected cut node without a table move.
    reverse_futility_cut_discount = 15, 0..=50;
    /// The part of what is above beta that counts is one in so many.
    reverse_futility_return_divisor = 3, 1..=8;
    /// Shallowest node at which a pass is tried, plies.
    null_move_depth = 3, 1..=6;
    /// How far the static value is above beta for a pass, hundredths of a pawn.
    null_move_base = 140, 0..=400;
    /// So much less a ply of depth.
    null_move_per_ply = 18, 0..=60;
    /// Plies that a pass saves.
    null_move_reduction = 4, 2..=8;
    /// One ply more for each so many plies of depth.
    null_move_depth_divisor = 4, 2..=8;
    /// One ply more for each so many hundredths of a pawn above beta.
    null_move_value_step = 200, 50..=500;
    /// At most so many plies more by value.
    null_move_value_limit = 3, 1..=6;
    /// From this depth on a search without passes verifies a pass that fails high.
    null_verification_depth = 14, 8..=24;
    /// Shallowest node that loses a ply where there is no table move (internal iterative reduction), plies.
    internal_reduction_depth = 4, 1..=10;
    /// The side to move gets worse if its value falls by so much, hundredths of a pawn.
    worsening_margin = 100, 20..=400;
    /// Shallowest node of ProbCut, plies.
    probcut_depth = 5, 3..=10;
    /// How far above beta a capture is to come, hundredths of a pawn.
    probcut_margin = 190, 50..=400;
    /// The same where the side to move improves.
    probcut_improving_margin = 140, 50..=400;
    /// Plies less for the search that confirms it.
    probcut_reduction = 4, 2..=6;
    /// Shallowest node at which singularity is asked for, plies.
    singular_depth = 7, 4..=12;
    /// The table's entry may be so many plies shallower.
    singular_table_slack = 3, 1..=6;
    /// The bar lies so many halves of a hundredth of a pawn a ply below the table's value.
    singular_margin = 2, 1..=8;
    /// The same where the node was on a principal variation once.
    singular_pv_margin = 3, 1..=8;
    /// Two plies more if all others are so much below the bar, hundredths of a pawn.
    singular_double_margin = 15, 0..=60;
    /// Double extensions on a line.
    singular_most_doubles = 10, 1..=20;
    /// Reduction of quiet moves, 1024ths of a ply.
    lmr_quiet_base = 780, 0..=2000;
    /// The product of the logarithms of depth and number is divided by so many hundredths.
    lmr_quiet_divisor = 240, 100..=500;
    /// Reduction of captures and promotions, 1024ths of a ply.
    lmr_noisy_base = 100, -500..=1500;
    /// The same as for quiet moves.
    lmr_noisy_divisor = 330, 100..=700;
    /// More at an expected cut node, 1024ths of a ply.
    lmr_cut = 1500, 0..=3000;
    /// More where the side to move does not improve.
    lmr_not_improving = 600, 0..=2000;
    /// Less in the principal variation.
    lmr_pv = 1024, 0..=3000;
    /// Less where the node was on a principal variation once.
    lmr_was_pv = 800, 0..=2500;
    /// Less for a move that checks.
    lmr_check = 900, 0..=2500;
    /// More where children have cut off often.
    lmr_cutoffs = 700, 0..=2000;
    /// More cutoffs than these are many.
    lmr_many_cutoffs = 3, 1..=8;
    /// Less for a killer move.
    lmr_killer = 1024, 0..=2500;
    /// History that is worth a ply, captures and promotions.
    lmr_noisy_history = 10_000, 2000..=40_000;
    /// The same for quiet moves.
    lmr_quiet_history = 14_000, 2000..=40_000;
    /// Quiet moves that are tried before the late ones are left out.
    late_moves_base = 4, 1..=12;
    /// Deepest node at which moves that lose material are left out, plies.
    late_moves_depth = 9, 4..=14;
    /// Deepest reduced depth at which a capture is futile, plies.
    futile_noisy_depth = 6, 2..=12;
    /// What a capture may be short of alpha, hundredths of a pawn.
    futile_noisy_base = 280, 50..=600;
    /// The same for each ply.
    futile_noisy_per_ply = 220, 50..=500;
    /// History that counts as a unit of value for it.
    futile_noisy_history = 64, 16..=256;
    /// Deepest reduced depth at which a quiet move is futile, plies.
    futile_quiet_depth = 9, 4..=14;
    /// What a quiet move may be short of alpha, hundredths of a pawn.
    futile_quiet_base = 110, 20..=400;
    /// The same for each ply.
    futile_quiet_per_ply = 95, 20..=300;
    /// Deepest node at which a quiet move with a bad record is left out, plies.
    history_pruning_depth = 5, 1..=10;
    /// A record below minus so much a ply is bad.
    history_pruning_per_ply = 4000, 1000..=10_000;
    /// What a capture may lose, hundredths of a pawn a ply.
    see_noisy_per_ply = 110, 20..=300;
    /// History that counts as a unit of value for it.
    see_noisy_history = 48, 16..=256;
    /// What a quiet move may lose, hundredths of a pawn for each square of a ply.
    see_quiet_per_ply_squared = 24, 5..=80;
    /// From this depth on the root is searched in a window.
    aspiration_depth = 4, 1..=8;
    /// Half of its width, hundredths of a pawn.
    aspiration_window = 14, 5..=60;
    /// Wider by one in so many of the value.
    aspiration_value_divisor = 100, 20..=1000;
    /// Wider windows are opened altogether, hundredths of a pawn.
    aspiration_limit = 600, 200..=2000;
    /// What a capture may be short of alpha in quiescence, hundredths of a pawn.
    quiescence_margin = 150, 50..=400;
    /// What a capture may lose in quiescence, hundredths of a pawn.
    quiescence_loss = 20, 0..=150;
    /// Later captures are to win something where alpha is far.
    quiescence_moves = 3, 1..=8;
    /// What a move that cuts off gains in history, a ply.
    history_bonus = 150, 50..=400;
    /// At most so much.
    history_bonus_limit = 1600, 500..=4000;
    /// What those tried before it lose, a ply.
    history_malus = 180, 50..=400;
    /// At most so much.
    history_malus_limit = 1300, 500..=4000;
    /// So much less of both, whatever the depth.
    history_offset = 80, 0..=300;
    /// At least so much of both.
    history_least = 60, 0..=300;
    /// What a killer move is worth in the order of quiet moves, as history.
    killer_score = 30_000, 8000..=60_000;
    /// The same for the counter move.
    counter_score = 12_000, 4000..=40_000;
    /// The same for a check.
    check_score = 16_000, 0..=40_000;
    /// What a pawn that is captured is worth in the order of captures.
    victim_weight = 700, 200..=2000;
    /// What a promotion is worth there.
    promotion_score = 700, 0..=3000;
    /// History counts one in so many there.
    noisy_history_divisor = 8, 2..=32;
    /// A capture with so much of that score may lose a unit of value and still come early.
    losing_noisy_history = 32, 8..=128;
    /// What the quiet move before a node that fails low gains, 128ths of a bonus.
    failed_reply_bonus = 128, 0..=512;
    /// What a quiet table move gains whose entry settles a node, 128ths of a bonus.
    table_cut_bonus = 64, 0..=256;
    /// What a quiet move gains in butterfly history for each hundredth of a pawn of the static value.
    eval_change_bonus = 18, 0..=60;
    /// Weight of the history by pawns in the order of quiet moves, 128ths.
    pawn_history_weight = 128, 0..=512;
    /// Weight of the history of the first plies.
    root_history_weight = 512, 0..=2048;
    /// Weight of the first correction history, 256ths.
    correction_first = 256, 0..=512;
    /// Weight of each of the two others.
    correction_others = 160, 0..=512;
    /// A correction learns one in so many of the error a ply.
    correction_depth_divisor = 8, 2..=32;
    /// Corrections at their limit in all tables are worth this, hundredths of a pawn.
    correction_scale = 16, 4..=64;
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

pub(crate) fn correction_weight<G: SearchGame>(feature: usize) -> i32 {
    [correction_first::<G>(), correction_others::<G>(), correction_others::<G>()][feature]
}

/// History bonus for the move that cut off at `depth`, and malus for those tried before it.
pub(crate) fn bonus<G: SearchGame>(depth: i32) -> i32 {
    (history_bonus::<G>() * depth - history_offset::<G>()).clamp(history_least::<G>(), history_bonus_limit::<G>())
}

pub(crate) fn malus<G: SearchGame>(depth: i32) -> i32 {
    (history_malus::<G>() * depth - history_offset::<G>()).clamp(history_least::<G>(), history_malus_limit::<G>())
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

    #[test]
    fn a_game_has_its_own_numbers_and_no_others() {
        let numbers = [("lmr_cut", 1600), ("razor_depth", 5)];
        assert!(are_valid(&numbers) && are_valid(&[]));
        assert!(!are_valid(&[("lmr_cut", 1600), ("lmr_cuts", 5)]), "no number has this name");
        assert!(!are_valid(&[("razor_depth", 9)]) && !are_valid(&[("razor_depth", 0)]), "outside its range");
        assert_eq!(own(&numbers, "razor_depth", 4), 5);
        assert_eq!(own(&numbers, "razor_dept", 4), 4, "the beginning of a name is not the name");
    }
}
