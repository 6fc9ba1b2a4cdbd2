//! The searcher as the program sees it.

use crate::params::margin;
use crate::report::SIGN_PERIOD;
use crate::setup::{play_line, root_moves};
use crate::state::{Memory, RootMove, Search};
use crate::table::Table;
use crate::team::Team;
use hasami_api::{Answer, Evaluator, Goal, Report, Score, SearchGame, Searcher, Stop, Task, TaskError, Verdict};
use std::sync::Arc;

/// One sequential engine. Its histories are its own; its table may be shared with others of the same game.
pub struct Engine<G: SearchGame, E: Evaluator<G>> {
    evaluator: E,
    table: Arc<Table>,
    /// Others read and write the table too.
    is_common: bool,
    memory: Memory<G>,
}

impl<G: SearchGame, E: Evaluator<G>> Engine<G, E> {
    pub fn new(evaluator: E, table: Arc<Table>) -> Self {
        debug_assert!(margin::<G>(100) == G::PAWN);
        Self { evaluator, table, is_common: false, memory: Memory::new() }
    }

    /// The table is that of the whole team.
    #[must_use]
    pub fn with_common_table(mut self) -> Self {
        self.is_common = true;
        self
    }

    pub(crate) fn begin<'a>(
        &'a mut self,
        game: G,
        moves: Vec<G::Move>,
        task: &Task,
        stop: &'a Stop,
        tell: &'a mut dyn FnMut(Report),
    ) -> Search<'a, G, E> {
        self.memory.rewind();
        self.table.touch();
        let mut evaluator = self.evaluator.clone();
        evaluator.refresh(&game);
        // By half-moves of the game, not by searches: all who share the table agree on it.
        let generation = (game.ply() / 2 % 32) as u8;
        let node_limit = task.limits.nodes.unwrap_or(u64::MAX);
        Search {
            roots: moves.into_iter().map(|m| RootMove::new(m, game.format_move(m))).collect(),
            team: Team::new(stop, self.is_common, task.variant, game.key()),
            game,
            evaluator,
            memory: &mut self.memory,
            table: &self.table,
            generation,
            stop,
            stopped: false,
            nodes: 0,
            node_limit,
            node_pause: stop.more(0).min(node_limit),
            tell,
            told: None,
            next_sign: SIGN_PERIOD,
            trying: (0, 0),
            seldepth: 0,
            no_null_above: 0,
            root_depth: 0,
            restricted: !(task.only.is_empty() && task.except.is_empty()),
        }
    }
}

impl<G: SearchGame, E: Evaluator<G>> Searcher for Engine<G, E> {
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError> {
        if task.goal != Goal::Best {
            return Err(TaskError("expected a search for the best move, found one for a mate".into()));
        }
        let game: G = play_line(&task.line)?;
        let moves = root_moves(&game, task)?;
        if moves.is_empty() {
            let score = match game.verdict_without_moves() {
                Verdict::Win => Score::win_in(0),
                Verdict::Loss => Score::loss_in(0),
                Verdict::Draw | Verdict::Open => Score::DRAW,
            };
            tell(Report::new(score));
            return Ok(Answer::Best { best: None, ponder: None });
        }
        Ok(self.begin(game, moves, task, stop, tell).iterate(task))
    }

    fn prepare(&mut self) {
        self.table.prepare();
        self.memory.history.clear();
    }

    fn new_game(&mut self) {
        self.memory.history.clear();
        self.table.clear();
    }
}
