//! Our parallel search: every processor searches the same tree with the same table, and the crowd keeps them apart.
//!
//! A problem that one processor solves at once is left to it: to start threads would take longer.

use crate::beside::{Beside, Crowd};
use crate::dfpn::Dfpn;
use crate::machine::{Processor, run_and_tell};
use crate::solver::without_mate;
use hasami_api::{Machine, MateGame, Usage};
use std::sync::{Arc, Mutex, PoisonError};

impl<G: MateGame> Dfpn<'_, G> {
    /// The search at hand, which has begun alone, by all processors of the machine, up to so many nodes of all together.
    /// What they find is in the table.
    pub(crate) fn search_together(&mut self, machine: &Machine, nodes: u64) -> Usage {
        let crowd = Crowd::new(machine.processors());
        let (style, table, path_bound, depth_limit) = (self.style, self.table, &self.path_bound, self.depth_limit);
        let games = Mutex::new(vec![self.game.clone(); machine.processors()]);
        let (before, mut nobody) = (self.nodes, |_| {});
        let tell = self.tell.as_deref_mut().unwrap_or(&mut nobody);
        let mut count = |nodes| tell(without_mate(crowd.depth(), before + nodes));
        let search = |processor: &Processor| {
            let game = games.lock().unwrap_or_else(PoisonError::into_inner).pop().expect("one for each");
            let mut search = Dfpn::new(style, game, table, processor.stop(), u64::MAX, depth_limit);
            search.path_bound = Arc::clone(path_bound);
            search.beside = Some(Beside::new(&crowd, processor.rank() as u64));
            let found = search.solve();
            processor.ended(search.nodes);
            if found.is_ok() {
                processor.end();
            }
        };
        let (_, usage) = run_and_tell(machine, self.stop, nodes, search, &mut count);
        self.nodes += usage.nodes();
        usage
    }
}
