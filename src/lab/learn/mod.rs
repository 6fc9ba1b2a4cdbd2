//! Transition probabilities from game records: `hasami-lab learn`.
//!
//! # The course of a position
//! ```text
//!   games -> positions -> search (an engine, several lines) -> ranking -> journal (a file) -> sample
//!   samples -> fit: rank, gap, logit -> holdout: each on games not used in its fit -> study -> report, charts, tables
//! ```
//!
//! # Layers
//! - Files: `positions` (reads games with the readers of the match tool), [`journal`] (writes and reads searches)
//! - Searchers: `own` (the engine of this program, on threads), `children` (processes, as the match tool runs them)
//! - Pure: [`ranking`] (the relevant part of a search), [`sample`], [`models`] (three models of the probability that a
//!   move is played), `holdout`, [`study`] (all figures), `report`, `chart`, `tables`
//!
//! A position is identified by the number of its game and its ply alone. A run that was killed, or one with more
//! games than before, searches exactly the missing positions.

mod chart;
pub(crate) mod children;
mod holdout;
pub mod journal;
pub mod models;
mod own;
pub mod positions;
pub mod ranking;
mod report;
pub mod run;
pub mod sample;
pub mod study;
mod tables;

pub use run::{LearningEngine, LearningPlan};

/// The error that ended a run, as one line with what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct LearnError(pub String);

impl From<String> for LearnError {
    fn from(why: String) -> Self {
        Self(why)
    }
}
