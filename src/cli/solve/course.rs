//! Solves problems, prints the answers, and counts the results.

use super::super::interrupt::Interrupt;
use super::super::web;
use super::output::{OutputArgs, SolutionWriter};
use super::so_far::SoFar;
use hasami_api::MoveText;
use hasami_solve::SolverStop;
use hasami_solve::many::solve_all;
use hasami_solve::open::OpenBecause;
use hasami_solve::problem::MateProblem;
use hasami_solve::replay::Standard;
use hasami_solve::solution::{DifferenceKind, ProblemKind, Solution};
use hasami_solve::solver::Solver;
use hasami_solve::tally::{Difference, LengthStandard, SolveTally, difference, false_record, other_first};
use hasami_terminal::Failure;
use hasami_terminal::bar::Bar;
use hasami_web::MatesPage;
use hasami_words::Words;
use std::io::{self, Write};
use std::sync::Arc;

#[derive(Default)]
struct RunOutcome {
    tally: SolveTally,
    false_answers: usize,
    interrupted_by: Option<&'static str>,
}

/// What the solver searches for, and how answers are compared with recorded solutions.
#[derive(Clone, Copy)]
pub struct Question {
    pub kind: ProblemKind,
    /// Decides whether a recorded solution is correct.
    pub standard: Standard,
    /// Decides how plies are counted when an answer is compared with the recorded length.
    pub lengths: LengthStandard,
}

/// Solves the problems; each idle solver takes the next one.
pub fn run(
    output: &OutputArgs,
    mut writer: SolutionWriter<'_>,
    mut solvers: Vec<Solver>,
    problems: &[MateProblem],
    question: Question,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let page = writer.page.take();
    let words = writer.words;
    let kind = question.kind;
    let solver_stops: Vec<SolverStop> = solvers.iter().map(Solver::solver_stop).collect();
    let interrupt = Interrupt::then(move || solver_stops.iter().for_each(SolverStop::end));
    page.as_ref().map_or(Ok(()), |page| web::announce(page, &mut io::stderr()))?;
    let page = page.map(|page| MatesPage::new(page, writer.game, problems));
    let bar = Arc::new(Bar::of_problems());
    for solver in &mut solvers {
        let so_far = SoFar::new(writer.game, output.notation.notation(), words, bar.clone());
        solver.listen(so_far.listener(page.as_ref().map(MatesPage::listener)));
    }
    bar.begin(0, problems.len());
    let course = RunOutcome { tally: SolveTally { kind, ..SolveTally::default() }, ..RunOutcome::default() };
    let expect = output.expect.then_some((question.standard, question.lengths));
    let mut report = SolveReport { expect, course, interrupt: interrupt.clone(), writer, bar: bar.clone(), out, page };
    let is_over = || interrupt.is_pressed();
    let hear = |problem: &_, solution| report.hear(problem, solution);
    let solved = solve_all(solvers, problems, &is_over, || bar.advance(), hear);
    report.bar.clear();
    report.course.interrupted_by = interrupt.is_pressed().then(|| interrupt.signal());
    // If a file cannot be written, the run ends, but the totals up to this point are printed.
    let summed = if solved.is_ok() || report.course.tally.problems > 0 { report.sum() } else { Ok(()) };
    solved?;
    summed?;
    let page = report.page.take();
    web::stay(page, &interrupt, &mut io::stderr())?;
    judge(&report.course, problems.len(), words)
}

fn judge(course: &RunOutcome, problems: usize, words: &Words) -> Result<(), Failure> {
    let RunOutcome { tally, false_answers, interrupted_by } = course;
    let answers = words.count("counted-answers", problems as u64);
    let (name, count) = match (false_answers, interrupted_by, tally.unknown) {
        (1.., _, _) => ("expected-no-false", *false_answers),
        (_, Some(_), _) => ("expected-no-interrupt", tally.problems),
        (_, _, 1..) => ("expected-no-unknown", tally.unknown),
        _ if tally.open_lengths > 0 => ("expected-shortest", tally.open_lengths),
        _ => return Ok(()),
    };
    let signal = interrupted_by.unwrap_or_default();
    let values = [
        ("answers", (&answers).into()),
        ("problems", problems.into()),
        ("count", count.into()),
        ("signal", signal.into()),
    ];
    Err(Failure::no_answer(words.with(name, &values)))
}

/// A run of `hasami solve`, which counts, compares and prints answers.
struct SolveReport<'a, W> {
    /// How answers are compared with recorded ones; `None` if they are not.
    expect: Option<(Standard, LengthStandard)>,
    course: RunOutcome,
    interrupt: Interrupt,
    writer: SolutionWriter<'a>,
    bar: Arc<Bar>,
    out: &'a mut W,
    page: Option<MatesPage>,
}

impl<W: Write> SolveReport<'_, W> {
    fn sum(&mut self) -> Result<(), Failure> {
        self.note(&self.course.tally.text(self.writer.words))
    }

    fn note(&mut self, text: &str) -> Result<(), Failure> {
        self.writer.note(text, self.out)?;
        Ok(self.out.flush()?)
    }

    /// Counts an answer, and returns its difference from the recorded answer if answers are compared.
    fn count(&mut self, problem: &MateProblem, solution: &Solution) -> Option<Difference> {
        self.course.tally.add(solution);
        if let Some(page) = &self.page {
            page.solved(problem, solution);
        }
        let ((standard, lengths), words, kind) = (self.expect?, self.writer.words, self.course.tally.kind);
        let write = |moves: &[MoveText]| self.writer.moves(problem, moves);
        let is_same = solution.mate().is_some_and(|line| problem.is_recorded_length(line.len()));
        let recorded = problem.recorded.filter(|_| !is_same);
        let difference = false_record(self.writer.game, problem, kind, standard, words)
            .or_else(|| difference(kind, recorded, solution, lengths, write, words))
            .or_else(|| other_first(problem, solution, words));
        let is_false = |found: &Difference| found.kind == DifferenceKind::False;
        self.course.false_answers += usize::from(difference.as_ref().is_some_and(is_false));
        difference
    }

    /// Prints an answer.
    fn hear(&mut self, problem: &MateProblem, solution: Result<Solution, String>) -> Result<(), Failure> {
        let mut solution = solution.map_err(Failure::bad_input)?;
        if let Some(OpenBecause::Interrupted(signal)) = &mut solution.open {
            *signal = self.interrupt.signal();
        }
        let difference = self.count(problem, &solution);
        solution.difference = difference.as_ref().map(|found| found.kind);
        let Self { bar, writer, out, .. } = self;
        bar.suspend(|| {
            writer.tell(problem, &mut solution, out)?;
            if let Some(found) = &difference {
                writer.remark(problem, &found.text, out)?;
            }
            Ok(out.flush()?)
        })
    }
}
