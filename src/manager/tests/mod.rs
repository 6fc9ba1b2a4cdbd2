//! Tests of the manager without threads: they pass events to it and inspect its actions.
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
