//! The integration tests of the program: one file a topic.
#![allow(clippy::unwrap_used)]

mod brinkmates;
mod cells;
mod certificates;
mod chess_mates;
mod cli;
mod cluster;
mod compliance;
mod dialogues;
mod docs;
mod doctor;
mod faults;
mod habits;
mod import_circles;
mod imports;
mod job;
mod learn;
mod levels;
mod machines;
mod matches;
mod mates;
mod nats;
mod networks;
mod orphans;
mod packaging;
mod program;
mod rationed;
mod replay;
mod search;
mod selfplay;
mod session;
mod simulator;
mod solve;
mod solve_lists;
mod waste;
mod worth;
