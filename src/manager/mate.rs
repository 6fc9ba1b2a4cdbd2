//! `go mate`. In USI, `go mate` is answered by a solver alone, with one line. In UCI, `go mate` with a number of moves
//! is answered with a move from the tree, while a solver looks for a mate in that many moves.

use super::core::{Manager, Phase};
use super::go::UNKNOWN;
use super::report::speed;
use super::roster::TaskKind;
use hasami_api::{Game, Goal, Limits, MateAnswer, MoveText, Report, Score, Task, Verdict};
use hasami_protocol::{Effort, Go, Info, MateLimit, Output};
use hasami_tree::event::{Profile, TaskId, Time, WorkerId};
use hasami_tree::{NodeValue, after, legal_moves, plays_out};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Part of the time limit that is reserved for sending the answer to the GUI.
const MARGIN: Duration = Duration::from_millis(50);

/// Interval between info lines during a mate search.
const INTERVAL: Duration = Duration::from_secs(1);

/// The search of a USI `go mate` that has not been answered yet.
pub(super) struct MateSearch {
    pub until: Option<Time>,
    /// The solvers that are still working on the question, with their tasks.
    open: Vec<(WorkerId, TaskId)>,
    /// All workers that were given the question, including those that have already answered.
    asked: BTreeSet<WorkerId>,
    /// What the solver looks for: a mate by the side to move or, in a second attempt, a mate against that side.
    goal: Goal,
    /// Name of an external engine that claims there is no mate, which cannot be verified.
    denied_by: Option<String>,
    began: Time,
    /// Greatest depth and number of nodes that a solver has reported.
    depth: u16,
    nodes: u64,
    /// Reported lines by MultiPV number. If no mate was found, each line is a check and the reply that refutes it.
    lines: BTreeMap<u16, Vec<MoveText>>,
    /// Time of the last info line.
    shown: Time,
}

impl MateSearch {
    fn effort(&self, now: Time) -> Effort {
        let time = now.saturating_sub(self.began);
        Effort { depth: self.depth, nodes: self.nodes, nps: speed(self.nodes, time), time }
    }
}

/// Asks a solver whether there is a mate within a number of plies, while the players search the tree for a move.
pub(super) struct MateQuestion {
    pub plies: u16,
    /// Node limit of the solver; `None` for no limit.
    nodes: Option<u64>,
    pub task: Option<TaskId>,
    /// True once it is proved that there is no mate within `plies`.
    pub refuted: bool,
    answered: bool,
}

impl MateQuestion {
    pub fn of(go: &Go) -> Option<Self> {
        match go.mate {
            // `go mate 0` needs no solver: the side to move has a legal move, so it is not mated.
            Some(MateLimit::Moves(0)) => Some(Self { refuted: true, answered: true, ..Self::within(0) }),
            _ => Self::plies(go).map(Self::within),
        }
    }

    /// The length in plies of the mate that UCI's `go mate` asks for; the command counts moves of the side to move.
    pub fn plies(go: &Go) -> Option<u16> {
        match go.mate {
            Some(MateLimit::Moves(moves @ 1..)) => Some((moves.min(1000) * 2 - 1) as u16),
            _ => None,
        }
    }

    pub fn within(plies: u16) -> Self {
        Self { plies, nodes: None, task: None, refuted: false, answered: false }
    }

    pub fn limited(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Returns whether the question has not been given to a solver yet.
    pub fn is_new(&self) -> bool {
        self.task.is_none() && !self.answered
    }

    /// Returns whether the solver's answer shows that a mate in `plies` plies is the shortest one.
    pub fn is_solved_by(&self, plies: i32) -> bool {
        self.answered && (self.refuted || (1..=i32::from(self.plies)).contains(&plies))
    }

    /// Returns whether a solver is working on the question.
    pub fn is_open(&self) -> bool {
        self.task.is_some() && !self.answered
    }
}

impl<G: Game> Manager<G> {
    pub(super) fn begin_mate(&mut self, now: Time, go: Go) {
        self.assignment.cancel_all(now);
        let until = match go.mate {
            Some(MateLimit::Time(limit)) => Some(now + limit.saturating_sub(MARGIN).max(limit / 2)),
            _ => None,
        };
        let search = MateSearch {
            until,
            open: Vec::new(),
            asked: BTreeSet::new(),
            goal: Goal::Mate,
            denied_by: None,
            began: now,
            depth: 0,
            nodes: 0,
            lines: BTreeMap::new(),
            shown: now,
        };
        if self.position.game.count_moves() == 0 {
            return self.end_mate(now, search, MateAnswer::NoMate);
        }
        let is_enough = self.options.valid.multi_pv <= 1;
        if let Some(mate) = self.mate_in_one().filter(|_| is_enough) {
            return self.end_mate(now, search, MateAnswer::Mate(vec![mate]));
        }
        self.phase = Phase::Mating(search);
        self.assign_solver(now);
    }

