//! Hasami: a parallel chess and shogi engine that plays from a master game tree.

pub mod catalog;
pub mod driver;
pub mod event;
pub mod manager;
pub mod protocol;
pub mod session;
pub mod sim;
pub mod tree;
pub mod workers;
