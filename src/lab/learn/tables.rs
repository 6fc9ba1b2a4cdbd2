//! Writes models as TOML files.

use super::study::Study;
use hasami_tree::FEATURES;
use std::fmt::Write;

/// Formats the tables of the tree models `rank` and `gap` as TOML that `hasami` can read.
pub fn transitions(study: &Study) -> String {
    // Numbers are rounded down, so that the sum of the shares never exceeds 1. Adding 1e-6 keeps the smallest strength
    // from being rounded down to 0.
    let number = |value: &f64| format!("{:.4}", (value * 1e4 + 1e-6).floor() / 1e4);
    let numbers = |values: &[f64]| values.iter().map(number).collect::<Vec<_>>().join(", ");
    format!(
        "# Transition tables: how often a move is played, by the engine's rank of it and by how far it is behind the best.\n\
         {}\n\
         # Share of the moves played that were first, second, ... in the ranking; the rest was out of rank.\n\
         rank = [{}]\n\n\
         # Bradley-Terry strengths by centipawns behind the best move: 0, 1-10, ..., 71-80, 81 and more; out of rank.\n\
         gap = [{}]\n",
        origin(study),
        numbers(&study.rank.shares),
        numbers(&study.gap.strengths)
    )
}

/// Formats the weights of the conditional logit as TOML.
pub fn logit(study: &Study) -> String {
    let mut text = format!(
        "# Conditional logit: the probability of a move is proportional to the exponential of the sum of weight times\n\
         # feature. docs/guide/learn.md says what the features are.\n\
         {}\n[weights]\n",
        origin(study)
    );
    for (name, weight) in FEATURES.iter().zip(study.logit.weights) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{name:?} = {weight:.6}");
    }
    text
}

fn origin(study: &Study) -> String {
    let (games, positions) = (study.found.games, study.found.samples.len());
    let files = study.origin.replace(['\n', '\r'], " ");
    format!("# {files}: {}\n# {games} games, {positions} positions; written by `hasami-lab learn`.\n", study.title)
}