    /// Returns a move that mates immediately. The manager looks for a mate in one itself, which is faster than asking a
    /// solver.
    fn mate_in_one(&mut self) -> Option<MoveText> {
        let (moves, game) = (legal_moves(&self.position.game), &mut self.position.game);
        let mates = |m: &G::Move| {
            game.make(*m);
            let is_mate = game.in_check() && game.count_moves() == 0 && game.verdict_without_moves() == Verdict::Loss;
            game.unmake();
            is_mate
        };
        let found = moves.iter().copied().find(mates)?;
        Some(self.position.game.format_move(found))
    }

    /// Gives the question of USI's `go mate` to one of our own solvers and to every mate engine, as they become free.
    pub(super) fn assign_solver(&mut self, now: Time) {
        while let Phase::Mating(search) = &self.phase
            && let Some(worker) = self.assignment.roster.next_solver(now, &search.asked)
        {
            let multipv = if self.is_ours(worker) { self.options.valid.multi_pv } else { 1 };
            // External mate engines are always asked for a mate, because they find out on their own which side mates.
            let goal = if self.is_ours(worker) { search.goal } else { Goal::Mate };
            let task = Task { line: self.position.line.clone(), goal, multipv, ..Task::default() };
            let id = self.assignment.hand_out(now, worker, TaskKind::Mate, task, Vec::new());
            if let Phase::Mating(search) = &mut self.phase {
                search.open.push((worker, id));
                search.asked.insert(worker);
            }
        }
        self.assign_question(now);
    }

    /// Gives the [`MateQuestion`] of the search to one of our own solvers, if one is free.
    fn assign_question(&mut self, now: Time) {
        let Phase::Thinking(search) = &self.phase else { return };
        let Some(question) = search.question.as_ref().filter(|question| question.is_new()) else { return };
        let limits = Limits { mate: Some(question.plies), nodes: question.nodes, ..Limits::default() };
        let (goal, only) = (Goal::MateWithin, search.request.only.clone());
        let solver = self.assignment.roster.ready_solver(now);
        let knows = |p: &Profile| only.is_empty() || p.can_only;
        let suits = |id: &WorkerId| self.assignment.roster.get(*id).is_some_and(|m| knows(&m.profile));
        let Some(worker) = solver.filter(suits) else { return };
        let task = Task { line: self.position.line.clone(), goal, only, multipv: 1, limits, ..Task::default() };
        let id = self.assignment.hand_out(now, worker, TaskKind::Mate, task, Vec::new());
        if let Some(question) = self.question_mut() {
            question.task = Some(id);
        }
    }

    fn question_mut(&mut self) -> Option<&mut MateQuestion> {
        self.phase.search_mut()?.question.as_mut()
    }

    pub(super) fn on_mate_answer(&mut self, now: Time, (worker, task): (WorkerId, TaskId), answer: MateAnswer) {
        if let Phase::Mating(search) = &mut self.phase {
            let before = search.open.len();
            search.open.retain(|&(_, open)| open != task);
            if search.open.len() < before && !self.asks_whether_mated(worker, &answer) {
                self.weigh_mate_answer(now, worker, answer);
            }
            return;
        }
        let Some(question) = self.question_mut().filter(|question| question.task == Some(task)) else { return };
        (question.refuted, question.answered) = (answer == MateAnswer::NoMate, true);
        if let MateAnswer::Mate(line) = answer {
            self.take_mate(now, line);
        }
    }

