//! `hasami brinkmate`: solves brinkmate problems (hisshi) one after another, and proves each answer.

use super::solve::{
    LimitArgs, OfMates, OutputArgs, ProblemSource, Processors, ProofArgs, Question, SolutionWriter, run,
};
use clap::ValueEnum;
use hasami_brinkmate::{BrinkmateRequest, BrinkmateSearch};
use hasami_catalog::{Catalog, Games};
use hasami_mate::{CellOptions, InnerLimit, MateRules};
use hasami_solve::replay::Standard;
use hasami_solve::solution::ProblemKind;
use hasami_solve::solver::{Brinkmates, Solver};
use hasami_solve::tally::LengthStandard;
use hasami_terminal::{Failure, values};
use hasami_words::Words;
use std::io::Write;

/// Solve brinkmate problems (hisshi): threats of mate that no defence can meet
///
/// Prints one line per problem: name, answer (brinkmate, none, mate, unknown), plies, nodes, ms and moves, separated by
/// tabs; then the totals. The main line ends with the move after which every defence is mated by checks. Every
/// "brinkmate" has been replayed by the rules alone, and every "none" has been proved. "mate" means that the attacker
/// can already mate by checks. "unknown" means that a limit ended the search, and sets the exit code to 1.
///
/// Each line of a list has a position, a name and the recorded length (- for none), separated by tabs; only the
/// position is required. Ctrl-C ends the search and prints the totals.
#[derive(clap::Args)]
pub struct Brinkmate {
    #[command(flatten)]
    source: ProblemSource,

    #[command(flatten)]
    search: BrinkmateArgs,

    /// Prove that there is no shorter brinkmate and no mate
    #[arg(long)]
    shortest: bool,

    /// Look only for brinkmates of at most N plies
    #[arg(long, value_name = "N", value_parser = values::plies, allow_negative_numbers = true)]
    plies: Option<u16>,

    #[command(flatten)]
    bounds: LimitArgs,

    #[command(flatten)]
    processors: Processors,

    #[command(flatten)]
    proofs: ProofArgs,

    #[command(flatten)]
    output: OutputArgs,
}

/// Selects the solver and sets its parameters.
#[derive(clap::Args)]
struct BrinkmateArgs {
    /// Search by TACO-H (Hashimoto et al. 2001) instead of proof numbers: iterative deepening with mate searches
    /// inside, without a proof
    #[arg(long)]
    taco_h: bool,

    /// Mate search inside TACO-H: id (at most 5 plies) or pds (at most --inner-nodes) [default: pds]
    #[arg(long, value_enum)]
    inner: Option<InnerSolver>,

    /// Nodes of a PDS search inside TACO-H; the authors' machine searched 257 in a millisecond
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_negative_numbers = true)]
    inner_nodes: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum InnerSolver {
    Id,
    Pds,
}

impl BrinkmateArgs {
    fn named(&self) -> Result<BrinkmateSearch, Failure> {
        let options = [("--set inner", self.inner.is_some()), ("--set inner-nodes", self.inner_nodes.is_some())];
        if let Some((option, _)) = options.into_iter().find(|&(_, is_given)| is_given && !self.taco_h) {
            return Err(Failure::lonely(option, "--set taco-h"));
        }
        let inner = match (self.inner, self.inner_nodes) {
            (Some(InnerSolver::Id), Some(_)) => {
                return Err(Failure::lonely("--set inner-nodes", "--set inner=pds"));
            }
            (Some(InnerSolver::Id), None) => InnerLimit::ID,
            (_, None) => InnerLimit::PDS,
            (_, Some(nodes)) => InnerLimit::Pds { nodes },
        };
        Ok(if self.taco_h { BrinkmateSearch::TacoH(inner) } else { BrinkmateSearch::ProofTree })
    }
}

impl Brinkmate {
    pub fn run(&self, games: Games, words: &'static Words, out: &mut impl Write) -> Result<(), Failure> {
        let (catalog, problems) = self.source.problems(games, false)?;
        self.proofs.check(problems.len())?;
        let wants_certificates = self.proofs.certificate.is_some();
        self.check_taco_h(wants_certificates)?;
        let solvers = self.solvers(catalog, wants_certificates)?;
        let of_mates = OfMates::default();
        // Folders are created only after all arguments have been checked.
        let writer = SolutionWriter::new(&self.output, &of_mates, &self.proofs, &problems, catalog, words)?;
        let standard = Standard::of(catalog, MateRules::Strict, false);
        let question = Question { kind: ProblemKind::Brinkmate, standard, lengths: LengthStandard::Any };
        run(&self.output, writer, solvers, &problems, question, out)
    }

    /// Rejects options that TACO-H does not support, because it finds no proofs and uses only one processor.
    fn check_taco_h(&self, wants_certificates: bool) -> Result<(), Failure> {
        let wanted = [
            ("--shortest", self.shortest),
            ("--certificate", wants_certificates),
            (self.processors.many(), self.processors.processors() > 1),
        ];
        match wanted.into_iter().find(|&(_, is_wanted)| self.search.taco_h && is_wanted) {
            Some((option, _)) => Err(Failure::exclusive(option, "--set taco-h")),
            None => Ok(()),
        }
    }

    /// Creates one solver for each problem that is solved at the same time.
    fn solvers(&self, catalog: &'static dyn Catalog, certificate: bool) -> Result<Vec<Solver>, Failure> {
        let options = self.processors.options(CellOptions::default())?;
        let search = self.search.named()?;
        let proof = if self.output.draws_proofs() { PICTURE } else { 0 };
        let request = BrinkmateRequest {
            shortest: self.shortest,
            within: self.plies,
            certificate,
            below: certificate && self.shortest,
            proof,
            ..BrinkmateRequest::default()
        };
        let LimitArgs { nodes, .. } = self.bounds;
        let solver = |_| {
            let solver = catalog.brinkmate_solver(search, &options).ok_or_else(|| without_brinkmates(catalog))?;
            Ok(Solver::new(Box::new(Brinkmates { solver, request }), nodes, self.bounds.time()))
        };
        (0..self.processors.jobs).map(solver).collect()
    }
}

/// Maximum number of attacker moves in a picture of a proof.
const PICTURE: usize = 30;

fn without_brinkmates(catalog: &dyn Catalog) -> Failure {
    Failure::bad_input(format!("{} has no brinkmates", catalog.name()))
}
