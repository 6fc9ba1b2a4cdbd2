//! Makes TACO-H available as a [`BrinkmateSolver`] that gives no proofs.

use crate::interface::{BrinkmateAnswer, BrinkmateFindings, BrinkmateRequest, BrinkmateSolver};
use crate::taco_h::{TacoAnswer, TacoFound, TacoH};
use hasami_api::{Answer, BrinkmateGame, Goal, Limits, MateAnswer, MoveText, Report, Searcher, Stop, Task, TaskError};
use hasami_mate::{MateEngine, OpenReason, play_line};

/// Node limit of the search that finds the moves of a mate.
const LOOK: u64 = 1 << 20;
/// Table size, in MiB, of the search that finds the moves of a mate.
const LOOK_MB: usize = 16;

impl<G: BrinkmateGame> BrinkmateSolver for TacoH<G> {
    /// Solves a task; only the field `within` of the request is used.
    fn solve(
        &mut self,
        task: &Task,
        request: BrinkmateRequest,
        stop: &Stop,
        _tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFindings, TaskError> {
        let game: G = play_line(&task.line)?;
        let limits = Limits { depth: request.within.or(task.limits.depth), ..task.limits };
        let TacoAnswer { found, nodes, inner } = Self::solve(self, &game, &limits, stop);
        let (answer, open) = match found {
            TacoFound::Mate => (BrinkmateAnswer::Mate(mate::<G>(task, stop)?), None),
            TacoFound::Brinkmate { line, .. } => (BrinkmateAnswer::Brinkmate(texts(&game, &line)), None),
            TacoFound::None => (BrinkmateAnswer::None { within: None }, None),
            // No reason is given, because the caller knows whether it stopped the search.
            TacoFound::Unknown(OpenReason::Nodes) => (BrinkmateAnswer::Unknown, None),
            TacoFound::Unknown(why) => (BrinkmateAnswer::Unknown, Some(why)),
        };
        Ok(BrinkmateFindings { open, nodes, inner: Some(inner), ..BrinkmateFindings::new(answer) })
    }

    fn prepare(&mut self) {}
}

/// Finds the moves of a mate, because the inner search only shows that a mate exists. The nodes spent on finding the
/// moves are not counted, because displaying moves is not part of TACO-H. Returns no moves if the search reaches its
/// node limit.
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
