//! Checks proofs that cells show as steps: the moves of one side in every position that it decides.
//!
//! First, a search that takes all claims as proved finds out which claims decide the problem. The host asks the cells
//! that made these claims for their steps. Then the host searches the problem again and takes nothing as proved: in a
//! position with a step, the search considers no other move of the side that the claims favour, and all moves of the
//! other side. A position without a step is searched as usual. So false steps cost time but decide nothing. While the
//! host waits for steps, it also searches the problem itself, so that a cell that shows no steps does not delay the
//! answer.

use super::alone::Nobody;
use super::audit::doubts_for;
use super::cell::{CellLeaf, MateCell};
use super::claims::Claim;
use super::host::Host;
use super::walker::Bounds;
use crate::core::dfpn::StepCollector;
use crate::core::interrupt::Interrupted;
use crate::core::notation::texts;
use crate::core::step_book::StepBook;
use crate::core::style::Style;
use crate::core::table::MateTable;
use crate::interface::cell_message::{CellOrder, CellResult, Fact, ProofStep};
use hasami_api::{Hand, MateGame, MoveText};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Number of moves made to find out which claims decide the problem.
const OUTLINE: u64 = 50_000;
/// Size in bytes of the table with which the deciding claims are found.
const OUTLINE_BYTES: usize = 4 << 20;
/// Maximum number of claims whose paths guide the search for the deciding claims.
const ON_THE_WAY: usize = 1 << 12;
/// Maximum number of steps requested from one cell.
const MOST: usize = 1 << 17;
/// Average number of moves that the host may make per step; `GAPS` is added for positions without a step.
const STEP_COST: u64 = 32;
const GAPS: u64 = 20_000;
/// Maximum number of moves per step that is accepted when a cell reports its moves.
const CELL_STEP_COST: u64 = 64;
/// Number of waits without a message after which the host searches the problem itself.
const PATIENCE: u32 = 1;
/// Number of moves in the host's search between two checks for messages.
const SLICE: u64 = 4_000;
/// Number of waits without a message after the host's search, before the host continues with the steps that it has.
const LAST_PATIENCE: u32 = 40;

/// The leaves for which each cell is asked to show steps.
type AskedLeaves = BTreeMap<usize, Vec<Vec<MoveText>>>;

