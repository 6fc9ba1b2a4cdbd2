//! The option `--algorithm`, whose values come from the registry of algorithms.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hasami_mate::{Algorithm, Capabilities};
use hasami_terminal::Failure;

#[derive(clap::Args)]
pub struct MateAlgorithmArgs {
    /// The solver [default: dfpn, or parallel with more than one processor]
    #[arg(long, value_name = "NAME", value_parser = parser())]
    algorithm: Option<Algorithm>,
}

fn parser() -> impl TypedValueParser<Value = Algorithm> {
    let value = |algorithm: &Algorithm| PossibleValue::new(algorithm.name()).help(algorithm.description().summary);
    PossibleValuesParser::new(Algorithm::ALL.iter().map(value)).try_map(|name| name.parse::<Algorithm>())
}

impl MateAlgorithmArgs {
    /// Returns the algorithm that the user named; without one, calls `other`.
    pub fn or(&self, other: impl FnOnce() -> Algorithm) -> Algorithm {
        self.algorithm.unwrap_or_else(other)
    }
}

/// An option that only some algorithms support.
pub struct Need {
    pub option: &'static str,
    pub is_given: bool,
    pub can: fn(&Capabilities) -> bool,
}

/// Checks the given options, and rejects the first option that the algorithm does not support.
pub fn check(algorithm: Algorithm, needs: &[Need]) -> Result<(), Failure> {
    let able = &algorithm.description().capabilities;
    match needs.iter().find(|need| need.is_given && !(need.can)(able)) {
        None => Ok(()),
        Some(Need { option, can, .. }) => {
            let names: Vec<&str> = Algorithm::with(can).map(Algorithm::name).collect();
            Err(Failure::bad_input(format!("{option} needs --algorithm {}, not {}", one_of(&names), algorithm.name())))
        }
    }
}

/// Joins names as in `a, b or c`.
fn one_of(names: &[&str]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_honoured_by_some_algorithm_and_refused_by_another() {
        let all: [fn(&Capabilities) -> bool; 7] = [
            |able| able.parallel,
            |able| able.distributed,
            |able| able.shortest,
            |able| able.composers_rules,
            |able| able.other_moves,
            |able| able.proof_tree,
            |able| able.core_and_step,
        ];
        for (index, can) in all.into_iter().enumerate() {
            let able = Algorithm::first_with(can);
            let unable = Algorithm::with(|able| !can(able)).next();
            let need = [Need { option: "--some", is_given: true, can }];
            assert!(check(able, &need).is_ok(), "{index}");
            let refusal = unable.map(|unable| check(unable, &need));
            let names_algorithm =
                |problem: &str| problem.starts_with("--some needs --algorithm ") && problem.contains(able.name());
            assert!(
                matches!(refusal, Some(Err(Failure::BadInput(problem))) if names_algorithm(&problem.to_string())),
                "{index}"
            );
        }
    }

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        assert_eq!(
            [&["a"][..], &["a", "b"], &["a", "b", "c"]].map(|names| one_of(names).to_string()),
            ["a", "a or b", "a, b or c"]
        );
    }
}
