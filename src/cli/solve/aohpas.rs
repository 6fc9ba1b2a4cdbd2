//! Options of the algorithm `aohpas`.

use super::algorithm::Need;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hasami_mate::{AohpasCore, SolverOptions};
use hasami_terminal::values;
use std::num::NonZeroU32;

#[derive(clap::Args)]
pub struct AohpasArgs {
    /// Search algorithm of the processors of aohpas [default: pds]
    #[arg(long, value_parser = cores())]
    core: Option<AohpasCore>,

    /// Step by which the global thresholds of aohpas grow [default: 5]
    #[arg(long, value_name = "N", value_parser = values::step, allow_negative_numbers = true)]
    step: Option<NonZeroU32>,
}

fn cores() -> impl TypedValueParser<Value = AohpasCore> {
    PossibleValuesParser::new(["pds", "dfpn"])
        .map(|word| if word == "pds" { AohpasCore::Pds } else { AohpasCore::Dfpn })
}

impl AohpasArgs {
    pub fn needs(&self) -> [Need; 2] {
        let given = [("--set core", self.core.is_some()), ("--set step", self.step.is_some())];
        given.map(|(option, is_given)| Need { option, is_given, can: |able| able.core_and_step })
    }

    pub fn add_to(&self, options: SolverOptions) -> SolverOptions {
        let (core, step) = (self.core.unwrap_or(options.core), self.step.unwrap_or(options.step));
        SolverOptions { core, step, ..options }
    }
}
