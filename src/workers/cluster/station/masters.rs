//! Which masters there are, and which seats each of them has.

use super::service::Service;
use super::{Effect, MOST_MASTERS, Offer, Seat, Station};
use crate::event::{Time, WorkerId};
use crate::workers::cluster::names::{Lease, Owner};
use crate::workers::cluster::shares::{self, Claim};
use crate::workers::cluster::wire::{self, MasterBeat, Role};
use rand::Rng;
use std::time::Duration;

pub struct Master {
    pub owner: Owner,
    pub game: String,
    pub name: String,
    pub weight: u16,
    pub wants: u32,
    pub role: Role,
    /// Of its last beat.
    pub serial: u64,
    pub heard: Time,
    pub next_beat: Time,
    /// Seconds of seats that it has had, by its weight.
    pub used: f64,
}

impl Station {
    /// Only what is newer than all that was heard of this master counts: replayed beats keep nobody alive.
    pub(super) fn master_beat(&mut self, now: Time, beat: MasterBeat, out: &mut Vec<Effect>) -> Result<(), String> {
        let MasterBeat { owner, serial, game, name, weight, wants, role, leaves } = beat;
        let known = self.masters.get(&owner.master).map(|master| (master.owner.epoch, master.serial));
        let newest = known.or_else(|| self.past.get(&owner.master));
        if newest.is_some_and(|newest| newest >= (owner.epoch, serial)) {
            return Ok(());
        }
        if leaves {
            self.lose_master(owner.master, "it has ended", out);
            // Beats of before may still be on their way.
            self.past.note(owner.master, (owner.epoch, serial));
            return Ok(());
        }
        if known.is_some_and(|(epoch, _)| epoch != owner.epoch) {
            self.lose_master(owner.master, "it has begun anew", out);
        }
        if let Some(master) = self.masters.get_mut(&owner.master) {
            (master.serial, master.heard) = (serial, now);
            (master.weight, master.wants) = (weight.max(1), wants);
            return Ok(());
        }
        if self.masters.len() >= MOST_MASTERS {
            return Err(format!("expected at most {MOST_MASTERS} masters, found another one"));
        }
        // Who comes later has no claim on what the others have had before, and owes nothing.
        let used = self.masters.values().map(|master| master.used).reduce(f64::min).unwrap_or(0.0);
        let (game, name) = (wire::plain(&game), wire::plain(&name));
        let (weight, heard, next_beat) = (weight.max(1), now, now);
        let master = Master { owner, game, name, weight, wants, role, serial, heard, next_beat, used };
        self.masters.insert(owner.master, master);
        let before = out.len();
        self.join_in(now, out);
        self.deal(now, Duration::ZERO, out);
        let seats = self.services().filter(|service| service.owner == owner).count();
        if let Some(master) = self.masters.get(&owner.master).filter(|_| seats > 0) {
            let here = format!("{} ({}) is here: {seats} of {} seats", master.name, master.game, self.seats.len());
            out.insert(before, Effect::Note(here));
        }
        Ok(())
    }

    pub(super) fn lose_master(&mut self, id: u64, why: &str, out: &mut Vec<Effect>) {
        let Some(master) = self.masters.remove(&id) else { return };
        self.past.note(id, (master.owner.epoch, master.serial));
        let mut seats = 0;
        for index in 0..self.seats.len() {
            let is_its = |service: &Service| service.owner.master == id;
            if self.seats[index].service.as_ref().is_some_and(is_its) {
                seats += 1;
                self.release(index, None, out);
            }
        }
        out.push(Effect::Farewell { owner: master.owner });
        if seats > 0 {
            out.push(Effect::Note(format!("{} ({}) is gone: {why}", master.name, master.game)));
        }
    }

    /// Somebody new is here: the turns of odd seats go on from a moment that is this station's own.
    fn join_in(&mut self, now: Time, out: &mut Vec<Effect>) {
        if self.masters.len() < 2 {
            return;
        }
        let (owners, claims, before) = self.table(now);
        let (seats, used) = shares::join_in(&before, claims, self.rng.random());
        self.masters.values_mut().zip(used).for_each(|(master, used)| master.used = used);
        for (index, holder) in seats.iter().enumerate().filter(|&(index, holder)| *holder != before[index]) {
            let Some(Some(master)) = *holder else { continue };
            self.hand_over(now, index, owners[master], out);
        }
    }

    fn hand_over(&mut self, now: Time, index: usize, owner: Owner, out: &mut Vec<Effect>) {
        self.release(index, Some("given to another master"), out);
        self.hire(now, index, owner, out);
    }

    /// All masters, what each may have, and who holds which seat.
    fn table(&self, now: Time) -> (Vec<Owner>, Vec<Claim>, Vec<shares::Held>) {
        let claims: Vec<Claim> = self.masters.values().map(|master| self.claim(master)).collect();
        let owners: Vec<Owner> = self.masters.values().map(|master| master.owner).collect();
        let holder = |seat: &Seat| {
            let service = seat.service.as_ref()?;
            owners.iter().position(|owner| *owner == service.owner)
        };
        let seats = self.seats.iter().map(|seat| (seat.rests_until <= now).then(|| holder(seat))).collect();
        (owners, claims, seats)
    }

    /// Gives the seats to the masters by their weights.
    pub(super) fn deal(&mut self, now: Time, step: Duration, out: &mut Vec<Effect>) {
        for seat in self.seats.iter().filter_map(|seat| seat.service.as_ref()) {
            if let Some(master) = self.masters.get_mut(&seat.owner.master) {
                master.used += step.as_secs_f64() / f64::from(master.weight);
            }
        }
        let most = self.masters.values().map(|master| master.used).fold(0.0, f64::max);
        self.masters.values_mut().for_each(|master| master.used = master.used.max(most - shares::BEHIND));
        let (owners, claims, seats) = self.table(now);
        for (index, master) in shares::deal(&seats, &claims) {
            self.hand_over(now, index, owners[master], out);
        }
    }

    /// Others hold all seats that this master could have.
    pub(super) fn has_others(&self, owner: &Owner) -> bool {
        let Some(master) = self.masters.get(&owner.master).filter(|master| master.wants > 0) else { return false };
        let claim = self.claim(master);
        let mut able = self.seats.iter().zip(claim.seats).filter(|&(_, can)| can).map(|(seat, _)| seat).peekable();
        able.peek().is_some() && able.all(|seat| seat.service.is_some())
    }

    fn claim(&self, master: &Master) -> Claim {
        let can = |offer: &Offer| master.role == Role::Leaves || offer.has_roles;
        let plays = |seat: &Seat| can(&seat.offer) && seat.offer.games.iter().any(|game| *game == master.game);
        Claim {
            weight: master.weight,
            wants: master.wants as usize,
            used: master.used,
            seats: self.seats.iter().map(plays).collect(),
        }
    }

    fn hire(&mut self, now: Time, index: usize, owner: Owner, out: &mut Vec<Effect>) {
        let Some(master) = self.masters.get(&owner.master) else { return };
        let (game, role) = (master.game.clone(), master.role);
        let lease = Lease(self.rng.random());
        let worker = WorkerId(self.next_worker);
        self.next_worker = self.next_worker.wrapping_add(1);
        self.seats[index].service = Some(Service::new(owner, lease, worker, now));
        out.push(Effect::Hire { worker, seat: index, owner, game, role });
    }
}
