//! Cells, which search the leaves that a host assigns.

use super::branch;
use super::measure::Measure;
use super::tree::{HostTree, ROOT};
use super::walker::{Bounds, Walker};
use crate::core::notation::{play_line, texts};
use crate::core::path::KeyFilter;
use crate::core::style::Style;
use crate::core::table::MateTable;
use crate::interface::cell_link::{CellWorker, HostLink};
use crate::interface::cell_message::{CellOrder, CellProblem, CellReply, CellResult, Fact};
use crate::interface::cell_options::CellSearch;
use hasami_api::{MateGame, MoveText, Stop};
use std::collections::VecDeque;
use std::sync::Arc;

/// A cell of a two-level mate search (Tatematsu et al. 1996), which searches the leaves that a host sends.
pub struct MateCell<G: MateGame> {
    /// Size of the cell's table or tree, in bytes.
    pub(super) bytes: usize,
    pub(super) table: Option<MateTable>,
    /// Boards, reached while solving the problem, whose results depend on the path.
    pub(super) path_bound: Arc<KeyFilter>,
    pub(super) problem: Option<Problem<G>>,
    /// Orders that arrived while another order was being carried out.
    inbox: VecDeque<CellOrder>,
    /// True if facts are accepted as proved, because they come from this process. Facts from other processes only guide
    /// the search.
    pub(super) believes: bool,
    /// Total number of moves made.
    pub(crate) nodes: u64,
}

pub(super) struct Problem<G> {
    pub(super) number: u32,
    pub(super) game: G,
    search: CellSearch,
    pub(super) bounds: Bounds,
}

/// A leaf to be searched.
pub(super) struct CellLeaf<'a, G: MateGame> {
    /// The problem's number.
    pub(super) number: u32,
    pub(super) task: u64,
    /// Limit of the task: nodes of the tree (best-first) or moves made (proof numbers).
    pub(super) size: u64,
    /// The problem's first position.
    pub(super) problem: G,
    pub(super) moves: Vec<G::Move>,
    pub(super) bounds: Bounds,
    /// Factors applied to the initial numbers; see [`Style::doubts`].
    pub(super) doubts: [u32; 2],
    pub(super) stop: &'a Stop,
}

impl<G: MateGame> MateCell<G> {
    /// Creates a cell whose table or tree takes at most `hash_mb` MiB.
    pub fn new(hash_mb: usize) -> Self {
        Self::with_bytes(hash_mb.max(1) << 20)
    }

    pub(crate) fn with_bytes(bytes: usize) -> Self {
        let (path_bound, inbox) = (Arc::default(), VecDeque::new());
        Self { bytes, table: None, path_bound, problem: None, inbox, believes: false, nodes: 0 }
    }

    /// Carries out orders until the link closes or the cell is stopped.
    pub(crate) fn serve_until(&mut self, host: &mut dyn HostLink, stop: &Stop) {
        while !stop.is_stopped() {
            self.is_wanted(None, host);
            match self.inbox.pop_front() {
                Some(CellOrder::Begin(begin)) => host.send(self.begin(&begin)),
                Some(CellOrder::Search { task, size, moves }) => {
                    let reply = self.search(task, size, &moves, host, stop);
                    host.send(reply);
                }
                Some(CellOrder::Facts { problem, facts }) => self.learn(problem, &facts),
                Some(CellOrder::End) => self.problem = None,
                Some(CellOrder::Stop { .. }) => {}
                None if !host.wait() => return,
                None => {}
            }
        }
    }

    /// Reads the orders that have arrived. Returns false if `task` is no longer wanted.
    pub(super) fn is_wanted(&mut self, task: Option<u64>, host: &mut dyn HostLink) -> bool {
        let mut is_wanted = true;
        while let Some(order) = host.take() {
            match order {
                CellOrder::Stop { task: other } if Some(other) == task => is_wanted = false,
                CellOrder::Stop { task: other } => self.forget(other, host),
                CellOrder::Begin(_) | CellOrder::End => {
                    if order == CellOrder::End {
                        self.inbox.retain(|order| !matches!(order, CellOrder::Search { .. }));
                    }
                    self.inbox.push_back(order);
                    is_wanted = false;
                }
                CellOrder::Search { .. } | CellOrder::Facts { .. } => self.inbox.push_back(order),
            }
        }
        is_wanted
    }

