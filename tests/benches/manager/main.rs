//! Measures how long the manager takes for events and new roots, and how much memory it needs, with 100, 1,000 and
//! 10,000 workers.
//!
//! `cargo bench --bench manager` runs all models. Words after `--` select models by name and numbers of workers, as
//! in `cargo bench --bench manager -- rank 1000`. Neither criterion nor divan is suitable, because both repeat one
//! operation on one state, whereas every event of this benchmark changes the state for the next event, and the slowest
//! event matters as well as the mean.

mod figures;
mod play;
mod synthetic;

use figures::Figures;
use hasami_protocol::Settings;
use hasami_protocol::settings::TreeModel;
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Number of times that the same events are played. The shortest duration of each event is kept, because other programs
/// rarely slow an event down every time, for example by displacing cached data.
const TURNS: usize = 3;

const WORKERS: [u32; 3] = [100, 1_000, 10_000];

/// Name, tree model and rules of each benchmark. With the default rules, the workers search one position together. In
/// the models `rank` and `gap`, and without search groups, each worker searches a node of its own.
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
