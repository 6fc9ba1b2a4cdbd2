//! Options of `solve` that change what an answer must prove or show.

use super::algorithm::{Need, check};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hasami_catalog::Catalog;
use hasami_mate::{Algorithm, MateRequest, MateRules};
use hasami_solve::replay::Standard;
use hasami_solve::tally::LengthStandard;
use hasami_terminal::{Failure, values};

#[derive(clap::Args)]
pub struct RequestArgs {
    /// Prove that there is no shorter mate, and show the longest defence
    #[arg(long)]
    shortest: bool,

    /// Look for a mate against all moves of the side to move, which is the defender
    #[arg(long)]
    pub defender_first: bool,

    /// Look only for mates by checks, as is always done in shogi
    #[arg(long)]
    checks: bool,

    /// How to count lengths: strict, or tsume (as composers do, without futile interpositions)
    #[arg(long, value_parser = rules_words(), default_value = "strict")]
    rules: MateRules,

    /// Find every other mating move: other first moves, and cooks along the main line
    #[arg(long)]
    all: bool,

    /// Number of the attacker's moves in the picture of a proof [default: 40]
    #[arg(long, value_name = "N", value_parser = values::proof_moves, allow_negative_numbers = true)]
    proof_moves: Option<usize>,
}

/// Default number of attacker moves in a picture of a proof.
const PROOF_MOVES: usize = 40;

/// The values of `--rules`.
pub fn rules_words() -> impl TypedValueParser<Value = MateRules> {
    PossibleValuesParser::new(["strict", "tsume"])
        .map(|word| if word == "tsume" { MateRules::Tsume } else { MateRules::Strict })
}

impl RequestArgs {
    /// Returns the rules that decide whether a line is a correct solution.
    pub fn standard(&self, game: &dyn Catalog) -> Standard {
        let standard = Standard::of(game, self.rules, self.checks);
        Standard { defender_first: self.defender_first, ..standard }
    }

    /// Returns the rules for counting the plies of an answer.
    pub const fn lengths(&self) -> LengthStandard {
        match (self.shortest, self.rules) {
            (false, _) => LengthStandard::Any,
            (true, MateRules::Strict) => LengthStandard::Strict,
            (true, MateRules::Tsume) => LengthStandard::Composers,
        }
    }

    /// Returns the request to the solver, or an error if the algorithm does not support a requested option. `draws`
    /// requests pictures, and `variations` requests lines besides the main line.
    pub fn request(
        &self,
        game: &dyn Catalog,
        algorithm: Algorithm,
        draws: bool,
        variations: bool,
    ) -> Result<MateRequest, Failure> {
        let need = |option, is_given, can| Need { option, is_given, can };
        check(
            algorithm,
            &[
                need("--shortest", self.shortest, |able| able.shortest),
                need("--rules tsume", self.rules == MateRules::Tsume, |able| able.composers_rules),
                need("--all", self.all, |able| able.other_moves),
                need("--set proof-moves", self.proof_moves.is_some(), |able| able.proof_tree),
            ],
        )?;
        if self.proof_moves.is_some() && !draws {
            return Err(Failure::lonely("--set proof-moves", "--svg"));
        }
        let draws_proofs = draws && algorithm.description().capabilities.proof_tree;
        let any_moves = !self.checks && !game.mates_by_checks();
        Ok(MateRequest {
            any_moves,
            shortest: self.shortest,
            defender_first: self.defender_first,
            rules: self.rules,
            others: self.all,
            variations,
            lines: 0,
            proof: if draws_proofs { self.proof_moves.unwrap_or(PROOF_MOVES) } else { 0 },
        })
    }
}
