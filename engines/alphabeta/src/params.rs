//! The search parameters, each with the range in which it may be tuned.
//!
//! Margins are in units whose size in centipawns [`value_unit`] and [`exchange_unit`] define, depths are in plies, and
//! reductions are in 1,024ths of a ply. The values in this file are those of shogi, and the defaults of every other
//! game. A game overrides a value in [`SearchGame::SEARCH_NUMBERS`].

use hasami_api::SearchGame;
#[cfg(feature = "tunable")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A numeric parameter of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The name of the parameter in `params.rs`.
    pub name: &'static str,
    /// The current value, in the unit that the parameter's description in `params.rs` states.
    pub value: i32,
    /// The smallest value that is worth trying in tuning.
    pub low: i32,
    /// The largest value that is worth trying in tuning.
    pub high: i32,
}

/// Defines a function for each parameter, and a list of all parameters. Without the feature `tunable`, the functions
/// return constants, which cost the search nothing.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])* $name:ident = $value:expr, $low:literal..=$high:literal;)*) => {
        $(
            $(#[doc = $doc])*
            #[inline(always)]
            pub(crate) fn $name<G: SearchGame>() -> i32 {
                #[cfg(feature = "tunable")]
                if let Some(value) = set_value(ParameterIndex::$name as usize) {
                    return value;
                }
                const { own(G::SEARCH_NUMBERS, stringify!($name), $value) }
            }
        )*

        /// The parameters with their default values.
        const PARAMETERS: &[Parameter] =
            &[$(Parameter { name: stringify!($name), value: $value, low: $low, high: $high }),*];

        #[cfg(feature = "tunable")]
        #[expect(non_camel_case_types, reason = "named as the functions are")]
        enum ParameterIndex { $($name),* }
    };
}

/// Returns all parameters of the search in a game.
#[must_use]
pub fn parameters<G: SearchGame>() -> Vec<Parameter> {
    let of_game = |p: &Parameter| Parameter { value: own(G::SEARCH_NUMBERS, p.name, p.value), ..*p };
    PARAMETERS.iter().map(of_game).collect()
}

/// Returns the value of a parameter in a game: the value that `numbers` lists for `name`, or else `value`.
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

/// Do all parameters in `numbers` exist, and are their values within their ranges?
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

/// Sets a parameter, in all games, for engines created after the call. Returns false if no parameter is called `name`
/// or if `value` is outside its range.
#[cfg(feature = "tunable")]
pub fn set_parameter(name: &str, value: i32) -> bool {
    let place = PARAMETERS.iter().position(|parameter| parameter.name == name);
    let place = place.filter(|&place| (PARAMETERS[place].low..=PARAMETERS[place].high).contains(&value));
    if let Some(place) = place {
        SET[place].store(value, Relaxed);
    }
    place.is_some()
}

/// Marks a parameter in `SET` as not set at run time.
#[cfg(feature = "tunable")]
const UNSET: i32 = i32::MIN;

/// The parameter values that were set at run time.
#[cfg(feature = "tunable")]
static SET: [AtomicI32; PARAMETERS.len()] = [const { AtomicI32::new(UNSET) }; PARAMETERS.len()];

#[cfg(feature = "tunable")]
#[inline(always)]
fn set_value(place: usize) -> Option<i32> {
    Some(SET[place].load(Relaxed)).filter(|&value| value != UNSET)
}

