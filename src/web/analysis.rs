//! The view of a search: the board with arrows, the best lines, the master tree, the workers, and charts of the score
//! over time and by move of the game.

use super::cells;
use super::chart::{self, Curve, level};
use super::metrics::Metric;
use super::replay::{Replay, position};
use super::spoken::PageSpeaker;
use super::tree::{TreeView, address};
use super::view::{PagePart, Query, View};
use hasami_api::{Bound, GameReview, Line, MoveMark, MoveText, Score, Side};
use hasami_catalog::GameRules;
use hasami_protocol::Info;
use hasami_tree::{ChosenMove, NodeView, Progress, Reason, Snapshot, reasons, worker_name};
use hasami_words::Words;
use hasami_words::text::grouped;
use maud::{Markup, html};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of workers to list; any further workers are only counted.
const WORKERS: usize = 64;

#[derive(Clone, PartialEq, Debug, Default)]
pub enum SearchState {
    /// No search has been requested yet.
    #[default]
    Idle,
    Searching,
    /// The search has ended and chosen a move; `None` if there is no legal move.
    Answered(Option<MoveText>),
}

/// The state of a search, without its tree.
#[derive(Clone, Default)]
pub struct SearchFacts {
    pub state: SearchState,
    /// The best lines, sorted from the best to the worst.
    pub lines: Vec<Info>,
    pub nodes: u64,
    pub nps: u64,
    pub elapsed: Duration,
    /// Messages to the user, the newest last.
    pub messages: VecDeque<String>,
    /// Pairs of the time since the start of this search, in seconds, and the score for the side to move at the root.
    pub values: Vec<(f64, Score)>,
    /// For each move that the engine has played in the current game, its ply and its score for the first player.
    pub game: Vec<(usize, Score)>,
    /// The analysed game, with the results so far; `None` if no game is being analysed.
    pub review: Option<Arc<GameReview>>,
    /// Number of `bestmove` answers since the program started.
    pub moves: u64,
}

/// A snapshot of a search and its tree.
pub struct AnalysisView {
    pub catalog: &'static dyn GameRules,
    pub tree: Snapshot,
    pub search: SearchFacts,
    /// Metrics of the program that runs the search, besides the number of answered moves.
    pub others: Vec<Metric>,
}

impl AnalysisView {
    fn best(&self) -> &[MoveText] {
        self.search.lines.first().map(|line| line.pv.as_slice()).unwrap_or_default()
    }

    /// Explains why moves that look as good as the best move were not chosen.
    fn reasons(&self) -> Vec<Reason> {
        match (self.search.lines.first(), self.best().first()) {
            (Some(line), Some(&best)) => reasons(&self.tree, ChosenMove { best, score: line.score }),
            _ => Vec::new(),
        }
    }

    fn tree_view<'a>(&'a self, speaker: &'a PageSpeaker, reasons: &'a [Reason], words: &'a Words) -> TreeView<'a> {
        TreeView { tree: &self.tree, speaker, words, best: self.best(), reasons }
    }

    fn speaker(&self) -> PageSpeaker {
        PageSpeaker::at(self.catalog, self.tree.mate_unit, &self.tree.root)
    }

    fn status(&self, words: &Words, speaker: &PageSpeaker) -> Markup {
        let state = match &self.search.state {
            SearchState::Idle => words.get("idle"),
            SearchState::Searching => words.get("searching"),
            SearchState::Answered(None) => words.get("answered-nothing"),
            SearchState::Answered(Some(mv)) => {
                words.with("answered", &[("move", (&speaker.notation.last(&[*mv])).into())])
            }
        };
        let line = self.search.lines.first();
        html! {
            p class="state" { (state) }
            @if let Some(line) = line { p class="score" { (speaker.score(line.score, line.bound)) } }
            dl {
                @if let Some(line) = line { dt { (words.get("depth")) } dd { (line.depth) } }
                dt { (words.get("time")) } dd { (format!("{:.1} s", self.search.elapsed.as_secs_f64())) }
                dt { (words.get("nodes")) } dd { (grouped(self.search.nodes)) }
                dt { (words.get("speed")) } dd { (words.with("per-second", &[("count", (&grouped(self.search.nps)).into())])) }
                dt { (words.get("workers")) } dd { (self.tree.workers()) }
                dt { (words.get("tree-nodes")) } dd { (self.tree.nodes.len()) }
            }
        }
    }

    /// Returns the first moves of the best lines. If there is only one line, the next two root moves of the tree are
    /// added.
    fn arrows(&self) -> Vec<MoveText> {
        let mut moves: Vec<MoveText> = self.search.lines.iter().filter_map(|line| line.pv.first().copied()).collect();
        if let [best] = moves[..] {
            let mut others: Vec<_> = self.tree.nodes.iter().filter(|node| node.parent == Some(0)).collect();
            others.sort_by_key(|node| std::cmp::Reverse(node.value_at_root()));
            moves.extend(others.iter().filter_map(|node| node.path.first().copied()).filter(|mv| *mv != best).take(2));
        }
        moves
    }

