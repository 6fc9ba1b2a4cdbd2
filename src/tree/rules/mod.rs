//! The rules of the `hasami` model, one idea each. Which of them pay is measured elsewhere; here they must be right.

pub mod affinity;
pub mod ahead;
pub mod allocation;
pub mod beside;
pub mod doubling;
pub mod mates;
pub mod others;
pub mod reassign;
pub mod ripening;
pub mod speed;
mod switches;
pub mod team;
pub mod temper;

pub use switches::Rules;
