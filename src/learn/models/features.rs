//! What the conditional logit sees of an alternative: gap, rank, depth and phase.

use crate::learn::sample::Sample;

/// Numbers that describe an alternative.
pub const COUNT: usize = 18;

/// Their names, in order. `x` is a product; depth, phase and value are the position's, so they matter by products alone.
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

/// Features that moves have; the others are those of "out of rank".
const OF_MOVES: usize = 12;

/// Centipawns that make a game half decided.
const HALF_DECIDED: f64 = 300.0;

/// Depths are seen in relation to this one.
const USUAL_DEPTH: f64 = 10.0;

/// A move into a mate is no worse than one that loses so much, in centipawns.
const MOST: i32 = 2_000;

/// What belongs to the position.
struct Place {
    depth: f64,
    phase: f64,
    value: f64,
}

/// The features of every alternative of a sample.
///
/// - `best`: 1 for the best move; `rank`: ln(1 + rank), the best being 0
/// - `gap`: ln(1 + centipawns behind the best / 10)
/// - `depth`: ln(depth / 10); `phase`: see [`Sample::phase`]; `value`: |v| / (|v| + 300) of the best value, because a pawn
///   matters less in a game that is decided
/// - `out`: 1 for "out of rank"; `rest`: ln(1 + legal moves that did not come out); `last gap`: the largest `gap` of those
///   that did
pub fn of(sample: &Sample) -> Vec<[f64; COUNT]> {
    let value = f64::from(sample.value).abs();
    let place = Place {
        depth: (f64::from(sample.depth.max(1)) / USUAL_DEPTH).ln(),
        phase: sample.phase,
        value: value / (value + HALF_DECIDED),
    };
    let moves = sample.gaps.iter().enumerate().map(|(rank, &gap)| of_move(&place, rank, gap));
    moves.chain(sample.has_out.then(|| of_rest(&place, sample))).collect()
}

fn of_move(place: &Place, rank: usize, gap: i32) -> [f64; COUNT] {
    let best = if rank == 0 { 1.0 } else { 0.0 };
    let (rank, gap) = ((rank as f64).ln_1p(), distance(gap));
    let Place { depth, phase, value } = place;
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

fn of_rest(place: &Place, sample: &Sample) -> [f64; COUNT] {
    let last = sample.gaps.iter().copied().max().unwrap_or(0);
    let rest = f64::from(sample.rest).ln_1p();
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
    use crate::learn::models::tests::sample;

    fn value(row: &[f64; COUNT], name: &str) -> f64 {
        row[FEATURES.iter().position(|feature| *feature == name).expect("a feature")]
    }

    #[test]
    fn features_stand_under_their_names() {
        let sample = sample(&[0, 90], true, 0);
        let rows = of(&sample);
        assert_eq!(rows.len(), 3);
        assert_eq!((value(&rows[0], "best"), value(&rows[0], "gap"), value(&rows[0], "out")), (1.0, 0.0, 0.0));
        assert!((value(&rows[1], "gap") - 10f64.ln()).abs() < 1e-12 && value(&rows[1], "best") == 0.0);
        assert!((value(&rows[1], "rank x phase") - 2f64.ln() * sample.phase).abs() < 1e-12);
        assert!((value(&rows[2], "out x rest") - 21f64.ln()).abs() < 1e-12 && value(&rows[2], "out") == 1.0);
        assert!((value(&rows[2], "out x last gap") - 10f64.ln()).abs() < 1e-12 && value(&rows[2], "gap") == 0.0);
    }

    #[test]
    fn what_is_the_positions_depends_on_the_position() {
        let (even, mut decided) = (sample(&[0, 90], true, 0), sample(&[0, 90], true, 0));
        (decided.value, decided.depth) = (-300, 20);
        let (even, decided) = (of(&even), of(&decided));
        assert_eq!((value(&even[1], "gap x value"), value(&even[0], "best x depth")), (0.0, 0.0));
        assert!((value(&decided[1], "gap x value") - 0.5 * 10f64.ln()).abs() < 1e-12);
        assert!((value(&decided[2], "out x depth") - 2f64.ln()).abs() < 1e-12);
        assert!(distance(30_000) == distance(MOST));
    }
}
