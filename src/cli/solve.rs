//! `hasami solve`: mates by checks, one problem after another.

mod bounds;
mod cells;
mod course;
mod input;
mod output;
mod pincers;
mod processors;
mod wish;

pub use bounds::LimitArgs;
pub use course::run;
pub use input::{ProblemSource, choose, read};
pub use output::{CertificateOutput, OfMates, OutputArgs, SolutionWriter};
pub use processors::Processors;
pub use wish::RulesWord;

use super::Failure;
use crate::catalog::{Catalog, Games};
use crate::games;
use crate::solve::solution::ProblemKind;
use crate::solve::solver::{MateProblems, Solver};
use cells::Cells;
use clap::builder::PossibleValuesParser;
use pincers::Pincers;
use std::io::Write;
use wish::Wish;

/// Solve mate problems (in shogi: tsume, mates by checks)
///
/// Prints a line a problem: name, answer (mate, nomate, unknown), plies, nodes, ms and moves, separated by tabs; then
/// the sum. Every mate has been replayed, every nomate has been proved, and unknown means that a limit ended the
/// search; then the exit code is 1.
///
/// A list has a position, a name and the recorded length (- for no mate) on each line, separated by tabs; only the
/// position is required. Ctrl-C ends the search and prints the sum.
#[derive(clap::Args)]
pub struct Solve {
    #[command(flatten)]
    source: ProblemSource,

    /// Which solver [default: dfpn, or parallel with more than one processor]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(games::SOLVERS))]
    algorithm: Option<String>,

    #[command(flatten)]
    wish: Wish,

    #[command(flatten)]
    bounds: LimitArgs,

    #[command(flatten)]
    processors: Processors,

    #[command(flatten)]
    pincers: Pincers,

    #[command(flatten)]
    cells: Cells,

    #[command(flatten)]
    told: OutputArgs,

    #[command(flatten)]
    of_mates: OfMates,
}

impl Solve {
    pub fn run(&self, table: Games, out: &mut impl Write) -> Result<(), Failure> {
        let (catalog, problems) = self.source.problems(table)?;
        let solvers = self.solvers(catalog)?;
        let writer = SolutionWriter::new(&self.told, &self.of_mates, catalog)?;
        course::run(&self.told, writer, solvers, &problems, ProblemKind::Mate, out)
    }

    /// As many as problems are to be solved at once, each with its part of the memory.
    fn solvers(&self, catalog: &'static dyn Catalog) -> Result<Vec<Solver>, Failure> {
        let usual = if self.cells.are_wanted() { cells::ALGORITHM } else { self.processors.usual_algorithm() };
        let algorithm = self.algorithm.as_deref().unwrap_or(usual);
        let algorithm = self.cells.algorithm(algorithm);
        self.cells.check(algorithm, self.of_mates.traces())?;
        self.processors.check_virtual(self.cells.of_virtual_cells(self.of_mates.traces()))?;
        let cells = self.cells.options(self.of_mates.traces());
        let options = self.processors.options(algorithm, cells, self.cells.parts())?;
        let options = self.cells.delay(self.pincers.add(algorithm, options)?);
        let wish = self.wish.of(catalog, algorithm, self.told.draws_proofs())?;
        let LimitArgs { nodes, .. } = self.bounds;
        let unknown = || Failure::BadInput(format!("--algorithm: expected a solver, found '{algorithm}'"));
        let solver = |_| {
            let mut examiner = catalog.solver(algorithm, &options).ok_or_else(unknown)?;
            if let Some(crew) = self.cells.hire(options.hash_mb, catalog)? {
                examiner.employ(crew);
            }
            Ok(Solver::new(Box::new(MateProblems { examiner, wish }), nodes, self.bounds.time())?)
        };
        (0..self.processors.jobs()).map(solver).collect()
    }
}
