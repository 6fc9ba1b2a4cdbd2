//! What the program and the solvers of mates say to each other: `request` and `findings`, the trait between them (`solver`),
//! `options` of a solver and its processors, `cell_link` between a host and its cells, `cell_message` on it and
//! `cell_options` of both, `levels` of a search level after level.

pub(crate) mod cell_link;
pub(crate) mod cell_message;
pub(crate) mod cell_options;
pub(crate) mod findings;
pub(crate) mod levels;
pub(crate) mod options;
pub(crate) mod request;
pub(crate) mod solver;
