//! The state of one search.

use crate::history::{History, Row};
use crate::params::{INFINITE, MAX_PLY, are_valid};
use crate::reductions::Reductions;
use crate::table::{NO_EVAL, TranspositionTable, TtEntry};
use crate::team::Team;
use hasami_api::{EndgameTables, Evaluator, MoveFacts, MoveText, Moves, Report, SearchGame, Stop, Verdict};
use std::sync::Arc;

/// Number of frames kept for plies before the root, so that every node has seven earlier frames.
const BEFORE: usize = 7;

/// Number of nodes between two checks of the stop flag; a power of two.
const STOP_PERIOD: u64 = 64;

/// A move and its score for move ordering.
#[derive(Clone, Copy)]
pub(crate) struct Scored<M> {
    pub(crate) mv: M,
    pub(crate) score: i32,
    /// Whether the move is quiet and gives check.
    pub(crate) checks: bool,
}

/// Data about one ply of the line being searched.
#[derive(Clone, Copy)]
pub(crate) struct Frame<M> {
    /// Corrected static evaluation, taken in check from two plies earlier; `NO_EVAL` if there is none.
    pub(crate) eval: i32,
    pub(crate) in_check: bool,
    /// Whether the node is or was on a principal variation.
    pub(crate) was_pv: bool,
    /// Whether the transposition table had an entry for the position.
    pub(crate) known: bool,
    /// Whether all moves up to this ply follow the principal variation of the last iteration.
    pub(crate) follows: bool,
    /// The move made at this ply; `None` for a null move.
    pub(crate) mv: Option<(M, MoveFacts)>,
    /// Position of the move among the moves tried at its node, counted from 1.
    pub(crate) number: usize,
    /// Row of the move in the continuation history.
    pub(crate) row: Row,
    pub(crate) correction_row: Row,
    /// Score of the move, computed from its histories and from the captured piece.
    pub(crate) merit: i32,
    /// Number of plies by which the search after the move is reduced.
    pub(crate) reduction: i32,
    /// The move that a singular-extension search excludes.
    pub(crate) excluded: Option<M>,
    /// Number of cut-offs at this ply since the search entered the current grandparent node (at `ply - 2`). Outside the
    /// principal variation, cut-offs by moves that were extended by two or more plies do not count.
    pub(crate) cutoffs: u8,
}

/// Memory that an engine keeps between tasks: the histories, and buffers that save the tree search all allocations.
pub(crate) struct Memory<G: SearchGame> {
    pub(crate) history: Arc<History<G>>,
    pub(crate) reductions: Box<Reductions>,
    frames: Vec<Frame<G::Move>>,
    /// The moves of all nodes on the current line, one node after the other.
    pub(crate) arena: Vec<Scored<G::Move>>,
    /// The moves tried so far at all nodes on the current line.
    pub(crate) tried: Vec<MoveFacts>,
    pub(crate) scratch: Box<Moves<G::Move>>,
    /// Principal variations, indexed by ply.
    pub(crate) pv: Vec<Vec<G::Move>>,
}

impl<G: SearchGame> Memory<G> {
    /// An empty frame.
    const EMPTY: Frame<G::Move> = Frame {
        eval: NO_EVAL,
        in_check: false,
        was_pv: false,
        known: false,
        follows: false,
        mv: None,
        number: 0,
        row: History::<G>::NO_ROW,
        correction_row: History::<G>::NO_MOVE,
        merit: 0,
        reduction: 0,
        excluded: None,
        cutoffs: 0,
    };

    pub(crate) fn new(history: Arc<History<G>>) -> Self {
        const { assert!(are_valid(G::SEARCH_NUMBERS), "unknown parameter of the search, or value outside its range") };
        Self {
            history,
            reductions: Reductions::new::<G>(),
            frames: vec![Self::EMPTY; BEFORE + MAX_PLY + 4],
            arena: Vec::with_capacity(MAX_PLY * 64),
            tried: Vec::with_capacity(MAX_PLY * 32),
            scratch: Box::default(),
            pv: (0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY + 1)).collect(),
        }
    }

    /// Clears the buffers for a new root, and keeps the histories.
    pub(crate) fn reset_buffers(&mut self) {
        self.frames.fill(Self::EMPTY);
        self.arena.clear();
        self.tried.clear();
    }

    /// The frame `back` plies before `ply`; `back` is at most 7.
    #[inline]
    pub(crate) fn earlier(&self, ply: usize, back: usize) -> &Frame<G::Move> {
        &self.frames[ply + BEFORE - back]
    }
}

/// A root move and its search results.
#[derive(Clone)]
pub(crate) struct RootMove<M> {
    pub(crate) mv: M,
    pub(crate) text: MoveText,
    /// Running averages of the move's values and of their signed squares; each new value has a weight of one half.
    pub(crate) mean: Option<(i32, i32)>,
    /// Value in the current iteration; `-INFINITE` if the search only proved that another move is at least as good.
    pub(crate) score: i32,
    /// Exact value in the last finished iteration.
    pub(crate) settled: i32,
    pub(crate) nodes: u64,
    pub(crate) pv: Vec<M>,
    pub(crate) seldepth: u16,
}

impl<M: Copy> RootMove<M> {
    /// Records the value that a new search of the move has found.
    pub(crate) fn note(&mut self, value: i32) {
        let square = value * value.abs();
        self.mean = Some(match self.mean {
            Some((mean, squares)) => (i32::midpoint(mean, value), i32::midpoint(squares, square)),
            None => (value, square),
        });
    }

