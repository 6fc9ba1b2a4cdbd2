//! What the GUI sees of the search: info lines from the root of the tree.

use super::answer::{Choice, UNKNOWN};
use super::core::{Manager, Phase};
use super::think::Think;
use crate::event::{Time, WorkerId};
use crate::protocol::{Info, Output};
use crate::tree::rules::others;
use crate::tree::{NodeId, NodeView, Progress, Snapshot, Value};
use hasami_api::{Bound, Game, MoveText, Report, Score};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// At most ten lines a second.
const INTERVAL: Duration = Duration::from_millis(100);
/// After so long a line that says nothing new but the effort is worth sending.
const LONG: Duration = Duration::from_millis(500);

/// With MultiPV the other lines of a depth follow its best one so soon.
const OTHERS: Duration = Duration::from_millis(15);

impl<G: Game> Manager<G> {
    /// Sends the state of the root if it has changed and the last line is old enough.
    pub(super) fn inform(&mut self, now: Time) {
        let root = self.focus();
        let value = self.tree.node(root).value;
        let Phase::Thinking(think) = &mut self.phase else { return };
        let Some(value) = value else {
            think.info_at = None;
            return;
        };
        let state = (value.depth, value.score, think.best);
        let is_old = think.last_info.is_some_and(|last| last + LONG <= now);
        let has_grown = is_old && self.crew.nodes > think.shown_nodes;
        if think.shown == Some(state) && !has_grown {
            think.info_at = None;
            return;
        }
        let mut due = think.last_info.map_or(now, |last| last + INTERVAL);
        if self.settings.multi_pv > 1 {
            let begun = think.first_heard.filter(|&(depth, _)| depth == value.depth).unwrap_or((value.depth, now));
            think.first_heard = Some(begun);
            due = due.max(begun.1 + OTHERS);
        }
        if due > now {
            think.info_at = Some(due);
            return;
        }
        think.info_at = None;
        let line = self.tree.variation(root);
        if line.is_empty() && self.tree.node(root).legal > 0 {
            return;
        }
        let Phase::Thinking(mut think) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        // A bound is news while the search runs; a mate without its variation is not.
        let found = Choice { line, value };
        let found = if value.bound == Bound::Exact { self.told(&think, found) } else { found };
        think.last_info = Some(now);
        (think.shown, think.shown_nodes) = (Some(state), self.crew.nodes);
        self.show_lines(now, &think, &found.line, found.value);
        self.phase = Phase::Thinking(think);
    }

    /// The root's line, and with MultiPV the others; the last one before a move begins with it.
    pub(super) fn show_lines(&mut self, now: Time, think: &Think, line: &[MoveText], value: Value) {
        let first = self.info_of(now, think, value, line.to_vec());
        if self.settings.multi_pv <= 1 {
            self.say(Output::Info(first));
        } else {
            self.show_many(now, think, first, value);
        }
        if self.settings.tree_log {
            let text = self.census();
            self.message(text);
        }
    }

    /// MultiPV: the best line, then the other moves at the root with what is known of each, best first.
    fn show_many(&mut self, now: Time, think: &Think, first: Info, value: Value) {
        let block = self.block(think, Some(value));
        if block.first().is_some_and(|best| best.depth >= value.depth) {
            let infos: Vec<Info> = block.iter().map(|report| self.info_of_report(now, think, report)).collect();
            return self.say_many(infos);
        }
        let mut lines = vec![first];
        let mut rest = self.child_infos(now, think);
        let known: Vec<MoveText> = lines.iter().chain(&rest).filter_map(|info| info.pv.first().copied()).collect();
        let is_other = |report: &&Report| !others::is_refused(report.pv.first().copied(), &known);
        let more = usize::from(self.settings.multi_pv).saturating_sub(1);
        let reports: Vec<&Report> = think.lines.iter().filter(is_other).take(more).collect();
        rest.extend(reports.into_iter().map(|report| self.info_of_report(now, think, report)));
        // A better score from less depth has not been confirmed yet: the lines stay in order of their scores.
        for info in rest.iter_mut().filter(|info| info.score > lines[0].score) {
            (info.score, info.bound, info.wdl) = (lines[0].score, Bound::Lower, lines[0].wdl);
        }
        rest.sort_by_key(|info| std::cmp::Reverse(info.score));
        for info in rest {
            if lines.iter().all(|shown| shown.pv.first() != info.pv.first()) {
                lines.push(info);
            }
        }
        lines.truncate(usize::from(self.settings.multi_pv));
        self.say_many(lines);
    }

    fn say_many(&mut self, lines: Vec<Info>) {
        for (index, info) in lines.into_iter().enumerate() {
            self.say(Output::Info(Info { multipv: Some(index as u16 + 1), ..info }));
        }
    }

    fn child_infos(&mut self, now: Time, think: &Think) -> Vec<Info> {
        let children = self.tree.node(self.tree.searched(think.focus)).children.clone();
        let mut infos = Vec::new();
        for child in children {
            let node = self.tree.node(child);
            let (Some(value), Some(text)) = (node.value, node.text()) else { continue };
            let mut line = vec![text];
            line.extend(self.tree.variation(child));
            infos.push(self.info_of(now, think, value.for_parent(), line));
        }
        infos
    }

    fn info_of_report(&mut self, now: Time, think: &Think, report: &Report) -> Info {
        let line = self.line_of_report(think, report);
        self.info_of(now, think, Value::of_report(report), line)
    }

