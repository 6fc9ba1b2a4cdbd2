//! Verification of claims: a result that follows from cells' claims is proved on this machine before it is reported.
//!
//! A cell may be faulty or malicious. When cells' claims decide the tree, the host searches the problem itself, by
//! proof numbers in its own table. The claims only guide the host's search: positions that a cell claims to be decided
//! start with small numbers, all others with large ones, so the result does not depend on any claim. If the search does
//! not finish within its budget, the claims are checked one by one, cells with wrong claims are excluded, and the tree
//! is rebuilt with the other cells, whose tables keep their results.

use super::alone::Nobody;
use super::cell::{CellLeaf, MateCell, parsed};
use super::claims::{Claim, Conclusion};
use super::host::Host;
use super::tree::{HostTree, Id, ROOT};
use super::walker::{Bounds, Walker};
use crate::core::interrupt::Interrupted;
use crate::core::style::Style;
use crate::core::table::MateTable;
use crate::interface::cell_message::{CellResult, Fact};
use hasami_api::{MateGame, Moves};
use std::collections::{BTreeMap, BTreeSet};

/// Factor applied to the initial numbers of positions that no cell claims to be decided.
const DOUBT: u32 = 64;
/// Move budget for a proof, in addition to the number of moves already made by all processors.
const BUDGET: u64 = 200_000;
/// Move budget for checking one claim, in addition to four times the number of moves that the claim may have taken.
const CLAIM_BUDGET: u64 = 20_000;
/// Maximum number of claims that are checked after a failed proof.
const SEARCHED: usize = 64;
/// Size in bytes of the table that is used to check one claim.
const CLAIM_BYTES: usize = 4 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClaimCheck {
    Proved,
    Refuted,
    /// The budget was too small to decide the claim.
    Open,
}

impl ClaimCheck {
    const fn of(found: &CellResult, is_mate: bool) -> Self {
        match (found, is_mate) {
            (CellResult::Mate(_), true) | (CellResult::None { .. }, false) => Self::Proved,
            (CellResult::Mate(_), false) | (CellResult::None { cut: false }, true) => Self::Refuted,
            _ => Self::Open,
        }
    }
}

/// Values of [`Style::doubts`] for claims of a mate (`is_mate`) or claims that there is no mate.
const fn doubts_for(is_mate: bool) -> [u32; 2] {
    if is_mate { [DOUBT, 1] } else { [1, DOUBT] }
}

