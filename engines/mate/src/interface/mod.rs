//! The interface between the program and the mate solvers: `request` and `findings`, the trait between them (`solver`),
//! `options` of a solver and its processors, `cell_link` between a host and its cells, `cell_message` for the messages
//! on it, `cell_options` of both, and `levels` for the results of a level-synchronous search.

pub(crate) mod cell_link;
pub(crate) mod cell_message;
pub(crate) mod cell_options;
pub(crate) mod findings;
pub(crate) mod levels;
pub(crate) mod options;
pub(crate) mod request;
pub(crate) mod solver;
