//! The conditions of a training run, as its checkpoint stores them: one NAME=VALUE per line.

use hasami_training::{Positions, Settings};
use hasami_words::files;

/// The hash of this many sampled positions identifies the whole set.
const SAMPLES: usize = 1 << 16;
const SAMPLES_NAME: &str = "samples";

/// The conditions, in the order of comparison. The number of threads is not a condition, so a run may be continued with
/// another number.
pub struct Conditions(Vec<(&'static str, String)>);

impl Conditions {
    /// Creates the conditions. `source` lists the positions to learn from and the number of passes; `start` is the
    /// SHA-256 of the file with the initial weights.
    pub fn new(settings: &Settings, source: Vec<(&'static str, String)>, start: Option<String>) -> Self {
        let Settings { shape, target, batch, rate, last_rate, seed, .. } = settings;
        let buckets: Vec<_> = shape.buckets.iter().map(u8::to_string).collect();
        let mut all = vec![("--game", shape.game.name().to_owned())];
        all.extend(source);
        all.extend([
            ("--width", shape.width.to_string()),
            ("--outputs", shape.stacks.to_string()),
            ("--buckets", buckets.join(",")),
            ("--batch", batch.to_string()),
            ("--rate", rate.to_string()),
            ("--last-rate", last_rate.to_string()),
            ("--result-share", target.result_share.to_string()),
            ("--label-scale", target.label_scale.to_string()),
            ("--scale", shape.scale.to_string()),
            ("--seed", seed.to_string()),
            ("--start", start.unwrap_or_else(|| "-".to_owned())),
        ]);
        Self(all)
    }

    pub fn text(&self) -> String {
        self.0.iter().map(|(name, value)| format!("{name}={value}\n")).collect()
    }

    /// Describes the first condition that differs from the checkpoint's.
    pub fn fault(&self, checkpoint: &str) -> Option<String> {
        let before = |name: &str| checkpoint.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        let (name, value) = self.0.iter().find(|(name, value)| before(name) != Some(value))?;
        Some(match (*name, before(name)) {
            (SAMPLES_NAME, Some(_)) => "the training began with other positions".to_owned(),
            (_, Some(before)) => format!("the training began with {name} {before}, but this command says {value}"),
            (_, None) => "the file is of an earlier version and does not state its conditions".to_owned(),
        })
    }
}

/// Returns the conditions that identify the positions in the data files.
pub fn of_positions(positions: &Positions) -> Vec<(&'static str, String)> {
    vec![("positions", positions.len().to_string()), (SAMPLES_NAME, samples(positions))]
}

/// Returns a hash of evenly spaced sample positions in the set.
pub fn samples(positions: &Positions) -> String {
    let count = positions.len().min(SAMPLES);
    files::sha256_of((0..count).map(|sample| positions.bytes(sample * positions.len() / count)))
}