impl<G: MateGame> Host<'_, G> {
    /// Converts a cell's result to a claim if the result decides the leaf.
    pub(super) fn claim(&mut self, cell: usize, leaf: Id, found: &CellResult, nodes: u64) -> Option<Claim<G::Move>> {
        let is_mate = match found {
            CellResult::Mate(_) => true,
            CellResult::None { .. } => false,
            CellResult::Tree { .. } => {
                // By leaving moves out of a sub-tree, a cell claims that the moves fail.
                self.claims.note_decider(cell);
                return None;
            }
            CellResult::Open { .. } | CellResult::Stopped => return None,
        };
        self.claims.note_decider(cell);
        self.walker.go(&self.tree, leaf);
        let game = &self.walker.game;
        let (key, hand) = (game.board_key(), game.hand(self.walker.attacker));
        Some(Claim { cell, moves: self.tree.moves_to(leaf), key, hand, is_mate, nodes })
    }

    /// Searches until the tree is decided and the decision is proved.
    pub(super) fn conclude(&mut self) -> Result<Conclusion<G::Move>, Interrupted> {
        let mut budget = BUDGET;
        loop {
            self.work()?;
            let is_mate = self.tree.root().is_proved();
            if self.claims.deciders().is_empty() {
                let line = || Conclusion::Mate(self.tree.line_from(ROOT));
                return Ok(if is_mate { line() } else { Conclusion::None { cut: self.was_cut() } });
            }
            // Cells need not continue once the tree is decided.
            self.cancel();
            self.links.flush();
            match self.prove(is_mate, budget.saturating_add(self.nodes())) {
                CellResult::Mate(line) => {
                    if !is_mate {
                        self.accuse(false);
                    }
                    let line = parsed(self.problem, &line).map_err(|_| Interrupted)?;
                    return Ok(Conclusion::Mate(line));
                }
                CellResult::None { cut } => {
                    if is_mate {
                        self.accuse(true);
                    }
                    return Ok(Conclusion::None { cut });
                }
                _ => self.check()?,
            }
            let guilty = self.accuse(is_mate);
            self.check()?;
            if guilty.is_empty() {
                // No claim was refuted, so the search is repeated with a larger budget, starting from the results in
                // the table.
                budget = budget.saturating_mul(2);
            } else {
                self.begin_anew(&guilty);
            }
        }
    }

    /// Searches the problem on this machine with at most `nodes` moves.
    fn prove(&mut self, is_mate: bool, nodes: u64) -> CellResult {
        let claims = self.claims.iter().map(Claim::fact);
        let hints: Vec<Fact> = claims.chain(self.facts.iter().copied()).collect();
        let doubts = doubts_for(is_mate);
        let (problem, bounds, number) = (self.problem.clone(), Bounds::of(self.begin), self.begin.number);
        let size = nodes.min(self.plan.nodes.saturating_sub(self.nodes()));
        self.by_itself(|cell, stop| {
            let bytes = cell.bytes;
            let table = cell.table.get_or_insert_with(|| MateTable::for_nodes(u64::MAX, bytes));
            hints.into_iter().for_each(|hint| hint.hint_to(table));
            let leaf = CellLeaf { number, task: 0, size, problem, moves: Vec::new(), bounds, doubts, stop };
            cell.by_proof_numbers(&leaf, &mut Nobody)
        })
    }

    /// Excludes and returns the cells whose claims of a mate (`is_mate`) or of no mate are false or, if no claim is
    /// false, cannot be proved.
    fn accuse(&mut self, is_mate: bool) -> BTreeSet<usize> {
        let (mut refuted, mut open) = (BTreeMap::new(), BTreeMap::new());
        let mut searched = 0;
        for claim in self.claims.nearest(is_mate) {
            if searched == SEARCHED || self.stop.is_stopped() {
                break;
            }
            if refuted.contains_key(&claim.cell) {
                continue;
            }
            searched += 1;
            match self.standing(&claim) {
                ClaimCheck::Proved => {}
                ClaimCheck::Refuted => _ = refuted.insert(claim.cell, "one of its answers is false"),
                ClaimCheck::Open => _ = open.insert(claim.cell, "one of its answers could not be proved"),
            }
        }
        // Claims about moves inside a sub-tree are not recorded, so all cells that decided anything are suspected.
        if refuted.is_empty() && open.is_empty() && searched == 0 {
            open =
                self.claims.deciders().iter().map(|&cell| (cell, "some of its answers could not be proved")).collect();
        }
        let guilty = if refuted.is_empty() { open } else { refuted };
        for (&cell, why) in &guilty {
            if self.cells[cell].is_lost {
                continue;
            }
            self.links.dismiss(cell, why);
            self.lose(cell);
        }
        guilty.into_keys().collect()
    }

    /// Checks a claim. A mate holds on every path to its position; a disproof may depend on the path.
    fn standing(&mut self, claim: &Claim<G::Move>) -> ClaimCheck {
        let mut game = self.problem.clone();
        claim.moves.iter().for_each(|&m| game.make(m));
        if claim.moves.len().is_multiple_of(2) {
            return self.standing_after(claim, game, &[]);
        }
        let mut answers = Moves::new();
        game.legal_moves(&mut answers);
        // One answer that refutes the attack refutes a claim of a mate and proves a claim that there is no mate.
        let mut all = if claim.is_mate { ClaimCheck::Proved } else { ClaimCheck::Refuted };
        for &m in answers.iter() {
            let mut after = game.clone();
            after.make(m);
            let standing = self.standing_after(claim, after, &[m]);
            match (standing, claim.is_mate) {
                (ClaimCheck::Refuted, true) | (ClaimCheck::Proved, false) => return standing,
                (ClaimCheck::Open, _) => all = ClaimCheck::Open,
                _ => {}
            }
        }
        all
    }

    /// Checks a claim at the position after the claim's moves and `answer`, where the attacker is to move.
    fn standing_after(&mut self, claim: &Claim<G::Move>, game: G, answer: &[G::Move]) -> ClaimCheck {
        let (problem, moves) = match claim.is_mate {
            true => (game, Vec::new()),
            false => (self.problem.clone(), [&claim.moves, answer].concat()),
        };
        let size = claim.nodes.saturating_mul(4).saturating_add(CLAIM_BUDGET);
        let size = size.min(self.plan.nodes.saturating_sub(self.nodes()));
        let (bounds, number, doubts) = (Bounds::of(self.begin), self.begin.number, Style::DFPN.doubts);
        let found = self.by_itself(|own, stop| {
            // Each claim is checked with a separate table, because results for one path may not hold on another.
            let mut cell = MateCell::with_bytes(CLAIM_BYTES);
            let leaf = CellLeaf { number, task: 0, size, problem, moves, bounds, doubts, stop };
            let found = cell.by_proof_numbers(&leaf, &mut Nobody);
            own.nodes += cell.nodes;
            found
        });
        ClaimCheck::of(&found, claim.is_mate)
    }

    /// Restarts the tree without the claims and facts of the `guilty` cells, and cancels all assigned tasks.
    fn begin_anew(&mut self, guilty: &BTreeSet<usize>) {
        guilty.iter().for_each(|&cell| self.facts.forget(cell));
        self.claims.renew(guilty);
        self.tree.useless.extend(self.leaves.keys());
        self.cancel();
        self.tree = HostTree::new(self.tree.measure(), true);
        let nodes = self.walker.nodes;
        self.walker = Walker::new(self.problem, &[], Bounds::of(self.begin));
        (self.walker.nodes, self.was_cut) = (nodes, false);
        self.uncount(guilty);
    }
}