    /// The line of a report, continued as far as others tell.
    pub(super) fn line_of_report(&mut self, think: &Think, report: &Report) -> Vec<MoveText> {
        self.tree.lengthened(think.focus, &report.pv, report.score, report.depth)
    }

    fn info_of(&self, now: Time, think: &Think, value: Value, pv: Vec<MoveText>) -> Info {
        self.info(now.saturating_sub(think.began), self.spent(think), value, pv)
    }

    /// One line, `time` after `go`.
    pub(super) fn info(&self, time: Duration, nodes: u64, value: Value, pv: Vec<MoveText>) -> Info {
        let nps = speed(nodes, time);
        let depth = value.depth.max(1);
        Info {
            depth,
            seldepth: value.seldepth.max(depth),
            multipv: None,
            score: value.score,
            bound: value.bound,
            wdl: self.settings.show_wdl.then(|| permille(value.score)),
            nodes,
            nps,
            hashfull: self.crew.hashfull,
            time,
            pv,
        }
    }

    /// The line before an answer that no search leads to: what the rules say of the position.
    pub(super) fn show_end(&mut self, score: Score) {
        let value = Value { score, ..UNKNOWN };
        let info = self.info(Duration::ZERO, 0, value, Vec::new());
        self.say(Output::Info(Info { depth: 0, seldepth: 0, ..info }));
    }

    /// How many workers sit where: by the root's moves, then at "others", then free.
    fn census(&self) -> String {
        let mut parts = Vec::new();
        let root = self.tree.root();
        let mut seated = 0;
        for &child in &self.tree.node(root).children {
            let count = self.seats_below(child);
            seated += count;
            if let Some(text) = self.tree.node(child).text().filter(|_| count > 0) {
                parts.push(format!("{text} {count}"));
            }
        }
        let at_root = usize::from(self.tree.node(root).seat.is_some());
        parts.push(format!("root {at_root}"));
        let joined = self.crew.joined().len();
        if joined > 0 {
            parts.push(format!("joined {joined}"));
        }
        parts.push(format!("free {}", self.crew.players().saturating_sub(seated + at_root + joined)));
        format!("workers: {}", parts.join(", "))
    }

    fn seats_below(&self, id: NodeId) -> usize {
        let node = self.tree.node(id);
        usize::from(node.seat.is_some()) + node.children.iter().map(|&child| self.seats_below(child)).sum::<usize>()
    }

    pub(super) fn take_snapshot(&self, now: Time) -> Snapshot {
        let mut nodes: Vec<NodeView> = Vec::with_capacity(self.tree.len());
        let mut joined = self.joined_by_node();
        let mut open = vec![(self.tree.root(), None, Vec::new(), 1.0)];
        while let Some((id, parent, path, probability)) = open.pop() {
            let node = self.tree.node(id);
            let index = nodes.len();
            let shares = self.tree.shares(self.model.as_ref(), id);
            for (&child, share) in node.children.iter().zip(shares).rev() {
                let mut path = path.clone();
                path.extend(self.tree.node(child).text());
                open.push((child, Some(index), path, probability * share));
            }
            let own = node.finding();
            nodes.push(NodeView {
                parent,
                path,
                value: node.value.map(|value| value.score),
                bound: node.value.map_or(Bound::Exact, |value| value.bound),
                own_value: own.map(|own| own.score),
                depth: node.value.map_or(0, |value| value.depth),
                nodes: own.filter(|own| !own.inherited).map_or(0, |own| own.nodes),
                probability,
                worker: node.seat.map(|seat| (self.name_of(WorkerId(seat.worker)), now.saturating_sub(seat.since))),
                joined: joined.remove(&id).unwrap_or_default(),
                solved: node.settled.is_settled(),
                pv: own.map(|own| own.pv.to_vec()).unwrap_or_default(),
            });
        }
        let free = self.free_players().map(|worker| self.name_of(worker)).collect();
        let (busy, root) = (self.progress(), self.tree_line.clone());
        Snapshot { game: G::NAME, mate_unit: G::MATE_UNIT, root, nodes, free, busy, lines: Vec::new() }
    }

    fn progress(&self) -> Vec<Progress> {
        let at_nodes = self.crew.busy().filter(|(_, job)| job.cancelled.is_none() && job.work.node().is_some());
        at_nodes
            .map(|(worker, job)| Progress { name: self.name_of(worker), depth: job.depth, nodes: job.nodes })
            .collect()
    }

    /// Names of those who have joined the workers of nodes.
    fn joined_by_node(&self) -> HashMap<NodeId, Vec<String>> {
        let mut names: HashMap<NodeId, Vec<String>> = HashMap::new();
        for (worker, node) in self.crew.joined().iter() {
            names.entry(node).or_default().push(self.name_of(worker));
        }
        names
    }

    /// Players that are there and search no node.
    fn free_players(&self) -> impl Iterator<Item = WorkerId> {
        let seated: BTreeSet<u32> =
            self.tree.iter().filter_map(|(_, node)| node.seat.map(|seat| seat.worker)).collect();
        self.crew.present().filter(move |worker| !seated.contains(&worker.0) && !self.crew.joined().contains(*worker))
    }
}

/// Nodes a second.
pub(super) fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(0.001)) as u64
}

/// Win, draw and loss in permille.
fn permille(score: Score) -> [u16; 3] {
    let [win, _, loss] = score.chances().map(|share| (share * 1000.0).round() as u16);
    [win, 1000_u16.saturating_sub(win + loss), loss]
}
