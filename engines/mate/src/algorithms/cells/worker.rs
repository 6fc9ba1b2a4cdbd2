//! A cell that searches by proof numbers with its own table, like the workers of PNS-PDFPN (arXiv 2511.10339).

use super::cell::{CellLeaf, MateCell};
use super::facts::dearest;
use crate::core::dfpn::Dfpn;
use crate::core::interrupt::Interrupted;
use crate::core::mix::mix;
use crate::core::notation::texts;
use crate::core::path::KeyFilter;
use crate::core::style::Style;
use crate::core::table::MateTable;
use crate::core::value::{CUT, ProofNumbers};
use crate::interface::cell_link::HostLink;
use crate::interface::cell_message::{CellReply, CellResult};
use hasami_api::MateGame;
use std::sync::Arc;

/// Node budget for deriving the line of a proof, in addition to a multiple of the task's size.
pub(super) const FOR_A_LINE: u64 = 100_000;

impl<G: MateGame> MateCell<G> {
    /// Searches until the leaf is decided or the size limit of the task is reached.
    pub(super) fn by_proof_numbers(&mut self, leaf: &CellLeaf<G>, host: &mut dyn HostLink) -> CellResult {
        let table = self.table.take().unwrap_or_else(|| MateTable::for_nodes(leaf.size, self.bytes));
        let found = self.search_with(&table, leaf, host).unwrap_or(CellResult::Stopped);
        self.table = Some(table);
        found
    }

    fn search_with(
        &mut self,
        table: &MateTable,
        leaf: &CellLeaf<G>,
        host: &mut dyn HostLink,
    ) -> Result<CellResult, Interrupted> {
        let (path_bound, nodes) = (Arc::clone(&self.path_bound), self.nodes);
        let mut is_wanted = true;
        let mut ask = || {
            host.note_progress();
            is_wanted &= self.is_wanted(Some(leaf.task), host);
            is_wanted
        };
        let mut search = leaf.search(table, path_bound);
        search.ask = Some(&mut ask);
        search.facts = Some(Vec::new());
        let value = search.estimate();
        let found = value.and_then(|value| cell_result(&mut search, value, leaf.size));
        let (made, facts) = (search.nodes, search.facts.take().map(dearest).unwrap_or_default());
        leaf.stop.more(made);
        self.nodes = nodes + made;
        if !facts.is_empty() {
            host.send(CellReply::Facts { problem: leaf.number, facts });
        }
        if is_wanted { found } else { Ok(CellResult::Stopped) }
    }
}

impl<G: MateGame> CellLeaf<'_, G> {
    /// Creates a search of the leaf's position that considers the positions on the path to the leaf.
    pub(super) fn search<'t>(&'t self, table: &'t MateTable, path_bound: Arc<KeyFilter>) -> Dfpn<'t, G> {
        let mut game = self.problem.clone();
        let (attacker, mut above, mut above_path) = (game.side(), Vec::new(), 0);
        for &m in &self.moves {
            above.push((game.board_key(), game.hand(attacker)));
            above_path = mix(above_path ^ game.key());
            game.make(m);
        }
        let style = Style { any_moves: self.bounds.any_moves, doubts: self.doubts, ..Style::DFPN };
        let longest = self.bounds.longest.saturating_sub(self.moves.len());
        let mut search = Dfpn::new(style, game, table, self.stop, self.size, longest);
        (search.above, search.above_path, search.path_bound) = (above, above_path, path_bound);
        search
    }
}

impl<G: MateGame> Dfpn<'_, G> {
    /// Like [`Self::solve`], but if a limit ends the search, stores the results in the table and returns the current
    /// numbers of the position.
    fn estimate(&mut self) -> Result<ProofNumbers, Interrupted> {
        let value = self.run().map(|(value, _)| value).or_else(|Interrupted| {
            (self.node_limit, self.ask) = (u64::MAX, None);
            self.unwind(0)?;
            let value = self.combine(0)?;
            self.remember(0, value);
            Ok(value)
        });
        self.leave_path();
        value
    }
}

fn cell_result<G: MateGame>(search: &mut Dfpn<G>, value: ProofNumbers, size: u64) -> Result<CellResult, Interrupted> {
    if value.is_disproved() {
        return Ok(CellResult::None { cut: value.note == CUT });
    }
    if !value.is_proved() {
        return Ok(CellResult::Open { pn: value.pn, dn: value.dn });
    }
    // A mating line holds on every path, so the positions before the leaf can be ignored.
    search.above.clear();
    search.node_limit = search.nodes.saturating_add(size.saturating_mul(4)).saturating_add(FOR_A_LINE);
    let root = search.game.clone();
    let line = match search.main_line()? {
        Some(line) => line,
        None => search.line_within(usize::from(value.note.unsigned_abs()))?,
    };
    Ok(CellResult::Mate(texts(&root, &line)))
}
