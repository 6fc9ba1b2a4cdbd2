//! Tests the manager without threads, by passing events to it and inspecting its actions.
#![allow(clippy::unwrap_used)]

mod ahead;
mod budget;
mod commands;
mod early;
mod games;
mod handicap;
mod harness;
mod left;
mod lines;
mod mate;
mod mate_engines;
mod multipv;
mod position;
mod restricted;
mod rules;
mod simulator;
mod teams;
mod trust;
mod workers;
