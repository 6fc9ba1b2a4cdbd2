//! What `solve` wants beside an answer.

use super::super::{Failure, values};
use crate::catalog::Catalog;
use crate::games;
use clap::ValueEnum;
use hasami_api::{MateRules, MateWish};

#[derive(clap::Args)]
pub struct Wish {
    /// Prove that no mate is shorter, and show the longest defence
    #[arg(long)]
    shortest: bool,

    /// Look for mates by checks only, as always in shogi
    #[arg(long)]
    checks: bool,

    /// How lengths are counted: strict, or tsume, as composers do, without futile interpositions
    #[arg(long, value_enum, default_value_t)]
    rules: RulesWord,

    /// Find every other move that mates: other keys, and cooks along the main line
    #[arg(long)]
    all: bool,

    /// Attacker's moves that the picture of a proof shows [default: 40]
    #[arg(long, value_name = "N", value_parser = values::proof_moves, allow_negative_numbers = true)]
    proof_moves: Option<usize>,
}

/// The attacker's moves in the picture of a proof.
const PROOF_MOVES: usize = 40;

/// Solvers that leave no proof to draw.
const WITHOUT_PROOF: [&str; 3] = ["id", super::cells::ALGORITHM, "levels"];

/// Solvers that count every legal defence, and those that look for no other moves that mate.
const STRICT_ONLY: [&str; 3] = ["id", super::cells::ALGORITHM, "levels"];
const WITHOUT_OTHERS: [&str; 2] = ["id", super::cells::ALGORITHM];

/// The word of `--rules`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum RulesWord {
    #[default]
    Strict,
    Tsume,
}

impl From<RulesWord> for MateRules {
    fn from(word: RulesWord) -> Self {
        match word {
            RulesWord::Strict => Self::Strict,
            RulesWord::Tsume => Self::Tsume,
        }
    }
}

impl Wish {
    /// For a solver of this name. `draws`: what is found is to be drawn.
    pub fn of(&self, game: &dyn Catalog, algorithm: &str, draws: bool) -> Result<MateWish, Failure> {
        let beyond_this = [
            ("--rules", self.rules != RulesWord::Strict, &STRICT_ONLY[..], "count as composers do"),
            ("--all", self.all, &WITHOUT_OTHERS[..], "find other moves"),
        ];
        for (option, is_given, lacking, what) in beyond_this {
            // Cells have a sentence of their own.
            if is_given && lacking.contains(&algorithm) && algorithm != super::cells::ALGORITHM {
                let able: Vec<&str> = games::SOLVERS.into_iter().filter(|name| !lacking.contains(name)).collect();
                let expected = format!("expected one of {} to {what}", able.join(", "));
                return Err(Failure::BadInput(format!("{option}: {expected}, found {algorithm}")));
            }
        }
        let beyond = self.shortest || self.all || self.rules != RulesWord::Strict;
        if beyond && algorithm == super::cells::ALGORITHM {
            let found = "expected another --algorithm beside it, found cells, who find any mate";
            let option = if self.shortest {
                "--shortest"
            } else if self.all {
                "--all"
            } else {
                "--rules"
            };
            return Err(Failure::BadInput(format!("{option}: {found}")));
        }
        let draws_proofs = draws && !WITHOUT_PROOF.contains(&algorithm);
        if self.proof_moves.is_some() && !draws_proofs {
            let found = if draws { algorithm } else { "no --svg" };
            let expected = "expected --svg and a search that leaves a proof beside it";
            return Err(Failure::BadInput(format!("--proof-moves: {expected}, found {found}")));
        }
        let any_moves = !self.checks && !game.mates_by_checks();
        Ok(MateWish {
            any_moves,
            shortest: self.shortest,
            rules: self.rules.into(),
            others: self.all,
            proof: if draws_proofs { self.proof_moves.unwrap_or(PROOF_MOVES) } else { 0 },
        })
    }
}
