//! Statistics of a set of results between two players, in the terms and with the formulas of the field.
//!
//! - `tally`: wins, losses, draws, and pairs of games of one opening (pentanomial)
//! - `elo`: Elo and normalized Elo with error bars, likelihood of superiority
//! - `sprt`: the sequential probability ratio test; `itp`: the root finder that it uses
//!
//! Sources: M. Van den Bergh, "Normalized Elo" and "Comparing the approximations for the generalized log likelihood
//! ratio of a multinomial distribution" (cantate.be/Fishtest). Figures agree with fastchess's to the last printed digit.

mod elo;
mod itp;
mod sprt;
mod tally;

#[cfg(test)]
mod tests;

pub use elo::{EloEstimate, WithError, number};
pub use sprt::{Sprt, SprtModel, SprtVerdict};
pub use tally::ResultTally;
