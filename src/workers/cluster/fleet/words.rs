//! What stations say to a master.
//!
//! A lease is known to its two sides only, so a word counts by the lease that it names and by nothing else that it says of
//! itself: a beat without a lease of ours, or a word about a seat that we do not have, says nothing. One exception is for people
//! only: a beat without any seat says that others hold them.

use super::{Effect, Fleet, MOST_STATIONS, MOST_WORKERS, Seat, Station};
use crate::event::{End, Profile, TaskId, Time};
use crate::workers::cluster::names::{Lease, StationId, Subject};
use crate::workers::cluster::stream::Piece;
use crate::workers::cluster::wire::{self, MOST_SEATS, Order, Say, Seen, What, WireEnd, WireReport, Word};
use hasami_api::Report;
use std::collections::BTreeSet;

/// Seats of one beat that are given back; the others follow with the next one.
const MOST_RETURNS: usize = 64;

/// Where a word comes from: which one of its station it is, and when it came.
#[derive(Clone, Copy)]
struct Origin {
    station: StationId,
    serial: u64,
    now: Time,
}

impl Fleet {
    pub(super) fn word(&mut self, now: Time, word: Word, out: &mut Vec<Effect>) -> Result<(), String> {
        if word.epoch != self.me.owner.epoch || self.is_over {
            return Ok(());
        }
        let Word { station, serial, say, .. } = word;
        let from = Origin { station, serial, now };
        match say {
            Say::Beat { seats, .. } if seats.len() > MOST_SEATS => {
                return Err(format!("expected at most {MOST_SEATS} seats, found {}", seats.len()));
            }
            Say::Beat { name, seats } => self.station_beat(from, &name, &seats, out),
            Say::Joined { lease, name, profile } => {
                let profile = profile.read(name)?;
                self.joined(from, lease, profile, out)?;
            }
            Say::Left { lease, why } => {
                if self.renew(from, lease).is_some() {
                    self.drop_seat(lease, &wire::plain(&why), out);
                }
            }
            Say::Reports { lease, task, reports } => {
                let reports = reports.iter().map(WireReport::read).collect::<Result<Vec<_>, String>>()?;
                self.reports(from, (lease, wire::task(task)?), reports, out);
            }
            Say::Piece { lease, piece } => self.letters(from, lease, piece, out)?,
            Say::Ended { lease, task, reports, end } => {
                self.ended(from, (lease, wire::task(task)?), &reports, &end, out);
            }
        }
        Ok(())
    }

    /// The seat of a lease that this station has from us is there. True: nothing newer has been heard of it.
    fn renew(&mut self, from: Origin, lease: Lease) -> Option<bool> {
        let seat = self.seats.get_mut(&lease).filter(|seat| seat.station == from.station)?;
        let is_new = from.serial > seat.serial;
        if is_new {
            (seat.serial, seat.heard) = (from.serial, from.now);
        }
        Some(is_new)
    }

    fn joined(&mut self, from: Origin, lease: Lease, profile: Profile, out: &mut Vec<Effect>) -> Result<(), String> {
        if !self.seats.contains_key(&lease) {
            // We have lost it since, and the station may not know that.
            if self.past.get(&lease).is_some() {
                self.tell(from.station, lease, What::Return, out);
                return Ok(());
            }
            let seats = self.stations.get(&from.station).map(|station| station.seats.len());
            let has_room = seats.is_some() || self.stations.len() < MOST_STATIONS;
            if !has_room || seats >= Some(MOST_SEATS) || self.seats.len() >= MOST_WORKERS {
                return Err(format!("expected no more than {MOST_WORKERS} workers, found another one"));
            }
            self.seat(from, lease, profile, out);
        }
        if self.renew(from, lease).is_some() {
            self.publish(lease, What::Heard { task: 0 }, out);
        }
        Ok(())
    }

    fn seat(&mut self, from: Origin, lease: Lease, profile: Profile, out: &mut Vec<Effect>) {
        let name = wire::plain(&profile.name);
        let place = name.split('/').next().unwrap_or_default().to_owned();
        let Origin { station, serial, now } = from;
        self.busy.remove(&station);
        if !self.stations.contains_key(&station) {
            self.bulletin.came(now, &place);
            // It is back.
            self.lost.retain(|(lost, ..)| *lost != place);
        } else {
            self.bulletin.grew(now);
        }
        let new = Station { name: place, seats: BTreeSet::new(), gone: (0, now) };
        self.stations.entry(station).or_insert(new).seats.insert(lease);
        let profile = Profile { name: name.clone(), ..profile };
        self.seats
            .insert(lease, Seat { station, profile, worker: None, task: None, serial, heard: now, letters: None });
        out.push(Effect::Apply { lease, name });
    }

