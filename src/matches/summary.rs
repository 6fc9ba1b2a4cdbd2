//! The summary of a match as a JSON document.

use super::faults::{EngineFaults, OpenFaults};
use super::report::{MatchReport, estimate};
use super::scores::Scores;
use super::stats::{ResultTally, Sprt, SprtVerdict, WithError};
use serde_json::{Value, json};

pub struct SummaryData<'a> {
    pub report: &'a MatchReport,
    pub scores: &'a Scores,
    /// Faults that did not end a game, by engine.
    pub faults: &'a [OpenFaults],
    pub warnings: &'a [String],
}

/// Returns the summary of a match as JSON, with null for undefined figures.
pub fn summary(plan: &Value, data: &SummaryData<'_>) -> Value {
    let (scores, names) = (data.scores, &data.report.names);
    let pairs = scores.has_pairs();
    let engines = names.iter().enumerate().map(|(index, name)| {
        let mut entry = results(&scores.of(index), pairs);
        entry["name"] = json!(name);
        let open = data.faults.get(index).copied().unwrap_or_default();
        entry["faults"] = EngineFaults::of(index, scores, open).to_json();
        entry["endings"] = endings(scores, index);
        entry
    });
    let encounters = scores.encounters().map(|[a, b]| {
        let mut entry = results(&scores.between(a, b), pairs);
        entry["engines"] = json!([names[a], names[b]]);
        entry
    });
    let games = scores.games().iter().map(|played| {
        json!({
            "game": played.pairing.game + 1,
            "round": played.pairing.round,
            "opening": played.pairing.opening.map(|opening| opening + 1),
            "players": played.pairing.engines.map(|engine| &names[engine]),
            "result": played.outcome.text(),
            "ending": played.ending.word(),
        })
    });
    json!({
        "match": plan,
        "games_played": scores.games().len(),
        "engines": engines.collect::<Vec<_>>(),
        "encounters": encounters.collect::<Vec<_>>(),
        "warnings": data.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "sprt": data.report.sprt.as_ref().map(|sprt| test(sprt, &scores.between(0, 1), pairs)),
        "games": games.collect::<Vec<_>>(),
    })
}

fn figure(figure: WithError) -> Value {
    json!({ "value": finite(figure.value), "error": finite(figure.error) })
}

fn finite(value: f64) -> Option<f64> {
    // Adding 0 removes the sign of a negative zero.
    value.is_finite().then_some(value + 0.0)
}

fn results(tally: &ResultTally, pairs: bool) -> Value {
    let estimate = estimate(tally, pairs);
    json!({
        "wins": tally.wins,
        "losses": tally.losses,
        "draws": tally.draws,
        "score": finite(tally.score()),
        "pentanomial": pairs.then_some(tally.pairs),
        "elo": figure(estimate.elo),
        "nelo": figure(estimate.nelo),
        "los": finite(estimate.los),
    })
}

fn test(sprt: &Sprt, tally: &ResultTally, pairs: bool) -> Value {
    let llr = sprt.llr(tally, pairs);
    let accepted = match sprt.verdict(llr) {
        SprtVerdict::GoOn => None,
        SprtVerdict::H0 => Some("H0"),
        SprtVerdict::H1 => Some("H1"),
    };
    json!({ "test": sprt, "llr": finite(llr), "bounds": sprt.bounds(), "accepted": accepted })
}

/// Counts how the engine's games ended, as in `{"lost": {"time": 3}, "won": {...}, "drawn": {...}}`.
fn endings(scores: &Scores, engine: usize) -> Value {
    let mut counts = json!({ "won": {}, "drawn": {}, "lost": {} });
    for played in scores.games() {
        let Some(seat) = played.pairing.engines.iter().position(|&other| other == engine) else { continue };
        let side = if seat == 0 { hasami_api::Side::First } else { hasami_api::Side::Second };
        let how = match played.outcome.half_points(side) {
            Some(2) => "won",
            Some(1) => "drawn",
            _ => "lost",
        };
        let count = &mut counts[how][played.ending.word()];
        *count = json!(count.as_u64().unwrap_or(0) + 1);
    }
    counts
}
