//! The parts of the command line that `hasami` and `hasami-lab` share.
//!
//! - [`place`]: the options that name a game and a position; [`options`]: `--option NAME=VALUE`; [`values`]: numbers
//! - [`Failure`]: why a command failed, in one line, with its exit code
//! - [`processor`]: refuses a processor that lacks instructions for which the program was compiled
//! - [`bar`]: progress on stderr; [`window`]: the size of the terminal
//!
//! ```
//! use hasami_terminal::values;
//!
//! assert_eq!(values::nodes("1000"), Ok(1000));
//! assert_eq!(values::nodes("0").unwrap_err(), "expected a number of nodes from 1 to 18446744073709551615");
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod bar;
mod failure;
pub mod options;
pub mod place;
pub mod processor;
pub mod values;
pub mod window;

pub use failure::{Failure, in_one_line};