    /// What each seat of ours does, as the station sees it. A seat that is not among them is ours no more.
    fn station_beat(&mut self, from: Origin, name: &str, seats: &[Seen], out: &mut Vec<Effect>) {
        let Origin { station, serial, now } = from;
        let has_others = seats.is_empty() && !self.stations.contains_key(&station);
        if has_others && (self.busy.len() < MOST_STATIONS || self.busy.contains_key(&station)) {
            self.busy.insert(station, now);
        }
        let mut returned = 0;
        for seen in seats {
            match self.renew(from, seen.lease) {
                Some(is_new) if is_new => self.compare(station, *seen, out),
                Some(_) => {}
                // We have given it up, or have lost its station, and the station does not know that. (Where we have
                // not heard of it at all, its `Joined` comes again.)
                None if returned < MOST_RETURNS && (seen.is_known || self.past.get(&seen.lease).is_some()) => {
                    returned += 1;
                    self.tell(station, seen.lease, What::Return, out);
                }
                None => {}
            }
        }
        let Some(known) = self.stations.get_mut(&station) else { return };
        let listed: BTreeSet<Lease> = seats.iter().map(|seen| seen.lease).collect();
        if known.seats.is_disjoint(&listed) {
            return;
        }
        known.name = wire::plain(name);
        let is_older = |lease: &Lease| self.seats.get(lease).is_some_and(|seat| seat.serial < serial);
        let missing: Vec<Lease> = known.seats.difference(&listed).copied().filter(is_older).collect();
        missing.into_iter().for_each(|lease| self.drop_seat(lease, "given to somebody else", out));
    }

    /// Is the seat at what it was given?
    fn compare(&mut self, station: StationId, seen: Seen, out: &mut Vec<Effect>) {
        match self.seats.get_mut(&seen.lease).map(|seat| &mut seat.task) {
            Some(Some(given)) if given.id.0 == seen.task => given.work = None,
            // It is at a task that was ended long ago.
            Some(None) if seen.task != 0 => self.tell(station, seen.lease, What::Cancel { task: seen.task }, out),
            _ => {}
        }
    }

    /// An order about a seat that may not be ours any more.
    fn tell(&self, station: StationId, lease: Lease, what: What, out: &mut Vec<Effect>) {
        let order = Order { owner: self.me.owner, lease, what };
        out.push(Effect::Publish { to: Subject::Station(station), bytes: wire::encode(&order) });
    }

    fn reports(&mut self, from: Origin, (lease, task): (Lease, TaskId), reports: Vec<Report>, out: &mut Vec<Effect>) {
        if self.renew(from, lease).is_none() {
            return;
        }
        let Some(seat) = self.seats.get_mut(&lease) else { return };
        let (Some(worker), Some(given)) = (seat.worker, seat.task.as_mut().filter(|given| given.id == task)) else {
            return;
        };
        given.work = None;
        if from.serial > given.serial && !reports.is_empty() {
            given.serial = from.serial;
            out.push(Effect::Reports { worker, task, reports });
        }
    }

    /// A seat whose letters make no sense is given back.
    fn letters(&mut self, from: Origin, lease: Lease, piece: Piece, out: &mut Vec<Effect>) -> Result<(), String> {
        if self.renew(from, lease).is_none() {
            return Ok(());
        }
        let Some(seat) = self.seats.get_mut(&lease) else { return Ok(()) };
        let Some(worker) = seat.worker else { return Ok(()) };
        let mut pieces = Vec::new();
        match seat.letters.get_or_insert_default().read(from.now, piece, &mut pieces) {
            Ok(letters) => out.extend(letters.into_iter().map(|letter| Effect::Letter { worker, letter })),
            Err(why) => {
                self.tell(from.station, lease, What::Return, out);
                self.drop_seat(lease, &why, out);
                return Err(why);
            }
        }
        pieces.into_iter().for_each(|piece| self.tell(from.station, lease, What::Piece(piece), out));
        Ok(())
    }

    /// A seat that ends its task in words that make no sense has failed.
    fn ended(
        &mut self,
        from: Origin,
        (lease, task): (Lease, TaskId),
        reports: &[WireReport],
        end: &WireEnd,
        out: &mut Vec<Effect>,
    ) {
        if self.renew(from, lease).is_none() {
            return;
        }
        let Some(seat) = self.seats.get_mut(&lease) else { return };
        if let Some(worker) = seat.worker
            && let Some(given) = seat.task.take_if(|given| given.id == task)
        {
            let reports: Vec<Report> = reports.iter().filter_map(|report| report.read().ok()).collect();
            if from.serial > given.serial && !reports.is_empty() {
                out.push(Effect::Reports { worker, task, reports });
            }
            out.push(Effect::Ended { worker, task, end: end.read(given.goal).unwrap_or_else(End::Failed) });
            self.has_new_teams |= given.team.is_some();
        }
        self.publish(lease, What::Heard { task: task.0 }, out);
    }
}