    pub(crate) fn new(mv: M, text: MoveText) -> Self {
        Self { mv, text, mean: None, score: -INFINITE, settled: -INFINITE, nodes: 0, pv: vec![mv], seldepth: 0 }
    }
}

/// The state of the search that works on one task.
pub(crate) struct SearchState<'a, G: SearchGame, E: Evaluator<G>> {
    pub(crate) game: G,
    pub(crate) evaluator: &'a mut E,
    /// Size of one unit of the search margins on this evaluator's scale, in hundredths of a centipawn.
    pub(crate) unit: i32,
    pub(crate) memory: &'a mut Memory<G>,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) generation: u8,
    pub(crate) stop: &'a Stop,
    pub(crate) team: Team<'a>,
    pub(crate) stopped: bool,
    pub(crate) nodes: u64,
    pub(crate) node_limit: u64,
    /// The node count at which to check the node limit and [`Stop::more`].
    pub(crate) node_pause: u64,
    pub(crate) tell: &'a mut dyn FnMut(Report),
    /// The last report about the best line.
    pub(crate) last_report: Option<Report>,
    /// The node count at which the last report about the best line is sent again.
    pub(crate) next_progress_report: u64,
    /// Index of the root move that is being searched, and the node count at the start of its search.
    pub(crate) trying: (usize, u64),
    pub(crate) seldepth: usize,
    pub(crate) roots: Vec<RootMove<G::Move>>,
    /// During the verification of a null move, null moves are forbidden at plies below this number.
    pub(crate) no_null_above: usize,
    pub(crate) root_depth: i32,
    /// Width of the alpha-beta window at the root.
    pub(crate) root_window: i32,
    /// The principal variation of the last iteration.
    pub(crate) last_line: Vec<G::Move>,
    /// Whether root moves are excluded, so that the value of the search is not the value of the position.
    pub(crate) restricted: bool,
    /// Endgame tables to probe at the nodes; `None` if the tables know the root's value.
    pub(crate) tables: Option<&'a dyn EndgameTables<G>>,
    pub(crate) table_hits: u64,
    /// The value of the root according to the endgame tables, if they know it.
    pub(crate) known: Option<Verdict>,
    /// Value of a draw for the first player.
    pub(crate) draw_of_first: i32,
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    #[inline]
    pub(crate) fn frame(&self, ply: usize) -> &Frame<G::Move> {
        &self.memory.frames[ply + BEFORE]
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self, ply: usize) -> &mut Frame<G::Move> {
        &mut self.memory.frames[ply + BEFORE]
    }

    /// The frame `back` plies before `ply`; `back` is at most 7.
    #[inline]
    pub(crate) fn earlier(&self, ply: usize, back: usize) -> &Frame<G::Move> {
        self.memory.earlier(ply, back)
    }

    /// Has the search reached its node limit or been stopped? Once true, the answer stays true.
    #[inline]
    pub(crate) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.node_pause {
            self.pause();
        }
        if self.nodes.is_multiple_of(STOP_PERIOD) && self.stop.is_stopped() {
            self.stopped = true;
        }
        if self.nodes >= self.next_progress_report {
            self.report_progress();
        }
        if self.team.is_due(self.nodes) {
            self.exchange_news();
        }
        self.stopped
    }

    /// Waits until [`Stop::more`] allows more nodes, or ends the search at the node limit.
    #[cold]
    fn pause(&mut self) {
        while self.nodes >= self.node_pause && !self.stopped {
            self.node_pause = self.stop.more(self.nodes).min(self.node_limit);
            self.stopped = self.nodes >= self.node_limit || self.stop.is_stopped();
        }
    }

    /// Prefetches the table entry of the position after the move `m`, which is about to be made.
    #[inline]
    pub(crate) fn prefetch_after(&self, m: G::Move) {
        self.table.prefetch(self.game.key_after(m));
    }

    #[inline]
    pub(crate) fn make(&mut self, m: G::Move, facts: MoveFacts, ply: usize) {
        let frame = self.frame_mut(ply);
        frame.mv = Some((m, facts));
        frame.row = History::<G>::row_before(facts, frame.in_check);
        frame.correction_row = History::<G>::row(facts);
        self.nodes += 1;
        self.evaluator.make(&self.game, m);
        self.game.make(m);
        self.memory.history.prefetch_correction(self.correction_keys(ply + 1));
    }

    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.game.unmake();
        self.evaluator.unmake(false);
    }

    pub(crate) fn make_null(&mut self, ply: usize) {
        let frame = self.frame_mut(ply);
        frame.mv = None;
        frame.row = History::<G>::NO_ROW;
        frame.correction_row = History::<G>::NO_MOVE;
        self.evaluator.make_null();
        self.game.make_null();
        self.table.prefetch(self.game.key());
    }

    pub(crate) fn unmake_null(&mut self) {
        self.game.unmake();
        self.evaluator.unmake(true);
    }

    /// Sets the principal variation at `ply` to `m`, followed by the variation at the next ply.
    pub(crate) fn extend_pv(&mut self, ply: usize, m: G::Move) {
        let (head, tail) = self.memory.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(m);
        head[ply].extend_from_slice(&tail[0]);
    }

    pub(crate) fn store(&mut self, key: u64, entry: TtEntry) {
        let news = self.table.store(key, entry, self.generation);
        if let Some(news) = news {
            self.team.found(entry.depth, news);
        }
    }
}
