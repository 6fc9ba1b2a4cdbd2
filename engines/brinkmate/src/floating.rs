//! The solver for the leaves of a game tree, which searches for mates and then for brinkmates.

use crate::interface::{BrinkmateAnswer, BrinkmateRequest, BrinkmateSolver};
use crate::solver::ProofSolver;
use hasami_api::{Answer, BrinkmateGame, Goal, Limits, MateAnswer, Report, Score, Searcher, Stop, Task, TaskError};
use hasami_mate::{Algorithm, MateEngine, SolverOptions};

/// A mate solver that also finds forced wins by brinkmate if its node limit is at least 4,000. A win by a brinkmate is
/// reported as a line up to the mate, and only if the whole proof was verified.
pub struct FloatingSolver<G> {
    mates: MateEngine<G>,
    brinkmates: ProofSolver<G>,
}

impl<G: BrinkmateGame> FloatingSolver<G> {
    /// Creates a solver that finds mates by `algorithm`.
    pub fn new(algorithm: Algorithm, options: &SolverOptions) -> Self {
        // A search of a leaf makes at most half a million moves, so small tables suffice.
        let small = SolverOptions { hash_mb: options.hash_mb.clamp(1, 64), ..SolverOptions::default() };
        Self { mates: MateEngine::with_options(algorithm, options), brinkmates: ProofSolver::new(&small) }
    }
}

/// Smallest node limit at which the solver searches for brinkmates, because smaller searches hardly ever find a
/// brinkmate.
const LEAST: u64 = 4_000;
/// Ratio of the node limit for a brinkmate to the node limit for a mate.
const MORE: u64 = 4;

impl<G: BrinkmateGame> Searcher for FloatingSolver<G> {
    /// Searches the position of a task for a mate and, if the node limit allows it, for a brinkmate. The answer for a
    /// position without a mate is `Unknown`, so that the position is searched again, unless it is known not to have a
    /// brinkmate either.
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError> {
        let answer = self.mates.search(task, stop, tell)?;
        let is_look = task.goal == Goal::Mate && task.limits.nodes.is_some_and(|nodes| nodes >= LEAST);
        if !is_look || matches!(answer, Answer::Mate(MateAnswer::Mate(_))) || stop.is_stopped() {
            let is_early = task.goal == Goal::Mate && task.limits.nodes.is_some();
            let has_none = answer == Answer::Mate(MateAnswer::NoMate);
            return Ok(if is_early && has_none { Answer::Mate(MateAnswer::Unknown) } else { answer });
        }
        let request = BrinkmateRequest { to_the_mate: true, ..BrinkmateRequest::default() };
        let nodes = task.limits.nodes.map(|nodes| nodes.saturating_mul(MORE));
        let task = Task { limits: Limits { nodes, ..task.limits }, ..task.clone() };
        let found = self.brinkmates.solve(&task, request, stop, &mut |_| {})?;
        let answer = match found.answer {
            BrinkmateAnswer::Brinkmate(line) | BrinkmateAnswer::Mate(line) => MateAnswer::Mate(line),
            BrinkmateAnswer::None { .. } => MateAnswer::NoMate,
            BrinkmateAnswer::Unknown => MateAnswer::Unknown,
        };
        if let MateAnswer::Mate(line) = &answer {
            let depth = u16::try_from(line.len()).unwrap_or(u16::MAX);
            let score = Score::win_in(i32::from(depth));
            tell(Report { depth, seldepth: depth, nodes: found.nodes, pv: line.clone(), ..Report::new(score) });
        }
        Ok(Answer::Mate(answer))
    }

    fn prepare(&mut self, enough: &dyn Fn() -> bool) {
        self.mates.prepare(enough);
    }

    fn new_game(&mut self) {
        self.mates.new_game();
    }
}
