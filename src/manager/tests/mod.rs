//! The manager without threads: events by hand, actions by eye.
#![allow(clippy::unwrap_used)]

mod desk;
mod games;
