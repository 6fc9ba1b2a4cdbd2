//! A manager for tests, without threads: its workers are a map of running tasks, and its clock is a number.

use crate::Manager;
use hasami_api::{Answer, Game, Line, MoveText, RankedMove, Report, Score, Task};
use hasami_protocol::{BestMove, Command, Go, Info, Output, Settings};
use hasami_tree::event::{Action, MachineId, Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use hasami_tree::manage::{Manage, Opening};
use hasami_tree::{Transitions, legal_moves};
use std::collections::BTreeMap;
use std::time::Duration;

pub struct Harness<G: Game> {
    pub manager: Manager<G>,
    pub now: Time,
    pub running: BTreeMap<WorkerId, (TaskId, Task)>,
    pub said: Vec<Output>,
    pub actions: Vec<Action>,
    /// Number of moves in the last `position` command.
    pub root_plies: usize,
}

pub fn profile(name: &str) -> Profile {
    Profile { name: name.into(), can_mate: true, ..Profile::thread(0) }
}

impl<G: Game> Harness<G> {
    pub fn new(settings: Settings, workers: u32) -> Self {
        let manager = Manager::new(settings, Transitions::default(), None);
        let (running, said, actions) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut harness = Self { manager, now: Duration::from_secs(1), running, said, actions, root_plies: 0 };
        for worker in 0..workers {
            harness.join(worker);
        }
        harness
    }

    pub fn reading(mut self, book: Box<dyn Opening>) -> Self {
        self.manager.book = Some(book);
        self
    }

    /// Sets an emergency search that always returns this variation.
    pub fn glancing(mut self, pv: &[&str], cp: i32) -> Self {
        let report = Report { depth: 3, seldepth: 3, nodes: 700, pv: texts(pv), ..Report::new(Score::cp(cp)) };
        self.manager.emergency = Some(Box::new(move |_, _| Some(report.clone())));
        self
    }

    /// Sets an emergency search that returns this variation and gives every other move the value `other`.
    pub fn looking(mut self, pv: &[&str], cp: i32, other: i32) -> Self {
        let report = Report { depth: 3, seldepth: 3, nodes: 700, pv: texts(pv), ..Report::new(Score::cp(cp)) };
        let look = move |_: &Line, only: &[MoveText]| match only {
            &[text] if text != report.pv[0] => {
                Some(Report { pv: vec![text], score: Score::cp(other), ..report.clone() })
            }
            _ => Some(report.clone()),
        };
        self.manager.emergency = Some(Box::new(look));
        self
    }

    pub fn join(&mut self, worker: u32) {
        let event = WorkerEvent::Joined { worker: WorkerId(worker), profile: profile(&format!("w{worker}")) };
        self.worker(event);
    }

    /// Adds a worker that belongs to an untrusted machine.
    pub fn join_from(&mut self, worker: u32, machine: u64) {
        let (name, machine) = (format!("m{machine}/{worker}"), Some(MachineId(machine)));
        let profile = Profile { machine, can_mate: false, ..profile(&name) };
        self.worker(WorkerEvent::Joined { worker: WorkerId(worker), profile });
    }

    pub fn worker(&mut self, event: WorkerEvent) {
        let actions = self.manager.on_worker(self.now, event);
        self.carry_out(actions);
    }

    pub fn command(&mut self, command: Command) {
        let actions = self.manager.on_command(self.now, command);
        self.carry_out(actions);
    }

    pub fn position(&mut self, line: &Line) {
        self.root_plies = line.moves.len();
        self.command(Command::Position(line.clone()));
    }

    pub fn go(&mut self, go: Go) {
        self.command(Command::Go(go));
    }

    pub fn wait(&mut self, time: Duration) {
        self.now += time;
        let actions = self.manager.on_alarm(self.now);
        self.carry_out(actions);
    }

    fn carry_out(&mut self, actions: Vec<Action>) {
        for action in actions {
            match &action {
                Action::Start { worker, id, task } => {
                    let old = self.running.insert(*worker, (*id, task.clone()));
                    assert!(old.is_none(), "{worker} already has a task");
                }
                Action::Say(output) => self.said.push(output.clone()),
                _ => {}
            }
            self.actions.push(action);
        }
    }

    /// Ends every task that was cancelled, and clears the recorded actions.
    pub fn end_cancelled(&mut self) {
        let cancelled: Vec<(WorkerId, TaskId)> = self
            .actions
            .drain(..)
            .filter_map(|action| if let Action::Cancel { worker, id } = action { Some((worker, id)) } else { None })
            .collect();
        for (worker, id) in cancelled {
            if self.running.get(&worker).is_some_and(|(task, _)| *task == id) {
                self.end(worker);
            }
        }
    }

    /// Ends the worker's task with a legal move.
    pub fn end(&mut self, worker: WorkerId) {
        let best = first_move::<G>(&self.running[&worker].1).first().copied();
        self.end_with(worker, best);
    }

    pub fn end_with(&mut self, worker: WorkerId, best: Option<MoveText>) {
        let (task, _) = self.running.remove(&worker).unwrap();
        let end = TaskEnd::Answer(Answer::Best { best, ponder: None });
        self.worker(WorkerEvent::Ended { worker, task, end });
    }

    /// Ends the worker's task if it was cancelled, and keeps the recorded actions.
    pub fn end_cancelled_of(&mut self, worker: WorkerId) {
        let task = self.running.get(&worker).map(|&(task, _)| task);
        if self
            .actions
            .iter()
            .any(|action| matches!(action, Action::Cancel { worker: w, id } if *w == worker && Some(*id) == task))
        {
            self.end(worker);
        }
    }

    /// Lets a worker report `moves`, or the first legal move of its task if `moves` is empty.
    pub fn report(&mut self, worker: u32, moves: &[&str], cp: i32, depth: u16) {
        let worker = WorkerId(worker);
        let (task, work) = self.running[&worker].clone();
        let pv = if moves.is_empty() { first_move::<G>(&work) } else { texts(moves) };
        let report =
            Report { depth, seldepth: depth, nodes: u64::from(depth) * 1000, pv, ..Report::new(Score::cp(cp)) };
        self.worker(WorkerEvent::Report { worker, task, report });
    }

    /// Lets a worker report a mate in `plies` that lies within the searched depth.
    pub fn mate(&mut self, worker: u32, moves: &[&str], plies: u16) {
        let worker = WorkerId(worker);
        let task = self.running[&worker].0;
        let score = Score::win_in(i32::from(plies));
        let report = Report { depth: plies + 1, seldepth: plies, nodes: 100, pv: texts(moves), ..Report::new(score) };
        self.worker(WorkerEvent::Report { worker, task, report });
    }

    /// Lets a worker report a variation and a ranking of its root moves.
    pub fn ranked_report(&mut self, worker: WorkerId, pv: Vec<MoveText>, ranking: Vec<RankedMove>, depth: u16) {
        let task = self.running[&worker].0;
        let nodes = u64::from(depth) * 1000;
        let report = Report { depth, seldepth: depth, nodes, pv, ranking, ..Report::new(Score::cp(i32::from(depth))) };
        self.worker(WorkerEvent::Report { worker, task, report });
    }

    /// Lets every busy worker report a line and a ranking of its root moves, like an engine that has searched for a
    /// while. In generation order, each move at the tree's root scores 20 centipawns less than the previous one.
    pub fn everybody_reports(&mut self, depth: u16) {
        let running: Vec<WorkerId> = self.running.keys().copied().collect();
        for worker in running {
            if let Some((id, task)) = self.running.get(&worker).cloned() {
                let (pv, ranking) = walk::<G>(&task);
                let score = self.score_of(&task, &pv);
                let nodes = u64::from(depth) * 1000;
                let report = Report { depth, seldepth: depth, nodes, pv, ranking, ..Report::new(score) };
                self.worker(WorkerEvent::Report { worker, task: id, report });
            }
        }
        self.end_cancelled();
    }

    fn score_of(&self, task: &Task, pv: &[MoveText]) -> Score {
        let plies = task.line.moves.len() - self.root_plies;
        let first = task.line.moves.get(self.root_plies).or(pv.first());
        let root = game_at::<G>(&Line { moves: task.line.moves[..self.root_plies].to_vec(), ..task.line.clone() });
        let rank = legal_moves(&root).iter().position(|&m| first == Some(&root.format_move(m))).unwrap_or(0);
        Score::cp(20 * rank as i32 * if plies.is_multiple_of(2) { -1 } else { 1 })
    }

    /// For each move at the root, the number of busy workers that search below it.
    pub fn busy_by_move(&self) -> BTreeMap<Option<MoveText>, usize> {
        let mut counts = BTreeMap::new();
        let cancelled = |worker: &WorkerId, id: &TaskId| {
            self.actions.iter().any(|a| matches!(a, Action::Cancel { worker: w, id: i } if w == worker && i == id))
        };
        for (worker, (id, task)) in &self.running {
            if !cancelled(worker, id) {
                let ply = self.root_plies;
                *counts.entry(task.line.moves.get(ply).copied()).or_default() += 1;
            }
        }
        counts
    }

    /// Lets a worker report the MultiPV line with the number `multipv`.
    pub fn line_report(&mut self, worker: u32, multipv: u16, m: &str, cp: i32) {
        let worker = WorkerId(worker);
        let task = self.running[&worker].0;
        let report = Report { depth: 8, multipv, nodes: 9000, pv: texts(&[m]), ..Report::new(Score::cp(cp)) };
        self.worker(WorkerEvent::Report { worker, task, report });
    }

    pub fn settings(&mut self, settings: &Settings) {
        let actions = self.manager.on_settings(self.now, settings);
        self.carry_out(actions);
    }

    pub fn best_moves(&self) -> Vec<BestMove> {
        self.said
            .iter()
            .filter_map(|said| if let Output::Best(best) = said { Some(best.clone()) } else { None })
            .collect()
    }

    pub fn infos(&self) -> Vec<Info> {
        self.said
            .iter()
            .filter_map(|said| if let Output::Info(info) = said { Some(info.clone()) } else { None })
            .collect()
    }

    pub fn task_of(&self, worker: u32) -> &Task {
        &self.running[&WorkerId(worker)].1
    }
}

pub fn texts(moves: &[&str]) -> Vec<MoveText> {
    moves.iter().map(|text| text.parse().unwrap()).collect()
}

pub fn game_at<G: Game>(line: &Line) -> G {
    let mut game = G::new(&line.start).unwrap();
    for text in &line.moves {
        let m = game.parse_move(text).unwrap();
        game.make(m);
    }
    game
}

/// Returns a legal line from the task's position and a ranking of its moves, both without the excluded moves.
pub fn walk<G: Game>(task: &Task) -> (Vec<MoveText>, Vec<RankedMove>) {
    let mut game = game_at::<G>(&task.line);
    let mut pv = Vec::new();
    let mut ranking = Vec::new();
    for ply in 0..8 {
        let texts: Vec<MoveText> = legal_moves(&game).iter().map(|&m| game.format_move(m)).collect();
        let texts: Vec<MoveText> = texts.into_iter().filter(|text| ply > 0 || !task.except.contains(text)).collect();
        if ply == 0 {
            ranking = texts.iter().map(|&text| RankedMove { text, nodes: 100 }).collect();
        }
        let Some(&text) = texts.first() else { break };
        game.make(game.parse_move(&text).unwrap());
        pv.push(text);
    }
    (pv, ranking)
}

fn first_move<G: Game>(task: &Task) -> Vec<MoveText> {
    let game = game_at::<G>(&task.line);
    let moves = legal_moves(&game);
    let texts = moves.iter().map(|&m| game.format_move(m));
    let is_asked = |text: &MoveText| !task.except.contains(text) && (task.only.is_empty() || task.only.contains(text));
    texts.filter(is_asked).take(1).collect()
}

/// The best moves of all answers so far, as text.
pub fn best<G: Game>(harness: &Harness<G>) -> Vec<String> {
    let show = |best: BestMove| match best {
        BestMove::Move { best, .. } => best.to_string(),
        other => format!("{other:?}"),
    };
    harness.best_moves().into_iter().map(show).collect()
}
