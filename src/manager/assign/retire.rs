//! Workers that the manager no longer uses.

use super::super::roster::Availability;
use super::Assignment;
use hasami_api::Game;
use hasami_tree::event::{Action, WorkerId};
use std::fmt::Display;

impl<G: Game> Assignment<G> {
    /// Excludes a worker from all further work, and reports that in one clear warning.
    pub fn set_aside(&mut self, worker: WorkerId, why: impl Display) {
        let name = self.name_of(worker);
        self.roster.retire(worker);
        if self.roster.get(worker).is_some_and(|member| member.availability != Availability::Away) {
            self.kill(worker);
        }
        let text = format!("warning: {name} is set aside: {why}");
        self.out.warn(text.clone());
        self.out.message(text);
    }

    /// Ends a worker by force, once. `Lost` follows.
    pub fn kill(&mut self, worker: WorkerId) {
        let Some(member) = self.roster.get_mut(worker) else { return };
        if !std::mem::replace(&mut member.killed, true) {
            self.out.push(Action::Kill { worker });
        }
    }
}
