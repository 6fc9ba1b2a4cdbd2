//! Learns transition probabilities from game records (`hasami-lab learn`).
//!
//! # The course of a position
//! ```text
//!   games -> positions -> search (an engine, several lines) -> ranking -> journal (a file) -> sample
//!   samples -> fit: rank, gap, logit -> holdout: each on games not used in its fit -> study -> report, charts, tables
//! ```
//!
//! # Layers
//! - Files: `positions` (reads games with the readers of the match tool), [`journal`] (writes and reads searches)
//! - Searchers: `children` (engines in processes, as the match tool runs them)
//! - Pure: [`ranking`] (the relevant part of a search), [`sample`], [`models`] (three models of the probability that a
//!   move is played), `holdout`, [`study`] (all figures), `report`, `chart`, `tables`
//!
//! The journal identifies a position by its game number and move index. If a run was killed, or games were added, the
//! next run searches only the positions that are not in the journal.

pub mod chart;
pub(crate) mod children;
mod holdout;
pub mod journal;
pub mod models;
pub mod positions;
pub mod ranking;
pub mod report;
pub mod run;
pub mod sample;
pub mod study;
pub mod tables;

pub use run::LearningPlan;
