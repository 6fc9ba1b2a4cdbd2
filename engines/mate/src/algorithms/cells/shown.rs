//! Collects the moves that prove a cell's claims from the cell's table.

use super::cell::{CellLeaf, MateCell, Problem, parsed};
use crate::core::dfpn::StepCollector;
use crate::core::style::Style;
use crate::interface::cell_link::HostLink;
use crate::interface::cell_message::CellReply;
use hasami_api::{MateGame, MoveText, Stop};
use std::sync::Arc;

/// Maximum number of steps that a cell sends at once; a message can hold three times as many.
const MOST: u32 = 1 << 17;
/// Average number of moves that may be made per step.
const STEP_COST: u64 = 64;

impl<G: MateGame> MateCell<G> {
    /// Carries out [`crate::interface::cell_message::CellOrder::Prove`]. A cell that searches best-first keeps no table
    /// and shows no steps.
    pub(super) fn show_steps(
        &mut self,
        (problem, is_mate, most): (u32, bool, u32),
        leaves: &[Vec<MoveText>],
        host: &mut dyn HostLink,
        stop: &Stop,
    ) -> CellReply {
        let begun = self.problem.as_ref().filter(|begun| begun.number == problem);
        let begun = begun.map(|Problem { game, bounds, .. }| (game.clone(), *bounds));
        let (Some((game, bounds)), Some(table)) = (begun, self.table.take()) else {
            return CellReply::Proof { problem, nodes: 0, steps: Vec::new() };
        };
        let (before, path_bound) = (self.nodes, Arc::clone(&self.path_bound));
        let mut collector = StepCollector::new(is_mate, most.min(MOST) as usize, None);
        for leaf in leaves {
            let Ok(moves) = parsed(&game, leaf) else { continue };
            let (number, problem, doubts) = (problem, game.clone(), Style::DFPN.doubts);
            let size = u64::from(MOST) * STEP_COST;
            let leaf = CellLeaf { number, task: 0, size, problem, moves, bounds, doubts, steps: None, stop };
            let mut ask = || {
                host.note_progress();
                self.is_wanted(None, host)
            };
            let mut search = leaf.search(&table, Arc::clone(&path_bound));
            search.ask = Some(&mut ask);
            let is_over = search.collect_steps(&mut collector).is_err();
            let made = search.nodes;
            stop.more(made);
            self.nodes += made;
            if is_over {
                break;
            }
        }
        self.table = Some(table);
        CellReply::Proof { problem, nodes: self.nodes - before, steps: collector.steps }
    }
}
