//! AOHPAS: hierarchical pincers on an AND/OR tree (Takano et al. 2004), by any number of processors on one table.
//!
//! One processor, the paper's PE1, goes from the small proof numbers ([`left`]). The others work at the OR nodes of its
//! path, one at each, from the large end of their children ([`right`]). What they know of each other is PE1's path and the
//! posts along it ([`trail`]); what they have found is in the table.

mod left;
mod right;
mod trail;

use crate::dfpn::Dfpn;
use crate::machine::{Processor, run};
use crate::path::Filter;
use crate::style::Style;
use crate::table::Table;
use crate::value::Value;
use hasami_api::{Machine, MateGame, Usage};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use trail::Trail;

/// What the processors share.
struct Aohpas<'a, G: MateGame> {
    /// Of the processors other than PE1.
    style: Style,
    /// By how much the global thresholds grow (section 6.3).
    step: NonZeroU32,
    root: Mutex<G>,
    table: &'a Table,
    path_bound: Arc<Filter>,
    depth_limit: usize,
    trail: Mutex<Trail<G::Move>>,
}

impl<G: MateGame> Dfpn<'_, G> {
    /// Searches the current position by all processors of the machine, as far as the nodes go. What is found is in the
    /// table, too.
    pub(crate) fn search_by_pincers(&mut self, machine: &Machine, step: NonZeroU32) -> (Option<Value>, Usage) {
        let shared = Aohpas {
            style: self.style,
            step,
            root: Mutex::new(self.game.clone()),
            table: self.table,
            path_bound: Arc::clone(&self.path_bound),
            depth_limit: self.depth_limit,
            trail: Mutex::default(),
        };
        let nodes = self.node_limit.saturating_sub(self.nodes);
        let (found, usage) = run(machine, &self.stop, nodes, |processor| match processor.rank() {
            0 => shared.go_from_small_end(processor),
            _ => {
                shared.go_from_large_end(processor);
                None
            }
        });
        self.nodes += usage.nodes();
        (found.into_iter().flatten().next(), usage)
    }
}

impl<G: MateGame> Aohpas<'_, G> {
    fn search<'b>(&'b self, style: Style, processor: &'b Processor) -> Dfpn<'b, G> {
        let root = self.root.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut search = Dfpn::new(style, root, self.table, processor.stop(), u64::MAX, self.depth_limit);
        search.path_bound = Arc::clone(&self.path_bound);
        search
    }

    fn trail(&self) -> MutexGuard<'_, Trail<G::Move>> {
        self.trail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
