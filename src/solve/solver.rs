//! Solves one problem after another with the same transposition table.

use super::open::OpenBecause;
use super::problem::MateProblem;
use super::solution::{OfBrinkmate, ProblemKind, Solution};
use super::watch::{SolverStop, stop_at};
use hasami_api::{Bound, Goal, Limits, MateAnswer, MoveText, Report, ScoreKind, Stop, Task, TaskError};
use hasami_brinkmate::{BrinkmateAnswer, BrinkmateRequest, BrinkmateSolver};
use hasami_mate::{MateRequest, MateSolver, OpenReason};
use hasami_words::Words;
use std::time::{Duration, Instant};

/// Solves problems of one kind.
pub trait ProblemSolver: Send {
    /// Allocates the memory of the solver.
    fn prepare(&mut self);

    /// Returns whether the search continues after the first solution, to find shorter ones.
    fn shortens(&self) -> bool {
        false
    }

    /// Returns the solution (its time is not set) and, if the problem stays undecided, the reason if known. Calls
    /// `tell` with progress reports.
    fn work(
        &mut self,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<(Solution, Option<OpenReason>), TaskError>;
}

/// Solves mate problems.
pub struct MateProblems {
    pub examiner: Box<dyn MateSolver>,
    pub request: MateRequest,
    /// Writes the certificates of proofs, if they were requested.
    pub certifier: Option<Box<dyn BrinkmateSolver>>,
}

impl MateProblems {
    /// Returns the certificate of an answer, and the number of nodes searched to find it. The limit includes the
    /// `nodes` of the search for the answer itself.
    fn certified(
        &mut self,
        task: &Task,
        answer: &MateAnswer,
        nodes: u64,
        stop: &Stop,
    ) -> Result<Option<(OfBrinkmate, u64)>, TaskError> {
        let (Some(certifier), false) = (&mut self.certifier, *answer == MateAnswer::Unknown) else { return Ok(None) };
        let limits = Limits { nodes: task.limits.nodes.map(|most| most.saturating_sub(nodes)), ..task.limits };
        // With a limit of 0 plies, the brinkmate search proves or disproves a mate by checks.
        let request = BrinkmateRequest { within: Some(0), certificate: true, ..BrinkmateRequest::default() };
        let found = certifier.solve(&Task { limits, ..task.clone() }, request, stop, &mut |_| {})?;
        let is_mate = matches!(answer, MateAnswer::Mate(_));
        let is_same = matches!(found.answer, BrinkmateAnswer::Mate(_)) == is_mate;
        let certificate = found.certificate.filter(|_| is_same);
        let lacks_certificate = certificate.is_none();
        Ok(Some((
            OfBrinkmate { is_proved: true, certificate, lacks_certificate, ..OfBrinkmate::default() },
            found.nodes,
        )))
    }
}

impl ProblemSolver for MateProblems {
    fn prepare(&mut self) {
        self.examiner.prepare(&|| false);
    }

    /// If the defender moves first, a mate reported during the search answers only one defence, so it is no solution to
    /// be shortened.
    fn shortens(&self) -> bool {
        self.request.shortest && !self.request.defender_first
    }

    fn work(
        &mut self,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<(Solution, Option<OpenReason>), TaskError> {
        let examined = self.examiner.examine_and_tell(task, self.request, stop, tell)?;
        let may_be_shorter = matches!(examined.answer, MateAnswer::Mate(_)) && examined.open.is_some();
        let certified = self.certified(task, &examined.answer, examined.nodes, stop)?;
        let (brinkmate, more) = certified.map_or((None, 0), |(details, nodes)| (Some(details), nodes));
        let solution = Solution {
            answer: examined.answer,
            may_be_shorter,
            at_least: examined.at_least,
            brinkmate,
            nodes: examined.nodes + more,
            others: self.request.others.then_some(examined.others),
            variations: examined.variations,
            defended: examined.defended,
            proof: examined.proof,
            usage: examined.usage,
            levels: examined.levels,
            ..Solution::default()
        };
        Ok((solution, examined.open))
    }
}

/// Solves brinkmate problems.
pub struct Brinkmates {
    pub solver: Box<dyn BrinkmateSolver>,
    pub request: BrinkmateRequest,
}

impl ProblemSolver for Brinkmates {
    fn prepare(&mut self) {
        self.solver.prepare();
    }