    /// If the side to move is in check and cannot mate, lets our own solver find out whether that side will be mated:
    /// programs for composing problems also send positions after the key move. Returns whether to ask the solver.
    fn asks_whether_mated(&mut self, worker: WorkerId, answer: &MateAnswer) -> bool {
        let is_next = *answer == MateAnswer::NoMate && self.is_ours(worker) && self.position.game.in_check();
        let Phase::Mating(search) = &mut self.phase else { return false };
        let is_new = is_next && search.goal == Goal::Mate;
        if is_new {
            search.goal = Goal::Mated;
            search.asked.remove(&worker);
            search.lines.clear();
        }
        is_new
    }

    fn is_ours(&self, worker: WorkerId) -> bool {
        self.assignment.roster.get(worker).is_some_and(|member| member.profile.is_ours())
    }

    /// Judges a solver's answer to USI's `go mate`. A mate that can be played out is accepted from our own solver or
    /// from an engine of the user; a mate from an untrusted machine must be proved. Only our own solver may report that
    /// there is no mate. If an answer is not accepted, the manager waits for the solvers that are still working.
    fn weigh_mate_answer(&mut self, now: Time, worker: WorkerId, answer: MateAnswer) {
        let is_ours = self.is_ours(worker);
        let Phase::Mating(search) = &self.phase else { return };
        let left = search.until.map_or(Duration::MAX, |until| until.saturating_sub(now));
        let holds = match &answer {
            MateAnswer::Mate(line) if is_ours => plays_out(&mut self.position.game, line),
            MateAnswer::Mate(line) => self.ends_in_mate(line) && self.believes_mate(worker, line, left),
            MateAnswer::NoMate => is_ours,
            MateAnswer::Unknown => false,
        };
        let name = self.assignment.name_of(worker);
        let Phase::Mating(search) = &mut self.phase else { return };
        if answer == MateAnswer::NoMate && !is_ours {
            search.denied_by = Some(name.clone());
        }
        // The question stays open while our own solver is busy with another task.
        let is_last = search.open.is_empty() && !self.assignment.roster.awaits_solver(&search.asked);
        if !holds && matches!(answer, MateAnswer::Mate(_)) {
            let text = format!("{name}: its line does not lead to a proved mate");
            self.assignment.out.warn(text);
        }
        if (holds || is_last)
            && let Phase::Mating(search) = std::mem::replace(&mut self.phase, Phase::Idle)
        {
            self.end_mate(now, search, if holds { answer } else { MateAnswer::Unknown });
        }
    }

    /// Returns whether the line consists of legal moves and ends in mate.
    fn ends_in_mate(&mut self, line: &[MoveText]) -> bool {
        after(&mut self.position.game, line, |game, made| {
            let is_over = game.in_check() && game.count_moves() == 0;
            made == line.len() && is_over && game.verdict_without_moves() == Verdict::Loss
        })
    }

    /// Records a solver's line, which becomes the best line if it really is a mate.
    fn take_mate(&mut self, now: Time, pv: Vec<MoveText>) {
        let plies = pv.len() as u16;
        let focus = self.focus();
        let is_useless = !plays_out(&mut self.position.game, &pv) || self.assignment.tree.node(focus).twin.is_some();
        if is_useless || self.assignment.is_left_out(focus, &pv) {
            return;
        }
        let report = Report { depth: plies, seldepth: plies, pv, ..Report::new(Score::win_in(plies.into())) };
        self.assignment.tree.record(focus, &report);
        self.assignment.release_settled(now);
    }

    /// Handles a solver's report on USI's `go mate`.
    pub(super) fn note_solver_report(&mut self, now: Time, worker: WorkerId, report: &Report) {
        let is_ours = self.is_ours(worker);
        let Phase::Mating(search) = &mut self.phase else { return };
        (search.depth, search.nodes) = (search.depth.max(report.depth), search.nodes.max(report.nodes));
        // While a solver finds out whether the side to move is mated, its lines belong to later positions and are
        // ignored.
        if is_ours && search.goal == Goal::Mate && (report.score.is_win() || report.multipv > 1) {
            search.lines.insert(report.multipv, report.pv.clone());
        }
        if search.shown + INTERVAL <= now {
            search.shown = now;
            let effort = search.effort(now);
            self.say(Output::Effort(effort));
        }
    }

