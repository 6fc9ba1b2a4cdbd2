//! The solver as the program sees it.

use crate::dfpn::{Dfpn, Interrupted};
use crate::line::is_mate_line;
use crate::table::{CUT, Table};
use hasami_api::{Answer, Goal, Line, MateAnswer, MateGame, MoveText, Report, Score, Searcher, Stop, Task, TaskError};
use std::marker::PhantomData;

/// Answers [`Goal::Mate`] soundly: a mate is replayed before it is reported, "no mate" is proved.
pub struct MateSolver<G> {
    table: Table,
    game: PhantomData<fn() -> G>,
}

impl<G: MateGame> MateSolver<G> {
    /// A solver with a table of about `hash_mb` MiB.
    pub fn new(hash_mb: usize) -> Self {
        Self { table: Table::new(hash_mb), game: PhantomData }
    }
}

impl<G: MateGame> Searcher for MateSolver<G> {
    /// Heeds `limits.nodes`, and `limits.mate` and `limits.depth` as the longest line looked at, in plies.
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError> {
        if task.goal != Goal::Mate {
            return Err(TaskError("expected a search for a mate, found one for the best move".into()));
        }
        let game: G = play_line(&task.line)?;
        self.table.next_task();
        let nodes = task.limits.nodes.unwrap_or(u64::MAX);
        let depth = [task.limits.mate, task.limits.depth].into_iter().flatten().min().map_or(usize::MAX, usize::from);
        let mut search = Dfpn::new(game.clone(), &mut self.table, stop, nodes, depth);
        let answer = conclude(&mut search, &game).unwrap_or(MateAnswer::Unknown);
        if let MateAnswer::Mate(pv) = &answer {
            let plies = pv.len();
            let score = Score::win_in(plies as i32);
            let depth = u16::try_from(plies).unwrap_or(u16::MAX);
            tell(Report { depth, seldepth: depth, nodes: search.nodes, pv: pv.clone(), ..Report::new(score) });
        }
        Ok(Answer::Mate(answer))
    }

    fn new_game(&mut self) {
        self.table.next_task();
    }
}

fn conclude<G: MateGame>(search: &mut Dfpn<G>, root: &G) -> Result<MateAnswer, Interrupted> {
    let (value, _) = search.solve()?;
    if value.is_disproved() {
        return Ok(if value.note == CUT { MateAnswer::Unknown } else { MateAnswer::NoMate });
    }
    let line = search.main_line()?;
    Ok(match line.filter(|line| is_mate_line(root, line)) {
        Some(line) => MateAnswer::Mate(texts(root, &line)),
        None => MateAnswer::Unknown,
    })
}

fn play_line<G: MateGame>(line: &Line) -> Result<G, TaskError> {
    let mut game = G::new(&line.start).map_err(|error| TaskError(error.to_string()))?;
    for (i, text) in line.moves.iter().enumerate() {
        let m = game.parse_move(text).map_err(|error| TaskError(format!("move {} of the line: {error}", i + 1)))?;
        game.make(m);
    }
    Ok(game)
}

fn texts<G: MateGame>(root: &G, line: &[G::Move]) -> Vec<MoveText> {
    let mut game = root.clone();
    line.iter()
        .map(|&m| {
            let text = game.format_move(m);
            game.make(m);
            text
        })
        .collect()
}
