//! Each fuzz target has a function that panics if an input violates one of the target's properties. `scripts/fuzz.sh`
//! searches for inputs that cause a panic; `tests/it/fuzz.rs` replays the inputs in `tests/data/fuzz`.

mod cells;
mod certificate;
mod children;
mod client;
mod cluster;
mod fen;
mod games;
mod journals;
mod lists;
mod mate;
pub mod network;
mod records;
mod sfen;
mod typed;
mod uci;
mod usi;

pub type Target = (&'static str, fn(&[u8]));

pub const TARGETS: &[Target] = &[
    ("uci", uci::check),
    ("usi", usi::check),
    ("client", client::check),
    ("fen", fen::check),
    ("sfen", sfen::check),
    ("typed", typed::check),
    ("mate", mate::check),
    ("children", children::check),
    ("lists", lists::check),
    ("records", records::check),
    ("journals", journals::check),
    ("games", games::check),
    ("certificate", certificate::check),
    ("network", network::check),
    ("cells", cells::check),
    ("cluster", cluster::check),
];
