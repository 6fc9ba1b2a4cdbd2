//! `hasami verify`: replays solutions of any solver, and certificates.

mod certificates;

use super::solve::{GivenFile, choose, rules_words};
use certificates::CertificateArgs;
use hasami_catalog::Games;
use hasami_mate::MateRules;
use hasami_solve::claim;
use hasami_solve::replay::Standard;
use hasami_solve::verify::{CheckFinding, verify};
use hasami_terminal::Failure;
use hasami_words::Words;
use std::io::Write;
use std::path::PathBuf;

/// Verify solutions of mate problems, or certificates, by the rules alone
///
/// In a correct solution, every move is legal, every move of the attacker is a check, and the last move mates. The
/// problems are a list for `hasami solve`. Solutions are the output of `hasami solve`, lines with a name and moves,
/// answers of a USI engine (`checkmate ...`, in problem order), or records. A wrong solution sets the exit code to 1.
///
/// With --certificate, the command replays the complete strategy of a mate or brinkmate, or of the defence against one,
/// using only the rules.
#[derive(clap::Args)]
pub struct Verify {
    /// The list of problems, or a record (KIF, CSA), which may be its own solution; `-` is stdin
    #[arg(value_name = "PROBLEMS", required_unless_present = "certificates")]
    problems: Option<PathBuf>,

    /// The solutions of the problems, or a record of them; `-` is stdin
    #[arg(value_name = "SOLUTIONS")]
    solutions: Option<PathBuf>,

    #[command(flatten)]
    certificates: CertificateArgs,

    /// The game [default: by the first position]
    #[arg(long)]
    game: Option<String>,

    /// What counts as mate at the end: strict, or tsume (where only futile interpositions may be left)
    #[arg(long, value_parser = rules_words(), default_value = "strict")]
    rules: MateRules,

    /// The side to move in the problems is the defender
    #[arg(long)]
    defender_first: bool,

    /// Every move of the attacker must be a check, as is always required in shogi
    #[arg(long)]
    checks: bool,
}

impl Verify {
    pub fn run(&self, games: Games, words: &Words, out: &mut impl Write) -> Result<(), Failure> {
        let Some(problems) = &self.problems else {
            return self.certificates.verify(games, self.game.as_deref(), words, out);
        };
        if Some(problems) == self.solutions.as_ref() {
            return Err(Failure::at("SOLUTIONS", "is the same file as PROBLEMS"));
        }
        let list = GivenFile::read(problems, games)?;
        let solutions = self.solutions.as_deref().map(|path| GivenFile::read(path, games)).transpose()?;
        let claims = match &solutions {
            Some(solutions) => solutions,
            None if list.record.is_some() => &list,
            None => {
                let why = "PROBLEMS is a list, which needs SOLUTIONS beside it; only a record holds both";
                return Err(Failure::bad_input(why.to_owned()));
            }
        };
        let game = self.game.as_deref().or(list.record.map(|(game, _)| game));
        let catalog = choose(games, game, [&list.named])?;
        let problems = list.problems(catalog)?;
        let claimed = match claims.games(catalog)? {
            Some(played) => claim::of_records(&played, &problems),
            None => claim::parse(&claims.named.text, &claims.named.shown).map_err(Failure::bad_input)?,
        };
        let standard = Standard::of(catalog, self.rules, self.checks);
        let standard = Standard { defender_first: self.defender_first, ..standard };
        let findings = verify(catalog, &problems, &claimed, &claims.named.shown, standard, words);
        let findings = findings.map_err(Failure::bad_input)?;
        let (mut right, mut wrong, mut open) = (0_u64, 0_u64, 0_u64);
        for (index, finding) in &findings {
            let (word, why, count) = match finding {
                CheckFinding::Right(why) => ("right", why, &mut right),
                CheckFinding::Wrong(why) => ("wrong", why, &mut wrong),
                CheckFinding::Open(why) => ("open", why, &mut open),
            };
            *count += 1;
            writeln!(out, "{}\t{word}\t{why}", problems[*index].name)?;
        }
        let sum = [("right", right.into()), ("wrong", wrong.into()), ("open", open.into())];
        writeln!(out, "# {}", words.with("sum-verified", &sum))?;
        out.flush()?;
        if wrong > 0 {
            return Err(Failure::no_answer(format!("wrong solutions: {wrong}")));
        }
        Ok(())
    }
}
