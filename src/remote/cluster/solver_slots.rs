//! Manages the slots that are cells of a mate search, on the side of their host.

use super::channel::Batch;
use super::names::Member;
use super::node_pool::{MasterIdentity, NodePool, PoolEffect};
use super::slot_numbers::SlotNumbers;
use super::transport::{Link, LinkEvent, LinkHandler, LinkSender, Transport};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use hasami_mate::{CellEvent, CellLinks, CellOrder, CellReply};
use hasami_tree::event::{Time, WorkerId};
use hasami_workers::cells::{decode_reply, encode_order};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time to wait for offers after connecting, and time allowed for connecting.
const OFFERS: Duration = Duration::from_millis(1_000);
const TIMEOUT: Duration = Duration::from_secs(5);
/// Interval at which a waiting host checks for other work.
const LOOK: Duration = Duration::from_millis(50);

/// The slots of one host, numbered from 0. A slot that joins while a problem is being solved takes part only from the
/// next problem on.
pub struct SolverSlots {
    host: Arc<SolverHost>,
    link: Link,
    inbox: Receiver<SlotChange>,
    slots: SlotNumbers,
    ready: VecDeque<(WorkerId, CellEvent)>,
    /// The next batch of messages for each slot.
    written: Vec<Batch>,
    /// Slots that are being given back, each with the reason. `set_aside` holds their machines, whose slots get no
    /// numbers again.
    given_back: BTreeMap<WorkerId, String>,
    set_aside: BTreeSet<String>,
    tell: Box<dyn Fn(&str) + Send>,
}

/// Messages from the connection's thread to the host.
enum SlotChange {
    Came(WorkerId, String),
    Message(WorkerId, Vec<u8>),
    /// The slot is gone, for the given reason, and sends no more messages.
    Lost(WorkerId, String),
}

struct SolverHost {
    state: Mutex<HostState>,
    epoch: Instant,
    out: Sender<SlotChange>,
    /// Receives the result of the attempt to connect.
    stands: Sender<Result<(), String>>,
}

struct HostState {
    pool: NodePool,
    /// Number of slots that have joined so far, used to give each slot a unique ID.
    came: u32,
}

impl SolverSlots {
    /// Connects, and takes the slots that are offered until [`OFFERS`] has passed or it has `enough` slots. `tell` is
    /// called for each slot that is lost.
    pub fn open(
        transport: &dyn Transport,
        me: MasterIdentity,
        enough: usize,
        tell: Box<dyn Fn(&str) + Send>,
    ) -> Result<Self, String> {
        let (place, name) = (transport.place(), me.beat.name.clone());
        let (out, inbox) = unbounded();
        let (stands, connected) = unbounded();
        let member = Member::draw(transport.user());
        let pool = NodePool::new(MasterIdentity { member, ..me });
        let subjects = pool.subjects();
        let state = Mutex::new(HostState { pool, came: 0 });
        let host = Arc::new(SolverHost { state, epoch: Instant::now(), out, stands });
        let link = transport.open(member, name, subjects, Arc::new(Arc::clone(&host)))?;
        let late = |_| format!("no connection to {place} in {} s", TIMEOUT.as_secs());
        connected.recv_timeout(TIMEOUT).map_err(late)??;
        let (slots, ready, written) = (SlotNumbers::default(), VecDeque::new(), Vec::new());
        let (given_back, set_aside) = (BTreeMap::new(), BTreeSet::new());
        let mut solver_slots = Self { host, link, inbox, slots, ready, written, given_back, set_aside, tell };
        solver_slots.await_offers(enough);
        solver_slots.renew();
        if solver_slots.cells() == 0 {
            // The server may report a denied permission after the connection was made.
            connected.try_iter().last().unwrap_or(Ok(()))?;
            return Err(format!("no machine of the cluster at {place} offers a worker"));
        }
        Ok(solver_slots)
    }

    fn await_offers(&mut self, enough: usize) {
        let deadline = Instant::now() + OFFERS;
        while self.slots.waiting() < enough
            && let Ok(change) = self.inbox.recv_deadline(deadline)
        {
            self.note(change);
        }
    }

    fn flush_one(&mut self, slot: usize) {
        let batch = self.written.get_mut(slot).map(std::mem::take).unwrap_or_default();
        if let Some(worker) = self.slots.at(slot).filter(|_| !batch.is_empty()) {
            self.host.act(self.link.outbox(), |state, now, effects| state.pool.write(now, worker, &batch, effects));
        }
    }

    fn hear_all(&mut self) {
        while let Ok(heard) = self.inbox.try_recv() {
            self.note(heard);
        }
    }

    fn note(&mut self, heard: SlotChange) {
        match heard {
            SlotChange::Came(_, name) if self.set_aside.contains(machine_of(&name)) => {}
            SlotChange::Came(worker, name) => self.slots.came(worker, name),
            SlotChange::Message(worker, bytes) => {
                let reply = decode_reply(&bytes).unwrap_or_else(CellReply::Fault);
                self.ready.push_back((worker, CellEvent::Message(reply)));
            }
            SlotChange::Lost(worker, why) => self.ready.push_back((worker, CellEvent::Lost(why))),
        }
    }

