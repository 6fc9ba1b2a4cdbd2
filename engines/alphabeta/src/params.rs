//! The numbers of the search, each with the range in which it may be tuned.
//!
//! Margins are in units that [`value_unit`] and [`exchange_unit`] turn into centipawns; depths are in plies, and reductions in
//! 1,024ths of a ply. The values here are those of shogi and of any new game. A game replaces some of them by
//! [`SearchGame::SEARCH_NUMBERS`].

use hasami_api::SearchGame;
#[cfg(feature = "tunable")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A numeric parameter of the search.
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

/// Defines a function for each number, and a list of them all. The functions return constants, so that the search pays nothing
/// for them, unless the program is built with the feature `tunable`.
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

/// The value of a parameter in a game: the value in `numbers` if it is listed there, else `value`.
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

/// Is each of the game's parameters defined here, with a value within its range?
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

/// Sets a number in all games, for engines that are made afterwards. Returns false if there is no such number or the value is
/// outside its range.
#[cfg(feature = "tunable")]
pub fn set_parameter(name: &str, value: i32) -> bool {
    let place = PARAMETERS.iter().position(|parameter| parameter.name == name);
    let place = place.filter(|&place| (PARAMETERS[place].low..=PARAMETERS[place].high).contains(&value));
    if let Some(place) = place {
        SET[place].store(value, Relaxed);
    }
    place.is_some()
}

