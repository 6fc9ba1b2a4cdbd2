//! TACO-H as the program sees it.

use crate::taco_h::{TacoAnswer, TacoFound, TacoH, TacoOptions};
use hasami_api::{
    BrinkmateAnswer, BrinkmateFound, BrinkmateGame, BrinkmateSolver, BrinkmateWish, InnerLimit, Limits, MoveText,
    Report, Stop, Task, TaskError,
};
use hasami_mate::play_line;

/// Answers without a proof.
pub struct TacoSolver<G>(TacoH<G>);

impl<G: BrinkmateGame> TacoSolver<G> {
    pub fn new(inner: InnerLimit, hash_mb: usize) -> Self {
        Self(TacoH::new(TacoOptions { inner, hash_mb, ..TacoOptions::default() }))
    }
}

impl<G: BrinkmateGame> BrinkmateSolver for TacoSolver<G> {
    /// Knows of no wish but the length.
    fn solve(
        &mut self,
        task: &Task,
        wish: BrinkmateWish,
        stop: &Stop,
        _tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFound, TaskError> {
        let game: G = play_line(&task.line)?;
        let limits = Limits { depth: wish.within.or(task.limits.depth), ..task.limits };
        let TacoAnswer { found, nodes, inner } = self.0.solve(&game, &limits, stop);
        let answer = match found {
            TacoFound::Mate => BrinkmateAnswer::Mate(Vec::new()),
            TacoFound::Brinkmate { line, .. } => BrinkmateAnswer::Brinkmate(texts(&game, &line)),
            TacoFound::None => BrinkmateAnswer::None { within: None },
            TacoFound::Unknown(_) => BrinkmateAnswer::Unknown,
        };
        let (certificate, proof, usage) = (None, None, None);
        Ok(BrinkmateFound { answer, is_proved: false, nodes, certificate, proof, usage, inner: Some(inner) })
    }

    fn prepare(&mut self) {}
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
