//! `hasami solve`: solves mate problems.

mod algorithm;
mod aohpas;
mod bounds;
mod cells;
mod course;
mod files;
mod input;
mod output;
mod processors;
mod request;
mod rows;
mod so_far;

pub use bounds::LimitArgs;
pub use course::{Question, run};
pub use files::ProofArgs;
pub use input::{GivenFile, ProblemSource, choose};
pub use output::{OfMates, OutputArgs, SolutionWriter};
pub use processors::Processors;
pub use request::rules_words;

use algorithm::{MateAlgorithmArgs, check};
use aohpas::AohpasArgs;
use cells::CellSolverArgs;
use hasami_brinkmate::{BrinkmateSearch, BrinkmateSolver};
use hasami_catalog::{Catalog, Games};
use hasami_mate::{Algorithm, MateRules, SolverOptions};
use hasami_solve::solution::ProblemKind;
use hasami_solve::solver::{MateProblems, Solver};
use hasami_terminal::Failure;
use hasami_words::Words;
use request::RequestArgs;
use std::io::Write;

/// Solve mate problems (in shogi: tsume, mates by checks)
///
/// Prints one line per problem: name, answer (mate, nomate, unknown), plies, nodes, ms and moves, separated by tabs;
/// then the totals. Every "mate" has been replayed, and every "nomate" has been proved. "unknown" means that a limit
/// ended the search, and sets the exit code to 1.
///
/// Each line of a list has a position, a name and the recorded length (- for no mate), separated by tabs; only the
/// position is required. Ctrl-C ends the search and prints the totals.
#[derive(clap::Args)]
pub struct Solve {
    #[command(flatten)]
    source: ProblemSource,

    #[command(flatten)]
    algorithm: MateAlgorithmArgs,

    #[command(flatten)]
    request: RequestArgs,

    #[command(flatten)]
    bounds: LimitArgs,

    #[command(flatten)]
    processors: Processors,

    #[command(flatten)]
    aohpas: AohpasArgs,

    #[command(flatten)]
    cells: CellSolverArgs,

    #[command(flatten)]
    proofs: ProofArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    of_mates: OfMates,
}

impl Solve {
    pub fn run(&self, table: Games, words: &'static Words, out: &mut impl Write) -> Result<(), Failure> {
        let (catalog, mut problems) = self.source.problems(table, self.request.defender_first)?;
        self.proofs.check(problems.len())?;
        let solvers = self.solvers(catalog)?;
        let writer = SolutionWriter::new(&self.output, &self.of_mates, &self.proofs, &problems, catalog, words)?;
        let standard = self.request.standard(catalog);
        if standard.rules == MateRules::Tsume {
            problems.iter_mut().for_each(|problem| problem.count_for_composers(catalog, standard.defender_first));
        }
        let question = Question { kind: ProblemKind::Mate, standard, lengths: self.request.lengths() };
        course::run(&self.output, writer, solvers, &problems, question, out)
    }

    /// Creates one solver for each problem that is solved at the same time; the solvers share the memory equally.
    fn solvers(&self, catalog: &'static dyn Catalog) -> Result<Vec<Solver>, Failure> {
        let algorithm = self.algorithm();
        let traces = self.of_mates.trace.is_some();
        check(algorithm, &self.cells.needs(traces))?;
        self.processors.check_virtual(self.cells.of_virtual_cells(traces))?;
        let options = self.processors.options(self.cells.options(traces))?;
        check(algorithm, &[self.processors.need()])?;
        check(algorithm, &self.aohpas.needs())?;
        let options = self.cells.delay(self.aohpas.add_to(options));
        let request =
            self.request.request(catalog, algorithm, self.output.draws_proofs(), self.output.kif_out.is_some())?;
        let LimitArgs { nodes, .. } = self.bounds;
        let certifies = self.proofs.certificate.is_some();
        if certifies && self.request.defender_first {
            return Err(Failure::exclusive("--certificate", "--defender-first"));
        }
        // Half of the memory goes to a second search, which finds the proof again in a form that fits a file.
        let hash_mb = if certifies { (options.hash_mb / 2).max(1) } else { options.hash_mb };
        let options = SolverOptions { hash_mb, ..options };
        let solver = |_| {
            let mut examiner = catalog.solver(algorithm, &options);
            let certifier = if certifies { Some(certifier(catalog, &options)?) } else { None };
            if let Some(cells) = self.cells.remote_cells(catalog)? {
                examiner.attach_cells(cells);
            }
            Ok(Solver::new(Box::new(MateProblems { examiner, request, certifier }), nodes, self.bounds.time()))
        };
        (0..self.processors.jobs).map(solver).collect()
    }

    /// Returns the named algorithm, or the first algorithm that supports the other options. If a cluster is named,
    /// cells replace the parallel search.
    fn algorithm(&self) -> Algorithm {
        let distributed = || Algorithm::first_with(|able| able.distributed);
        let parallel = || Algorithm::first_with(|able| able.parallel);
        let named = match self.processors.processors() {
            _ if self.cells.are_wanted() => self.algorithm.or(distributed),
            0 | 1 => self.algorithm.or(Algorithm::default),
            _ => self.algorithm.or(parallel),
        };
        if named == parallel() && self.cells.cluster.membership().is_some() { distributed() } else { named }
    }
}

/// Creates the solver that writes proofs of mates: the brinkmate search, restricted to checks.
fn certifier(catalog: &dyn Catalog, options: &SolverOptions) -> Result<Box<dyn BrinkmateSolver>, Failure> {
    catalog.brinkmate_solver(BrinkmateSearch::ProofTree, options).ok_or_else(|| {
        let why = format!("proofs cannot be written for {}", catalog.name());
        Failure::at("--certificate", why)
    })
}
