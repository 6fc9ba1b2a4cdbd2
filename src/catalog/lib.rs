//! The interface between a game and the rest of the program. Only this interface connects the protocols with a game.
//!
//! `main` passes the games to the program as a table, [`Games`]. A game consists of a crate and an entry in the table
//! of games (`Entry` in `hasami-games`). The crate of a game implements these traits of `hasami_api`:
//! - `Game`: name, rules, notation of moves and positions; `SearchGame` for the alpha-beta search, `MateGame` for the
//!   mate solver (`BrinkmateGame` for the brinkmate solver), `Evaluator` for the values of positions
//! - `Records`: the names of the players, the endings of games, and the formats in which games are written and read
//! - `Render`: diagrams, and moves as players write them
//!
//! The table entry of a game defines its protocol, its evaluation, the transition probabilities of the tree, its own
//! options, and whether its mate problems allow quiet moves. Optional parts of a game's table entry are an opening
//! book, endgame tables and a brinkmate solver.
//!
//! Two traits represent a game: [`GameRules`] for playing matches and writing records, and [`Catalog`], which also
//! provides searches and solvers.
//!
//! A protocol (`hasami_protocol::Protocol`) defines the syntax of commands and answers. If several games in the table
//! share a protocol, a GUI chooses the game by the option `UCI_Variant` or `USI_Variant`; the default is the first game
//! with that protocol.
//!
//! ```no_run
//! use hasami_api::Line;
//! use hasami_catalog::GameRules;
//!
//! fn is_over(game: &dyn GameRules, line: &Line) -> bool {
//!     game.check(line).is_ok() && game.check_play(line).is_err()
//! }
//! ```

mod counted;
mod engines;
mod error;
pub mod evaluation;
mod referee;
mod rules;
mod speaker;
mod table;
mod typed;

pub use engines::Catalog;
pub use error::{EvaluationError, GameError, MoveError};
pub use referee::{Arbiter, Oracle, PvFault, Referee};
pub use rules::GameRules;
pub use speaker::{Notation, Speaker};
pub use table::Games;
pub use typed::words as typed_words;

use hasami_words::Message;

/// The reason why a certificate proves nothing.
#[derive(Clone, PartialEq, Debug)]
pub enum CertificateFault {
    Wrong(Message),
    /// A limit ended the replay, so the certificate may be correct.
    Undecided(Message),
}

/// Built-in openings for matches: a file in the folder `book/`, whose extension determines its format.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInOpenings {
    pub name: &'static str,
    pub text: &'static str,
}
