//! What a master wants of one of its seats.

use super::service::{Running, Told};
use super::{Effect, Seat, Station};
use crate::event::Time;
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
                service.task = Some(Running::new(id, now));
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
