//! Tracks the masters' networks that this machine has, waits for, or cannot get.

use super::{NodeEffect, WorkerNode};
use crate::cluster::names::{Lease, Member, NetworkId};
use crate::cluster::network_fetch::NetworkFetch;
use crate::cluster::wire::NodeEvent;
use hasami_tree::event::Time;
use hasami_words::text::At;
use std::collections::BTreeMap;

/// Maximum numbers of networks to track and of simultaneous transfers.
const MOST_NETWORKS: usize = 64;
const MOST_FETCHES: usize = 4;

/// The known networks and the transfers in progress.
#[derive(Default)]
pub struct NodeNetworks {
    /// Whether each network can be used, or why not; `None` while this machine is searched for the network, or while
    /// the network is fetched from a master.
    known: BTreeMap<NetworkId, Option<Result<(), String>>>,
    fetches: Vec<NetworkFetch>,
    /// Whether the owner of the machine has disabled fetching, so that masters whose network is missing get no slots.
    pub is_closed: bool,
}

impl WorkerNode {
    /// Returns what is known about a network that a master wants to use, and starts looking for an unknown network on
    /// this machine.
    pub(super) fn network(&mut self, id: NetworkId, out: &mut Vec<NodeEffect>) -> Option<Result<(), String>> {
        if let Some(state) = self.networks.known.get(&id) {
            return state.clone();
        }
        // To make room, all networks are forgotten except those being looked for. A forgotten network that is needed is
        // looked for again.
        if self.networks.known.len() >= MOST_NETWORKS {
            self.networks.known.retain(|_, state| state.is_none());
        }
        self.networks.known.insert(id, None);
        out.push(NodeEffect::FindNetwork { id });
        None
    }

    /// Handles the result of looking for a network on this machine, or of checking a fetched network: whether the
    /// network can be used, or why it is invalid.
    pub fn network_found(&mut self, now: Time, id: NetworkId, found: Result<bool, String>, out: &mut Vec<NodeEffect>) {
        match found
            .and_then(|is_ready| if is_ready { Ok(true) } else { self.begin_fetch(now, id, out).map(|()| false) })
        {
            Ok(true) => self.settle_network(now, id, Ok(()), out),
            Ok(false) => {}
            Err(why) => self.settle_network(now, id, Err(why), out),
        }
    }

    fn begin_fetch(&mut self, now: Time, id: NetworkId, out: &mut Vec<NodeEffect>) -> Result<(), String> {
        if self.networks.is_closed {
            return Err("it is not on this machine, which fetches none".to_owned());
        }
        let Some((owner, lease)) = self.waiting_for(id) else {
            self.networks.known.remove(&id);
            return Ok(());
        };
        if self.networks.fetches.len() >= MOST_FETCHES {
            return Err(format!("more than {MOST_FETCHES} networks are on their way"));
        }
        self.networks.fetches.push(NetworkFetch::new(id, owner, lease, now)?);
        out.push(NodeEffect::Note(format!("fetches network {id}, {} bytes", id.bytes)));
        Ok(())
    }

    /// The master and the lease of a slot that is waiting for this network.
    fn waiting_for(&self, id: NetworkId) -> Option<(Member, Lease)> {
        let waits = self.services().find(|service| service.waits_for == Some(id))?;
        Some((waits.owner, waits.lease))
    }

    /// Starts the slots that are waiting for this network, or gives them up.
    fn settle_network(&mut self, now: Time, id: NetworkId, state: Result<(), String>, out: &mut Vec<NodeEffect>) {
        let waiting: Vec<usize> = (0..self.slots.len())
            .filter(|&slot| self.slots[slot].service.as_ref().is_some_and(|service| service.waits_for == Some(id)))
            .collect();
        if let Err(why) = &state {
            out.push(NodeEffect::Note(why.at(format!("network {id}"))));
        }
        self.networks.known.insert(id, Some(state.clone()));
        for index in waiting {
            match &state {
                Ok(()) => self.start_with_network(index, out),
                Err(why) => {
                    self.rest(now, index);
                    self.release(index, Some(&format!("network {id}: {why}")), out);
                }
            }
        }
    }

    /// Handles a piece of a network.
    pub(super) fn receive_piece(
        &mut self,
        now: Time,
        lease: Lease,
        (piece, bytes): (u32, &[u8]),
        out: &mut Vec<NodeEffect>,
    ) -> Result<(), String> {
        let Some(index) = self.networks.fetches.iter().position(|fetch| fetch.lease == lease) else { return Ok(()) };
        let fetch = &mut self.networks.fetches[index];
        fetch.take(now, piece, bytes)?;
        if fetch.is_complete() {
            let fetch = self.networks.fetches.swap_remove(index);
            out.push(NodeEffect::KeepNetwork { id: fetch.id, bytes: fetch.into_bytes() });
        } else {
            self.ask_for_pieces(now, out);
        }
        Ok(())
    }

    /// Requests missing pieces, and gives up transfers that are stuck.
    pub(super) fn ask_for_pieces(&mut self, now: Time, out: &mut Vec<NodeEffect>) {
        for index in (0..self.networks.fetches.len()).rev() {
            let (id, lease) = (self.networks.fetches[index].id, self.networks.fetches[index].lease);
            if !self.services().any(|service| service.lease == lease) {
                // The slot that the network was fetched for is gone. The transfer continues for another waiting slot,
                // and keeps the pieces that have arrived.
                match self.waiting_for(id) {
                    Some((owner, lease)) => {
                        let fetch = &mut self.networks.fetches[index];
                        (fetch.owner, fetch.lease) = (owner, lease);
                    }
                    None => {
                        self.networks.fetches.swap_remove(index);
                        self.networks.known.remove(&id);
                        continue;
                    }
                }
            }
            if self.networks.fetches[index].is_stuck(now) {
                self.networks.fetches.swap_remove(index);
                let why = "the master sent no piece for a while".to_owned();
                self.settle_network(now, id, Err(why), out);
                // Forgetting the network allows a later attempt, perhaps with another master.
                self.networks.known.remove(&id);
                continue;
            }
            let fetch = &mut self.networks.fetches[index];
            let (owner, lease) = (fetch.owner, fetch.lease);
            for piece in fetch.requests(now) {
                self.say(owner, NodeEvent::NetworkWanted { lease, piece }, out);
            }
        }
    }
}