    /// Handles the loss of a solver, whose question may then be given to another solver.
    pub(super) fn on_solver_lost(&mut self, now: Time, task: TaskId) {
        if let Phase::Mating(search) = &mut self.phase {
            let lost = search.open.iter().find(|&&(_, open)| open == task).map(|&(worker, _)| worker);
            search.open.retain(|&(_, open)| open != task);
            search.asked.retain(|&worker| Some(worker) != lost);
        }
        if let Some(question) = self.question_mut().filter(|question| question.task == Some(task)) {
            question.task = None;
        }
        self.assign_solver(now);
    }

    /// Sends the answer to USI's `go mate`. A mating line with an illegal move is rejected.
    pub(super) fn end_mate(&mut self, now: Time, search: MateSearch, answer: MateAnswer) {
        for &(worker, _) in &search.open {
            self.assignment.cancel(now, worker);
        }
        if let (Some(name), MateAnswer::Unknown) = (&search.denied_by, &answer) {
            self.message(format!("{name} says that there is no mate; that is not proved here"));
        }
        let answer = match answer {
            MateAnswer::Mate(line) if !plays_out(&mut self.position.game, &line) => {
                let text = format!("mate after {:?}: not a legal line", now.saturating_sub(search.began));
                self.assignment.out.warn(text);
                MateAnswer::Unknown
            }
            answer => answer,
        };
        let mates = self.known_mates(&search, &answer);
        let answer = mates.first().map_or(answer, |shortest| MateAnswer::Mate(shortest.clone()));
        // If no nodes were searched, only the answer itself is sent.
        match &answer {
            _ if search.nodes == 0 => {}
            MateAnswer::Mate(_) => self.tell_mates(now, &search, mates),
            MateAnswer::NoMate => {
                self.say(Output::Effort(search.effort(now)));
                for line in search.lines.range(2..).map(|(_, line)| line) {
                    if let [check, answer] = line[..] {
                        self.message(format!("no mate: {check} is answered by {answer}"));
                    }
                }
            }
            MateAnswer::Unknown => self.say(Output::Effort(search.effort(now))),
        }
        self.say(Output::Checkmate(answer));
    }

    /// All known mates with different first moves, the shortest first, including mates that a solver reported before
    /// its answer.
    fn known_mates(&mut self, search: &MateSearch, answer: &MateAnswer) -> Vec<Vec<MoveText>> {
        let mut mates: Vec<Vec<MoveText>> = match answer {
            MateAnswer::Mate(line) => vec![line.clone()],
            MateAnswer::Unknown => Vec::new(),
            MateAnswer::NoMate => return Vec::new(),
        };
        let reported = search.lines.values().filter(|line| self.ends_in_mate(line)).cloned();
        mates.extend(reported);
        // Because the sort is stable, the solver's answer stays first among mates of the same length.
        mates.sort_by_key(Vec::len);
        let mut first = BTreeSet::new();
        mates.retain(|line| first.insert(line.first().copied()));
        mates
    }

    /// Sends info lines: the shortest mate, and with MultiPV the other mates.
    fn tell_mates(&mut self, now: Time, search: &MateSearch, mates: Vec<Vec<MoveText>>) {
        let shown = self.options.valid.multi_pv.max(1);
        for (place, line) in (1..=shown).zip(mates) {
            let plies = line.len() as u16;
            // If the mating line has an even number of plies, the side to move is mated.
            let wins = !plies.is_multiple_of(2);
            let score = if wins { Score::win_in(plies.into()) } else { Score::loss_in(plies.into()) };
            let value = NodeValue { score, depth: plies, seldepth: plies, ..UNKNOWN };
            let info = self.info(now.saturating_sub(search.began), search.nodes, value, line);
            self.say(Output::Info(Info { multipv: (shown > 1).then_some(place), ..info }));
        }
    }
}
