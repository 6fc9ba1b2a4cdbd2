//! Certificates of brinkmates: the whole strategy of the side that is right, and its replay by nothing but the rules.
//!
//! - [`Certificate`], [`Claim`]: a position, what is claimed of it, and the strategy that proves it
//! - `graph`: strategies as nodes that any number of positions share
//! - [`AttackBuilder`], [`DefenceBuilder`]: what a search makes its strategies with, from the last moves to the first
//! - `file`: how a certificate is written and read (docs/design/certificate.md)
//! - [`mod@verify`]: `attack` replays the attacker's strategy against every defence, `defence` the defender's against every
//!   attack
//! - `fault`, `unproved`: why a file is no certificate, and why one proves nothing
//!
//! Nothing here is shared with any search: who trusts this crate and the rules of the game need trust nothing else.
//!
//! ```
//! use hasami_certificate::Certificate;
//!
//! // Files of others are not trusted: whatever they hold, the answer is a certificate or one line that says what is wrong.
//! let refused = Certificate::read(b"not a certificate").expect_err("no certificate");
//! assert!(refused.to_string().starts_with("expected "));
//! ```
#![warn(missing_docs)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod attack;
mod builder;
mod certificate;
mod defence;
mod fault;
mod file;
mod graph;
mod identity;
mod node;
mod replay;
mod unproved;
mod verify;

pub use builder::{AttackBuilder, DefenceBuilder};
pub use certificate::{Certificate, Claim};
pub use fault::{ClaimFault, Expected, FileFault, Found};
pub use graph::StrategyNodeId;
pub use node::{AttackNode, DefenceNode, DefenderReply};
pub use replay::{Verified, VerifyLimits};
pub use unproved::{ReplayFault, Unproved, VerifyLimit};
pub use verify::verify;
