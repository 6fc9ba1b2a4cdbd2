//! Costs of the manager with 100, 1,000 and 10,000 workers: an event, a new root, memory.
//!
//! `cargo bench --bench manager` takes every model; words after `--` pick models by name or numbers of workers, as in
//! `cargo bench --bench manager -- rank 1000`. Neither criterion nor divan fits: they repeat one deed with one state, and
//! here every event finds the state that the ones before it have left, and the dearest counts as well as the mean.

mod crew;
mod figures;
mod play;

use figures::Figures;
use hasami_protocol::Settings;
use hasami_protocol::settings::TreeModel;
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The same events are played so often, and each is said to have cost what it did in its fastest turn: what other
/// programs take from this one, be it only the caches, hits an event once, seldom always.
const TURNS: usize = 3;

const WORKERS: [u32; 3] = [100, 1_000, 10_000];

/// Name, model and rules. Those of the default model search one position together, with the other models, and without
/// teams, everybody has a node of its own.
const MODELS: [(&str, TreeModel, &str); 6] = [
    ("teams", TreeModel::Hasami, ""),
    ("ahead", TreeModel::Hasami, "groups=off"),
    ("hasami", TreeModel::Hasami, "groups=off,anticipation=off"),
    ("all-rules", TreeModel::Hasami, "all=on"),
    ("gap", TreeModel::Gap, ""),
    ("rank", TreeModel::Rank, ""),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_asked = |names: &[String], word: &str| names.is_empty() || names.iter().any(|name| name == word);
    let (numbers, names): (Vec<String>, Vec<String>) = words.into_iter().partition(|word| word.parse::<u32>().is_ok());
    let mut sizes: Vec<u32> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = WORKERS.to_vec();
    }
    println!("{}", Figures::HEAD);
    for (name, model, rules) in MODELS.into_iter().filter(|(name, ..)| is_asked(&names, name)) {
        for &workers in &sizes {
            let settings = Settings {
                ponder: true,
                threads: workers,
                tree_model: model,
                tree_rules: rules.to_owned(),
                ..Settings::default()
            };
            let turns = (0..TURNS).map(|_| play::play(&settings, workers, &HEAP)).collect();
            println!("{}", Figures::of(turns).line(name, workers));
        }
    }
}
