//! Certificates of small problems, made by brute force: right ones must be accepted, corrupt ones rejected.
#![allow(clippy::unwrap_used)]

mod attack;
mod brute;
mod file;
mod mutate;
mod mutations;
mod none;
mod refute;
mod samples;
