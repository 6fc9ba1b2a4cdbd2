//! A machine in the network: a node with virtual workers in its slots, and a clock.

use super::Event;
use super::liar::Liar;
use super::plan::{NodePlan, SkewedClock};
use crate::gui::position;
use crate::{Behaviour, Queue, SimEvent, VirtualWorker};
use hasami_remote::cluster::names::{Member, Subject};
use hasami_remote::cluster::worker_node::{NodeEffect, OfferedSlot, SlotState, WorkerNode};
use hasami_toy::mix;
use hasami_tree::event::{Time, WorkerId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The game of the virtual masters.
pub const GAME: &str = "toy";

/// Input for a machine.
pub enum NodeInput {
    Message { subject: (Member, Subject), bytes: Rc<[u8]> },
    Tick { is_clear: bool },
    Slot(SimEvent),
    End,
}

pub struct NetworkNode {
    index: usize,
    pub id: Member,
    pub is_there: bool,
    node: WorkerNode,
    clock: SkewedClock,
    behaviours: Vec<Behaviour>,
    workers: BTreeMap<WorkerId, VirtualWorker>,
    liar: Option<Liar>,
    seed: u64,
    /// The number of the next tick. Ticks with other numbers are out of date.
    pub alarm: u64,
    alarm_at: Option<Time>,
}

impl NetworkNode {
    pub fn new(index: usize, plan: &NodePlan, seed: u64) -> Self {
        let seed = mix(seed ^ (index as u64) << 20);
        let id = super::member(seed);
        let offer = |_: &Behaviour| OfferedSlot { engine: "virtual".to_owned(), games: vec![GAME], has_roles: false };
        let check = |_: &str, line: &_| position(line).map(drop).ok_or_else(|| "expected a legal line".to_owned());
        let offers = plan.slots.iter().map(offer).collect();
        Self {
            index,
            id,
            is_there: false,
            node: WorkerNode::new(id, format!("machine {index}"), offers, Box::new(check), seed),
            clock: plan.clock,
            behaviours: plan.slots.clone(),
            workers: BTreeMap::new(),
            liar: (plan.lies > 0).then(|| Liar::new(plan.lies, mix(seed ^ 6))),
            seed,
            alarm: 0,
            alarm_at: None,
        }
    }

    /// Whether messages of the machine can be untrue.
    pub fn lies(&self) -> bool {
        self.liar.is_some()
    }

    /// The slots of the machine, each with the behaviour of its worker.
    pub fn slots(&self, now: Time) -> impl Iterator<Item = (&Behaviour, SlotState)> {
        self.behaviours.iter().zip(self.node.states(self.clock.of(now)))
    }

    /// Simulates a power failure of the machine.
    pub fn die(&mut self) {
        self.is_there = false;
        self.workers.clear();
    }

    /// Handles an input. Returns the messages that the node publishes.
    pub fn step(&mut self, now: Time, input: NodeInput, queue: &mut Queue<SimEvent>) -> Vec<(Subject, Rc<[u8]>)> {
        if !self.is_there {
            return Vec::new();
        }
        let (shown, mut out, mut own) = (self.clock.of(now), Vec::new(), Queue::default());
        let mut least = Time::from_micros(100);
        match input {
            NodeInput::Message { subject, bytes } => self.node.hear(shown, subject, &bytes, &mut out),
            NodeInput::Tick { is_clear } => {
                self.alarm_at = None;
                self.node.tick(shown, is_clear, &mut out);
                if !is_clear {
                    least = Time::from_millis(5);
                }
            }
            NodeInput::Slot(SimEvent::Tick { worker, serial }) => {
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.tick(now, serial, &mut own);
                }
            }
            NodeInput::Slot(SimEvent::Worker(event)) if self.workers.contains_key(&event.worker()) => {
                let event = match &mut self.liar {
                    Some(liar) => liar.distort(event),
                    None => event,
                };
                self.node.worker(shown, event, &mut out);
            }
            NodeInput::Slot(_) => {}
            NodeInput::End => self.node.end(&mut out),
        }
        let mut said = Vec::new();
        for effect in out {
            match effect {
                NodeEffect::Publish { to, bytes } => said.push((to, bytes.into())),
                effect => self.carry_out(now, effect, &mut own),
            }
        }
        while let Some((at, sim_event)) = own.pop() {
            let sim_event = Box::new(sim_event);
            queue.push(at, SimEvent::Network(Event::Slot { node: self.index, sim_event }));
        }
        self.set_alarm(now + least, queue);
        said
    }

    fn carry_out(&mut self, now: Time, effect: NodeEffect, own: &mut Queue<SimEvent>) {
        match effect {
            NodeEffect::StartWorker { worker, slot, .. } => {
                let mut started = VirtualWorker::new(worker, self.behaviours[slot].clone(), self.seed);
                started.spawn(now, own);
                self.workers.insert(worker, started);
            }
            NodeEffect::EndWorker { worker } => _ = self.workers.remove(&worker),
            NodeEffect::Start { worker, id, task } => {
                self.liar.iter_mut().for_each(|liar| liar.start(id, &task));
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.start(now, id, task, own);
                }
            }
            NodeEffect::Cancel { worker, id } => {
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.cancel(now, id, own);
                }
            }
            NodeEffect::Publish { .. }
            | NodeEffect::NewGame { .. }
            | NodeEffect::Message { .. }
            | NodeEffect::FindNetwork { .. }
            | NodeEffect::KeepNetwork { .. }
            | NodeEffect::Farewell { .. }
            | NodeEffect::Drained
            | NodeEffect::Note(_) => {}
        }
    }

    /// Sets the next alarm, at `least` or later. An alarm that is already set for an earlier time is kept.
    fn set_alarm(&mut self, least: Time, queue: &mut Queue<SimEvent>) {
        let at = self.clock.when(self.node.due()).max(least);
        if self.alarm_at.is_none_or(|set| at < set) {
            self.alarm += 1;
            self.alarm_at = Some(at);
            queue.push(at, SimEvent::Network(Event::Look { node: self.index, serial: self.alarm }));
        }
    }
}