    /// Pairs an event with the number of its slot, if the slot has a number.
    fn number_event(&mut self, worker: WorkerId, event: CellEvent) -> Option<(usize, CellEvent)> {
        let CellEvent::Lost(why) = &event else { return Some((self.slots.number(worker)?, event)) };
        let (name, number) = self.slots.left(worker)?;
        match self.given_back.remove(&worker) {
            Some(why) => {
                (self.tell)(&format!("{name} is set aside: {why}"));
                self.set_aside.insert(machine_of(&name).to_owned());
            }
            None => {
                (self.tell)(&format!("{name} is lost: {why}"));
            }
        }
        if self.slots.is_empty() {
            (self.tell)("no worker of the cluster is left; this machine goes on alone");
        }
        Some((number?, event))
    }
}

/// Slots of a machine are named `machine/number`.
fn machine_of(slot: &str) -> &str {
    slot.split('/').next().unwrap_or_default()
}

impl Drop for SolverSlots {
    fn drop(&mut self) {
        self.flush();
        self.host.act(self.link.outbox(), |state, _, effects| state.pool.end(effects));
        self.link.close();
    }
}

impl SolverHost {
    fn lock(&self) -> MutexGuard<'_, HostState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn act(&self, outbox: &LinkSender, what: impl FnOnce(&mut HostState, Time, &mut Vec<PoolEffect>)) {
        let (mut state, mut effects) = (self.lock(), Vec::new());
        what(&mut state, self.epoch.elapsed(), &mut effects);
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            let mut more = Vec::new();
            self.carry_out(&mut state, effect, outbox, &mut more);
            effects.extend(more);
        }
    }

    fn carry_out(&self, state: &mut HostState, effect: PoolEffect, outbox: &LinkSender, more: &mut Vec<PoolEffect>) {
        let event = match effect {
            PoolEffect::Publish { to, bytes } => {
                outbox.send(to, bytes);
                return;
            }
            PoolEffect::Apply { lease, name } => {
                let worker = WorkerId(state.came);
                state.came = state.came.wrapping_add(1);
                if !state.pool.bind(lease, worker, more) {
                    return;
                }
                SlotChange::Came(worker, name)
            }
            PoolEffect::Message { worker, message } => SlotChange::Message(worker, message),
            PoolEffect::Lost { worker, why } => SlotChange::Lost(worker, why),
            _ => return,
        };
        // If the host is gone, there is no receiver, and the message is dropped.
        let _ = self.out.send(event);
    }
}

impl LinkHandler for Arc<SolverHost> {
    fn on_event(&self, event: LinkEvent, outbox: &LinkSender) {
        self.act(outbox, |state, now, effects| match event {
            LinkEvent::Up => {
                let _ = self.stands.send(Ok(()));
                state.pool.hurry();
                state.pool.tick(now, effects);
            }
            LinkEvent::Refused(why) | LinkEvent::Forbidden(why) | LinkEvent::LoginRefused { why, .. } => {
                let _ = self.stands.send(Err(why));
            }
            LinkEvent::Message { from, subject, bytes } => state.pool.hear(now, (from, subject), bytes, effects),
            LinkEvent::Due => state.pool.tick(now, effects),
            LinkEvent::Down => {}
        });
    }

    fn due(&self) -> Instant {
        self.epoch + self.lock().pool.due()
    }
}

impl CellLinks for SolverSlots {
    /// Begins a problem. Late messages about an earlier problem are recognised by their problem number.
    fn renew(&mut self) {
        self.hear_all();
        // A slot that has joined but is already gone gets no number.
        for (worker, event) in std::mem::take(&mut self.ready) {
            match event {
                CellEvent::Lost(_) => _ = self.number_event(worker, event),
                CellEvent::Message(_) => self.ready.push_back((worker, event)),
            }
        }
        self.slots.renew();
        self.written = vec![Batch::default(); self.cells()];
    }

    /// Number of slots that have been assigned a number.
    fn cells(&self) -> usize {
        self.slots.len()
    }

    /// Adds an order to the slot's current batch, which is sent at the latest when the host has read all incoming
    /// messages.
    fn send(&mut self, slot: usize, order: CellOrder) {
        let Some(written) = self.written.get_mut(slot) else { return };
        written.add(&encode_order(&order));
        if written.is_full() {
            self.flush_one(slot);
        }
    }

    fn flush(&mut self) {
        (0..self.written.len()).for_each(|slot| self.flush_one(slot));
    }

    /// Returns the next event that has arrived, without waiting.
    fn take(&mut self) -> Option<(usize, CellEvent)> {
        self.hear_all();
        // While messages are left to read, orders are held back, because the host may add more to the same batch.
        if self.ready.is_empty() {
            self.flush();
        }
        while let Some((worker, event)) = self.ready.pop_front() {
            let numbered = self.number_event(worker, event);
            if numbered.is_some() {
                return numbered;
            }
        }
        None
    }

    fn wait(&mut self) {
        self.flush();
        match self.inbox.recv_timeout(LOOK) {
            Ok(heard) => self.note(heard),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
    }

    fn dismiss(&mut self, cell: usize, why: &str) {
        self.flush_one(cell);
        let Some(worker) = self.slots.at(cell) else { return };
        self.given_back.insert(worker, why.to_owned());
        let outbox = self.link.outbox().clone();
        self.host.act(&outbox, |state, _, effects| state.pool.give_up(worker, effects));
    }
}
