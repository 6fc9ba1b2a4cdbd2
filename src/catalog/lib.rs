//! The interface of a game to the rest of the program, and the only path from the protocols to a concrete game.
//!
//! The program gets its games as a table, [`Games`], from `main`. A game is one crate and one entry of that table
//! (`Entry` of `hasami-games`). The crate implements the traits of `hasami_api`:
//! - `Game`: name, rules, notation of moves and positions; `SearchGame` for the alpha-beta search, `MateGame` for the solver
//!   of mates (`BrinkmateGame` where brinkmates are wanted), `Evaluator` for the values of positions
//! - `Records`: the names of the players, the endings of games, and the formats in which games are written and read
//! - `Render`: diagrams, and moves as players write them
//!
//! The entry defines the protocol of the game, its evaluation, the tree's tables of transition probabilities, and the
//! options that only this game has. The entry also says whether mate problems of the game allow quiet moves, and
//! contains an opening book, endgame tables and brinkmates if the game has them.
//!
//! Two traits represent a game: [`GameRules`] for playing matches and writing records, and [`Catalog`], which also
//! provides searches and solvers.
//!
//! A protocol (`hasami_protocol::Protocol`) defines the syntax of commands and answers. If several games of a table
//! share a protocol, a GUI chooses the game by the option `UCI_Variant` or `USI_Variant`; until then the first of these
//! games is played.
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

/// Openings for matches that are built into the program: the name of the file in `book/`, whose extension gives the
/// format, and its text.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInOpenings {
    pub name: &'static str,
    pub text: &'static str,
}
