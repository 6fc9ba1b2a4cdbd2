//! A single child engine under a virtual clock, as the opponent of a virtual cluster in a match.
//!
//! The engine plays without a manager or a tree. The engine searches the positions of the game, and is stopped when its
//! CPU clock shows that its time is up.

use super::RationedWorker;
use super::worker::{ClusterWorker, Sent};
use hasami_api::{Answer, Limits, Line, Report, Score, Task};
use hasami_catalog::Catalog;
use hasami_protocol::{BestMove, Command, Go, Info, Output};
use hasami_tree::event::{TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use hasami_workers::children::ChildSpec;
use std::io;
use std::time::Duration;

/// Virtual time that a child may take to answer `stop`, or stay idle in a search without a time limit.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Virtual time that the engine runs in each step.
const STEP: Duration = Duration::from_millis(10);

pub struct SingleChild {
    worker: RationedWorker,
    line: Line,
    now: Time,
    tasks: u64,
    /// Total delay of the engine's answers so far; later searches are shortened to make up for it.
    late: Duration,
}

impl SingleChild {
    pub fn new(catalog: &dyn Catalog, spec: ChildSpec, share: f64) -> io::Result<Self> {
        let limit = spec.start_time;
        let mut worker = RationedWorker::spawn(WorkerId(0), spec, share, catalog.played());
        worker.come_up(limit)?;
        Ok(Self { worker, line: Line::default(), now: Time::ZERO, tasks: 0, late: Duration::ZERO })
    }

    /// Carries out a command; for `go`, returns once the best move has been sent. After an error, the engine is
    /// unusable.
    pub fn command(&mut self, command: Command, say: &mut dyn FnMut(Output)) -> Result<(), String> {
        match command {
            Command::Position(line) => self.line = line,
            Command::NewGame => self.worker.new_game(),
            Command::Go(go) => return self.search(&go, say),
            _ => {}
        }
        Ok(())
    }

    pub fn now(&self) -> Time {
        self.now
    }

    pub fn pass(&mut self, time: Duration) {
        self.now += time;
    }

    pub fn nodes(&self) -> u64 {
        self.worker.nodes()
    }

    fn search(&mut self, go: &Go, say: &mut dyn FnMut(Output)) -> Result<(), String> {
        if go.move_time.is_none() && go.nodes.is_none() && go.depth.is_none() {
            let needed = "an engine that plays alone needs movetime, nodes or depth";
            return Err(format!("{needed}: with a clock it would measure real time"));
        }
        let limits = Limits { nodes: go.nodes, depth: go.depth, mate: None };
        let task = Task { line: self.line.clone(), only: go.search_moves.clone(), limits, ..Task::default() };
        self.tasks += 1;
        let (id, began) = (TaskId(self.tasks), self.now);
        // A search gets at least half of its time, even if earlier answers were very late.
        let end = go.move_time.map(|time| began + time.saturating_sub(self.late.min(time / 2)));
        let (mut sent, mut last) = (Vec::new(), Report::new(Score::DRAW));
        self.worker.start(began, id, task, &mut sent);
        loop {
            for (at, sent) in sent.drain(..) {
                let Sent::Event(event) = sent else { continue };
                let time = at.saturating_sub(began);
                match event {
                    WorkerEvent::Report { report, .. } => {
                        say(Output::Info(info(&report, time)));
                        last = report;
                    }
                    WorkerEvent::Ended { end, .. } => {
                        self.now = at;
                        self.late = go.move_time.map_or(Duration::ZERO, |due| (self.late + time).saturating_sub(due));
                        say(Output::Info(info(&last, time)));
                        say(Output::Best(answer(end)?));
                        return Ok(());
                    }
                    WorkerEvent::Lost { why, .. } => return Err(why.to_string()),
                    WorkerEvent::Joined { .. } => {}
                }
            }
            self.step(id, end, &mut sent)?;
        }
    }

    /// Runs the engine for one step, or until its time is up; if its time is already up, stops the search first.
    fn step(&mut self, id: TaskId, end: Option<Time>, sent: &mut Vec<(Time, Sent)>) -> Result<(), String> {
        let left = end.map_or(STEP, |end| end.saturating_sub(self.now));
        if left.is_zero() {
            self.worker.cancel(self.now, id, sent);
        }
        if end.is_some_and(|end| self.now > end + TIMEOUT) || end.is_none() && self.worker.waited() > TIMEOUT {
            return Err(format!("{}: no bestmove", self.worker.profile().name));
        }
        self.now += if left.is_zero() { STEP } else { left.min(STEP) };
        self.worker.run_to(self.now, sent);
        Ok(())
    }
}

fn answer(end: TaskEnd) -> Result<BestMove, String> {
    match end {
        TaskEnd::Answer(Answer::Best { best: Some(best), ponder }) => Ok(BestMove::Move { best, ponder }),
        TaskEnd::Answer(_) => Ok(BestMove::None),
        TaskEnd::Failed(why) => Err(why),
    }
}

fn info(report: &Report, time: Duration) -> Info {
    let nps = report.nodes as f64 / time.as_secs_f64().max(1e-6);
    Info {
        depth: report.depth,
        seldepth: report.seldepth,
        multipv: None,
        score: report.score,
        bound: report.bound,
        wdl: None,
        nodes: report.nodes,
        nps: nps as u64,
        hashfull: report.hashfull,
        table_hits: report.table_hits,
        time,
        pv: report.pv.clone(),
    }
}
