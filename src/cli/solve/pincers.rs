//! What only `aohpas` heeds.

use super::super::{Failure, values};
use clap::ValueEnum;
use hasami_api::{Core, SolverOptions};
use std::num::NonZeroU32;

/// The algorithm's name.
const AOHPAS: &str = "aohpas";

#[derive(clap::Args)]
pub struct Pincers {
    /// Search of the processors of aohpas [default: pds]
    #[arg(long, value_enum)]
    core: Option<CoreWord>,

    /// Step by which the global thresholds of aohpas grow [default: 5]
    #[arg(long, value_name = "N", value_parser = values::step, allow_negative_numbers = true)]
    step: Option<NonZeroU32>,
}

/// The word of `--core`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum CoreWord {
    Pds,
    Dfpn,
}

impl From<CoreWord> for Core {
    fn from(word: CoreWord) -> Self {
        match word {
            CoreWord::Pds => Self::Pds,
            CoreWord::Dfpn => Self::Dfpn,
        }
    }
}

impl Pincers {
    /// To the options of a solver of this name.
    pub fn add(&self, algorithm: &str, options: SolverOptions) -> Result<SolverOptions, Failure> {
        if algorithm != AOHPAS {
            let given = [("--core", self.core.is_some()), ("--step", self.step.is_some())];
            return match given.into_iter().find(|&(_, is_given)| is_given) {
                Some((option, _)) => {
                    Err(Failure::BadInput(format!("{option}: expected --algorithm {AOHPAS}, found {algorithm}")))
                }
                None => Ok(options),
            };
        }
        let core = self.core.map_or(options.core, Core::from);
        Ok(SolverOptions { core, step: self.step.unwrap_or(options.step), ..options })
    }
}
