//! What GUIs and engines say to each other, without the text of any one protocol.

mod command;
mod dialect;
mod output;
pub mod settings;

pub use command::{Clock, Command, Go, MateLimit};
pub use dialect::Dialect;
pub use output::{BestMove, Info, Output};
pub use settings::Settings;
