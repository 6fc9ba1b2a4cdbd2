//! Our parallel search: every processor searches the same tree with the same table, and the crowd keeps them apart.
//!
//! A problem that one processor solves at once is left to it: to start threads would take longer. It goes on from where it
//! is when the others join it, so that nothing that it has begun is lost.

use crate::beside::{Beside, Crowd};
use crate::dfpn::Dfpn;
use crate::machine::{Processor, run_led};
use hasami_api::{Machine, MateGame, Usage};
use std::sync::{Arc, Mutex, PoisonError};

impl<G: MateGame> Dfpn<'_, G> {
    /// Goes on with the search that has begun alone ([`Self::solve_alone`]) by all processors of the machine, up to the limit
    /// of nodes, of all together. What they find is in the table.
    pub(crate) fn search_together(&mut self, machine: &Machine) -> Usage {
        let crowd = Arc::new(Crowd::new(machine.processors()));
        let (style, table, depth_limit) = (self.style, self.table, self.depth_limit);
        let (begun, limit, path_bound) = (self.nodes, self.node_limit, Arc::clone(&self.path_bound));
        let mut root = self.game.clone();
        (1..self.frames.len()).for_each(|_| root.unmake());
        let games = Mutex::new(vec![root; machine.processors()]);
        let join = |processor: &Processor| {
            let game = games.lock().unwrap_or_else(PoisonError::into_inner).pop().expect("one for each");
            let mut search = Dfpn::new(style, game, table, processor.stop(), u64::MAX, depth_limit);
            search.path_bound = Arc::clone(&path_bound);
            search.beside = Some(Beside::new(&crowd, processor));
            let found = search.solve();
            processor.ended(search.nodes);
            if found.is_ok() {
                processor.end();
            }
        };
        let stop = self.stop.clone();
        let lead = |processor: &Processor| {
            processor.goes_on(begun);
            let found = self.go_on_beside(Beside::new(&crowd, processor));
            processor.ended(self.nodes);
            if found.is_ok() {
                processor.end();
            }
        };
        let (_, usage) = run_led(machine, &stop, limit - begun, lead, join);
        self.nodes = begun + usage.nodes();
        usage
    }
}
