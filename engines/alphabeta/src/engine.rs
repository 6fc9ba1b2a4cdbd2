//! The alpha-beta engine as a [`Searcher`].

use crate::history::History;
use crate::params::{INFINITE, value_unit};
use crate::report::PROGRESS_PERIOD;
use crate::setup::{play_moves, root_moves};
use crate::state::{Memory, RootMove, SearchState};
use crate::table::TranspositionTable;
use crate::team::Team;
use hasami_api::{
    Answer, EndgameTables, Evaluator, Goal, Line, Report, Score, SearchGame, Searcher, Side, Stop, Task, TaskError,
    Verdict,
};
use std::sync::Arc;

/// The memory that a group of engines shares: the transposition table and the histories.
pub struct GroupMemory<G> {
    table: Arc<TranspositionTable>,
    history: Arc<History<G>>,
}

impl<G: SearchGame> GroupMemory<G> {
    /// Creates shared memory with the transposition table `table` and empty histories.
    pub fn new(table: TranspositionTable) -> Self {
        Self { table: Arc::new(table), history: Arc::new(History::new()) }
    }
}

/// A sequential engine, which may share its transposition table and histories with other engines of the same game.
pub struct Engine<G: SearchGame, E: Evaluator<G>> {
    evaluator: E,
    /// Size of one unit of the search margins on this evaluator's scale, in hundredths of a centipawn.
    unit: i32,
    table: Arc<TranspositionTable>,
    /// Whether other engines use the same transposition table.
    shares_table: bool,
    memory: Memory<G>,
    tables: Option<Arc<dyn EndgameTables<G>>>,
    /// Value of a draw in centipawns, for the side to move at the root; indexed by that side.
    draws: [i32; 2],
    /// The last task's line and the position at its end, kept because the next task usually extends this line.
    last: Option<(Line, G)>,
}

impl<G: SearchGame, E: Evaluator<G>> Engine<G, E> {
    /// Creates an engine that shares its memory with no other engine.
    pub fn new(evaluator: E, table: TranspositionTable) -> Self {
        Self { shares_table: false, ..Self::sharing(evaluator, &GroupMemory::new(table)) }
    }

    /// Creates an engine that shares the memory `common` with other engines.
    pub fn sharing(mut evaluator: E, common: &GroupMemory<G>) -> Self {
        let GroupMemory { table, history } = common;
        let memory = Memory::new(Arc::clone(history));
        let unit = (value_unit::<G>() * evaluator.scale() / 100).max(1);
        let table = Arc::clone(table);
        Self { evaluator, unit, table, shares_table: true, memory, tables: None, draws: [0; 2], last: None }
    }

    /// Sets the endgame tables that the search probes.
    #[must_use]
    pub fn with_tables(self, tables: Option<Arc<dyn EndgameTables<G>>>) -> Self {
        Self { tables, ..self }
    }

    /// Sets the value of a draw for the side to move at the root, in centipawns. `draws[0]` applies if the first player
    /// is to move at the root, and `draws[1]` if the second player is to move.
    #[must_use]
    pub fn valuing_draws(self, draws: [i32; 2]) -> Self {
        Self { draws, ..self }
    }

    /// Do the transposition table and the histories contain anything that a search from `game` would use?
    #[cfg(test)]
    pub(crate) fn known(&self, game: &G) -> bool {
        let mut moves = hasami_api::Moves::new();
        game.legal_moves(&mut moves);
        let history = &self.memory.history;
        let is_rated = |&m: &G::Move| history.main(game.side().index(), game.facts(m)) != 0;
        self.table.probe(game.key()).is_some() && moves.iter().any(is_rated)
    }

    /// Returns the position after `line`. If `line` continues the line of the last task, only the new moves are parsed
    /// and played.
    pub(crate) fn position(&mut self, line: &Line) -> Result<G, TaskError> {
        let (mut game, played) = match self.last.take() {
            Some((last, game)) if line.since(&last).is_some() => (game, last.moves.len()),
            _ => (G::new(&line.start).map_err(|error| TaskError(error.to_string()))?, 0),
        };
        play_moves(&mut game, &line.moves, played)?;
        Ok(self.last.insert((line.clone(), game)).1.clone())
    }

    pub(crate) fn begin<'a>(
        &'a mut self,
        game: G,
        mut moves: Vec<G::Move>,
        task: &Task,
        stop: &'a Stop,
        tell: &'a mut dyn FnMut(Report),
    ) -> SearchState<'a, G, E> {
        let draw = self.draws[game.side().index()];
        let draw_of_first = if game.side() == Side::First { draw } else { -draw };
        // `keep_best` may remove moves only from a search for one line: a search for several lines needs all moves.
        let tables = self.tables.as_deref();
        let known = tables.filter(|_| task.multipv <= 1).and_then(|tables| tables.keep_best(&game, &mut moves));
        self.memory.reset_buffers();
        self.memory.history.begin_search();
        self.table.touch();
        self.evaluator.refresh(&game);
        // The generation counts full moves of the game, so that all searches that share the transposition table agree
        // on it.
        let generation = (game.ply() / 2 % 32) as u8;
        let node_limit = task.limits.nodes.unwrap_or(u64::MAX);
        SearchState {
            roots: moves.into_iter().map(|m| RootMove::new(m, game.format_move(m))).collect(),
            team: Team::new(stop, self.shares_table, (task.variant, task.news), game.key()),
            game,
            evaluator: &mut self.evaluator,
            unit: self.unit,
            memory: &mut self.memory,
            table: &self.table,
            generation,
            stop,
            stopped: false,
            nodes: 0,
            node_limit,
            node_pause: stop.more(0).min(node_limit),
            tell,
            last_report: None,
            next_progress_report: PROGRESS_PERIOD,
            trying: (0, 0),
            seldepth: 0,
            no_null_above: 0,
            root_depth: 0,
            root_window: INFINITE,
            last_line: Vec::new(),
            restricted: !(task.only.is_empty() && task.except.is_empty()),
            // If the endgame tables know the root's value, only moves that keep it remain, so no node is probed.
            tables: tables.filter(|_| known.is_none()),
            table_hits: known.map_or(0, |_| 1),
            known,
            draw_of_first,
        }
    }
}

impl<G: SearchGame, E: Evaluator<G>> Searcher for Engine<G, E> {
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError> {
        if task.goal != Goal::Best {
            return Err(TaskError("this engine searches for the best move, not for mates".into()));
        }
        let game = self.position(&task.line)?;
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

    fn prepare(&mut self, enough: &dyn Fn() -> bool) {
        self.table.prepare(enough);
    }

    fn new_game(&mut self) {
        self.memory.history.clear();
        self.table.clear();
        self.last = None;
    }
}