    fn line_list(&self, words: &Words, speaker: &PageSpeaker) -> Markup {
        html! {
            @if self.search.lines.is_empty() { p class="quiet" { (words.get("nothing-yet")) } }
            ol class="lines" {
                @for line in &self.search.lines {
                    li {
                        b class="value" { (speaker.score(line.score, line.bound)) } " "
                        span class="depth" { "d" (line.depth) } " "
                        @for (index, text) in speaker.notation.moves(&line.pv).iter().enumerate() {
                            a data-detail href={ "?line=" (address(&line.pv[..=index])) } { (text) } " "
                        }
                    }
                }
            }
        }
    }

    fn workers(&self, words: &Words, speaker: &PageSpeaker) -> Markup {
        let progress: HashMap<&str, &Progress> = self.tree.busy.iter().map(|busy| (busy.name.as_str(), busy)).collect();
        let mut rows = Vec::new();
        for node in &self.tree.nodes {
            let assigned = node.worker.iter().map(|(name, since)| (name.as_str(), Some(*since)));
            for (name, since) in assigned.chain(node.joined.iter().map(|name| (name.as_str(), None))) {
                rows.push((name, Some(node), since));
            }
        }
        rows.extend(self.tree.free.iter().map(|name| (name.as_str(), None, None)));
        let more = rows.len().saturating_sub(WORKERS);
        let known =
            |name: &str, tell: fn(&Progress) -> String| progress.get(name).map_or_else(String::new, |busy| tell(busy));
        let task = |node: Option<&NodeView>| match node {
            None => html! { (words.get("free")) },
            Some(node) if node.path.is_empty() => html! { (words.get("root")) },
            Some(node) => cells::moves(&speaker.notation.moves(&node.path)),
        };
        html! {
            table class="stack" {
                (cells::thead(&["worker", "task", "depth", "nodes", "time"], &["depth", "nodes", "time"], words))
                tbody {
                    @for (name, node, since) in rows.iter().take(WORKERS) {
                        tr {
                            th scope="row" { (worker_name(name, words)) }
                            (cells::text("task", task(*node), words))
                            (cells::number("depth", known(name, |busy| busy.depth.to_string()), words))
                            (cells::number("nodes", known(name, |busy| grouped(busy.nodes)), words))
                            (cells::number("time", since.map_or_else(String::new, |since| format!("{:.1} s", since.as_secs_f64())), words))
                        }
                    }
                }
            }
            @if more > 0 { p class="quiet" { (words.with("workers-more", &[("count", (more as u64).into())])) } }
        }
    }

    fn curve(&self, words: &Words) -> Markup {
        if self.search.values.is_empty() {
            return html! { p class="quiet" { (words.get("nothing-yet")) } };
        }
        let points =
            self.search.values.iter().map(|&(time, score)| (time, level(score, self.tree.mate_unit))).collect();
        let axis = words.get("axis-seconds");
        chart::draw(&words.get("value-over-time"), &axis, &[Curve::new("first", points)], &[0.0])
    }

    fn game_curve(&self, words: &Words) -> Markup {
        if let Some(review) = &self.search.review {
            return self.reviewed_moves(review, words);
        }
        // A single search is not part of a game, so its score is not drawn as the chart of a game.
        if self.search.game.is_empty() || (self.search.game.len() == 1 && self.search.moves <= 1) {
            return html! {};
        }
        let points =
            self.search.game.iter().map(|&(ply, score)| (ply as f64, level(score, self.tree.mate_unit))).collect();
        chart::draw(&words.get("value-over-moves"), &words.get("axis-plies"), &[Curve::new("first", points)], &[0.0])
    }
}

impl AnalysisView {
    /// Renders the chart of the winning chances, the losses of each player, and links from the bad moves to the replay.
    fn reviewed_moves(&self, review: &GameReview, words: &Words) -> Markup {
        let points = review.chances(self.catalog.judging());
        let spoken = self.spoken(review);
        let bad: Vec<usize> = (0..review.moves.len()).filter(|&index| review.moves[index].mark.is_some()).collect();
        html! {
            (chart::draw(&words.get("review-chance-percent"), &words.get("axis-plies"), &[Curve::new("first", points)], &[0.0, 50.0, 100.0]))
            table class="stack" {
                thead { tr {
                    th scope="col" { (words.get("row-player")) }
                    (cells::heads(&["row-moves", "row-average-loss"], &["row-moves", "row-average-loss"], words))
                    @for mark in MoveMark::ALL { th scope="col" class="number" { (mark.symbol()) } }
                } }
                tbody { @for side in [Side::First, Side::Second] {
                    @let player = review.of(side);
                    tr {
                        th scope="row" { (self.side_name(side, words)) }
                        (cells::number("row-moves", player.moves, words))
                        (cells::number("row-average-loss", format!("{:.0}", player.loss), words))
                        @for (mark, count) in MoveMark::ALL.iter().zip(player.marks) {
                            td class="number" data-name=(mark.symbol()) { span { (count) } }
                        }
                    }
                } }
            }
            p class="moves" { a data-detail href="?ply=0" { (words.get("replay")) } " "
                @for index in bad { a data-detail href={ "?ply=" (index + 1) } { (index + 1) " " (spoken[index]) (review.moves[index].mark.map_or("", MoveMark::symbol)) } " " }
            }
        }
    }

