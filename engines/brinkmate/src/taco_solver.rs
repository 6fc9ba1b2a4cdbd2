//! Makes TACO-H available as a [`BrinkmateSolver`].

use crate::interface::{BrinkmateAnswer, BrinkmateFindings, BrinkmateRequest, BrinkmateSolver};
use crate::taco_h::{TacoAnswer, TacoFound, TacoH, TacoLimit, TacoOptions};
use hasami_api::{Answer, BrinkmateGame, Goal, Limits, MateAnswer, MoveText, Report, Searcher, Stop, Task, TaskError};
use hasami_mate::{InnerLimit, MateEngine, OpenReason, play_line};

/// Node limit of the search for the moves of a mate.
const LOOK: u64 = 1 << 20;
/// Size of the table of that search in MiB.
const LOOK_MB: usize = 16;

/// Solves brinkmates by TACO-H, without proofs.
pub struct TacoSolver<G>(TacoH<G>);

impl<G: BrinkmateGame> TacoSolver<G> {
    /// Creates a solver whose inner searches have the limit `inner`, with `hash_mb` MiB of memory.
    pub fn new(inner: InnerLimit, hash_mb: usize) -> Self {
        Self(TacoH::new(TacoOptions { inner, hash_mb, ..TacoOptions::default() }))
    }
}

impl<G: BrinkmateGame> BrinkmateSolver for TacoSolver<G> {
    /// Solves a task. Of the request, only `within` is used.
    fn solve(
        &mut self,
        task: &Task,
        request: BrinkmateRequest,
        stop: &Stop,
        _tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFindings, TaskError> {
        let game: G = play_line(&task.line)?;
        let limits = Limits { depth: request.within.or(task.limits.depth), ..task.limits };
        let TacoAnswer { found, nodes, inner } = self.0.solve(&game, &limits, stop);
        let open = match found {
            TacoFound::Unknown(TacoLimit::Inner) => Some(OpenReason::Inner),
            TacoFound::Unknown(TacoLimit::Plies) => Some(OpenReason::Plies(TacoH::<G>::longest(&limits).into())),
            _ => None,
        };
        let answer = match found {
            TacoFound::Mate => BrinkmateAnswer::Mate(mate::<G>(task, stop)?),
            TacoFound::Brinkmate { line, .. } => BrinkmateAnswer::Brinkmate(texts(&game, &line)),
            TacoFound::None => BrinkmateAnswer::None { within: None },
            TacoFound::Unknown(_) => BrinkmateAnswer::Unknown,
        };
        let (certificate, proof, usage) = (None, None, None);
        Ok(BrinkmateFindings {
            answer,
            is_proved: false,
            is_shortest: false,
            open,
            nodes,
            certificate,
            below: None,
            proof,
            usage,
            inner: Some(inner),
        })
    }

    fn prepare(&mut self) {}
}

/// Finds the moves of a mate, because the inner search only shows that there is one. The moves are only displayed and
/// not part of the algorithm, so the nodes of this search are not counted. The result is empty if the search takes too
/// many nodes.
fn mate<G: BrinkmateGame>(task: &Task, stop: &Stop) -> Result<Vec<MoveText>, TaskError> {
    let limits = Limits { nodes: Some(LOOK), ..Limits::default() };
    let task = Task { goal: Goal::Mate, limits, ..task.clone() };
    match MateEngine::<G>::new(LOOK_MB).search(&task, stop, &mut |_| {})? {
        Answer::Mate(MateAnswer::Mate(line)) => Ok(line),
        _ => Ok(Vec::new()),
    }
}

fn texts<G: BrinkmateGame>(game: &G, line: &[G::Move]) -> Vec<MoveText> {
    let mut game = game.clone();
    let text = |&m: &G::Move| {
        let text = game.format_move(m);
        game.make(m);
        text
    };
    line.iter().map(text).collect()
}
