//! The rules of the `hasami` model, one per file. The hash affinity rule is described at [`TreeRules::affinity`].

pub mod anticipation;
pub mod expansion_delay;
pub mod expected_reply;
pub mod groups;
pub mod mate_probes;
pub mod pv_inference;
pub mod reassign;
pub mod remaining_moves;
pub mod speed;
mod switches;

pub use switches::{TreeRules, UnknownRule};
