//! Certificates of brinkmates: a complete strategy that proves a claim, and its verification by the rules of the game
//! alone.
//!
//! - [`Certificate`], [`Claim`]: a position, a claim about it, and the strategy that proves the claim
//! - `graph`: strategies as graphs of nodes
//! - [`AttackBuilder`], [`DefenceBuilder`]: construction of strategies, from the last moves to the first
//! - `file`: the file format of certificates (docs/design/certificate.md)
//! - [`mod@verify`]: replays a strategy; `attack` replays the attacker's strategy against every defence, and `defence`
//!   replays the defender's strategy against every attack
//! - `unproved`: errors for certificates that prove nothing
//!
//! This crate shares no code with any search: a verified certificate is correct if this crate and the implementation of
//! the rules are correct.
//!
//! ```
//! use hasami_certificate::Certificate;
//!
//! // Files are not trusted. Whatever they contain, reading them gives a certificate or a one-line error.
//! let refused = Certificate::read(b"not a certificate").expect_err("no certificate");
//! assert!(refused.starts_with("expected "));
//! ```
#![warn(missing_docs)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod attack;
mod builder;
mod certificate;
mod defence;
mod file;
mod graph;
mod identity;
mod node;
mod replay;
mod unproved;
mod verify;

pub use builder::{AttackBuilder, DefenceBuilder};
pub use certificate::{Certificate, Claim};
pub use graph::StrategyNodeId;
pub use node::{AttackNode, DefenceNode, DefenderReply};
pub use replay::{Verified, VerifyLimits};
pub use unproved::{ReplayFault, Unproved};
pub use verify::verify;
