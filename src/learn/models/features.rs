//! What the conditional logit sees of an alternative: gap, rank, depth and phase.

use crate::learn::sample::Sample;

/// Numbers that describe an alternative.
pub const COUNT: usize = 15;

/// Their names, in order. `x` is a product; depth and phase are the position's, so they matter by products alone.
pub const FEATURES: [&str; COUNT] = [
    "best",
    "rank",
    "gap",
    "loss",
    "gap x rank",
    "best x depth",
    "best x phase",
    "rank x phase",
    "gap x depth",
    "gap x phase",
    "loss x phase",
    "out",
    "out x rest",
    "out x last gap",
    "out x phase",
];

/// Centipawns by which the expected score of a game grows from a half to 73 %.
const SCALE: f64 = 200.0;

/// Depths are seen in relation to this one.
const USUAL_DEPTH: f64 = 10.0;

/// The features of every alternative of a sample.
///
/// - `best`: 1 for the best move; `rank`: ln(1 + rank), the best being 0
/// - `gap`: ln(1 + centipawns behind the best / 10)
/// - `loss`: expected score lost, by a logistic curve of the values (so that a pawn matters less in a game that is decided)
/// - `depth`: ln(depth / 10); `phase`: of the position
/// - `out`: 1 for "out of rank"; `rest`: ln(1 + legal moves that did not come out); `last gap`: `gap` of the last move that
///   did
pub fn of(sample: &Sample) -> Vec<[f64; COUNT]> {
    let depth = (f64::from(sample.depth.max(1)) / USUAL_DEPTH).ln();
    let moves = sample.gaps.iter().enumerate().map(|(rank, &gap)| of_move(sample, rank, gap, depth));
    moves.chain(sample.has_out.then(|| of_rest(sample))).collect()
}

fn of_move(sample: &Sample, rank: usize, gap: i32, depth: f64) -> [f64; COUNT] {
    let phase = sample.phase;
    let best = if rank == 0 { 1.0 } else { 0.0 };
    let (rank, loss, gap) = (rank as f64, loss(sample.value, gap), distance(gap));
    let rank = rank.ln_1p();
    [
        best,
        rank,
        gap,
        loss,
        gap * rank,
        best * depth,
        best * phase,
        rank * phase,
        gap * depth,
        gap * phase,
        loss * phase,
        0.0,
        0.0,
        0.0,
        0.0,
    ]
}

fn of_rest(sample: &Sample) -> [f64; COUNT] {
    let last = sample.gaps.iter().copied().max().unwrap_or(0);
    let mut row = [0.0; COUNT];
    row[COUNT - 4..].copy_from_slice(&[1.0, f64::from(sample.rest).ln_1p(), distance(last), sample.phase]);
    row
}

fn distance(gap: i32) -> f64 {
    (f64::from(gap.min(MOST)) / 10.0).ln_1p()
}

/// A move into a mate is no worse than one that loses so much.
const MOST: i32 = 2_000;

/// Expected score that a move `gap` centipawns behind `value` gives away.
fn loss(value: i32, gap: i32) -> f64 {
    let expected = |value: f64| 1.0 / (1.0 + (-value / SCALE).exp());
    expected(f64::from(value)) - expected(f64::from(value) - f64::from(gap))
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
        assert_eq!((value(&rows[0], "best"), value(&rows[0], "gap"), value(&rows[0], "loss")), (1.0, 0.0, 0.0));
        assert!((value(&rows[1], "gap") - 10f64.ln()).abs() < 1e-12 && value(&rows[1], "best") == 0.0);
        assert!((value(&rows[1], "rank x phase") - 2f64.ln() * sample.phase).abs() < 1e-12);
        assert!((value(&rows[2], "out x rest") - 21f64.ln()).abs() < 1e-12 && value(&rows[2], "out") == 1.0);
        assert!((value(&rows[2], "out x last gap") - 10f64.ln()).abs() < 1e-12 && value(&rows[2], "gap") == 0.0);
    }

    #[test]
    fn a_pawn_matters_less_in_a_game_that_is_decided() {
        assert!(loss(0, 100) > 2.0 * loss(800, 100) && loss(0, 0) == 0.0);
        assert!(loss(0, 30_000) <= 0.5 && distance(30_000) == distance(MOST));
    }
}