/// Marks a number that was not set at run time.
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
    /// Size of one unit of the margins below, in hundredths of a centipawn, for an evaluation of the usual scale.
    value_unit = 111, 5..=400;
    /// Size of one unit of the margins in static exchanges, in hundredths of the centipawns that pieces are worth there.
    exchange_unit = 200, 10..=600;
    /// A table entry may settle a node that it does not confirm as a cut node (or as an all node) only above this depth, in
    /// plies.
    table_cut_depth = 5, 0..=12;
    /// History bonus of a quiet table move whose entry settles a node, per ply of depth.
    table_cut_bonus = 130, 0..=400;
    /// Subtracted from the history bonus of a quiet table move whose entry settles a node.
    table_cut_bonus_offset = 71, 0..=400;
    /// Largest history bonus of a quiet table move whose entry settles a node.
    table_cut_bonus_limit = 1043, 100..=4000;
    /// History malus of the early quiet move that led to a node which its table entry settles.
    table_cut_prior_malus = 2142, 0..=6000;
    /// History bonus of a quiet move per unit by which it raised the static value.
    eval_change_bonus = 10, 0..=40;
    /// Bonus in the history by pawns of a quiet move per unit by which it raised the static value, where the table does
    /// not know the node.
    eval_change_pawn_bonus = 12, 0..=40;
    /// A node that was reduced by two plies or more loses one ply if the static values of both sides add up to more than
    /// this.
    hindsight_margin = 173, 0..=600;
    /// A node is razored if its value is this far below alpha.
    razor_base = 502, 50..=1500;
    /// Multiplied by the square of the depth in plies and added to the razoring margin.
    razor_per_depth_squared = 306, 20..=1500;
    /// Nodes of this depth and deeper are not settled by a value far above beta (reverse futility), in plies.
    futility_depth = 15, 4..=30;
    /// Margin of reverse futility per ply.
    futility_base = 76, 5..=200;
    /// Added to the margin of reverse futility per ply, for each ply of depth.
    futility_per_ply = 0, 0..=20;
    /// Largest margin of reverse futility per ply.
    futility_most = 76, 5..=200;
    /// Subtracted from the margin of reverse futility per ply where the table does not know the node.
    futility_unknown = 21, 0..=80;
    /// Amount by which the margin of reverse futility is smaller where the side to move improves, in 1,024ths of the
    /// margin per ply.
    futility_improving = 2686, 0..=6000;
    /// Amount by which the margin of reverse futility is smaller where the opponent's value falls, in 1,024ths of the
    /// margin per ply.
    futility_worsening = 362, 0..=2000;
    /// Added to the margin of reverse futility per unit of the correction of the static value, in hundredths.
    futility_correction = 73, 0..=300;
    /// Share of the distance between the static value and beta by which the value that reverse futility returns exceeds
    /// beta, in 1,024ths.
    futility_return = 341, 0..=1024;
    /// A pass is tried where the static value is this far above beta.
    null_move_base = 378, 0..=1200;
    /// Subtracted from the margin of a pass per ply of depth.
    null_move_per_ply = 16, 0..=60;
    /// Subtracted from the margin of a pass where the side to move improves.
    null_move_improving = 53, 0..=200;
    /// Reduction of the search after a pass, in plies.
    null_move_reduction = 7, 2..=10;
    /// The search after a pass is reduced by one additional ply per this many plies of depth.
    null_move_depth_divisor = 3, 2..=8;
    /// The search after a pass is reduced by one additional ply per this many units of the static value above beta; 0
    /// disables this.
    null_move_value_step = 0, 0..=2000;
    /// From this depth on, a pass that fails high is verified by a search without passes.
    null_verification_depth = 16, 8..=30;
    /// Nodes of this depth and deeper that have no table move are searched one ply less deep (internal iterative reduction).
    internal_reduction_depth = 6, 1..=12;
    /// Internal reductions are left out at nodes that were already reduced by more plies than this.
    internal_reduction_prior = 3, 0..=20;
    /// ProbCut looks for a capture whose value is this far above beta.
    probcut_margin = 224, 20..=800;
    /// Subtracted from the margin of ProbCut where the side to move improves.
    probcut_improving = 61, 0..=300;
    /// Depth from which ProbCut is tried, in plies.
    probcut_depth = 3, 2..=10;
    /// Reduction of the search that confirms ProbCut, in plies.
    probcut_reduction = 4, 2..=6;
    /// Reduction of the search that confirms ProbCut where the side to move improves, in plies.
    probcut_improving_reduction = 4, 2..=8;
    /// A table value this far above beta settles a node without a search (small ProbCut).
    small_probcut_margin = 416, 50..=1500;
    /// Factor of the natural logarithms of depth and move number, in 128ths; their product is the reduction in 1,024ths of a
    /// ply.
    lmr_scale = 2763, 1000..=5000;
    /// Subtracted from reductions in a window as wide as that of the root, in 1,024ths of a ply.
    lmr_window = 585, 0..=2000;
    /// Added to reductions where the side to move does not improve, in 512ths of the product of the logarithms.
    lmr_not_improving = 206, 0..=600;
    /// Added to every reduction, in 1,024ths of a ply.
    lmr_base = 1133, -2000..=3000;
    /// Added to the reduction by which late moves are pruned where the node was once on a principal variation, in 1,024ths of
    /// a ply.
    lmr_was_pv = 1013, 0..=3000;
    /// Subtracted from the reduction of the search where the node was once on a principal variation.
    lmr_was_pv_search = 2819, 0..=6000;
    /// Subtracted from the reduction of the search on the principal variation.
    lmr_pv = 973, 0..=3000;
    /// Subtracted from the reduction of the search where the node was once on a principal variation and the table's
    /// value is above alpha.
    lmr_pv_above = 905, 0..=3000;
    /// Subtracted from the reduction of the search where the node was once on a principal variation and the table's
    /// entry is as deep as the node.
    lmr_pv_deep = 935, 0..=3000;
    /// Subtracted in addition to `lmr_pv_deep` where a cut is expected.
    lmr_pv_deep_cut = 959, 0..=3000;
    /// Added to the reduction of the search, but not to the one by which moves are pruned.
    lmr_search = 691, -2000..=3000;
    /// Subtracted from reductions per number of the move.
    lmr_per_move = 65, 0..=200;
    /// Subtracted from reductions per unit of the correction of the static value, in hundredths.
    lmr_correction = 512, 0..=2000;
    /// Added to reductions at a node where a cut is expected.
    lmr_cut = 3611, 0..=8000;
    /// Added to reductions at a node where a cut is expected and that has no table move.
    lmr_cut_unknown = 985, 0..=4000;
    /// Added to reductions where the table's move is a capture.
    lmr_table_capture = 1054, 0..=4000;
    /// Added to reductions where two or more children have failed high.
    lmr_cutoffs = 251, 0..=3000;
    /// Added to reductions where more than two children have failed high.
    lmr_many_cutoffs = 1124, 0..=4000;
    /// Added to reductions where two or more children have failed high and the node is expected to fail low.
    lmr_all_cutoffs = 1042, 0..=4000;
    /// Subtracted from the reduction of the table's move.
    lmr_table_move = 2239, 0..=5000;
    /// Amount of history that each unit of the captured piece's value counts as, in 128ths.
    lmr_victim = 863, 0..=3000;
    /// Subtracted from reductions per unit of history, in 4,096ths.
    lmr_history = 428, 0..=1500;
    /// Factor of reductions at nodes that are expected to fail low, in 256ths, divided by the depth.
    lmr_all = 273, 0..=1000;
    /// Added to the reduction of moves that are searched without a reduced search first, at nodes without a table move.
    lmr_unknown = 1057, 0..=4000;
    /// A move that is searched without a reduced search first loses one ply if its reduction is larger than this.
    lmr_one_ply = 4628, 1000..=12_000;
    /// A move that is searched without a reduced search first loses two plies if its reduction is larger than this.
    lmr_two_plies = 5772, 1000..=14_000;
    /// A reduced move that beats the best value by this much is searched again one ply deeper.
    deeper_margin = 48, 0..=200;
    /// A reduced move that beats the best value by less than this is searched again one ply less deep.
    shallower_margin = 9, 0..=60;
    /// Bonus in the continuation histories for a reduced move that had to be searched again.
    searched_again_bonus = 1426, 0..=4000;
    /// Number of quiet moves that are tried at depth 0 before the others are pruned; it grows with the square of the depth.
    late_moves_base = 3, 1..=12;
    /// Captures are pruned by their value only below this reduced depth, in plies.
    futile_capture_depth = 7, 2..=14;
    /// A capture may fall short of alpha by this much before it is pruned.
    futile_capture_base = 218, 0..=800;
    /// Added to the margin by which a capture may fall short of alpha, per ply of reduced depth.
    futile_capture_per_ply = 223, 0..=800;
    /// Added to the margin by which a capture may fall short of alpha, per unit of capture history, in 1,024ths.
    futile_capture_history = 131, 0..=600;
    /// A capture or a check may lose this much in a static exchange, per ply of depth.
    exchange_per_ply = 167, 10..=600;
    /// Added to the loss that a capture or a check may make in an exchange, per unit of capture history, in 1,024ths.
    exchange_history = 34, 0..=200;
    /// If this is 1, captures and checks are pruned by static exchanges only where alpha is at least the value of a
    /// draw.
    exchange_ahead = 1, 0..=1;
    /// A quiet move is pruned if its history is below the negative of this number times the depth in plies.
    history_pruning_per_ply = 4097, 500..=12_000;
    /// Weight of the main history in the history that futility of quiet moves uses, in 32nds.
    late_main_history = 71, 0..=200;
    /// History that counts as one ply of depth for futility of quiet moves.
    late_history = 3220, 800..=10_000;
    /// Quiet moves are pruned by their value only below this reduced depth, in plies.
    futile_quiet_depth = 13, 2..=20;
    /// A quiet move may fall short of alpha by this much before it is pruned.
    futile_quiet_base = 42, 0..=400;
    /// Added to the margin by which a quiet move may fall short of alpha, if no move has raised alpha yet.
    futile_quiet_no_best = 151, 0..=500;
    /// Added to the margin by which a quiet move may fall short of alpha, per ply of reduced depth.
    futile_quiet_per_ply = 120, 10..=400;
    /// Added to the margin by which a quiet move may fall short of alpha, where the static value is above alpha.
    futile_quiet_above = 86, 0..=400;
    /// A quiet move may lose this much in a static exchange, per square of a ply of reduced depth.
    exchange_quiet_per_ply_squared = 25, 2..=100;
    /// Depth from which the table's move is tested for singularity, in plies.
    singular_depth = 6, 3..=12;
    /// Distance between the table's value and the bound of the singularity test below it, in 55ths per ply.
    singular_margin = 60, 10..=300;
    /// Added to the distance between the table's value and the bound of the singularity test where the node was once on
    /// a principal variation.
    singular_was_pv = 66, 0..=300;
    /// The table's move is extended by two plies if the value of all other moves is this much below the bound of the
    /// singularity test.
    singular_double_base = -4, -100..=100;
    /// Added to the margin of an extension by two plies on the principal variation.
    singular_double_pv = 212, 0..=600;
    /// Subtracted from the margin of an extension by two plies if the table's move is quiet.
    singular_double_quiet = 182, 0..=500;
    /// The table's move is extended by three plies if the value of all other moves is this much below the bound of the
    /// singularity test.
    singular_triple_base = 73, -100..=400;
    /// Added to the margin of an extension by three plies on the principal variation.
    singular_triple_pv = 320, 0..=800;
    /// Subtracted from the margin of an extension by three plies if the table's move is quiet.
    singular_triple_quiet = 218, 0..=500;
    /// Added to the margin of an extension by three plies where the node was once on a principal variation.
    singular_triple_was_pv = 92, 0..=400;
    /// Subtracted from the margin of an extension by two plies where table moves have nearly always been best.
    singular_table_moves = 64, 0..=300;
    /// Subtracted from the margins of extensions by two and by three plies at plies below the depth of the iteration.
    singular_below = 44, 0..=200;
    /// Reduction of a table move that is not singular and whose value is above beta, in plies.
    singular_negative = 3, 0..=4;
    /// Reduction of a table move that is not singular where a cut is expected, in plies.
    singular_cut = 2, 0..=4;
    /// Reduction of the moves that come after a move which raised alpha, in plies.
    raised_reduction = 2, 0..=4;
    /// Only nodes shallower than this reduce the moves that come after a move which raised alpha.
    raised_depth = 14, 4..=30;
    /// Depth from which the root is searched in a window around its last value.
    aspiration_depth = 2, 1..=8;
    /// Half of the width of the root's window.
    aspiration_window = 5, 1..=60;
    /// The root's window is widened by the mean square of the root's values divided by this.
    aspiration_divisor = 9000, 1000..=40_000;
    /// In quiescence, a capture may fall short of alpha by this much before it is pruned.
    quiescence_margin = 328, 50..=800;
    /// In quiescence, a capture may lose this much in a static exchange.
    quiescence_loss = 73, 0..=300;
    /// In quiescence, this many moves are tried besides checks and recaptures.
    quiescence_moves = 2, 1..=8;
    /// History bonus of the best move, per ply of depth.
    history_bonus = 128, 20..=400;
    /// Subtracted from the history bonus of the best move.
    history_bonus_offset = 77, 0..=300;
    /// Largest history bonus of the best move.
    history_bonus_limit = 1529, 500..=4000;
    /// Added to the history bonus of the best move if it is the table's move.
    history_bonus_table = 353, 0..=1500;
    /// The history of the previous move, divided by this, is added to the history bonus of the best move.
    history_bonus_prior = 32, 8..=200;
    /// History malus of the moves that were tried before the best one, per ply of depth.
    history_malus = 882, 50..=2000;
    /// Subtracted from the history malus of the moves before the best one.
    history_malus_offset = 204, 0..=600;
    /// Largest history malus of the moves before the best one.
    history_malus_limit = 2122, 500..=4000;
    /// Share of the history bonus that quiet moves get, in 1,024ths.
    history_quiet_bonus = 806, 0..=3000;
    /// Share of the history malus that the first quiet move gets, in 1,024ths.
    history_quiet_malus = 1113, 0..=3000;
    /// Factor of the history malus from one quiet move to the next, in 1,024ths.
    history_quiet_decay = 977, 500..=1024;
    /// Share of the history bonus that captures get, in 1,024ths.
    history_capture_bonus = 1286, 0..=3000;
    /// Share of the history malus that captures get, in 1,024ths.
    history_capture_malus = 1559, 0..=3000;
    /// Share of the history malus that the previous quiet move gets if it was the first move of its node and is
    /// refuted, in 1,024ths.
    history_prior_malus = 616, 0..=2000;
    /// Share of the history bonus and malus that goes to the history of the first plies, in 1,024ths.
    history_first_plies = 761, 0..=2000;
    /// Share of the history bonus and malus that goes to the continuation histories, in 1,024ths.
    history_continuation = 955, 0..=2000;
    /// Share of the history bonus that goes to the history by pawns, in 1,024ths.
    history_pawns = 850, 0..=2000;
    /// Share of the history malus that goes to the history by pawns, in 1,024ths.
    history_pawns_malus = 550, 0..=2000;
    /// Added to every update of the continuation history of the last move.
    history_near = 88, 0..=300;
    /// History bonus of the capture that led to a node which fails low.
    prior_capture_bonus = 1018, 0..=4000;
    /// Subtracted from the scale of the bonus for a quiet move that led to a node which fails low.
    prior_scale = 232, 0..=600;
    /// The history of the quiet move that led to a node which fails low, divided by this, is subtracted from the scale
    /// of its bonus.
    prior_history = 108, 20..=400;
    /// Added per ply of depth to the scale of the bonus for a quiet move that leads to a node which fails low.
    prior_per_ply = 59, 0..=200;
    /// Largest amount that depth adds to the scale of the bonus for a quiet move that leads to a node which fails low.
    prior_per_ply_limit = 454, 0..=1500;
    /// Added to the scale of the bonus for a quiet move that led to a node which fails low, if the move was not among
    /// the first eight.
    prior_late = 169, 0..=500;
    /// Added to the scale of the bonus for a quiet move that led to a node which fails low, if the value is far below
    /// the static value of the node.
    prior_surprise = 145, 0..=500;
    /// Added to the scale of the bonus for a quiet move that led to a node which fails low, if the value is far below
    /// the static value before that move.
    prior_second_surprise = 154, 0..=500;
    /// Bonus for a quiet move that led to a node which fails low, before scaling, per ply of depth.
    prior_bonus = 135, 0..=400;
    /// Largest bonus for a quiet move that led to a node which fails low, before scaling.
    prior_bonus_limit = 1400, 0..=4000;
    /// Share of the scaled bonus for a quiet move that led to a node which fails low that goes to the continuation
    /// histories, in 16,384ths.
    prior_continuation = 221, 0..=1000;
    /// Share of the scaled bonus for a quiet move that led to a node which fails low that goes to the main history, in
    /// 32,768ths.
    prior_main = 235, 0..=1000;
    /// Share of the scaled bonus for a quiet move that led to a node which fails low that goes to the history by pawns,
    /// in 8,192nds.
    prior_pawns = 290, 0..=1000;
    /// Weight of a unit of the captured piece in the order of captures.
    capture_victim = 7, 1..=40;
    /// A capture is tried before quiet moves if it loses at most its score divided by this in a static exchange.
    capture_losing = 18, 4..=100;
    /// Added to the score of a checking move in the order of quiet moves.
    check_score = 16_384, 0..=40_000;
    /// A checking move gets `check_score` only if it loses at most this much in a static exchange.
    check_loss = 75, 0..=400;
    /// Quiet moves are not sorted if their score is below the negative of this number times the depth in plies.
    order_limit = 3560, 0..=8000;
    /// Quiet moves with at most this score are tried after losing captures.
    order_good = -14_000, -40_000..=0;
    /// Weight of the correction history by pawns, in 1,024ths of a unit.
    correction_pawns = 95, 0..=400;
    /// Weight of the correction history by minor pieces, in 1,024ths of a unit.
    correction_minor = 67, 0..=400;
    /// Weight of the correction histories by the pieces of each side, in 1,024ths of a unit.
    correction_pieces = 97, 0..=400;
    /// Weight of the correction history by pairs of moves, in 1,024ths of a unit.
    correction_continuation = 62, 0..=400;
    /// Share of an error that corrections learn where a move raised alpha, in 128ths per ply of depth.
    correction_learn = 12, 1..=60;
    /// Share of an error that corrections learn at a node that failed low, in 128ths per ply of depth.
    correction_learn_low = 17, 1..=60;
}