impl<G: MateGame> Host<'_, G> {
    /// Returns the problem's decision if the steps of the cells prove their claims, or if the host's own search decides
    /// the problem before the steps arrive. The host's search may make as many moves as all processors so far, and
    /// `budget` more.
    pub(super) fn by_proofs(&mut self, is_mate: bool, budget: u64) -> Result<Option<CellResult>, Interrupted> {
        if !self.plan.asks_for_proofs {
            return Ok(None);
        }
        if let Some(asked) = self.outline(is_mate) {
            self.ask(is_mate, asked);
            if let Some(found) = self.await_steps(is_mate, budget.saturating_add(self.nodes()))? {
                return Ok(Some(found));
            }
            let found = self.replay(is_mate);
            if matches!((&found, is_mate), (CellResult::Mate(_), true) | (CellResult::None { .. }, false)) {
                return Ok(Some(found));
            }
        }
        self.check()?;
        Ok(None)
    }

    /// Finds out which claims decide the problem if they are correct. The steps of the search that finds this out are
    /// kept.
    fn outline(&mut self, is_mate: bool) -> Option<AskedLeaves> {
        let claims = self.claims.nearest(is_mate);
        let mut places: HashMap<u64, Vec<(Hand, usize)>> = HashMap::new();
        for (index, Claim { key, hand, .. }) in claims.iter().enumerate() {
            places.entry(*key).or_default().push((*hand, index));
        }
        let facts: Vec<Fact> = claims.iter().map(Claim::fact).collect();
        let on_the_way = self.on_the_way(&claims, is_mate);
        let (number, problem, bounds) = (self.begin.number, self.problem.clone(), Bounds::of(self.begin));
        let mut used = BTreeSet::new();
        let steps = self.by_itself(|cell, stop| {
            let table = MateTable::for_nodes(OUTLINE, OUTLINE_BYTES);
            facts.iter().for_each(|fact| fact.put_into(&table));
            on_the_way.iter().for_each(|fact| fact.hint_to(&table));
            let (size, moves, doubts) = (OUTLINE, Vec::new(), doubts_for(is_mate));
            let leaf = CellLeaf { number, task: 0, size, problem, moves, bounds, doubts, steps: None, stop };
            let mut search = leaf.search(&table, Arc::default());
            let mut ends = |key: u64, hand: Hand| {
                let serves = |other: Hand| if is_mate { hand.covers(other) } else { other.covers(hand) };
                let claim = places.get(&key).and_then(|known| known.iter().find(|&&(other, _)| serves(other)));
                used.extend(claim.map(|&(_, index)| index));
                claim.is_some()
            };
            let mut collector = StepCollector::new(is_mate, MOST, Some(&mut ends));
            let found = search.solve().ok().filter(|(value, _)| value.is_proved() == is_mate);
            let found = found.and_then(|_| search.collect_steps(&mut collector).ok());
            cell.nodes += search.nodes;
            found.map(|()| collector.steps)
        })?;
        self.shown.steps = steps;
        let mut asked = AskedLeaves::new();
        for index in used {
            let Claim { cell, moves, .. } = &claims[index];
            asked.entry(*cell).or_default().push(texts(self.problem, moves));
        }
        Some(asked)
    }

    /// Returns hints for the positions on the paths to the claims, which are likely to be decided.
    fn on_the_way(&self, claims: &[Claim<G::Move>], is_mate: bool) -> Vec<Fact> {
        let (attacker, plies) = (self.problem.side(), is_mate.then_some(1));
        let (mut game, mut way, mut found) = (self.problem.clone(), Vec::new(), Vec::new());
        for Claim { moves, .. } in claims.iter().take(ON_THE_WAY) {
            let common = moves.iter().zip(&way).take_while(|(one, other)| one == other).count();
            for _ in common..way.len() {
                way.pop();
                game.unmake();
            }
            for &m in moves.iter().skip(common) {
                found.push(Fact { key: game.board_key(), hand: game.hand(attacker), plies, work: 1 });
                game.make(m);
                way.push(m);
            }
        }
        found
    }

    fn ask(&mut self, is_mate: bool, asked: AskedLeaves) {
        self.shown.withheld.clear();
        for (cell, leaves) in asked {
            if !self.cells[cell].is_lost {
                self.shown.awaited.insert(cell);
                let (problem, most) = (self.begin.number, MOST as u32);
                self.links.send(cell, CellOrder::Prove { problem, is_mate, leaves, most });
            }
        }
        self.links.flush();
    }

    /// Waits until all cells have answered or the wait times out. Meanwhile the host searches the problem with at most
    /// `nodes` moves, and returns the result if it is decided.
    fn await_steps(&mut self, is_mate: bool, mut nodes: u64) -> Result<Option<CellResult>, Interrupted> {
        let (mut patience, mut last_patience) = (PATIENCE, LAST_PATIENCE);
        while !self.shown.awaited.is_empty() && last_patience > 0 {
            if let Some((cell, event)) = self.links.take() {
                self.hear(cell, event);
            } else if patience > 0 {
                self.links.wait();
                patience -= 1;
            } else if nodes > 0 {
                let slice = SLICE.min(nodes);
                nodes -= slice;
                let found = self.prove(is_mate, slice);
                if matches!(found, CellResult::Mate(_) | CellResult::None { .. }) {
                    self.shown.awaited.clear();
                    return Ok(Some(found));
                }
            } else {
                self.links.wait();
                last_patience -= 1;
            }
            self.check()?;
        }
        self.shown.awaited.clear();
        Ok(None)
    }

    /// Accepts the steps of a cell that was asked for them.
    pub(super) fn hear_proof(&mut self, cell: usize, nodes: u64, steps: Vec<ProofStep>) {
        if self.shown.awaited.remove(&cell) {
            let nodes = nodes.min((steps.len() as u64 + OUTLINE / CELL_STEP_COST) * CELL_STEP_COST);
            self.told += nodes;
            self.cells[cell].told += nodes;
            self.shown.steps.extend(steps.into_iter().take(MOST));
        }
    }

    /// Searches the problem by the steps. A separate table is used, because a failure may be due to the steps.
    fn replay(&mut self, is_mate: bool) -> CellResult {
        let book = StepBook::new(is_mate, &std::mem::take(&mut self.shown.steps));
        let (number, problem, bounds) = (self.begin.number, self.problem.clone(), Bounds::of(self.begin));
        let size = GAPS + STEP_COST * book.len() as u64;
        let size = size.min(self.plan.nodes.saturating_sub(self.nodes()));
        self.by_itself(|own, stop| {
            let mut cell = MateCell::with_bytes(own.bytes);
            let (moves, doubts, steps) = (Vec::new(), Style::DFPN.doubts, Some(&book));
            let leaf = CellLeaf { number, task: 0, size, problem, moves, bounds, doubts, steps, stop };
            let found = cell.by_proof_numbers(&leaf, &mut Nobody);
            own.nodes += cell.nodes;
            found
        })
    }
}
