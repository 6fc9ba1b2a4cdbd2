//! Shows the progress of the search to the GUI, in info lines about the root of the tree.

mod blocks;
mod lines;

pub(super) use blocks::Blocks;
pub(super) use lines::Lines;

use super::core::{Manager, Phase};
use super::go::MoveSearch;
use hasami_api::{Bound, Game, MoveText, Report, Score};
use hasami_protocol::{Info, Output, Settings};
use hasami_tree::NodeValue;
use hasami_tree::event::Time;
use hasami_tree::rules::remaining_moves;
use std::time::Duration;

/// After this interval, an info line is sent even if only the number of nodes has changed.
const LONG: Duration = Duration::from_millis(500);

/// With MultiPV, how long to wait for the other lines of a depth once the best line has reached it.
const OTHERS: Duration = Duration::from_millis(15);

/// Depth, score and best move of the requested position.
type RootState = (u16, Score, Option<MoveText>);

/// The state of a search that was last sent to the GUI, and when the next state may be sent.
pub(super) struct ReportState {
    /// Time at which the next info line may be sent, if one is due.
    pub due_at: Option<Time>,
    last: Option<Time>,
    state: Option<RootState>,
    /// The depth of the best line, and when that depth was first reported.
    first_heard: Option<(u16, Time)>,
    /// Number of nodes that all workers had searched when the last info line was sent.
    nodes: u64,
}

impl ReportState {
    /// The state at the beginning of a search, when all workers together have searched `nodes` nodes.
    pub fn from(nodes: u64) -> Self {
        Self { due_at: None, last: None, state: None, first_heard: None, nodes }
    }

    /// The time at which `state` may be shown; `None` if it has already been shown.
    fn next(&mut self, now: Time, state: RootState, nodes: u64, settings: &Settings) -> Option<Time> {
        let is_old = self.last.is_some_and(|last| last + LONG <= now);
        let has_grown = is_old && nodes > self.nodes;
        if self.state == Some(state) && !has_grown {
            return None;
        }
        let interval = if settings.consideration { Duration::ZERO } else { settings.info_interval };
        let mut due = self.last.map_or(now, |last| last + interval);
        if settings.multi_pv > 1 {
            let depth = state.0;
            let begun = self.first_heard.filter(|&(heard, _)| heard == depth).unwrap_or((depth, now));
            self.first_heard = Some(begun);
            due = due.max(begun.1 + OTHERS);
        }
        Some(due)
    }

    fn note(&mut self, now: Time, state: RootState, nodes: u64) {
        (self.last, self.state, self.nodes) = (Some(now), Some(state), nodes);
    }
}

impl<G: Game> Manager<G> {
    /// Sends the state of the root if it has changed and the last info line is old enough.
    pub(super) fn send_info_if_due(&mut self, now: Time) {
        let root = self.focus();
        let value = self.assignment.tree.node(root).value;
        let Phase::Thinking(search) = &mut self.phase else { return };
        search.shown.due_at = None;
        let Some(value) = value.filter(|value| value.bound == Bound::Exact || self.options.valid.show_bounds) else {
            return;
        };
        let state = (value.depth, value.score, search.best);
        let Some(due) = search.shown.next(now, state, self.assignment.roster.nodes, &self.options.valid) else {
            return;
        };
        if due > now {
            search.shown.due_at = Some(due);
            return;
        }
        let line = self.assignment.tree.variation(root);
        if line.is_empty() && self.assignment.tree.node(root).legal > 0 {
            return;
        }
        let Phase::Thinking(mut search) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        // While the search is running, bounds are shown, but a mate with an incomplete variation is replaced.
        let (line, value) =
            if value.bound == Bound::Exact { self.best_reported(&search, line, value) } else { (line, value) };
        search.shown.note(now, state, self.assignment.roster.nodes);
        self.show_lines(now, &search, &line, value);
        self.phase = Phase::Thinking(search);
    }