    fn work(
        &mut self,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<(Solution, Option<OpenReason>), TaskError> {
        let found = self.solver.solve(task, self.request, stop, tell)?;
        let reason = found.open;
        let (kind, answer, within) = match found.answer {
            BrinkmateAnswer::Brinkmate(line) => (ProblemKind::Brinkmate, MateAnswer::Mate(line), None),
            BrinkmateAnswer::Mate(line) => (ProblemKind::Mate, MateAnswer::Mate(line), None),
            BrinkmateAnswer::None { within } => (ProblemKind::Brinkmate, MateAnswer::NoMate, within),
            BrinkmateAnswer::Unknown => (ProblemKind::Brinkmate, MateAnswer::Unknown, None),
        };
        let (is_proved, certificate, below, inner) = (found.is_proved, found.certificate, found.below, found.inner);
        let is_brinkmate = kind == ProblemKind::Brinkmate && matches!(answer, MateAnswer::Mate(_));
        let may_be_shorter = self.request.shortest && is_proved && is_brinkmate && !found.is_shortest;
        let lacks_certificate = self.request.certificate && is_proved && certificate.is_none();
        let lacks_below = self.request.below && found.is_shortest && is_brinkmate && below.is_none();
        let more = OfBrinkmate {
            is_proved,
            within,
            certificate,
            below,
            lacks_certificate,
            lacks_below,
            inner,
            ..OfBrinkmate::default()
        };
        let (nodes, proof, usage) = (found.nodes, found.proof, found.usage);
        let brinkmate = Some(more);
        Ok((Solution { answer, kind, may_be_shorter, brinkmate, nodes, proof, usage, ..Solution::default() }, reason))
    }
}

/// The shortest mate found so far, if there is one, and a lower bound of the length of any mate.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MateSoFar {
    pub line: Vec<MoveText>,
    /// Lower bound of the length of any mate, in plies.
    pub at_least: usize,
}

impl MateSoFar {
    /// Updates the line and the bound from a progress report.
    fn hear(&mut self, report: &Report) {
        match (report.score.kind(), report.bound) {
            (ScoreKind::Mate(plies @ 1..), Bound::Upper) => self.at_least = plies.unsigned_abs() as usize,
            (ScoreKind::Mate(1..), Bound::Exact) if report.multipv == 1 && report.pv.len() != self.line.len() => {
                self.line.clone_from(&report.pv);
            }
            _ => {}
        }
    }

    /// Formats the bounds, for example `a mate in 13 to 19 plies so far`, or `no mate in fewer than 13 plies so far` if
    /// no mate is known.
    pub fn text(&self, words: &Words) -> String {
        let most = self.line.len() as u64;
        match self.at_least {
            least if self.line.is_empty() => words.count("no-mate-so-far", least as u64),
            0 | 1 => words.count("mate-so-far", most),
            least => words.with("mate-so-far-between", &[("least", (least as u64).into()), ("most", most.into())]),
        }
    }
}

/// Progress of the search for a solution.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SolveProgress {
    pub took: Duration,
    pub nodes: u64,
    /// The shortest mate found so far, while the search looks for shorter ones.
    pub mate: Option<MateSoFar>,
}

/// Receives progress reports on the search for a solution.
pub type ProgressListener = Box<dyn FnMut(&MateProblem, SolveProgress) + Send>;

/// A solver, and the limits that apply to each problem.
pub struct Solver {
    work: Box<dyn ProblemSolver>,
    nodes: Option<u64>,
    time: Option<Duration>,
    solver_stop: SolverStop,
    listener: Option<ProgressListener>,
}

impl Solver {
    pub fn new(work: Box<dyn ProblemSolver>, nodes: Option<u64>, time: Option<Duration>) -> Self {
        Self { work, nodes, time, solver_stop: SolverStop::default(), listener: None }
    }

    /// Returns a handle with which any thread can end the current search and all later ones.
    pub fn solver_stop(&self) -> SolverStop {
        self.solver_stop.clone()
    }

    /// Sets the listener that receives progress reports.
    pub fn listen(&mut self, listener: ProgressListener) {
        self.listener = Some(listener);
    }

    /// Allocates memory in advance, so that the time of the first problem does not include this.
    pub fn prepare(&mut self) {
        self.work.prepare();
    }

