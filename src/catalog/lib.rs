//! What a game offers to the rest of the program: the only path from the protocols to a concrete game.
//!
//! The program knows its games by a table, [`Games`], that `main` hands in. A game is one crate and one entry of that table
//! (`Entry` of `hasami-games`). The crate implements the traits of `hasami_api`:
//! - `Game`: name, rules, notation of moves and positions; `SearchGame` for the alpha-beta search, `MateGame` for the solver
//!   of mates (`BrinkmateGame` where brinkmates are wanted), `Evaluator` for the values of positions
//! - `Records`: what the players are called, why games end, and the formats in which games are written and read
//! - `Render`: diagrams, and moves as players write them
//!
//! The entry says which protocol the game is played in, what evaluates it, and the tables of transition probabilities of the
//! tree; the options that only this game has; and, where the game has them, an opening book, endgame tables, brinkmates, and
//! whether its mate problems allow quiet moves.
//!
//! Two traits offer a game to the others: [`GameRules`], by which matches are played and records are written, and
//! [`Catalog`], through which searches and solvers are reached as well.
//!
//! A protocol (`hasami_protocol::Dialect`) is a way of writing. Where several games of a table share one, a GUI chooses by the
//! option `UCI_Variant` or `USI_Variant`, and the first of them is played until it does.
//!
//! ```no_run
//! use hasami_api::Line;
//! use hasami_catalog::GameRules;
//!
//! fn is_over(game: &dyn GameRules, line: &Line) -> bool {
//!     game.check(line).is_ok() && game.check_play(line).is_err()
//! }
//! ```

mod engines;
mod error;
pub mod evaluation;
mod referee;
mod rules;
mod speaker;
mod static_evaluation;
mod table;
mod typed;

pub use engines::Catalog;
pub use error::{EvaluationError, GameError, MoveError};
pub use referee::{Arbiter, Oracle, PvFault, Referee};
pub use rules::GameRules;
pub use speaker::{Notation, Speaker};
pub use static_evaluation::{PieceValue, StaticEvaluation};
pub use table::Games;
pub use typed::words as typed_words;

use hasami_words::Message;

/// Why a certificate proves nothing.
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