    /// Sends `line` and, with MultiPV, the other lines. Before an answer, `line` must begin with the chosen move.
    pub(super) fn show_lines(&mut self, now: Time, search: &MoveSearch, line: &[MoveText], value: NodeValue) {
        let first = self.info_of(now, search, value, line.to_vec());
        if self.options.valid.multi_pv <= 1 || search.handicap.is_some() {
            self.say(Output::Info(first));
        } else {
            self.show_many(now, search, first, value);
        }
        if self.options.valid.tree_log {
            let text = self.assignment.census();
            self.message(text);
        }
    }

    /// With MultiPV, sends the best line and then a line for each other known move at the root, the best first.
    fn show_many(&mut self, now: Time, search: &MoveSearch, first: Info, value: NodeValue) {
        let block = self.block(search, Some(value));
        if block.first().is_some_and(|best| best.depth >= value.depth) {
            let infos: Vec<Info> = block.iter().map(|report| self.info_of_report(now, search, report)).collect();
            return self.say_many(infos);
        }
        let mut lines = vec![first];
        let children = self.child_lines(search).into_iter();
        let mut rest: Vec<Info> = children.map(|known| self.info_of(now, search, known.value, known.line)).collect();
        let known: Vec<MoveText> = lines.iter().chain(&rest).filter_map(|info| info.pv.first().copied()).collect();
        let is_other = |report: &&Report| !remaining_moves::is_refused(report.pv.first().copied(), &known);
        let more = usize::from(self.options.valid.multi_pv).saturating_sub(1);
        let reports: Vec<&Report> = search.lines.iter().filter(is_other).take(more).collect();
        rest.extend(reports.into_iter().map(|report| self.info_of_report(now, search, report)));
        // A better score at less depth is unconfirmed, so it is lowered to the best line's score.
        for info in rest.iter_mut().filter(|info| info.score > lines[0].score) {
            (info.score, info.bound, info.wdl) = (lines[0].score, Bound::Lower, lines[0].wdl);
        }
        rest.sort_by_key(|info| std::cmp::Reverse(info.score));
        for info in rest {
            if lines.iter().all(|shown| shown.pv.first() != info.pv.first()) {
                lines.push(info);
            }
        }
        lines.truncate(usize::from(self.options.valid.multi_pv));
        self.say_many(lines);
    }

    fn say_many(&mut self, lines: Vec<Info>) {
        for (index, info) in lines.into_iter().enumerate() {
            self.say(Output::Info(Info { multipv: Some(index as u16 + 1), ..info }));
        }
    }

    fn info_of_report(&mut self, now: Time, search: &MoveSearch, report: &Report) -> Info {
        let line = self.assignment.line_of_report(&search.request, report);
        self.info_of(now, search, NodeValue::of_report(report), line)
    }

    fn info_of(&self, now: Time, search: &MoveSearch, value: NodeValue, pv: Vec<MoveText>) -> Info {
        let time = now.saturating_sub(search.request.began);
        let table_hits = self.assignment.roster.table_hits.saturating_sub(search.request.table_hits_before);
        Info { table_hits, ..self.info(time, self.assignment.spent(&search.request), value, pv) }
    }

    /// Builds an info line for the moment when `time` has passed since `go`.
    pub(super) fn info(&self, time: Duration, nodes: u64, value: NodeValue, pv: Vec<MoveText>) -> Info {
        let nps = speed(nodes, time);
        let depth = value.depth.max(1);
        Info {
            depth,
            seldepth: value.seldepth.max(depth),
            multipv: None,
            score: value.score,
            bound: value.bound,
            wdl: self.options.valid.show_wdl.then(|| permille(value.score)),
            nodes,
            nps,
            hashfull: self.assignment.roster.hashfull,
            table_hits: 0,
            time,
            pv,
        }
    }
}

/// Nodes per second.
pub(super) fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(0.001)) as u64
}

/// Probabilities of win, draw and loss in permille.
fn permille(score: Score) -> [u16; 3] {
    let [win, _, loss] = score.chances().map(|share| (share * 1000.0).round() as u16);
    [win, 1000_u16.saturating_sub(win + loss), loss]
}