    pub fn solve(&mut self, problem: &MateProblem) -> Result<Solution, String> {
        let limits = Limits { nodes: self.nodes, ..Limits::default() };
        let task = Task { line: problem.line.clone(), goal: Goal::Mate, limits, ..Task::default() };
        let begun = Instant::now();
        let until = self.time.map(|time| begun + time);
        let stop = until.map_or_else(Stop::new, |until| stop_at(until, Instant::now));
        self.solver_stop.begin(&stop, until);
        let (listener, mut mate) = (&mut self.listener, MateSoFar::default());
        let shortens = self.work.shortens();
        if let Some(listener) = listener {
            listener(problem, SolveProgress::default());
        }
        let found = self.work.work(&task, &stop, &mut |report| {
            mate.hear(&report);
            if let Some(listener) = listener {
                let mate = (shortens && mate != MateSoFar::default()).then(|| mate.clone());
                let took = begun.elapsed();
                listener(problem, SolveProgress { took, nodes: report.nodes, mate });
            }
        });
        let took = begun.elapsed();
        let (mut found, reason) = found.map_err(|error| format!("{}: {error}", problem.name))?;
        let lacks = |more: &OfBrinkmate| more.lacks_certificate || more.lacks_below;
        if found.brinkmate.as_ref().is_some_and(lacks) {
            let unwritten = Some(self.open_because(reason, &found, took, &stop));
            found.brinkmate = found.brinkmate.map(|more| OfBrinkmate { unwritten, ..more });
        }
        let is_open = found.answer == MateAnswer::Unknown || found.may_be_shorter;
        let open = is_open.then(|| self.open_because(reason, &found, took, &stop));
        Ok(Solution { took, open, ..found })
    }

