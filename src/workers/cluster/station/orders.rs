//! What a master wants of one of its seats.

use super::service::{Running, Told};
use super::{Effect, Seat, Station};
use crate::event::{Time, WorkerId};
use crate::workers::cluster::stream::Piece;
use crate::workers::cluster::wire::{self, Order, Say, What, WireEnd, WireTask};

impl Station {
    pub(super) fn order(&mut self, now: Time, order: Order, out: &mut Vec<Effect>) -> Result<(), String> {
        let Order { owner, lease, what } = order;
        let is_its = |seat: &Seat| seat.service.as_ref().is_some_and(|s| s.lease == lease && s.owner == owner);
        // Of another time, or of somebody who has no business here.
        let Some(index) = self.seats.iter().position(is_its) else { return Ok(()) };
        let Some(service) = &mut self.seats[index].service else { return Ok(()) };
        service.is_known = true;
        match what {
            What::Heard { task } => {
                service.ended.take_if(|told| told.task == task);
            }
            What::Return => {
                self.rest(now, index);
                self.release(index, None, out);
            }
            What::Piece(piece) => self.letters(now, index, piece, out)?,
            What::Cancel { task } => self.cancel(index, task, out),
            What::Start { task, game, work } => self.start(now, index, (task, game), &work, out)?,
        }
        Ok(())
    }

    fn cancel(&mut self, index: usize, task: u64, out: &mut Vec<Effect>) {
        let Some(service) = &mut self.seats[index].service else { return };
        match &mut service.task {
            Some(running) if running.id.0 == task => {
                if !std::mem::replace(&mut running.cancelled, true) {
                    out.push(Effect::Cancel { worker: service.worker, id: running.id });
                }
            }
            // Its end was told, and is told again where it was not heard.
            None if service.ended.as_ref().is_some_and(|told| told.task == task) => self.tell_end(index, out),
            // Told to end before it was told to begin, or the master has forgotten that it knows. Said once: the master
            // asks until it has heard, and the end of a later task may still wait to be heard.
            None => {
                service.last = service.last.max(task);
                let (owner, lease) = (service.owner, service.lease);
                self.say(owner, Say::Ended { lease, task, reports: Vec::new(), end: WireEnd::Never }, out);
            }
            Some(_) => {}
        }
    }

    /// A master whose letters make no sense loses the seat.
    fn letters(&mut self, now: Time, index: usize, piece: Piece, out: &mut Vec<Effect>) -> Result<(), String> {
        let Some(service) = &mut self.seats[index].service else { return Ok(()) };
        let (owner, lease, worker) = (service.owner, service.lease, service.worker);
        let mut pieces = Vec::new();
        match service.letters.get_or_insert_default().read(now, piece, &mut pieces) {
            Ok(letters) => out.extend(letters.into_iter().map(|letter| Effect::Letter { worker, letter })),
            Err(why) => {
                self.release(index, Some(&why), out);
                return Err(why);
            }
        }
        pieces.into_iter().for_each(|piece| self.say(owner, Say::Piece { lease, piece }, out));
        Ok(())
    }

    /// A worker of this station answers with a letter.
    pub fn write(&mut self, now: Time, worker: WorkerId, letter: &str, out: &mut Vec<Effect>) {
        let mut services = self.seats.iter_mut().filter_map(|seat| seat.service.as_mut());
        let Some(service) = services.find(|service| service.worker == worker) else { return };
        let (owner, lease, mut pieces) = (service.owner, service.lease, Vec::new());
        service.letters.get_or_insert_default().write(now, letter, &mut pieces);
        pieces.into_iter().for_each(|piece| self.say(owner, Say::Piece { lease, piece }, out));
    }

    /// What was written and not confirmed goes out again.
    pub(super) fn repeat_letters(&mut self, now: Time, out: &mut Vec<Effect>) {
        let mut all = Vec::new();
        for service in self.seats.iter_mut().filter_map(|seat| seat.service.as_mut()) {
            let Some(letters) = &mut service.letters else { continue };
            let mut pieces = Vec::new();
            letters.tick(now, &mut pieces);
            all.extend(pieces.into_iter().map(|piece| (service.owner, service.lease, piece)));
        }
        all.into_iter().for_each(|(owner, lease, piece)| self.say(owner, Say::Piece { lease, piece }, out));
    }

    fn start(
        &mut self,
        now: Time,
        index: usize,
        (task, game): (u64, u32),
        work: &WireTask,
        out: &mut Vec<Effect>,
    ) -> Result<(), String> {
        let id = wire::task(task)?;
        let Some(service) = &mut self.seats[index].service else { return Ok(()) };
        if service.profile.is_none() {
            return Err("expected no task before the worker has joined, found one".into());
        }
        // Doubled, overtaken, or the last one has not ended here: it will be given again.
        if task <= service.last || service.task.is_some() {
            return Ok(());
        }
        service.last = task;
        service.ended = None;
        let name = self.masters.get(&service.owner.master).map(|master| master.game.as_str()).unwrap_or_default();
        let read = work.read().and_then(|work| (self.check)(name, &work.line).map(|()| work));
        match read {
            Ok(work) => {
                if service.game.replace(game).is_some_and(|last| last != game) {
                    out.push(Effect::NewGame { worker: service.worker });
                }
                service.task = Some(Running::new(id, now, work.team));
                out.push(Effect::Start { worker: service.worker, id, task: work });
            }
            Err(why) => {
                let end = WireEnd::Failed(wire::plain(&why));
                service.ended = Some(Told { task, reports: Vec::new(), end });
                self.tell_end(index, out);
            }
        }
        Ok(())
    }
}
