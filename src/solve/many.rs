//! Solves many problems at once, with one thread per solver, and reports the results in list order.

use super::problem::MateProblem;
use super::solution::Solution;
use super::solver::Solver;
use super::watch::SolverStop;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Stack size of a solver thread in bytes. The stack is large because the length of a mate is counted recursively.
const STACK: usize = 32 << 20;

/// Interval between checks for searches that are past their deadline.
const GLANCE: Duration = Duration::from_millis(100);

/// Solves the problems in parallel, one per solver. Once `is_over` returns true, no further problem is started. `done`
/// is called after each solved problem, and `hear` with each result in list order; an error returned by `hear` ends the
/// run.
pub fn solve_all<E: From<io::Error>>(
    solvers: Vec<Solver>,
    problems: &[MateProblem],
    is_over: &(dyn Fn() -> bool + Sync),
    done: impl FnMut(),
    hear: impl FnMut(&MateProblem, Result<Solution, String>) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let solver_stops: Vec<SolverStop> = solvers.iter().map(Solver::solver_stop).collect();
    thread::scope(|scope| {
        let (results, found) = crossbeam_channel::unbounded();
        let mut begin = |mut solver: Solver| {
            let (results, next) = (results.clone(), &next);
            let thread = thread::Builder::new().name("solver".into()).stack_size(STACK);
            thread.spawn_scoped(scope, move || work(&mut solver, problems, next, is_over, &results)).map(drop)
        };
        let begun = solvers.into_iter().try_for_each(&mut begin);
        drop(results);
        let outcome = begun.map_err(E::from).and_then(|()| tell(problems, &found, &solver_stops, done, hear));
        // Solvers that are still working are stopped; their results are not needed.
        next.store(problems.len(), Ordering::Relaxed);
        solver_stops.iter().for_each(SolverStop::end);
        outcome
    })
}

type SolverResult = (usize, Result<Solution, String>);

fn work(
    solver: &mut Solver,
    problems: &[MateProblem],
    next: &AtomicUsize,
    is_over: &(dyn Fn() -> bool + Sync),
    results: &Sender<SolverResult>,
) {
    solver.prepare();
    while !is_over() {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(problem) = problems.get(index) else { return };
        if results.send((index, solver.solve(problem))).is_err() {
            return;
        }
    }
}

/// Reports the results in list order. Since problems are also started in this order, no result is missing at the end.
fn tell<E>(
    problems: &[MateProblem],
    found: &Receiver<SolverResult>,
    solver_stops: &[SolverStop],
    mut done: impl FnMut(),
    mut hear: impl FnMut(&MateProblem, Result<Solution, String>) -> Result<(), E>,
) -> Result<(), E> {
    let (mut waiting, mut reported) = (BTreeMap::new(), 0);
    loop {
        solver_stops.iter().for_each(SolverStop::end_if_late);
        match found.recv_timeout(GLANCE) {
            Ok((index, solution)) => _ = waiting.insert(index, solution),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => continue,
        }
        done();
        while let Some(solution) = waiting.remove(&reported) {
            hear(&problems[reported], solution)?;
            reported += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::solver::MateProblems;
    use hasami_mate::Algorithm;
    use hasami_mate::MateRequest;
    use hasami_mate::SolverOptions;

    const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    const NONE: &str = "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1";
    const THREE: &str = "9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
    /// A position that takes longer to solve than any test should run.
    const HARD: &str = "9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1";

    /// Name, answer and nodes of each result, and the number of solved problems.
    type RunResults = (Vec<(String, &'static str, u64)>, usize);

    /// Solves the problems; the run ends after `most` results.
    fn heard(positions: &[&str], threads: usize, nodes: Option<u64>, most: usize) -> RunResults {
        let game = hasami_games::find("shogi").unwrap();
        let problem = |(index, text): (usize, &&str)| MateProblem::new(&index.to_string(), text, game).unwrap();
        let problems: Vec<MateProblem> = positions.iter().enumerate().map(problem).collect();
        let solver = || {
            let examiner = game.solver(Algorithm::default(), &SolverOptions::default());
            let work = MateProblems { examiner, request: MateRequest::default(), certifier: None };
            Solver::new(Box::new(work), nodes, None)
        };
        let (mut answers, mut done) = (Vec::new(), 0);
        let solvers = (0..threads).map(|_| solver()).collect();
        let hear = |problem: &MateProblem, solution: Result<Solution, String>| {
            let solution = solution.unwrap();
            answers.push((problem.name.clone(), solution.word(), solution.nodes));
            if answers.len() < most { Ok(()) } else { Err(io::Error::other("enough")) }
        };
        let solved = solve_all(solvers, &problems, &|| false, || done += 1, hear);
        assert_eq!(solved.is_err(), answers.len() == most);
        (answers, done)
    }

    #[test]
    fn answers_and_nodes_are_the_same_with_any_number_of_threads() {
        let positions = [HARD, GOLD, NONE, THREE, GOLD, HARD, THREE, GOLD, NONE];
        let (one, _) = heard(&positions, 1, Some(5_000), usize::MAX);
        assert_eq!(one.len(), positions.len());
        let words: Vec<&str> = one.iter().map(|answer| answer.1).collect();
        assert_eq!(words[..4], ["unknown", "mate", "nomate", "mate"]);
        assert!(one.iter().enumerate().all(|(index, answer)| answer.0 == index.to_string()));
        for threads in [2, 5, 20] {
            let many = heard(&positions, threads, Some(5_000), usize::MAX);
            assert_eq!(many, (one.clone(), positions.len()), "{threads} threads");
        }
    }

    #[test]
    fn the_end_reaches_every_thread() {
        // The second problem has no limit, so its search ends only when the run ends.
        let (answers, _) = heard(&[GOLD, HARD, HARD, GOLD], 3, None, 1);
        assert_eq!(answers.len(), 1);
    }
}