    /// Drops a task that has not begun.
    fn forget(&mut self, task: u64, host: &mut dyn HostLink) {
        let before = self.inbox.len();
        self.inbox.retain(|order| !matches!(order, CellOrder::Search { task: other, .. } if *other == task));
        if self.inbox.len() < before {
            host.send(CellReply::Done { task, nodes: 0, found: CellResult::Stopped });
        }
    }

    /// Stores in the table the facts that other cells found, if they concern the current problem.
    fn learn(&self, problem: u32, facts: &[Fact]) {
        if let (Some(table), true) = (&self.table, self.problem.as_ref().is_some_and(|own| own.number == problem)) {
            let learn = |fact: &Fact| if self.believes { fact.put_into(table) } else { fact.hint_to(table) };
            facts.iter().for_each(learn);
        }
    }

    pub(super) fn begin(&mut self, begin: &CellProblem) -> CellReply {
        let CellProblem { number, search, .. } = *begin;
        self.problem = None;
        if begin.game != G::NAME {
            return CellReply::Fault(format!("expected {}, found '{}'", G::NAME, begin.game));
        }
        let bounds = Bounds::of(begin);
        match play_line(&begin.line) {
            Ok(game) => self.problem = Some(Problem { number, game, search, bounds }),
            Err(error) => return CellReply::Fault(error.to_string()),
        }
        if search == CellSearch::Dfpn {
            self.table.get_or_insert_with(|| MateTable::for_nodes(u64::MAX, self.bytes)).next_task();
            self.path_bound = Arc::default();
        }
        CellReply::Ready { problem: number }
    }

    pub(super) fn search(
        &mut self,
        task: u64,
        size: u64,
        moves: &[MoveText],
        host: &mut dyn HostLink,
        stop: &Stop,
    ) -> CellReply {
        let Some(Problem { number, game, search, bounds }) = &self.problem else {
            return CellReply::Fault(format!("expected begin before search {task}, found none"));
        };
        let (number, search, bounds, problem, before) = (*number, *search, *bounds, game.clone(), self.nodes);
        let moves = match parsed(&problem, moves) {
            Ok(moves) => moves,
            Err(why) => return CellReply::Fault(why),
        };
        let doubts = Style::DFPN.doubts;
        let leaf = CellLeaf { number, task, size, problem, moves, bounds, doubts, stop };
        let found = match search {
            CellSearch::BestFirst => self.best_first(&leaf, host),
            CellSearch::Dfpn => self.by_proof_numbers(&leaf, host),
        };
        CellReply::Done { task, nodes: self.nodes - before, found }
    }

    /// Searches best-first until the tree is decided or has reached its size limit.
    fn best_first(&mut self, leaf: &CellLeaf<G>, host: &mut dyn HostLink) -> CellResult {
        let most =
            (self.bytes / HostTree::<G::Move>::node_bytes()).min(usize::try_from(leaf.size).unwrap_or(usize::MAX));
        let mut walker = Walker::new(&leaf.problem, &leaf.moves, leaf.bounds);
        leaf.stop.more(0);
        let root = walker.game.clone();
        let mut tree = HostTree::new(Measure::Value, leaf.moves.len().is_multiple_of(2));
        let found = loop {
            if tree.root().is_proved() {
                break CellResult::Mate(texts(&root, &tree.line_from(ROOT)));
            }
            if tree.root().is_disproved() {
                break CellResult::None { cut: walker.was_cut };
            }
            if tree.len() >= most {
                let (value, branch) = (tree.root().pn, branch::print(&tree, &root));
                break CellResult::Tree { value, branch, cut: walker.was_cut };
            }
            walker.pace(leaf.stop, walker.nodes);
            if !self.is_wanted(Some(leaf.task), host) || leaf.stop.is_stopped() {
                break CellResult::Stopped;
            }
            host.note_progress();
            let Some(chosen) = tree.choose() else { break CellResult::Stopped };
            walker.expand(&mut tree, chosen);
        };
        leaf.stop.more(walker.nodes);
        self.nodes += walker.nodes;
        found
    }
}

/// Parses the moves of a line and checks that they are legal.
pub(super) fn parsed<G: MateGame>(game: &G, moves: &[MoveText]) -> Result<Vec<G::Move>, String> {
    let mut game = game.clone();
    let parse = |text: &MoveText| {
        let m = game.parse_move(text).map_err(|error| error.to_string())?;
        game.make(m);
        Ok(m)
    };
    moves.iter().map(parse).collect()
}

impl<G: MateGame> CellWorker for MateCell<G> {
    fn serve(&mut self, host: &mut dyn HostLink) {
        self.serve_until(host, &Stop::new());
    }
}