/// Maximum depth of an iteration, and of a node below the root, in plies.
pub(crate) const MAX_DEPTH: i32 = 245;
pub(crate) const MAX_PLY: usize = 246;

/// A value larger than every score.
pub(crate) const INFINITE: i32 = 32_001;

/// Converts units of the margins to a threshold of an exchange.
#[inline(always)]
pub(crate) fn exchange<G: SearchGame>(units: i32) -> i32 {
    units * exchange_unit::<G>() / 100
}

/// The value of a captured piece in units of the margins.
#[inline(always)]
pub(crate) fn victim_units<G: SearchGame>(victim: u8) -> i32 {
    G::victim_value(victim) * 100 / exchange_unit::<G>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_number_is_within_its_range_and_has_a_unique_name() {
        for Parameter { name, value, low, high } in PARAMETERS {
            assert!(low < high && (low..=high).contains(&value), "{name}: {value} of {low} to {high}");
        }
        let names: HashSet<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
        assert_eq!(names.len(), PARAMETERS.len());
    }

    #[test]
    fn numbers_of_a_game_must_exist_and_lie_within_their_ranges() {
        let numbers = [("lmr_cut", 1600), ("probcut_depth", 5)];
        assert!(are_valid(&numbers) && are_valid(&[]));
        assert!(!are_valid(&[("lmr_cut", 1600), ("lmr_cuts", 5)]), "no number has this name");
        assert!(!are_valid(&[("probcut_depth", 19)]) && !are_valid(&[("probcut_depth", 0)]), "outside its range");
        assert_eq!(own(&numbers, "probcut_depth", 4), 5);
        assert_eq!(own(&numbers, "probcut_dept", 4), 4, "the beginning of a name is not the name");
    }
}
