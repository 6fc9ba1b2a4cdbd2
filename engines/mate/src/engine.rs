//! The mate solver as used by the program: an algorithm for mates by checks, and the search for mates within a number
//! of moves.

use crate::algorithm::{MateAlgorithm, MateJob, answered};
use crate::algorithms::Algorithm;
use crate::core::deepening::deepen;
use crate::core::notation::play_line;
use crate::core::within::{Refutations, Within};
use crate::defended;
use crate::interface::cell_link::CellLinks;
use crate::interface::findings::MateFindings;
use crate::interface::options::SolverOptions;
use crate::interface::request::MateRequest;
use crate::interface::solver::MateSolver;
use hasami_api::{Answer, Goal, MateAnswer, MateGame, Moves, Report, Searcher, Stop, Task, TaskError};

/// A mate solver for every goal except [`Goal::Best`]. A mate is replayed before it is reported, and "no mate" is
/// proved.
pub struct MateEngine<G> {
    algorithm: Box<dyn MateAlgorithm<G>>,
    /// Refutations found by searches with all moves.
    refutations: Refutations,
}

/// Memory in bytes that a search needs in addition to its table, while its lines are short.
const OTHER_MEMORY: usize = 208 << 10;

impl<G: MateGame> MateEngine<G> {
    /// Creates a solver with the default algorithm, which uses at most `hash_mb` MiB, but at least 1 MiB.
    pub fn new(hash_mb: usize) -> Self {
        Self::with_options(Algorithm::default(), &SolverOptions { hash_mb, ..SolverOptions::default() })
    }

    /// Like [`Self::new`], with a table of at most `table_bytes` bytes, but at least half a KiB.
    pub fn with_bytes(table_bytes: usize) -> Self {
        Self::create(Algorithm::default(), &SolverOptions::default(), table_bytes)
    }

    /// Creates a solver that uses `algorithm` for mates by checks.
    pub fn with_options(algorithm: Algorithm, options: &SolverOptions) -> Self {
        Self::create(algorithm, options, options.hash_mb.max(1).saturating_mul(1 << 20) - OTHER_MEMORY)
    }

    fn create(algorithm: Algorithm, options: &SolverOptions, table_bytes: usize) -> Self {
        Self { algorithm: algorithm.create(options, table_bytes), refutations: Refutations::default() }
    }

    fn solve(
        &mut self,
        task: &Task,
        request: MateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateFindings, TaskError> {
        if task.goal == Goal::Best {
            return Err(TaskError("this engine searches for mates, not for the best move".into()));
        }
        let game: G = play_line(&task.line)?;
        let job = MateJob { game: &game, task, request, stop };
        let mut found = match task.goal {
            Goal::MateWithin => self.within(&job, tell),
            _ if request.defender_first => defended::solve(self.algorithm.as_mut(), &job, tell),
            _ => self.algorithm.solve(&job, tell),
        };
        if found.answer == MateAnswer::Unknown {
            found.open = found.open.or_else(|| Some(job.open_reason(found.nodes)));
        }
        Ok(found)
    }

    /// Searches all moves by iterative deepening, up to a length of `limits.mate`.
    fn within(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        let most = job.task.limits.mate.map_or(usize::MAX, |plies| usize::from(plies).div_ceil(2));
        let roots = roots(job.game, job.task);
        let known = &mut self.refutations;
        let mut search = Within::new(job.game.clone(), roots, false, known, job.stop, job.node_limit());
        let answer = deepen(&mut search, job.game, most, tell);
        // A completed search without a mate answers the question, because the move limit is part of the question.
        let answer = answer.map(|answer| if answer == MateAnswer::Unknown { MateAnswer::NoMate } else { answer });
        answered(answer, search.nodes)
    }
}

impl<G: MateGame> Searcher for MateEngine<G> {
    /// Solves a task. The last progress report states the total number of nodes.
    ///
    /// With `multipv` above 0, algorithms that support it report the lines of other mates from place 2 on or, if there
    /// is no mate, up to `multipv` checks, each with an answer. A mate is reported before other lines are searched.
    ///
    /// The search obeys `limits.nodes`. The maximum line length in plies is `limits.mate`; searches by checks also obey
    /// `limits.depth`.
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError> {
        let request = MateRequest {
            lines: task.multipv,
            any_moves: task.goal == Goal::MateByAnyMoves,
            defender_first: task.goal == Goal::Mated,
            ..MateRequest::default()
        };
        self.solve(task, request, stop, tell).map(|found| Answer::Mate(found.answer))
    }

    /// Allocates the memory that every task needs; searches may let the table grow further.
    fn prepare(&mut self, _enough: &dyn Fn() -> bool) {
        self.algorithm.prepare();
    }

    /// Frees the table, because most games need no search for a mate. No other state depends on the game: every task of
    /// [`Goal::Mate`] is independent of earlier tasks, and refutations hold in all games.
    fn new_game(&mut self) {
        self.algorithm.forget();
    }
}

impl<G: MateGame> MateSolver for MateEngine<G> {
    /// The algorithms `id` and `levels` do not support composers' rules, and always find a shortest mate.
    fn examine_and_tell(
        &mut self,
        task: &Task,
        request: MateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateFindings, TaskError> {
        self.solve(task, request, stop, tell)
    }

    fn attach_cells(&mut self, links: Box<dyn CellLinks>) {
        self.algorithm.attach_workers(links);
    }
}

/// Returns the root moves that the task allows.
fn roots<G: MateGame>(game: &G, task: &Task) -> Vec<G::Move> {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let named = |m: &G::Move| task.only.contains(&game.format_move(*m));
    moves.iter().copied().filter(|m| task.only.is_empty() || named(m)).collect()
}
