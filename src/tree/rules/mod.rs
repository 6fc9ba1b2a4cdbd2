//! The rules of the `hasami` model, one idea each. Which of them pay is measured elsewhere; here they must be right.

pub mod affinity;
pub mod allocation;
pub mod others;
pub mod retract;
pub mod speed;
pub mod trust;
