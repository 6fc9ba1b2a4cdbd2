//! Follows the commands that an engine receives and the output that it prints, and shows its search on the web page.

use super::PERIOD;
use super::analysis::{AnalysisView, SearchFacts, SearchState};
use super::chart::add_point;
use super::metrics::Metric;
use super::server::WebPage;
use hasami_api::{Bound, GameReview, Line, Side};
use hasami_catalog::GameRules;
use hasami_protocol::{BestMove, Output};
use hasami_tree::Snapshot;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum number of messages to show.
const MESSAGES: usize = 12;
/// Maximum number of scores to keep for a search. When a search has more scores, every other score is dropped.
const VALUES: usize = 600;

pub struct SearchPage {
    page: WebPage,
    catalog: &'static dyn GameRules,
    search: SearchFacts,
    begun: Instant,
    /// The position to search, in which `side` is to move.
    root: Line,
    side: Side,
    shown: Option<Instant>,
    /// Whether the engine uses a cluster, whose machines may join and leave even while the engine is not searching.
    pub is_in_cluster: bool,
}

impl SearchPage {
    pub fn new(page: WebPage, catalog: &'static dyn GameRules) -> Self {
        Self {
            page,
            catalog,
            search: SearchFacts::default(),
            begun: Instant::now(),
            root: Line::default(),
            side: Side::First,
            shown: None,
            is_in_cluster: false,
        }
    }

    pub fn url(&self) -> String {
        self.page.url()
    }

    pub fn change_game(&mut self, catalog: &'static dyn GameRules) {
        self.catalog = catalog;
        self.new_game();
    }

    pub fn new_game(&mut self) {
        self.search.game.clear();
        self.forget();
        self.search.state = SearchState::Idle;
    }

    fn forget(&mut self) {
        self.search.lines.clear();
        self.search.values.clear();
        (self.search.nodes, self.search.nps, self.search.elapsed) = (0, 0, Duration::ZERO);
        self.shown = None;
    }

    /// Handles a new position. If moves were taken back, their scores are dropped.
    pub fn position(&mut self, line: &Line) {
        if self.root.start != line.start {
            self.search.game.clear();
        }
        self.search.game.retain(|(ply, _)| *ply <= line.moves.len());
        self.root = line.clone();
        self.side = self.catalog.referee(line).map_or(Side::First, |referee| referee.side());
        self.forget();
        self.search.state = SearchState::Idle;
    }

    /// Sets the game to show, with the results of its analysis so far.
    pub fn review(&mut self, review: &GameReview) {
        self.search.review = Some(Arc::new(review.clone()));
        self.shown = None;
    }

    pub fn begin(&mut self) {
        self.forget();
        self.begun = Instant::now();
        self.search.state = SearchState::Searching;
    }

    pub fn hear(&mut self, said: &Output) {
        match said {
            Output::Info(info) => {
                let place = usize::from(info.multipv.unwrap_or(1)).saturating_sub(1);
                // MultiPV lines with other numbers are kept until the engine reports them again.
                if place < self.search.lines.len() {
                    self.search.lines[place] = info.clone()
                } else {
                    self.search.lines.push(info.clone())
                }
                if info.multipv.is_none() {
                    self.search.lines.truncate(1);
                }
                (self.search.nodes, self.search.nps, self.search.elapsed) = (info.nodes, info.nps, info.time);
                if place == 0 && info.bound == Bound::Exact {
                    add_point(&mut self.search.values, (info.time.as_secs_f64(), info.score), VALUES);
                }
            }
            Output::Effort(effort) => {
                (self.search.nodes, self.search.nps, self.search.elapsed) = (effort.nodes, effort.nps, effort.time)
            }
            Output::Message(text) => {
                self.search.messages.push_back(text.clone());
                if self.search.messages.len() > MESSAGES {
                    self.search.messages.pop_front();
                }
            }
            Output::Best(best) => self.answered(best),
            Output::Checkmate(_) | Output::MateRefused => self.search.state = SearchState::Answered(None),
            Output::Text(_) | Output::ReadyOk => {}
        }
    }

    fn answered(&mut self, best: &BestMove) {
        let mv = if let BestMove::Move { best, .. } = best { Some(*best) } else { None };
        self.search.state = SearchState::Answered(mv);
        self.search.moves += 1;
        self.shown = None;
        if let Some(line) = self.search.lines.first() {
            let score = if self.side == Side::First { line.score } else { line.score.for_parent() };
            let ply = self.root.moves.len() + 1;
            self.search.game.retain(|(known, _)| *known < ply);
            self.search.game.push((ply, score));
        }
    }

    /// Returns when [`Self::show_if_due`] must be called next; `None` if nothing will change without a new command or
    /// output line.
    pub fn due(&self) -> Option<Instant> {
        match self.shown {
            None => Some(self.begun),
            Some(shown) => self.changes().then_some(shown + PERIOD),
        }
    }

    /// Returns true if the view may change without a new command or output line.
    fn changes(&self) -> bool {
        self.is_in_cluster || self.search.state == SearchState::Searching
    }

    /// If an update is due, shows the search with the tree and metrics that `now_there` returns.
    pub fn show_if_due(&mut self, now_there: impl FnOnce() -> (Snapshot, Vec<Metric>)) {
        if self.due().is_none_or(|due| due > Instant::now()) {
            return;
        }
        if self.search.state == SearchState::Searching {
            self.search.elapsed = self.begun.elapsed();
        }
        let (tree, others) = now_there();
        self.show(tree, others);
    }

    /// Shows the search with the given tree and metrics.
    pub fn show(&mut self, tree: Snapshot, others: Vec<Metric>) {
        self.shown = Some(Instant::now());
        // The manager's tree belongs to an earlier position until the manager is asked to search `root`, and to the
        // expected next position if the manager ponders.
        let goes_on = tree.root.start == self.root.start && tree.root.moves.starts_with(&self.root.moves);
        let is_known = goes_on && !tree.nodes.is_empty();
        let tree = if !is_known {
            Snapshot { root: self.root.clone(), nodes: Vec::new(), game: self.catalog.name(), ..tree }
        } else {
            tree
        };
        self.page.show(AnalysisView { catalog: self.catalog, tree, search: self.search.clone(), others });
    }
}
