//! Communication between GUIs and engines: commands and outputs that do not depend on a protocol, and their text form
//! in UCI and USI.
//!
//! - [`Command`]: a command of a GUI; [`Output`]: an answer of the engine
//! - [`Protocol`]: the two protocols, and their syntax
//! - [`option`]: the table of options; [`Settings`]: the values of all options
//! - [`client`]: the state machine that drives other engines, both children of the tree and opponents of a match
//! - [`pasted`]: positions in the forms in which people post them
//!
//! ```
//! use hasami_protocol::{Command, Protocol};
//!
//! assert!(matches!(Protocol::Uci.parse("isready"), Command::IsReady));
//! assert!(matches!(Protocol::Uci.parse("go movetime 1000"), Command::Go(_)));
//! ```
//!
//! This crate spawns no threads or processes and never reads the clock; its functions only convert text.

pub mod client;
mod command;
mod go;
mod moves;
pub mod option;
mod output;
pub mod pasted;
mod plain;
mod position;
mod protocol;
pub mod settings;
mod strength;
mod text;
mod uci;
mod usi;
mod words;

#[cfg(test)]
mod tests;

pub use command::{Clock, Command, Go, MateLimit, TypedLine, UnreadWords};
pub use option::OptionError;
pub use output::{BestMove, Effort, Info, Output};
pub use position::PositionError;
pub use protocol::Protocol;
pub use settings::Settings;
pub use strength::Strength;
pub use words::is_end_of_game;
