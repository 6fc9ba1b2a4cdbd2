//! Transition probabilities from game records: `hasami learn`.
//!
//! # The course of a position
//! ```text
//!   games -> positions -> search (an engine, several lines) -> ranking -> journal (a file) -> sample
//!   samples -> fit: rank, gap, logit -> holdout: each on games that it has not seen -> study -> report, charts, tables
//! ```
//!
//! # Layers
//! - Files: `positions` (games in, through the readers of the match tool), [`journal`] (searches out and in again)
//! - Who searches: `own` (the engine of this program, on threads), `children` (processes, as the match tool runs them)
//! - Pure: [`ranking`] (what counts of a search), [`sample`], [`models`] (three ways to say how likely a move is to be
//!   played), `holdout`, `calibration`, [`study`] (all figures), `report`, `chart`, `tables`
//!
//! A position is known by its game's number and its ply alone, so a run that was killed, or one with more games than
//! before, searches exactly what is missing.

mod calibration;
mod chart;
mod children;
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

use hasami_words::Message;
pub use run::{LearningEngine, LearningPlan};

/// Why nothing was learned: one line, what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct LearnError(pub Message);

impl<T: Into<Message>> From<T> for LearnError {
    fn from(why: T) -> Self {
        Self(why.into())
    }
}