    fn side_name(&self, side: Side, words: &Words) -> String {
        let key = format!("{}-{}", self.catalog.name(), side.index());
        words.with("review-side", &[("side", (&key).into()), ("name", self.catalog.sides()[side.index()].into())])
    }

    fn spoken(&self, review: &GameReview) -> Vec<String> {
        let start = Line { start: review.line.start.clone(), moves: Vec::new() };
        PageSpeaker::at(self.catalog, self.tree.mate_unit, &start).notation.moves(&review.line.moves)
    }

    /// Renders the game after `ply` moves, with the better line if the last of these moves was not the best.
    fn reviewed(&self, review: &GameReview, ply: usize, words: &Words) -> Markup {
        let (scores, marks): (Vec<_>, Vec<_>) = review.moves.iter().map(|one| (Some(one.value), one.mark)).unzip();
        let (catalog, line) = (self.catalog, &review.line);
        let ply = ply.min(line.moves.len());
        let replay = Replay { catalog, line, scores: &scores, marks: &marks, players: None, name: "review=1".into() };
        let one = ply.checked_sub(1).and_then(|index| review.moves.get(index)).filter(|one| !one.is_best());
        html! {
            h2 { (words.get("replay")) }
            (replay.draw(ply, words))
            @if let Some(one) = one {
                @let before = Line { start: line.start.clone(), moves: line.moves[..ply - 1].to_vec() };
                @let speaker = PageSpeaker::at(catalog, self.tree.mate_unit, &before);
                p { (words.get("row-best")) ": " (cells::moves(&speaker.notation.moves(&one.best))) " " b class="value" { (speaker.score(one.best_value_for_first(), Bound::Exact)) } }
            }
        }
    }
}

impl View for AnalysisView {
    fn kind(&self) -> &'static str {
        "analysis"
    }

    fn title(&self, words: &Words) -> String {
        let game = words.get(self.catalog.name());
        // A position that was set by FEN or SFEN gets a different title, because its game may have no moves.
        let name = if self.tree.root.start.text.is_some() { "analysis-of-given" } else { "analysis-of" };
        words.with(name, &[("game", (&game).into()), ("moves", (self.tree.root.moves.len() as u64).into())])
    }

    fn parts(&self, words: &Words) -> Vec<PagePart> {
        let speaker = self.speaker();
        let reasons = self.reasons();
        let tree = self.tree_view(&speaker, &reasons, words);
        vec![
            PagePart::new("board", "", position(self.catalog, &self.tree.root, &self.arrows(), words)),
            PagePart::new("status", "", self.status(words, &speaker)),
            PagePart::new("lines", "best-lines", self.line_list(words, &speaker)),
            PagePart::new("tree", "tree", tree.draw()),
            PagePart::new("values", "value-over-time", self.curve(words)),
            PagePart::new("game", "value-over-moves", self.game_curve(words)),
            PagePart::new("workers", "workers", self.workers(words, &speaker)),
            PagePart::new(
                "messages",
                "messages",
                html! { ul { @for text in &self.search.messages { li { (text) } } } },
            ),
        ]
    }

    fn detail(&self, query: &Query, words: &Words) -> Option<Markup> {
        if let (Some(review), Some(ply)) = (&self.search.review, query.get("ply")) {
            return Some(self.reviewed(review, ply.parse().ok()?, words));
        }
        let speaker = self.speaker();
        let (path, is_node) = match (query.get("node"), query.get("line")) {
            (Some(path), _) => (path, true),
            (None, Some(path)) => (path, false),
            (None, None) => return None,
        };
        let path = path.split('.').filter(|word| !word.is_empty()).map(|word| word.parse().ok());
        let path: Vec<MoveText> = path.collect::<Option<_>>()?;
        let line = speaker.notation.line(&path);
        let node = self.tree.nodes.iter().position(|node| node.path == path);
        if (is_node && node.is_none()) || self.catalog.check(&line).is_err() {
            return None;
        }
        let reasons = self.reasons();
        let tree = self.tree_view(&speaker, &reasons, words);
        let pv = node.and_then(|node| self.tree.nodes[node].pv.first().copied());
        Some(html! {
            h2 { (speaker.notation.moves(&path).join(" ")) @if path.is_empty() { (words.get("root")) } }
            (position(self.catalog, &line, pv.as_slice(), words))
            @if let Some(node) = node { (tree.facts(node)) }
        })
    }

    fn metrics(&self) -> Vec<Metric> {
        let mut metrics = vec![Metric::counter("moves", "Moves that were answered so far", self.search.moves)];
        metrics.extend(self.others.iter().cloned());
        metrics
    }
}
