//! Statistics of the results between two players.
//!
//! - `tally`: wins, losses, draws, and pairs of games of one opening (pentanomial)
//! - `elo`: Elo and normalized Elo with error bars, likelihood of superiority
//! - `sprt`: the sequential probability ratio test; `itp`: the root finder that it uses
//!
//! Sources: Van den Bergh, "Normalized Elo" and "Comparing the approximations for the generalized log likelihood ratio
//! of a multinomial distribution" (cantate.be/Fishtest). All printed digits agree with those of fastchess.

mod elo;
mod itp;
mod sprt;
mod tally;

#[cfg(test)]
mod tests;

pub use elo::{EloEstimate, WithError, number};
pub use sprt::{Sprt, SprtModel, SprtVerdict};
pub use tally::ResultTally;
