//! Measures the load that reports from a thousand workers, all on one connection, put on a master.
//!
//! `cargo run --release --example cluster_load -- --connect nats://localhost --workers 1000 --reports 10`
//!
//! Each worker is a separate node with one slot. A worker searches each task briefly and then sends the result again
//! and again, at a depth that sometimes grows by a ply.

use clap::Parser;
use hasami_api::{Answer, Limits, Report, Searcher, Stop, Task};
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use hasami_remote::cluster::names::{Member, Subject};
use hasami_remote::cluster::transport::{LinkEvent, LinkHandler, LinkSender};
use hasami_remote::cluster::worker_node::{NodeEffect, OfferedSlot, WorkerNode};
use hasami_tree::event::{Profile, TaskEnd, TaskId, Time, WorkerEvent, WorkerId};
use hasami_workers::membership::Membership;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Options {
    #[arg(long)]
    connect: String,
    #[arg(long, default_value_t = 1000)]
    workers: u64,
    /// Reports per second and worker
    #[arg(long, default_value_t = 10)]
    reports: u32,
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

struct SimulatedNodes {
    state: Mutex<State>,
    epoch: Instant,
    pause: Duration,
}

struct State {
    nodes: BTreeMap<Member, SimulatedNode>,
    searcher: Box<dyn Searcher>,
    next: Time,
}

struct SimulatedNode {
    node: WorkerNode,
    busy: Option<Busy>,
}

struct Busy {
    worker: WorkerId,
    id: TaskId,
    report: Option<Report>,
    next: Time,
}

impl SimulatedNodes {
    fn act(&self, outbox: &LinkSender, what: impl FnOnce(&mut State, Time, &mut Vec<(Member, NodeEffect)>)) {
        let mut state = self.state.lock().expect("nobody panics");
        let (now, mut effects) = (self.epoch.elapsed(), Vec::new());
        what(&mut state, now, &mut effects);
        let mut at = 0;
        while let Some((id, effect)) = effects.get(at).cloned() {
            at += 1;
            let more = state.carry_out(now, id, effect, self.pause, outbox);
            effects.extend(more.into_iter().map(|effect| (id, effect)));
        }
    }
}

impl State {
    fn carry_out(
        &mut self,
        now: Time,
        id: Member,
        effect: NodeEffect,
        pause: Duration,
        outbox: &LinkSender,
    ) -> Vec<NodeEffect> {
        let mut out = Vec::new();
        let Some(simulated) = self.nodes.get_mut(&id) else { return out };
        match effect {
            NodeEffect::Publish { to, bytes } => outbox.speaking_as(id).send(to, bytes),
            NodeEffect::FindNetwork { .. } | NodeEffect::KeepNetwork { .. } => {}
            NodeEffect::StartWorker { worker, .. } => {
                simulated.node.worker(now, WorkerEvent::Joined { worker, profile: Profile::thread(1) }, &mut out);
            }
            NodeEffect::Start { worker, id, task } => {
                // Gives tasks different phases, so that their reports are spread over time.
                let next = now + pause.mul_f64((id.0 % 97) as f64 / 97.0);
                simulated.busy = Some(Busy { worker, id, report: glance(self.searcher.as_mut(), &task), next });
            }
            NodeEffect::Cancel { worker, id } => {
                simulated.busy = None;
                let end = TaskEnd::Answer(Answer::Best { best: None, ponder: None });
                simulated.node.worker(now, WorkerEvent::Ended { worker, task: id, end }, &mut out);
            }
            NodeEffect::EndWorker { .. } => simulated.busy = None,
            NodeEffect::NewGame { .. }
            | NodeEffect::Message { .. }
            | NodeEffect::EndService { .. }
            | NodeEffect::Note(_) => {}
        }
        out
    }
}

/// Returns the last report of a search with 300 nodes.
fn glance(searcher: &mut dyn Searcher, task: &Task) -> Option<Report> {
    let mut last = None;
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    let task = Task { limits, team: 0, ..task.clone() };
    searcher.search(&task, &Stop::new(), &mut |report| last = Some(report)).ok()?;
    last
}

struct Handle(Arc<SimulatedNodes>);

impl LinkHandler for Handle {
    fn on_event(&self, event: LinkEvent, outbox: &LinkSender) {
        let pause = self.0.pause;
        self.0.act(outbox, |state, now, effects| match event {
            LinkEvent::Message { from, subject, bytes } => {
                let ids: Vec<Member> = match subject {
                    Subject::Member(id) => vec![id],
                    _ => state.nodes.keys().copied().collect(),
                };
                for id in ids {
                    let Some(simulated) = state.nodes.get_mut(&id) else { continue };
                    let mut out = Vec::new();
                    simulated.node.hear(now, (from, subject), bytes, &mut out);
                    effects.extend(out.into_iter().map(|effect| (id, effect)));
                }
            }
            LinkEvent::Due => {
                state.next = now + Duration::from_millis(5);
                for (&id, simulated) in &mut state.nodes {
                    let mut out = Vec::new();
                    if let Some(busy) = simulated.busy.as_mut().filter(|busy| busy.next <= now) {
                        busy.next += pause;
                        if let Some(report) = &mut busy.report {
                            report.nodes += 100_000;
                            report.depth += u16::from(report.nodes % 1_000_000 < 100_000);
                            let (worker, task, report) = (busy.worker, busy.id, report.clone());
                            simulated.node.worker(now, WorkerEvent::Report { worker, task, report }, &mut out);
                        }
                    }
                    simulated.node.tick(now, true, &mut out);
                    effects.extend(out.into_iter().map(|effect| (id, effect)));
                }
            }
            LinkEvent::Up
            | LinkEvent::Down
            | LinkEvent::Refused(_)
            | LinkEvent::LoginRefused { .. }
            | LinkEvent::Forbidden(_) => {}
        });
    }

    fn due(&self) -> Instant {
        self.0.epoch + self.0.state.lock().expect("nobody panics").next
    }
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    let game: &dyn Catalog = hasami_games::GAMES.first();
    let transport = hasami_remote::cluster::transport(&Membership::of(&options.connect))?;
    let searcher = game.engines(&Settings { hash_mb: 1, ..Settings::default() })();
    let mut nodes = BTreeMap::new();
    let mut subjects = vec![Subject::Masters, Subject::Discovery];
    for number in 1..=options.workers {
        let id = Member::draw(transport.user());
        let offer = OfferedSlot { engine: "nothing".to_owned(), games: vec![game.name()], has_roles: false };
        let check = Box::new(|_: &str, _: &hasami_api::Line| Ok(()));
        let node = WorkerNode::new(id, format!("pc{number}"), vec![offer], check, number)
            .report_within(Duration::from_millis(1));
        nodes.insert(id, SimulatedNode { node, busy: None });
        subjects.push(Subject::Member(id));
    }
    let state = Mutex::new(State { nodes, searcher, next: Time::ZERO });
    let pause = Duration::from_secs(1) / options.reports;
    let simulated = Arc::new(SimulatedNodes { state, epoch: Instant::now(), pause });
    let me = Member::draw(transport.user());
    let mut link = transport.open(me, "simulated".to_owned(), subjects, Arc::new(Handle(simulated)))?;
    std::thread::sleep(Duration::from_secs(options.seconds));
    link.close();
    Ok(())
}