    fn open_because(&self, reason: Option<OpenReason>, found: &Solution, took: Duration, stop: &Stop) -> OpenBecause {
        let reason = reason.or_else(|| match self.nodes {
            Some(nodes) if found.nodes >= nodes => Some(OpenReason::Nodes),
            _ => stop.is_stopped().then_some(OpenReason::Stopped),
        });
        reason.map_or(OpenBecause::Proof, |reason| OpenBecause::of(reason, (self.time, self.nodes), took))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::MateAnswer;
    use hasami_mate::Algorithm;
    use hasami_mate::SolverOptions;

    /// A position whose search takes longer than any test should run.
    const HARD: &str = "9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1";

    fn solver(nodes: Option<u64>, time: Option<Duration>) -> Solver {
        let examiner = hasami_games::find("shogi").unwrap().solver(Algorithm::default(), &SolverOptions::default());
        Solver::new(Box::new(MateProblems { examiner, request: MateRequest::default(), certifier: None }), nodes, time)
    }

    fn problem(position: &str) -> MateProblem {
        MateProblem::new("x", position, hasami_games::find("shogi").unwrap()).unwrap()
    }

    #[test]
    fn a_limit_of_time_or_nodes_ends_one_problem_and_not_the_next() {
        for (nodes, time) in [(Some(2_000), None), (None, Some(Duration::from_millis(20)))] {
            let mut solver = solver(nodes, time);
            let hard = solver.solve(&problem(HARD)).unwrap();
            assert_eq!(hard.answer, MateAnswer::Unknown);
            assert!(hard.nodes > 0 && time.is_none_or(|time| hard.took >= time), "{hard:?}");
            let easy = solver.solve(&problem("4k4/9/4P4/9/9/9/9/9/9 b G 1")).unwrap();
            assert!(matches!(easy.answer, MateAnswer::Mate(moves) if moves.len() == 1));
        }
    }

    #[test]
    fn who_listens_hears_the_nodes_of_a_search_that_goes_on() {
        let (sender, heard) = crossbeam_channel::unbounded();
        let mut solver = solver(Some(2_000_000), None);
        solver.listen(Box::new(move |problem, progress| sender.send((problem.name.clone(), progress)).unwrap()));
        solver.solve(&problem(HARD)).unwrap();
        let heard: Vec<_> = heard.try_iter().collect();
        assert!(heard.iter().all(|(name, _)| name == "x"));
        assert!(heard.len() > 3 && heard.is_sorted_by_key(|(_, progress)| progress.nodes), "{heard:?}");
    }

    /// A simulated solver that finds a brinkmate with this certificate.
    struct Writes(Option<Vec<u8>>);

    impl BrinkmateSolver for Writes {
        fn solve(
            &mut self,
            _: &Task,
            _: BrinkmateRequest,
            _: &Stop,
            _: &mut dyn FnMut(hasami_api::Report),
        ) -> Result<hasami_brinkmate::BrinkmateFindings, TaskError> {
            let answer = BrinkmateAnswer::Brinkmate(vec!["G*5b".parse().unwrap()]);
            Ok(hasami_brinkmate::BrinkmateFindings {
                is_proved: true,
                is_shortest: true,
                nodes: 1,
                certificate: Some(vec![1]),
                below: self.0.clone(),
                ..hasami_brinkmate::BrinkmateFindings::new(answer)
            })
        }

        fn prepare(&mut self) {}
    }

    #[test]
    fn it_is_noted_that_the_second_certificate_is_missing() {
        for (below, wanted, lacks) in [(None, true, true), (Some(vec![2]), true, false), (None, false, false)] {
            let request =
                BrinkmateRequest { shortest: true, below: wanted, certificate: true, ..BrinkmateRequest::default() };
            let mut work = Brinkmates { solver: Box::new(Writes(below.clone())), request };
            let found = work.work(&Task::default(), &Stop::new(), &mut |_| {}).unwrap().0.brinkmate.unwrap();
            assert_eq!((found.below, found.lacks_below, found.lacks_certificate), (below, lacks, false));
        }
    }

    /// If a certificate is missing, the reported reason is the limit that was reached or, without one, the size of the
    /// proof.
    #[test]
    fn why_a_certificate_is_missing_is_known() {
        let request = BrinkmateRequest { shortest: true, below: true, ..BrinkmateRequest::default() };
        for (nodes, because) in [(Some(1), OpenBecause::Nodes(1)), (None, OpenBecause::Proof)] {
            let work = Brinkmates { solver: Box::new(Writes(None)), request };
            let mut solver = Solver::new(Box::new(work), nodes, None);
            let found = solver.solve(&problem("4k4/9/4P4/9/9/9/9/9/9 b G 1")).unwrap().brinkmate.unwrap();
            assert_eq!(found.unwritten, Some(because));
        }
    }

    #[test]
    fn a_mate_is_heard_of_before_it_is_the_shortest() {
        const MUSO_058: &str = "5l3/4p2R1/4g1S2/9/1p2Plpn+n/6k2/3S+p3S/2L3B1s/4+B4 b GNLr2gn13p 1";
        let (sender, heard) = crossbeam_channel::unbounded();
        let mut solver = solver(Some(1_000_000), None);
        let examiner = hasami_games::find("shogi").unwrap().solver(Algorithm::default(), &SolverOptions::default());
        let request = MateRequest { shortest: true, ..MateRequest::default() };
        solver.work = Box::new(MateProblems { examiner, request, certifier: None });
        solver.listen(Box::new(move |_, progress| sender.send(progress.mate).unwrap()));
        let found = solver.solve(&problem(MUSO_058)).unwrap();
        let heard: Vec<MateSoFar> = heard.try_iter().flatten().collect();
        let first = heard.iter().position(|mate| !mate.line.is_empty()).unwrap();
        let lengths: Vec<(usize, usize)> = heard.iter().map(|mate| (mate.at_least, mate.line.len())).collect();
        assert!(lengths[..first].is_sorted() && lengths[..first].last() > Some(&(1, 0)), "{lengths:?}");
        let lengths = &lengths[first..];
        assert!(lengths.len() > 3 && lengths.iter().all(|(least, most)| least < most), "{lengths:?}");
        assert!(found.may_be_shorter && found.at_least.is_some_and(|least| least > 1), "{found:?}");
        let last = heard.last().unwrap();
        assert_eq!((Some(last.at_least), Some(&last.line[..])), (found.at_least, found.mate()));
        let text = format!("a mate in {} to {} plies so far", last.at_least, last.line.len());
        assert_eq!(last.text(Words::english()), text);
        assert_eq!(
            found.open_question(Words::english()).unwrap(),
            format!(
                "there may be a shorter solution, of {} plies or more: node limit of 1000000 reached (--nodes)",
                last.at_least
            )
        );
    }

    #[test]
    fn the_end_comes_from_another_thread() {
        let mut solver = solver(None, Some(Duration::from_secs(600)));
        let solver_stop = solver.solver_stop();
        let ending = std::thread::spawn(move || solver_stop.end());
        for _ in 0..2 {
            let found = solver.solve(&problem(HARD)).unwrap();
            assert!(found.answer == MateAnswer::Unknown && found.took < Duration::from_secs(300), "{found:?}");
        }
        ending.join().unwrap();
    }
}
