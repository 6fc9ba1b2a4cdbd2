#![allow(clippy::unwrap_used)]

use super::*;
use std::collections::BTreeMap;
use std::path::Path;

/// A test case, read from a result file whose first line is the input.
struct Case {
    tally: ResultTally,
    sprt: Sprt,
    pairs: bool,
    /// The expected output, as printed by fastchess.
    lines: Vec<String>,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/matches/results");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| case(&std::fs::read_to_string(path).unwrap())).collect()
}

fn case(text: &str) -> Case {
    let mut lines = text.lines().map(str::to_owned);
    let head = lines.next().unwrap();
    let words: BTreeMap<&str, &str> = head.split(' ').filter_map(|word| word.split_once('=')).collect();
    let count = |name: &str| words[name].parse::<u32>().unwrap();
    let value = |name: &str| words[name].parse::<f64>().unwrap();
    let tally = ResultTally {
        wins: count("wins"),
        losses: count("losses"),
        draws: count("draws"),
        pairs: [count("LL"), count("LD"), count("WL") + count("DD"), count("WD"), count("WW")],
        win_loss_pairs: count("WL"),
    };
    let model = serde_json::from_value(serde_json::Value::String(words["model"].to_owned())).unwrap();
    let (elo0, elo1, alpha, beta) = (value("elo0"), value("elo1"), value("alpha"), value("beta"));
    Case { tally, sprt: Sprt { elo0, elo1, alpha, beta, model }, pairs: words["pairs"] == "1", lines: lines.collect() }
}

/// Returns the lines that this program reports for a test case.
fn ours(case: &Case) -> Vec<String> {
    let mut lines = crate::report::figures(&case.tally, case.pairs);
    lines.push(case.sprt.line(case.sprt.llr(&case.tally, case.pairs)));
    lines
}

/// Changes a line of fastchess where this program's report differs on purpose: a dash for undefined numbers, a LOS of
/// 50 % for even results, and no error for a single trial.
fn with_dashes(line: &str, trials: u32) -> String {
    let mut line = line.replace("LOS: nan %", "LOS: 50.00 %");
    if trials == 1 {
        line = line.replace("+/- 0.00,", "+/- -,").replace("LOS: 100.00 %", "LOS: - %");
    }
    ["-inf +/- nan", "inf +/- nan", "nan +/- nan", "nan", "inf"].iter().fold(line, |line, word| line.replace(word, "-"))
}

#[test]
fn figures_equal_those_of_fastchess_to_the_last_digit() {
    let cases = cases();
    assert!(cases.len() >= 10);
    for case in &cases {
        let trials = if case.pairs { case.tally.pair_count() } else { case.tally.games() };
        let wanted: Vec<String> = case.lines.iter().map(|line| with_dashes(line, trials)).collect();
        assert_eq!(ours(case), wanted, "{:?}", case.tally);
    }
}

#[test]
fn a_curve_has_a_point_for_every_result() {
    let of = |pairs: [u32; 5]| EloEstimate::pentanomial(&ResultTally { pairs, ..ResultTally::default() }).within(800.0);
    assert_eq!(of([0; 5]), None);
    assert_eq!(of([0, 0, 3, 0, 0]), Some([0.0; 3]));
    assert_eq!((of([0, 0, 0, 0, 3]), of([2, 0, 0, 0, 0])), (Some([800.0; 3]), Some([-800.0; 3])));
    let [low, value, high] = of([0, 0, 1, 0, 1]).unwrap();
    assert!(low < value && (150.0..250.0).contains(&value) && high == 800.0, "{low} {value} {high}");
    // If both ends of the interval are finite, curve and report show the same interval.
    let tally = ResultTally { pairs: [12, 45, 90, 40, 13], ..ResultTally::default() };
    let estimate = EloEstimate::pentanomial(&tally);
    let [low, value, high] = estimate.within(800.0).unwrap();
    assert!((value - estimate.elo.value).abs() < 1e-9 && ((high - low) / 2.0 - estimate.elo.error).abs() < 1e-9);
}

/// Checks the likelihood ratio against a simple but slow method: a bisection for the best distribution with a given
/// mean.
#[test]
fn likelihood_ratio_is_that_of_the_best_fitting_distributions() {
    let tally = ResultTally { pairs: [12, 45, 90, 40, 13], ..ResultTally::default() };
    let sprt = Sprt { model: SprtModel::Logistic, elo1: 30.0, ..Sprt::default() };
    let counts = tally.pairs.map(f64::from);
    let best = |mean: f64| {
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..200 {
            let theta = f64::midpoint(low, high);
            let slope: f64 =
                (0..5).map(|i| (counts[i], i as f64 / 4.0 - mean)).map(|(c, d)| c * d / (1.0 + theta * d)).sum();
            if slope > 0.0 { low = theta } else { high = theta }
        }
        (0..5).map(|i| counts[i] * (1.0 / (1.0 + low * (i as f64 / 4.0 - mean))).ln()).sum::<f64>()
    };
    let wanted = best(1.0 / (1.0 + 10.0_f64.powf(-30.0 / 400.0))) - best(0.5);
    assert!((sprt.llr(&tally, true) - wanted).abs() < 1e-3, "{} {wanted}", sprt.llr(&tally, true));
}

#[test]
fn a_tally_counts_games_and_pairs() {
    let mut tally = ResultTally::default();
    for pair in [[2, 0], [1, 1], [2, 1], [0, 1], [2, 2]] {
        pair.into_iter().for_each(|half_points| tally.add_game(half_points));
        tally.add_pair(pair);
    }
    assert_eq!((tally.wins, tally.losses, tally.draws), (4, 2, 4));
    assert_eq!((tally.pairs, tally.win_loss_pairs), ([0, 1, 2, 1, 1], 1));
    let other = tally.reversed();
    assert_eq!((other.wins, other.pairs), (2, [1, 1, 2, 1, 0]));
    assert_eq!(other.reversed(), tally);
    let mut both = tally;
    both += &other;
    assert!((both.score() - 0.5).abs() < 1e-12);
    assert_eq!(both.pair_count(), 10);
}

#[test]
fn a_test_ends_at_its_bounds() {
    let sprt = Sprt::default();
    assert_eq!(sprt.verdict(2.95), SprtVerdict::H1);
    assert_eq!(sprt.verdict(-2.95), SprtVerdict::H0);
    assert_eq!(sprt.verdict(2.9), SprtVerdict::GoOn);
    assert!(sprt.check().is_ok());
    for (bad, word) in [
        (Sprt { elo0: 5.0, ..sprt }, "elo0"),
        (Sprt { alpha: 0.0, ..sprt }, "alpha"),
        (Sprt { beta: 1.0, ..sprt }, "beta"),
        (Sprt { alpha: 0.6, beta: 0.6, ..sprt }, "together"),
    ] {
        assert!(bad.check().unwrap_err().to_string().contains(word));
    }
}

/// Hypotheses far beyond the limits would have no likelihood ratio, so the test would never end.
#[test]
fn normalized_hypotheses_are_limited() {
    let test = |elo0: f64, elo1: f64| Sprt { elo0, elo1, ..Sprt::default() };
    let refused = test(0.0, 300.0).check().unwrap_err().to_string();
    assert_eq!(refused, "expected elo0 and elo1 within 200 (normalized Elo), found 300");
    assert!(test(-201.0, 0.0).check().is_err() && test(-200.0, 200.0).check().is_ok());
    assert!(Sprt { model: SprtModel::Logistic, ..test(0.0, 300.0) }.check().is_ok());
}
