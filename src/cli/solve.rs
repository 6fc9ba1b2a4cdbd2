//! `hasami solve`: mates by checks, one problem after another.

mod cells;
mod input;
mod output;
mod pincers;
mod processors;
mod wish;

pub use input::{choose, read};
pub use wish::RulesWord;

use super::interrupt::Interrupt;
use super::{Failure, bar, values};
use crate::catalog::Catalog;
use crate::games;
use crate::solve::Ender;
use crate::solve::many::{Audience, solve_all};
use crate::solve::problem::Problem;
use crate::solve::solution::Solution;
use crate::solve::solver::Solver;
use crate::solve::tally::{Tally, difference};
use cells::Cells;
use clap::builder::PossibleValuesParser;
use indicatif::ProgressBar;
use input::Source;
use output::{Told, Writer};
use pincers::Pincers;
use processors::Processors;
use std::io::Write;
use std::time::Duration;
use wish::Wish;

/// Solve mate problems: every defence fails, and in shogi all moves of the side to move are checks
///
/// A line a problem: name, answer (mate, nomate, unknown), plies, nodes, ms and moves, with tabs between them; then the
/// sum. A mate has been replayed, no mate has been proved, and unknown is what a limit has ended; then the exit code is 1.
///
/// A list has a position, a name and the recorded length (- for no mate) on each line, with tabs between them; a position
/// will do. Ctrl-C ends the search with the sum of what was found.
#[derive(clap::Args)]
pub struct Solve {
    #[command(flatten)]
    source: Source,

    /// Which solver [default: dfpn, or parallel with more than one processor]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(games::SOLVERS))]
    algorithm: Option<String>,

    #[command(flatten)]
    wish: Wish,

    /// Seconds for each problem [default: 60, or no limit with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    time: Option<Duration>,

    /// Nodes (moves made) for each problem
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_negative_numbers = true)]
    nodes: Option<u64>,

    #[command(flatten)]
    processors: Processors,

    #[command(flatten)]
    pincers: Pincers,

    #[command(flatten)]
    cells: Cells,

    #[command(flatten)]
    told: Told,
}

/// How a run came out.
#[derive(Default)]
struct Course {
    tally: Tally,
    false_answers: usize,
    was_interrupted: bool,
}

impl Solve {
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let (catalog, problems) = self.source.problems()?;
        let writer = Writer::new(&self.told, catalog)?;
        let solvers = self.solvers(catalog)?;
        let enders: Vec<Ender> = solvers.iter().map(Solver::ender).collect();
        let interrupt = Interrupt::then(move || enders.iter().for_each(Ender::end));
        let bar = bar::of_problems();
        bar::begin(&bar, 0, problems.len());
        let mut report = Report { expect: self.told.expect, course: Course::default(), writer, bar, out };
        let is_over = || interrupt.is_pressed();
        let solved = solve_all(solvers, &problems, &is_over, &mut report);
        report.bar.finish_and_clear();
        solved?;
        report.course.was_interrupted = interrupt.is_pressed();
        report.writer.note(&report.course.tally.to_string(), report.out)?;
        report.out.flush()?;
        self.judge(&report.course, problems.len())
    }

    /// As many as problems are to be solved at once, each with its part of the memory.
    fn solvers(&self, catalog: &'static dyn Catalog) -> Result<Vec<Solver>, Failure> {
        let usual = if self.cells.are_wanted() { cells::ALGORITHM } else { self.processors.usual_algorithm() };
        let algorithm = self.algorithm.as_deref().unwrap_or(usual);
        self.cells.check(algorithm)?;
        let cells = self.cells.options(self.told.traces());
        let options = self.processors.options(algorithm, cells, self.cells.parts())?;
        let options = self.pincers.add(algorithm, options)?;
        let wish =
            self.wish.of(catalog, algorithm, self.told.draws_proofs() && !matches!(algorithm, "id" | "levels"))?;
        let time = self.time.or((self.nodes.is_none()).then_some(Duration::from_secs(60)));
        let unknown = || Failure::BadInput(format!("--algorithm: expected a solver, found '{algorithm}'"));
        let solver = |_| {
            let mut examiner = catalog.solver(algorithm, &options).ok_or_else(unknown)?;
            if let Some(crew) = self.cells.hire(options.hash_mb, catalog)? {
                examiner.employ(Box::new(crew));
            }
            Ok(Solver::new(examiner, wish, self.nodes, time)?)
        };
        (0..self.processors.jobs()).map(solver).collect()
    }

    fn judge(&self, course: &Course, problems: usize) -> Result<(), Failure> {
        let Course { tally, false_answers, was_interrupted } = course;
        let complaint = match (false_answers, was_interrupted, tally.unknown) {
            (1.., _, _) => format!("--expect: expected no false answer, found {false_answers}"),
            (_, true, _) => format!("expected {problems} answers, found Ctrl-C at problem {}", tally.problems),
            (_, _, 1..) => format!("expected {problems} answers, found {} unknown", tally.unknown),
            _ => return Ok(()),
        };
        Err(Failure::NoAnswer(complaint))
    }
}

/// What is told while problems are solved.
struct Report<'a, W> {
    expect: bool,
    course: Course,
    writer: Writer<'a>,
    bar: ProgressBar,
    out: &'a mut W,
}

impl<W: Write> Audience for Report<'_, W> {
    type Error = Failure;

    fn done(&mut self) {
        self.bar.inc(1);
    }

    fn hear(&mut self, problem: &Problem, solution: Result<Solution, String>) -> Result<bool, Failure> {
        let solution = solution.map_err(Failure::BadInput)?;
        self.course.tally.add(&solution);
        let recorded = problem.recorded.filter(|_| self.expect);
        let difference = difference(recorded, &solution.answer);
        self.course.false_answers += usize::from(difference.as_ref().is_some_and(|found| found.is_false));
        let Self { bar, writer, out, .. } = self;
        bar.suspend(|| {
            writer.tell(problem, &solution, out)?;
            if let Some(found) = &difference {
                writer.note(&format!("{}: {}", problem.name, found.text), out)?;
            }
            Ok::<(), Failure>(out.flush()?)
        })?;
        Ok(true)
    }
}

/// The game whose protocol has this word for a position.
fn game_of(protocol: crate::protocol::Protocol) -> Option<&'static dyn Catalog> {
    games::GAMES.into_iter().find(|game| game.dialect().protocol() == protocol)
}
