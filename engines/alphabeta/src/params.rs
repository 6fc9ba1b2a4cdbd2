//! The numbers of the search, each with the range in which it may be tuned. Margins are in units of
//! a network's value that [`value_unit`] and [`exchange_unit`] turn into centipawns; depths are in plies. The values here are for any
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
    ($($(#[doc = $doc:literal])* $name:ident = $value:expr, $low:literal..=$high:literal;)*) => {
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
    /// A unit of the margins below, hundredths of a centipawn, where the evaluation is of the usual scale.
    value_unit = 111, 5..=400;
    /// The same of an exchange's centipawn: what pieces are worth in exchanges.
    exchange_unit = 200, 10..=600;
    /// Shallowest node whose table entry settles it whether or not a cut is expected, plies; one less.
    table_cut_depth = 5, 0..=12;
    /// What a quiet table move gains whose entry settles a node, a ply.
    table_cut_bonus = 130, 0..=400;
    /// So much less, whatever the depth.
    table_cut_bonus_offset = 71, 0..=400;
    /// At most so much.
    table_cut_bonus_limit = 1043, 100..=4000;
    /// What the early quiet move before loses then.
    table_cut_prior_malus = 2142, 0..=6000;
    /// What a quiet move gains in history for a unit that the static value rose by.
    eval_change_bonus = 10, 0..=40;
    /// The same in history by pawns, where the table does not know the node.
    eval_change_pawn_bonus = 12, 0..=40;
    /// A reply after a reduction of two plies and more loses a ply if both sides' values add up to more.
    hindsight_margin = 173, 0..=600;
    /// How far below alpha a node is razored.
    razor_base = 502, 50..=1500;
    /// The same for each square of a ply of depth.
    razor_per_depth_squared = 306, 20..=1500;
    /// Shallowest node that a value far above beta does not settle, plies.
    futility_depth = 15, 4..=30;
    /// How far above beta, a ply: so much,
    futility_base = 76, 5..=200;
    /// more for each ply of depth,
    futility_per_ply = 0, 0..=20;
    /// at most so much,
    futility_most = 76, 5..=200;
    /// less where the table does not know the node.
    futility_unknown = 21, 0..=80;
    /// Less where the side to move improves, 1024ths of a ply.
    futility_improving = 2686, 0..=6000;
    /// Less where the opponent's value falls, 1024ths of a ply.
    futility_worsening = 362, 0..=2000;
    /// More for a large correction of the static value, hundredths of it.
    futility_correction = 73, 0..=300;
    /// The part of what is above beta that counts, 1024ths.
    futility_return = 341, 0..=1024;
    /// How far the static value is above beta for a pass.
    null_move_base = 378, 0..=1200;
    /// So much less a ply of depth.
    null_move_per_ply = 16, 0..=60;
    /// So much less where the side to move improves.
    null_move_improving = 53, 0..=200;
    /// Plies that a pass saves.
    null_move_reduction = 7, 2..=10;
    /// One ply more for each so many plies of depth.
    null_move_depth_divisor = 3, 2..=8;
    /// One ply more for so much that the static value is above beta; 0: none.
    null_move_value_step = 0, 0..=2000;
    /// From this depth on a search without passes verifies a pass that fails high.
    null_verification_depth = 16, 8..=30;
    /// Shallowest node that loses a ply where there is no table move (internal iterative reduction), plies.
    internal_reduction_depth = 6, 1..=12;
    /// Unless it was reduced by more plies than these.
    internal_reduction_prior = 3, 0..=20;
    /// How far above beta a capture is to come (ProbCut).
    probcut_margin = 224, 20..=800;
    /// So much less where the side to move improves.
    probcut_improving = 61, 0..=300;
    /// Shallowest node of ProbCut, plies.
    probcut_depth = 3, 2..=10;
    /// Plies less for the search that confirms it,
    probcut_reduction = 4, 2..=6;
    /// and where the side to move improves.
    probcut_improving_reduction = 4, 2..=8;
    /// How far above beta a table value settles a node without a search (small ProbCut).
    small_probcut_margin = 416, 50..=1500;
    /// Natural logarithms times so much, 128ths: the square roots of reductions in 1024ths of a ply.
    lmr_scale = 2763, 1000..=5000;
    /// Less in a wide window, 1024ths of a ply.
    lmr_window = 585, 0..=2000;
    /// More where the side to move does not improve, 512ths of the product.
    lmr_not_improving = 206, 0..=600;
    /// More in any case, 1024ths of a ply.
    lmr_base = 1133, -2000..=3000;
    /// More where the node was on a principal variation once: for pruning.
    lmr_was_pv = 1013, 0..=3000;
    /// Less there: for the search,
    lmr_was_pv_search = 2819, 0..=6000;
    /// less in the principal variation,
    lmr_pv = 973, 0..=3000;
    /// less where the table's value is above alpha,
    lmr_pv_above = 905, 0..=3000;
    /// less where its entry is deep,
    lmr_pv_deep = 935, 0..=3000;
    /// and still less if a cut is expected.
    lmr_pv_deep_cut = 959, 0..=3000;
    /// More for the search.
    lmr_search = 691, -2000..=3000;
    /// Less for each move before.
    lmr_per_move = 65, 0..=200;
    /// Less for a unit that the static value is corrected by, hundredths.
    lmr_correction = 512, 0..=2000;
    /// More at an expected cut node,
    lmr_cut = 3611, 0..=8000;
    /// and without a table move.
    lmr_cut_unknown = 985, 0..=4000;
    /// More where the table's move captures.
    lmr_table_capture = 1054, 0..=4000;
    /// More where two children have cut off,
    lmr_cutoffs = 251, 0..=3000;
    /// more than two,
    lmr_many_cutoffs = 1124, 0..=4000;
    /// and no cut is expected.
    lmr_all_cutoffs = 1042, 0..=4000;
    /// Less for the table's move.
    lmr_table_move = 2239, 0..=5000;
    /// What a unit of the captured piece counts as history, 128ths.
    lmr_victim = 863, 0..=3000;
    /// What a unit of history is worth, 4096ths.
    lmr_history = 428, 0..=1500;
    /// More where no cut is expected, 256ths divided by the depth.
    lmr_all = 273, 0..=1000;
    /// More for a move that is not reduced, without a table move.
    lmr_unknown = 1057, 0..=4000;
    /// Such a move loses a ply from here on,
    lmr_one_ply = 4628, 1000..=12_000;
    /// and two from here on.
    lmr_two_plies = 5772, 1000..=14_000;
    /// A reduced move that beats the best by so much is searched a ply deeper,
    deeper_margin = 48, 0..=200;
    /// one that does so by less a ply less deep.
    shallower_margin = 9, 0..=60;
    /// What a move gains in continuation histories that was not as bad as thought.
    searched_again_bonus = 1426, 0..=4000;
    /// Quiet moves that are tried before the late ones are left out.
    late_moves_base = 3, 1..=12;
    /// Deepest reduced depth at which a capture is futile, plies; one more.
    futile_capture_depth = 7, 2..=14;
    /// What a capture may be short of alpha.
    futile_capture_base = 218, 0..=800;
    /// The same for each ply.
    futile_capture_per_ply = 223, 0..=800;
    /// What history counts for it, 1024ths of a unit.
    futile_capture_history = 131, 0..=600;
    /// What a capture or a check may lose in exchanges, a ply.
    exchange_per_ply = 167, 10..=600;
    /// What history adds, 1024ths of a unit.
    exchange_history = 34, 0..=200;
    /// 1: only where alpha is no disadvantage.
    exchange_ahead = 1, 0..=1;
    /// A history below minus so much a ply is bad: the quiet move is left out.
    history_pruning_per_ply = 4097, 500..=12_000;
    /// What the main history counts for the next, 32nds.
    late_main_history = 71, 0..=200;
    /// History that is worth a ply for what follows.
    late_history = 3220, 800..=10_000;
    /// Deepest reduced depth at which a quiet move is futile, plies; one more.
    futile_quiet_depth = 13, 2..=20;
    /// What a quiet move may be short of alpha.
    futile_quiet_base = 42, 0..=400;
    /// More before any move was good,
    futile_quiet_no_best = 151, 0..=500;
    /// for each ply,
    futile_quiet_per_ply = 120, 10..=400;
    /// and where the static value is above alpha.
    futile_quiet_above = 86, 0..=400;
    /// What a quiet move may lose in exchanges, for each square of a ply.
    exchange_quiet_per_ply_squared = 25, 2..=100;
    /// Shallowest node at which singularity is asked for, plies.
    singular_depth = 6, 3..=12;
    /// The bar lies so many 55ths a ply below the table's value,
    singular_margin = 60, 10..=300;
    /// and so many more where the node was on a principal variation once.
    singular_was_pv = 66, 0..=300;
    /// Two plies more if all others are so much below the bar:
    singular_double_base = -4, -100..=100;
    /// more in the principal variation,
    singular_double_pv = 212, 0..=600;
    /// less if the move is quiet.
    singular_double_quiet = 182, 0..=500;
    /// The same for three plies,
    singular_triple_base = 73, -100..=400;
    /// in the principal variation,
    singular_triple_pv = 320, 0..=800;
    /// for a quiet move,
    singular_triple_quiet = 218, 0..=500;
    /// and where the node was on it once.
    singular_triple_was_pv = 92, 0..=400;
    /// Less where the table's moves have mostly been best, units at the limit of that history.
    singular_table_moves = 64, 0..=300;
    /// Less below the depth of the iteration.
    singular_below = 44, 0..=200;
    /// Plies less for a table move that is not singular where its value is above beta,
    singular_negative = 3, 0..=4;
    /// and where a cut is expected.
    singular_cut = 2, 0..=4;
    /// Plies less for the moves after one that raised alpha,
    raised_reduction = 2, 0..=4;
    /// in nodes shallower than this.
    raised_depth = 14, 4..=30;
    /// From this depth on the root is searched in a window.
    aspiration_depth = 2, 1..=8;
    /// Half of its width.
    aspiration_window = 5, 1..=60;
    /// Wider by the mean square of the value, divided by so much.
    aspiration_divisor = 9000, 1000..=40_000;
    /// What a capture may be short of alpha in quiescence.
    quiescence_margin = 328, 50..=800;
    /// What a capture may lose in quiescence.
    quiescence_loss = 73, 0..=300;
    /// So many moves are tried there.
    quiescence_moves = 2, 1..=8;
    /// What a move that cuts off gains in history, a ply.
    history_bonus = 128, 20..=400;
    /// So much less, whatever the depth.
    history_bonus_offset = 77, 0..=300;
    /// At most so much.
    history_bonus_limit = 1529, 500..=4000;
    /// More if it was the table's.
    history_bonus_table = 353, 0..=1500;
    /// The history of the move before counts one in so many.
    history_bonus_prior = 32, 8..=200;
    /// What those tried before it lose, a ply.
    history_malus = 882, 50..=2000;
    /// So much less of it.
    history_malus_offset = 204, 0..=600;
    /// At most so much.
    history_malus_limit = 2122, 500..=4000;
    /// The bonus of a quiet move, 1024ths.
    history_quiet_bonus = 806, 0..=3000;
    /// The malus of quiet moves,
    history_quiet_malus = 1113, 0..=3000;
    /// and what is left of it from one to the next, 1024ths.
    history_quiet_decay = 977, 500..=1024;
    /// The bonus of a capture, 1024ths.
    history_capture_bonus = 1286, 0..=3000;
    /// The malus of captures, 1024ths.
    history_capture_malus = 1559, 0..=3000;
    /// What the first quiet move before a refutation loses, 1024ths.
    history_prior_malus = 616, 0..=2000;
    /// What of a bonus goes to the history of the first plies, 1024ths,
    history_first_plies = 761, 0..=2000;
    /// to the continuation histories,
    history_continuation = 955, 0..=2000;
    /// to the history by pawns,
    history_pawns = 850, 0..=2000;
    /// and if it is a malus.
    history_pawns_malus = 550, 0..=2000;
    /// More of a bonus for the last two moves' continuations.
    history_near = 88, 0..=300;
    /// What the capture before a node that fails low gains.
    prior_capture_bonus = 1018, 0..=4000;
    /// What the quiet move before a node that fails low gains: its scale to begin with, negative,
    prior_scale = 232, 0..=600;
    /// its history, one in so many,
    prior_history = 108, 20..=400;
    /// a ply,
    prior_per_ply = 59, 0..=200;
    /// at most so much,
    prior_per_ply_limit = 454, 0..=1500;
    /// if it was a late one,
    prior_late = 169, 0..=500;
    /// if the value is far below the static one,
    prior_surprise = 145, 0..=500;
    /// and below that of the move before.
    prior_second_surprise = 154, 0..=500;
    /// The bonus that is scaled, a ply,
    prior_bonus = 135, 0..=400;
    /// at most so much.
    prior_bonus_limit = 1400, 0..=4000;
    /// What of it goes to the continuation histories, 16,384ths,
    prior_continuation = 221, 0..=1000;
    /// to the main history, 32,768ths,
    prior_main = 235, 0..=1000;
    /// and to that by pawns, 8192nds.
    prior_pawns = 290, 0..=1000;
    /// What a unit of the captured piece is worth in the order of captures.
    capture_victim = 7, 1..=40;
    /// A capture with so much of that score may lose a unit and still come early.
    capture_losing = 18, 4..=100;
    /// What a check is worth in the order of quiet moves,
    check_score = 16_384, 0..=40_000;
    /// if it loses no more than this.
    check_loss = 75, 0..=400;
    /// What is left unsorted of the quiet moves, a ply.
    order_limit = 3560, 0..=8000;
    /// Quiet moves of less come after losing captures.
    order_good = -14_000, -40_000..=0;
    /// Weight of the pawns' correction history, 1024ths of a unit,
    correction_pawns = 95, 0..=400;
    /// of that of minor pieces,
    correction_minor = 67, 0..=400;
    /// of those of each side's pieces,
    correction_pieces = 97, 0..=400;
    /// of those of the moves before.
    correction_continuation = 62, 0..=400;
    /// What corrections learn of an error that is no fail low, 128ths a ply,
    correction_learn = 12, 1..=60;
    /// and of one that is.
    correction_learn_low = 17, 1..=60;
}

/// The deepest iteration, and the deepest node of any line, plies from the root.
pub(crate) const MAX_DEPTH: i32 = 245;
pub(crate) const MAX_PLY: usize = 246;

/// Outside every score.
pub(crate) const INFINITE: i32 = 32_001;

/// Units of the margins as a threshold of an exchange.
#[inline(always)]
pub(crate) fn exchange<G: SearchGame>(units: i32) -> i32 {
    units * exchange_unit::<G>() / 100
}

/// What a captured piece is worth in units of the margins.
#[inline(always)]
pub(crate) fn victim_units<G: SearchGame>(victim: u8) -> i32 {
    G::victim_value(victim) * 100 / exchange_unit::<G>()
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
        let numbers = [("lmr_cut", 1600), ("probcut_depth", 5)];
        assert!(are_valid(&numbers) && are_valid(&[]));
        assert!(!are_valid(&[("lmr_cut", 1600), ("lmr_cuts", 5)]), "no number has this name");
        assert!(!are_valid(&[("probcut_depth", 19)]) && !are_valid(&[("probcut_depth", 0)]), "outside its range");
        assert_eq!(own(&numbers, "probcut_depth", 4), 5);
        assert_eq!(own(&numbers, "probcut_dept", 4), 4, "the beginning of a name is not the name");
    }
}
