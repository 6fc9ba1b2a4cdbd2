//! Options of the algorithm `aohpas` only.

use super::algorithm::Need;
use clap::ValueEnum;
use hasami_mate::{AohpasCore, SolverOptions};
use hasami_terminal::values;
use std::num::NonZeroU32;

#[derive(clap::Args)]
pub struct AohpasArgs {
    /// Search algorithm of the processors of aohpas [default: pds]
    #[arg(long, value_enum)]
    core: Option<CoreWord>,

    /// Step by which the global thresholds of aohpas grow [default: 5]
    #[arg(long, value_name = "N", value_parser = values::step, allow_negative_numbers = true)]
    step: Option<NonZeroU32>,
}

/// The value of `--core`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum CoreWord {
    Pds,
    Dfpn,
}

impl From<CoreWord> for AohpasCore {
    fn from(word: CoreWord) -> Self {
        match word {
            CoreWord::Pds => Self::Pds,
            CoreWord::Dfpn => Self::Dfpn,
        }
    }
}

impl AohpasArgs {
    pub fn needs(&self) -> [Need; 2] {
        let given = [("--core", self.core.is_some()), ("--step", self.step.is_some())];
        given.map(|(option, is_given)| Need { option, is_given, can: |able| able.core_and_step })
    }

    pub fn add_to(&self, options: SolverOptions) -> SolverOptions {
        let core = self.core.map_or(options.core, AohpasCore::from);
        SolverOptions { core, step: self.step.unwrap_or(options.step), ..options }
    }
}
