//! Invariants of worker nodes and masters that hold no matter what happens to their messages.

use super::Network;
use super::place::NetworkNode;
use crate::judge::{Broken, broken};
use hasami_remote::cluster::names::{Member, Owner, Subject};
use hasami_remote::cluster::wire::{self, MasterBeat};
use hasami_remote::cluster::worker_node::SlotState;
use hasami_tree::event::{TaskId, Time};
use std::collections::BTreeMap;
use std::time::Duration;

/// Longest time that a node may work for a master after the master's last heartbeat. Nodes need the full time only if
/// earlier heartbeats of the master were delayed; otherwise, they stop sooner.
const ORPHANED: Duration = Duration::from_secs(5);
/// After this time without faults, all machines and masters have found each other.
const SETTLED: Duration = Duration::from_secs(6);
/// Time until both masters know that a slot has changed hands.
const MOVING: Duration = Duration::from_secs(2);
/// Longest time that an unwanted task may continue in a network without faults.
const STOPPING: Duration = Duration::from_secs(3);

/// The newest heartbeat that each node has received from each master, and its time of arrival.
#[derive(Default)]
pub struct BeatWatch {
    beats: BTreeMap<(usize, Member), ((u32, u64), Time)>,
}

impl BeatWatch {
    /// Records a heartbeat that a node receives. A heartbeat counts if it is newer than all earlier ones, even if it is
    /// forged.
    pub fn hear(&mut self, now: Time, node: usize, (from, subject): (Member, Subject), bytes: &[u8]) {
        if subject != Subject::Masters {
            return;
        }
        let Ok(beat) = wire::decode::<MasterBeat>(bytes) else { return };
        let number = (beat.epoch, beat.serial);
        let last = self.beats.entry((node, from)).or_insert((number, now));
        if last.0 < number {
            *last = (number, now);
        }
    }

    /// Checks a node after each of its steps.
    pub fn node(&self, now: Time, index: usize, place: &NetworkNode) -> Result<(), Broken> {
        for (_, slot) in place.slots(now) {
            let Some((owner, _)) = slot.holder else { continue };
            let last = self.beats.get(&(index, owner.master)).map(|&(_, at)| at);
            if last.is_none_or(|last| now.saturating_sub(last) > ORPHANED) {
                return broken("serves-the-silent", format!("machine {index}: {slot:?}, last beat {last:?}"));
            }
        }
        Ok(())
    }
}

/// The tasks that a manager wants, as recorded by a judge.
pub trait Wanted {
    /// The time since which the task has not been wanted: `None` if it is wanted, and zero if it never was.
    fn unwanted_since(&self, task: TaskId) -> Option<Time>;
}

impl Network {
    /// Whether the network has been without faults, arrivals and departures for a while, so that all machines must be
    /// in use.
    pub fn is_settled(&self, now: Time) -> bool {
        let since = self.air.whole_since(now).map(|since| since.max(self.disturbed));
        since.is_some_and(|since| now.saturating_sub(since) >= SETTLED)
    }

    /// Checks all slots of a settled network.
    pub fn settled(&self, now: Time, wanted: &dyn Wanted) -> Result<(), Broken> {
        let masters = self.masters();
        // For machines that join or leave at this very time, it is unknown whether they are present.
        let mut slots = 0;
        for (index, place) in self.places.iter().enumerate().filter(|(_, place)| place.is_there) {
            let mut held = vec![0; masters.len()];
            let mut out = 0;
            for (behaviour, slot) in place.slots(now) {
                let holder = slot.holder.map(|(owner, _)| owner);
                slots += usize::from(holder == Some(self.owner));
                let master = masters.iter().position(|&(owner, ..)| Some(owner) == holder);
                master.into_iter().for_each(|master| held[master] += 1);
                let has_moved = slot.holder.is_some() && slot.age < MOVING;
                // A machine that was caught lying is set aside, so its slots are idle.
                if !behaviour.is_healthy() || place.lies() || slot.rests || has_moved {
                    out += 1;
                    continue;
                }
                if master.is_none() {
                    return broken("idle-slot", format!("machine {index}: {slot:?} at {now:?}"));
                }
                self.serves(now, index, slot, wanted)?;
            }
            fair(index, &masters, &held, out)?;
            slots += out;
        }
        // A lost `Joined` message can be replayed. The pool cannot know that it is old and believes it for a short
        // time.
        let are_forged = !self.is_mended && self.forger.is_some();
        let known = if are_forged { 0 } else { self.pool.size().1 };
        if known > slots { broken("ghosts", format!("{known} workers at {slots} slots at {now:?}")) } else { Ok(()) }
    }

    /// Checks that both sides agree on the state of a slot.
    fn serves(&self, now: Time, index: usize, slot: SlotState, wanted: &dyn Wanted) -> Result<(), Broken> {
        let Some((_, lease)) = slot.holder.filter(|(owner, _)| *owner == self.owner) else { return Ok(()) };
        if self.pool.at(lease).is_none() {
            return broken("unknown-slot", format!("machine {index}: {slot:?} at {now:?}"));
        }
        let since = slot.task.and_then(|task| wanted.unwanted_since(task));
        match since.filter(|&since| now.saturating_sub(since) > STOPPING) {
            Some(since) => {
                broken("searches-in-vain", format!("machine {index}: {slot:?} since {since:?}, now {now:?}"))
            }
            None => Ok(()),
        }
    }

    /// The masters that are present, with their weights and the numbers of slots that they want.
    fn masters(&self) -> Vec<(Owner, u16, usize)> {
        let own = (self.owner, super::WEIGHT, super::WANTS as usize);
        let rival = self.rival.as_ref().filter(|rival| rival.is_there);
        std::iter::once(own)
            .chain(rival.map(|rival| (rival.owner, rival.plan.weight, rival.plan.wants as usize)))
            .collect()
    }
}

/// Checks that each master has at least its whole share of the slots, not counting `out` slots that are unusable or
/// were until just now.
fn fair(index: usize, masters: &[(Owner, u16, usize)], held: &[usize], out: usize) -> Result<(), Broken> {
    let slots: usize = held.iter().sum();
    let weights: usize = masters.iter().map(|&(_, weight, _)| usize::from(weight)).sum();
    for (&(owner, weight, wants), &held) in masters.iter().zip(held) {
        let share = (slots * usize::from(weight) / weights).min(wants);
        if held + out < share {
            return broken(
                "unfair",
                format!("machine {index}: {owner:?} has {held} slots of {slots}, weight {weight}"),
            );
        }
    }
    Ok(())
}