parameters! {
    /// Size of one unit of the search margins, in hundredths of a centipawn, for an evaluation of the usual scale.
    value_unit = 111, 5..=400;
    /// Size of one unit of the margins of static exchange evaluation, in hundredths of a centipawn.
    exchange_unit = 200, 10..=600;
    /// Up to this depth in plies, a table entry ends the search of a node only if its score agrees with the expectation
    /// that the node fails high or low.
    table_cut_depth = 5, 0..=12;
    /// History bonus for the quiet move of a table entry that causes a cut-off, per ply of depth.
    table_cut_bonus = 130, 0..=400;
    /// Subtracted from the history bonus for the quiet move of a table entry that causes a cut-off.
    table_cut_bonus_offset = 71, 0..=400;
    /// Largest history bonus for the quiet move of a table entry that causes a cut-off.
    table_cut_bonus_limit = 1043, 100..=4000;
    /// History malus for a quiet move that is tried early and leads to a node where a table entry causes a cut-off.
    table_cut_prior_malus = 2142, 0..=6000;
    /// History bonus for a quiet move, per unit by which the move raised the static evaluation.
    eval_change_bonus = 10, 0..=40;
    /// Pawn history bonus for a quiet move, per unit by which the move raised the static evaluation, if the
    /// transposition table has no entry for the node.
    eval_change_pawn_bonus = 12, 0..=40;
    /// The depth of a node that was reduced by two plies or more falls by one ply if the static evaluations before and
    /// after the last move, each for its side to move, add up to more than this margin.
    hindsight_margin = 173, 0..=600;
    /// A node is razored if its static evaluation is below alpha by more than this margin.
    razor_base = 502, 50..=1500;
    /// Added to the razoring margin, per square of the depth in plies.
    razor_per_depth_squared = 306, 20..=1500;
    /// Reverse futility pruning is used only at depths below this number of plies.
    futility_depth = 15, 4..=30;
    /// Margin of reverse futility pruning, per ply of depth.
    futility_base = 76, 5..=200;
    /// Added to the per-ply margin of reverse futility pruning, per ply of depth.
    futility_per_ply = 0, 0..=20;
    /// Largest per-ply margin of reverse futility pruning.
    futility_most = 76, 5..=200;
    /// Subtracted from the per-ply margin of reverse futility pruning if the transposition table has no entry for the
    /// node.
    futility_unknown = 21, 0..=80;
    /// Subtracted from the margin of reverse futility pruning if the position improves for the side to move, in
    /// 1,024ths of the per-ply margin.
    futility_improving = 2686, 0..=6000;
    /// Subtracted from the margin of reverse futility pruning if the opponent's static evaluation falls, in 1,024ths of
    /// the per-ply margin.
    futility_worsening = 362, 0..=2000;
    /// Added to the margin of reverse futility pruning, in hundredths of the size of the static evaluation's
    /// correction.
    futility_correction = 73, 0..=300;
    /// Reverse futility pruning returns beta plus this many 1,024ths of the difference between static evaluation and
    /// beta.
    futility_return = 341, 0..=1024;
    /// A null move is tried if the static evaluation exceeds beta by at least this margin.
    null_move_base = 378, 0..=1200;
    /// Subtracted from the margin that a null move requires, per ply of depth.
    null_move_per_ply = 16, 0..=60;
    /// Subtracted from the margin that a null move requires if the position improves for the side to move.
    null_move_improving = 53, 0..=200;
    /// Base reduction, in plies, of the search after a null move.
    null_move_reduction = 7, 2..=10;
    /// The depth in plies, divided by this number, is added to the reduction of the search after a null move.
    null_move_depth_divisor = 3, 2..=8;
    /// The difference between static evaluation and beta, divided by this number of units, is added to the reduction of
    /// the search after a null move; 0 disables this.
    null_move_value_step = 0, 0..=2000;
    /// From this depth in plies on, a search without null moves verifies a null move that fails high.
    null_verification_depth = 16, 8..=30;
    /// From this depth in plies on, nodes without a table move are searched one ply less deep (internal iterative
    /// reduction).
    internal_reduction_depth = 6, 1..=12;
    /// Internal iterative reduction is not used at nodes whose depth was already reduced by more than this many plies.
    internal_reduction_prior = 3, 0..=20;
    /// ProbCut looks for a capture whose value exceeds beta by at least this margin.
    probcut_margin = 224, 20..=800;
    /// Subtracted from the ProbCut margin if the position improves for the side to move.
    probcut_improving = 61, 0..=300;
    /// Smallest depth, in plies, at which ProbCut is tried.
    probcut_depth = 3, 2..=10;
    /// Number of plies by which the search that verifies ProbCut is reduced if the position does not improve.
    probcut_reduction = 4, 2..=6;
    /// Number of plies by which the search that verifies ProbCut is reduced if the position improves.
    probcut_improving_reduction = 4, 2..=8;
    /// A table entry whose score exceeds beta by at least this margin ends the search of a node (small ProbCut).
    small_probcut_margin = 416, 50..=1500;
    /// Factor, in 128ths, for the logarithms of depth and move number. The product of the two scaled logarithms is the
    /// base reduction in 1,024ths of a ply.
    lmr_scale = 2763, 1000..=5000;
    /// Subtracted from reductions, in 1,024ths of a ply, after multiplication by the ratio of the node's window width
    /// to the root's.
    lmr_window = 585, 0..=2000;
    /// Added to reductions if the position does not improve for the side to move, in 512ths of the base reduction.
    lmr_not_improving = 206, 0..=600;
    /// Added to every reduction, in 1,024ths of a ply.
    lmr_base = 1133, -2000..=3000;
    /// Added to reductions, in 1,024ths of a ply, if the node was once on a principal variation. Pruning decisions use
    /// this larger reduction; the search itself subtracts `lmr_was_pv_search` from it.
    lmr_was_pv = 1013, 0..=3000;
    /// Subtracted from the reduction of the search depth if the node was once on a principal variation.
    lmr_was_pv_search = 2819, 0..=6000;
    /// Subtracted from the reduction of the search depth if the node is on the principal variation.
    lmr_pv = 973, 0..=3000;
    /// Subtracted from the reduction of the search depth if the node was once on a principal variation and the table
    /// has no score for it or a score above alpha.
    lmr_pv_above = 905, 0..=3000;
    /// Subtracted from the reduction of the search depth if the node was once on a principal variation and its table
    /// entry is at least as deep as the node.
    lmr_pv_deep = 935, 0..=3000;
    /// Subtracted from the reduction of the search depth, in addition to `lmr_pv_deep`, at an expected cut node.
    lmr_pv_deep_cut = 959, 0..=3000;
    /// Added to the reduction of the search depth, but not to the reduction used in pruning decisions.
    lmr_search = 691, -2000..=3000;
    /// Subtracted from a move's reduction after multiplication by the move's number in the order of tried moves.
    lmr_per_move = 65, 0..=200;
    /// Subtracted from reductions, in hundredths of the size of the static evaluation's correction.
    lmr_correction = 512, 0..=2000;
    /// Added to reductions at an expected cut node.
    lmr_cut = 3611, 0..=8000;
    /// Added to reductions at an expected cut node without a table move.
    lmr_cut_unknown = 985, 0..=4000;
    /// Added to reductions if the table move is a capture.
    lmr_table_capture = 1054, 0..=4000;
    /// Added to reductions if two or more children have failed high.
    lmr_cutoffs = 251, 0..=3000;
    /// Added to reductions if more than two children have failed high.
    lmr_many_cutoffs = 1124, 0..=4000;
    /// Added to reductions if two or more children have failed high and the node is an expected all node.
    lmr_all_cutoffs = 1042, 0..=4000;
    /// Subtracted from the reduction of the table move.
    lmr_table_move = 2239, 0..=5000;
    /// Weight of the captured piece's value in the history score that determines reductions, in 128ths.
    lmr_victim = 863, 0..=3000;
    /// Share of the move's history score, in 4,096ths, that is subtracted from its reduction.
    lmr_history = 428, 0..=1500;
    /// At expected all nodes, reductions grow by this many 256ths divided by approximately the depth in plies.
    lmr_all = 273, 0..=1000;
    /// Added, at nodes without a table move, to the reduction of a move that is exempt from late move reductions.
    lmr_unknown = 1057, 0..=4000;
    /// A move that is exempt from late move reductions is still searched one ply less deep if its reduction exceeds
    /// this number of 1,024ths of a ply.
    lmr_one_ply = 4628, 1000..=12_000;
    /// A move that is exempt from late move reductions is still searched two plies less deep if its reduction exceeds
    /// this number of 1,024ths of a ply.
    lmr_two_plies = 5772, 1000..=14_000;
    /// A reduced move whose value exceeds the best value by more than this margin is searched again one ply deeper.
    deeper_margin = 48, 0..=200;
    /// A reduced move whose value exceeds the best value by less than this margin is searched again one ply less deep.
    shallower_margin = 9, 0..=60;
    /// Bonus that a reduced move gets in the continuation histories when it is searched again.
    searched_again_bonus = 1426, 0..=4000;
    /// Quiet moves are pruned after this number of moves plus the square of the depth, or after half of that sum if the
    /// position does not improve for the side to move.
    late_moves_base = 3, 1..=12;
    /// Captures that cannot reach alpha are pruned if their reduced depth is below this many plies.
    futile_capture_depth = 7, 2..=14;
    /// Base of the margin by which a capture may fall short of alpha without being pruned.
    futile_capture_base = 218, 0..=800;
    /// Added to the margin by which a capture may fall short of alpha, per ply of reduced depth.
    futile_capture_per_ply = 223, 0..=800;
    /// Added to the margin by which a capture may fall short of alpha, for each unit of capture history, in 1,024ths.
    futile_capture_history = 131, 0..=600;
    /// A capture or a check is pruned if it loses more than this in a static exchange, per ply of depth.
    exchange_per_ply = 167, 10..=600;
    /// Added to the exchange loss above which a capture or a check is pruned, in 1,024ths per unit of capture history.
    exchange_history = 34, 0..=200;
    /// If this parameter is 1, captures and checks that lose material are pruned only where alpha is at least the value
    /// of a draw.
    exchange_ahead = 1, 0..=1;
    /// A quiet move is pruned if its history score is below the negative of this number times the depth in plies.
    history_pruning_per_ply = 4097, 500..=12_000;
    /// Weight, in 32nds, of the main history in the history score that futility pruning of quiet moves uses.
    late_main_history = 71, 0..=200;
    /// In futility pruning of quiet moves, a history score of this size counts as one ply of depth.
    late_history = 3220, 800..=10_000;
    /// Quiet moves that cannot reach alpha are pruned if their reduced depth is below this many plies.
    futile_quiet_depth = 13, 2..=20;
    /// Base of the margin by which a quiet move may fall short of alpha without being pruned.
    futile_quiet_base = 42, 0..=400;
    /// Added to the margin by which a quiet move may fall short of alpha, if no move has raised alpha yet.
    futile_quiet_no_best = 151, 0..=500;
    /// Added to the margin by which a quiet move may fall short of alpha, per ply of reduced depth.
    futile_quiet_per_ply = 120, 10..=400;
    /// Added to the margin by which a quiet move may fall short of alpha, if the static evaluation is above alpha.
    futile_quiet_above = 86, 0..=400;
    /// A quiet move is pruned if it loses more than this in a static exchange, per square of the reduced depth.
    exchange_quiet_per_ply_squared = 25, 2..=100;
    /// Smallest depth, in plies, at which the table move is tested for singularity.
    singular_depth = 6, 3..=12;
    /// Margin, in 55ths per ply of depth, between the score of the table entry and the bound of the singularity test.
    singular_margin = 60, 10..=300;
    /// Added to the margin of the singularity test if the node was once on a principal variation.
    singular_was_pv = 66, 0..=300;
    /// The table move is extended by two plies if the value of the other moves is below the bound of the singularity
    /// test by more than this margin.
    singular_double_base = -4, -100..=100;
    /// Added to the margin for an extension by two plies on the principal variation.
    singular_double_pv = 212, 0..=600;
    /// Subtracted from the margin for an extension by two plies if the table move is quiet.
    singular_double_quiet = 182, 0..=500;
    /// The table move is extended by three plies if the value of the other moves is below the bound of the singularity
    /// test by more than this margin.
    singular_triple_base = 73, -100..=400;
    /// Added to the margin for an extension by three plies on the principal variation.
    singular_triple_pv = 320, 0..=800;
    /// Subtracted from the margin for an extension by three plies if the table move is quiet.
    singular_triple_quiet = 218, 0..=500;
    /// Added to the margin for an extension by three plies if the node was once on a principal variation.
    singular_triple_was_pv = 92, 0..=400;
    /// Subtracted from the margin for an extension by two plies, in proportion to how often table moves have been best.
    singular_table_moves = 64, 0..=300;
    /// Subtracted from the margins for extensions by two and three plies if the node's ply exceeds the iteration's
    /// depth.
    singular_below = 44, 0..=200;
    /// Number of plies by which a table move is reduced if it is not singular and its score is at least beta.
    singular_negative = 3, 0..=4;
    /// Number of plies by which a table move is reduced at an expected cut node if it is not singular.
    singular_cut = 2, 0..=4;
    /// Number of plies by which moves are reduced after a move that raised alpha.
    raised_reduction = 2, 0..=4;
    /// Moves after a move that raised alpha are reduced only at depths below this number of plies.
    raised_depth = 14, 4..=30;
    /// Smallest depth, in plies, at which the root is searched in an aspiration window.
    aspiration_depth = 2, 1..=8;
    /// Half the initial width of the aspiration window.
    aspiration_window = 5, 1..=60;
    /// The aspiration window is widened by the mean square of the root's values divided by this number.
    aspiration_divisor = 9000, 1000..=40_000;
    /// Margin by which a capture in quiescence search may fall short of alpha without being pruned.
    quiescence_margin = 328, 50..=800;
    /// Quiescence search prunes a capture that loses more than this in a static exchange.
    quiescence_loss = 73, 0..=300;
    /// Number of moves after which quiescence search tries only checks, recaptures and promotions.
    quiescence_moves = 2, 1..=8;
    /// History bonus of the best move, per ply of depth.
    history_bonus = 128, 20..=400;
    /// Subtracted from the history bonus of the best move.
    history_bonus_offset = 77, 0..=300;
    /// Largest history bonus of the best move.
    history_bonus_limit = 1529, 500..=4000;
    /// Added to the history bonus of the best move if it is the table move.
    history_bonus_table = 353, 0..=1500;
    /// The history score of the previous move, divided by this number, is added to the history bonus of the best move.
    history_bonus_prior = 32, 8..=200;
    /// History malus of the moves tried before the best move, per ply of depth.
    history_malus = 882, 50..=2000;
    /// Subtracted from the history malus of the moves tried before the best move.
    history_malus_offset = 204, 0..=600;
    /// Largest history malus of the moves tried before the best move.
    history_malus_limit = 2122, 500..=4000;
    /// Share of the history bonus, in 1,024ths, that a quiet best move gets.
    history_quiet_bonus = 806, 0..=3000;
    /// Share of the history malus, in 1,024ths, that quiet moves get, before the decay from move to move.
    history_quiet_malus = 1113, 0..=3000;
    /// Factor by which the history malus shrinks from each quiet move to the next, in 1,024ths.
    history_quiet_decay = 977, 500..=1024;
    /// Share of the history bonus, in 1,024ths, that a best move gets if it is a capture.
    history_capture_bonus = 1286, 0..=3000;
    /// Share of the history malus, in 1,024ths, that captures get.
    history_capture_malus = 1559, 0..=3000;
    /// Share of the history malus, in 1,024ths, for the previous move if it was quiet and the first move tried after
    /// any table move.
    history_prior_malus = 616, 0..=2000;
    /// Share of a quiet move's bonus or malus, in 1,024ths, that enters the history of the first plies.
    history_first_plies = 761, 0..=2000;
    /// Share of a quiet move's bonus or malus, in 1,024ths, that enters the continuation histories.
    history_continuation = 955, 0..=2000;
    /// Share of a quiet move's bonus, in 1,024ths, that enters the pawn history.
    history_pawns = 850, 0..=2000;
    /// Share of a quiet move's malus, in 1,024ths, that enters the pawn history.
    history_pawns_malus = 550, 0..=2000;
    /// Added to every update of the continuation history that the previous move selects.
    history_near = 88, 0..=300;
    /// History bonus of a capture that leads to a node that fails low.
    prior_capture_bonus = 1018, 0..=4000;
    /// Subtracted from the factor that scales the bonus for a quiet move leading to a node that fails low.
    prior_scale = 232, 0..=600;
    /// The history score of a quiet move that leads to a node that fails low, divided by this number, is subtracted
    /// from the factor that scales the move's bonus.
    prior_history = 108, 20..=400;
    /// Added to the factor that scales the bonus for a quiet move leading to a node that fails low, per ply of depth.
    prior_per_ply = 59, 0..=200;
    /// The most that the depth adds to the factor that scales the bonus for a quiet move leading to a fail-low node.
    prior_per_ply_limit = 454, 0..=1500;
    /// Added to the factor that scales the bonus for a quiet move leading to a node that fails low, if the move was not
    /// among the first eight moves of its node.
    prior_late = 169, 0..=500;
    /// Added to the factor that scales the bonus for a quiet move leading to a node that fails low, if the node's value
    /// is far below its static evaluation.
    prior_surprise = 145, 0..=500;
    /// Added to the factor that scales the bonus for a quiet move leading to a node that fails low, if the value is far
    /// below the static evaluation before the move.
    prior_second_surprise = 154, 0..=500;
    /// Bonus, per ply of depth and before scaling, for a quiet move that leads to a node that fails low.
    prior_bonus = 135, 0..=400;
    /// Largest bonus, before scaling, for a quiet move that leads to a node that fails low.
    prior_bonus_limit = 1400, 0..=4000;
    /// Weight, in 16,384ths, of the continuation histories in the bonus for a quiet move that leads to a node that
    /// fails low.
    prior_continuation = 221, 0..=1000;
    /// Weight, in 32,768ths, of the main history in the bonus for a quiet move that leads to a node that fails low.
    prior_main = 235, 0..=1000;
    /// Weight, in 8,192nds, of the pawn history in the bonus for a quiet move that leads to a node that fails low.
    prior_pawns = 290, 0..=1000;
    /// Weight of the captured piece's value in a capture's move-ordering score.
    capture_victim = 7, 1..=40;
    /// A capture is tried before quiet moves if its loss in a static exchange is at most its ordering score divided by
    /// this number.
    capture_losing = 18, 4..=100;
    /// Added to the ordering score of a quiet move that gives check.
    check_score = 16_384, 0..=40_000;
    /// A quiet move that gives check gets `check_score` only if it loses at most this much in a static exchange.
    check_loss = 75, 0..=400;
    /// Quiet moves whose ordering score is below the negative of this number times the depth in plies are not sorted.
    order_limit = 3560, 0..=8000;
    /// Quiet moves whose ordering score is at most this number are tried after losing captures.
    order_good = -14_000, -40_000..=0;
    /// Weight of the correction history indexed by the pawn key, in 1,024ths of a unit.
    correction_pawns = 95, 0..=400;
    /// Weight of the correction history indexed by the minor-piece key, in 1,024ths of a unit.
    correction_minor = 67, 0..=400;
    /// Weight of the correction histories indexed by the keys of each side's pieces, in 1,024ths of a unit.
    correction_pieces = 97, 0..=400;
    /// Weight of the correction history indexed by pairs of moves, in 1,024ths of a unit.
    correction_continuation = 62, 0..=400;
    /// Share of an evaluation error, in 128ths per ply of depth, that updates the correction histories if a move raised
    /// alpha.
    correction_learn = 12, 1..=60;
    /// Share of an evaluation error, in 128ths per ply of depth, that updates the correction histories if the node
    /// failed low.
    correction_learn_low = 17, 1..=60;
}

/// Maximum depth of an iteration, and of a node below the root, in plies.
pub(crate) const MAX_DEPTH: i32 = 245;
pub(crate) const MAX_PLY: usize = 246;

/// A bound larger than every score of the search.
pub(crate) const INFINITE: i32 = 32_001;

/// Converts a margin to a threshold for the static exchange evaluation.
#[inline(always)]
pub(crate) fn exchange<G: SearchGame>(units: i32) -> i32 {
    units * exchange_unit::<G>() / 100
}

/// The value of a captured piece in units of the search margins.
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
