//! `hasami solve`: mates by checks, one problem after another.

mod input;
mod output;
mod wish;

pub use input::{choose, read};
pub use wish::RulesWord;

use super::interrupt::Interrupt;
use super::{Failure, bar, values};
use crate::catalog::Catalog;
use crate::games;
use crate::protocol::Settings;
use crate::solve::problem::Problem;
use crate::solve::solver::Solver;
use crate::solve::tally::{Tally, difference};
use clap::builder::PossibleValuesParser;
use indicatif::ProgressBar;
use input::Source;
use output::{Told, Writer};
use std::io::Write;
use std::time::Duration;
use wish::Wish;

/// Solve mate problems: all moves of the side to move are checks, and every defence fails
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

    /// Which solver
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(games::SOLVERS), default_value = games::SOLVERS[0])]
    algorithm: String,

    #[command(flatten)]
    wish: Wish,

    /// Seconds for each problem [default: 60, or no limit with --nodes]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    time: Option<Duration>,

    /// Nodes (moves made) for each problem
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_negative_numbers = true)]
    nodes: Option<u64>,

    /// MiB of the table, one for all problems
    #[arg(long, value_name = "MB", value_parser = values::hash, default_value = "256", allow_negative_numbers = true)]
    hash: u32,

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
        let mut writer = Writer::new(&self.told, catalog)?;
        let settings = Settings { hash_mb: self.hash, ..Settings::default() };
        let unknown = || Failure::BadInput(format!("--algorithm: expected a solver, found '{}'", self.algorithm));
        let searcher = catalog.solver(&self.algorithm, &settings).ok_or_else(unknown)?;
        let time = self.time.or((self.nodes.is_none()).then_some(Duration::from_secs(60)));
        let mut solver = Solver::new(searcher, self.wish.of(&self.algorithm)?, self.nodes, time)?;
        let ender = solver.ender();
        let interrupt = Interrupt::then(move || ender.end());
        let bar = bar::of_problems();
        bar::begin(&bar, 0, problems.len());
        let course = self.solve_all(&mut solver, &problems, &mut writer, &interrupt, &bar, out);
        bar.finish_and_clear();
        let course = course?;
        writer.note(&course.tally.to_string(), out)?;
        out.flush()?;
        self.judge(&course, problems.len())
    }

    fn solve_all(
        &self,
        solver: &mut Solver,
        problems: &[Problem],
        writer: &mut Writer,
        interrupt: &Interrupt,
        bar: &ProgressBar,
        out: &mut impl Write,
    ) -> Result<Course, Failure> {
        let mut course = Course::default();
        for problem in problems {
            let solution = solver.solve(problem).map_err(Failure::BadInput)?;
            course.was_interrupted = interrupt.is_pressed();
            course.tally.add(&solution);
            let recorded = problem.recorded.filter(|_| self.told.expect);
            let difference = difference(recorded, &solution.answer);
            course.false_answers += usize::from(difference.as_ref().is_some_and(|found| found.is_false));
            bar.suspend(|| {
                writer.tell(problem, &solution, out)?;
                if let Some(found) = &difference {
                    writer.note(&format!("{}: {}", problem.name, found.text), out)?;
                }
                Ok::<(), Failure>(out.flush()?)
            })?;
            bar.inc(1);
            if course.was_interrupted {
                break;
            }
        }
        Ok(course)
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

/// The game whose protocol has this word for a position.
fn game_of(protocol: crate::protocol::Protocol) -> Option<&'static dyn Catalog> {
    games::GAMES.into_iter().find(|game| game.dialect().protocol() == protocol)
}
