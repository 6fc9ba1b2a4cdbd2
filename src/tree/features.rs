//! The features from which the conditional logit computes a move's probability: gap, rank, depth, phase and others.

/// A position, seen as a choice between the moves that a search has ranked and the alternative "out of rank", which
/// stands for all moves that the search has not ranked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sight<'a> {
    /// For each rank, the number of centipawns behind the best value.
    pub gaps: &'a [i32],
    /// The best value, in centipawns for the side to move.
    pub value: i32,
    /// Number of legal moves that were not ranked; `None` if "out of rank" is not an alternative.
    pub rest: Option<u32>,
    /// Depth of the search in plies.
    pub depth: u16,
    /// Share of the pieces, other than kings and pawns, that have left the board, from 0 to 1.
    pub phase: f64,
}

/// Number of features per alternative.
pub const COUNT: usize = 18;

/// The names of the features, in order, where `x` denotes a product. Depth, phase and value are the same for all moves
/// of a position, so these features matter only in products.
pub const FEATURES: [&str; COUNT] = [
    "best",
    "rank",
    "gap",
    "gap x gap",
    "gap x rank",
    "gap x value",
    "best x depth",
    "best x phase",
    "rank x depth",
    "rank x phase",
    "gap x depth",
    "gap x phase",
    "out",
    "out x rest",
    "out x last gap",
    "out x depth",
    "out x phase",
    "out x value",
];

/// The first `OF_MOVES` features describe ranked moves, and the others describe "out of rank".
const OF_MOVES: usize = 12;

/// At this value in centipawns, the feature `value` is one half.
const HALF_DECIDED: f64 = 300.0;

/// Depth in plies at which the feature `depth` is 0.
const USUAL_DEPTH: f64 = 10.0;

/// Larger gaps, such as those of moves that lose by mate, are capped at this number of centipawns.
const MOST: i32 = 2_000;

/// The features that all moves of a position share.
struct PositionFeatures {
    depth: f64,
    phase: f64,
    value: f64,
}

/// Computes the features of every alternative.
///
/// - `best`: 1 for the best move; `rank`: ln(1 + rank), where the best move has rank 0
/// - `gap`: ln(1 + centipawns behind the best / 10)
/// - `depth`: ln(depth / 10); `phase`: see [`Sight::phase`]; `value`: |v| / (|v| + 300) for the best value v, because a
///   pawn matters less in a decided game
/// - `out`: 1 for "out of rank"; `rest`: ln(1 + number of legal moves that were not ranked); `last gap`: the largest
///   `gap` of the ranked moves
pub fn of(sight: &Sight<'_>) -> Vec<[f64; COUNT]> {
    let value = f64::from(sight.value).abs();
    let place = PositionFeatures {
        depth: (f64::from(sight.depth.max(1)) / USUAL_DEPTH).ln(),
        phase: sight.phase,
        value: value / (value + HALF_DECIDED),
    };
    let moves = sight.gaps.iter().enumerate().map(|(rank, &gap)| of_move(&place, rank, gap));
    moves.chain(sight.rest.map(|rest| of_rest(&place, sight.gaps, rest))).collect()
}

fn of_move(place: &PositionFeatures, rank: usize, gap: i32) -> [f64; COUNT] {
    let best = if rank == 0 { 1.0 } else { 0.0 };
    let (rank, gap) = ((rank as f64).ln_1p(), distance(gap));
    let PositionFeatures { depth, phase, value } = place;
    let mut row = [0.0; COUNT];
    row[..OF_MOVES].copy_from_slice(&[
        best,
        rank,
        gap,
        gap * gap,
        gap * rank,
        gap * value,
        best * depth,
        best * phase,
        rank * depth,
        rank * phase,
        gap * depth,
        gap * phase,
    ]);
    row
}

fn of_rest(place: &PositionFeatures, gaps: &[i32], rest: u32) -> [f64; COUNT] {
    let last = gaps.iter().copied().max().unwrap_or(0);
    let rest = f64::from(rest).ln_1p();
    let mut row = [0.0; COUNT];
    row[OF_MOVES..].copy_from_slice(&[1.0, rest, distance(last), place.depth, place.phase, place.value]);
    row
}

fn distance(gap: i32) -> f64 {
    (f64::from(gap.min(MOST)) / 10.0).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGHT: Sight<'_> = Sight { gaps: &[0, 90], value: 0, rest: Some(20), depth: 10, phase: 0.3 };

    fn value(row: &[f64; COUNT], name: &str) -> f64 {
        row[FEATURES.iter().position(|feature| *feature == name).expect("a feature")]
    }

    #[test]
    fn features_are_at_the_positions_of_their_names() {
        let rows = of(&SIGHT);
        assert_eq!(rows.len(), 3);
        assert_eq!((value(&rows[0], "best"), value(&rows[0], "gap"), value(&rows[0], "out")), (1.0, 0.0, 0.0));
        assert!((value(&rows[1], "gap") - 10f64.ln()).abs() < 1e-12 && value(&rows[1], "best") == 0.0);
        assert!((value(&rows[1], "rank x phase") - 2f64.ln() * 0.3).abs() < 1e-12);
        assert!((value(&rows[2], "out x rest") - 21f64.ln()).abs() < 1e-12 && value(&rows[2], "out") == 1.0);
        assert!((value(&rows[2], "out x last gap") - 10f64.ln()).abs() < 1e-12 && value(&rows[2], "gap") == 0.0);
    }

    #[test]
    fn products_depend_on_the_features_of_the_position() {
        let (even, decided) = (of(&SIGHT), of(&Sight { value: -300, depth: 20, ..SIGHT }));
        assert_eq!((value(&even[1], "gap x value"), value(&even[0], "best x depth")), (0.0, 0.0));
        assert!((value(&decided[1], "gap x value") - 0.5 * 10f64.ln()).abs() < 1e-12);
        assert!((value(&decided[2], "out x depth") - 2f64.ln()).abs() < 1e-12);
        assert!(distance(30_000) == distance(MOST));
    }
}
