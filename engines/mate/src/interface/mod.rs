//! The interface between the program and the mate solvers: `request` and `findings`, the solver trait (`solver`),
//! `options` for a solver and its processors, `cell_link` for the link between a host and its cells, `cell_message` for
//! the messages on this link, `cell_options` for hosts and cells, and `levels` for the results of a level-synchronous
//! search.

pub(crate) mod cell_link;
pub(crate) mod cell_message;
pub(crate) mod cell_options;
pub(crate) mod findings;
pub(crate) mod levels;
pub(crate) mod options;
pub(crate) mod request;
pub(crate) mod solver;
