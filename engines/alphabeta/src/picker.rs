//! The third phase: the order of the moves. Selection, not sorting: most nodes look at few of them.

use crate::history::{FIRST_PLIES, History};
use crate::params::{
    check_score, counter_score, killer_score, losing_noisy_history, noisy_history_divisor, pawn_history_weight,
    promotion_score, root_history_weight, victim_weight,
};
use crate::state::{Scored, SearchState};
use hasami_api::{Evaluator, MoveFacts, SearchGame};
use std::sync::atomic::Ordering::Relaxed;

const TABLE_MOVE: i32 = i32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum PickerStage {
    Table,
    Noisy,
    Quiet,
    LosingNoisy,
}

/// Moves still to be generated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    /// All moves at once.
    All,
    /// Noisy moves, then quiet ones.
    Both,
    Noisy,
    Quiet,
    Nothing,
}

/// The moves of one node, in the arena: `start..quiets` noisy ones (and the table's move), `quiets..end` the others.
/// Noisy moves that lose material are put back to `start..losing` to be tried last.
pub(crate) struct Picker<M> {
    start: usize,
    quiets: usize,
    end: usize,
    next: usize,
    losing: usize,
    stage: PickerStage,
    pending: Pending,
    skip_quiets: bool,
    /// Packed, 0 for none.
    table_move: u16,
    /// The same, if it was found without generating moves: then it is not in the arena.
    first: Option<M>,
    /// `first` was tried.
    opened: bool,
}

impl<M> Picker<M> {
    pub(crate) const fn start(&self) -> usize {
        self.start
    }

    pub(crate) const fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The moves left are noisy and lose material.
    pub(crate) const fn is_late(&self) -> bool {
        matches!(self.stage, PickerStage::LosingNoisy)
    }
}

/// Captures and promotions.
#[inline]
pub(crate) const fn is_noisy(facts: MoveFacts) -> bool {
    facts.victim != 0 || facts.promotes
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// All moves, the table's first.
    pub(crate) fn pick_all(&mut self, table_move: u16, in_check: bool) -> Picker<G::Move> {
        let pending = if G::STAGED && !in_check { Pending::Both } else { Pending::All };
        self.begin(table_move, pending)
    }

    /// Captures and promotions only.
    pub(crate) fn pick_noisy(&mut self, table_move: u16) -> Picker<G::Move> {
        self.begin(table_move, Pending::Noisy)
    }

    fn begin(&mut self, table_move: u16, pending: Pending) -> Picker<G::Move> {
        let unpacked = if table_move == 0 { None } else { self.game.unpack(table_move) };
        let first = unpacked.filter(|&m| pending != Pending::Noisy || is_noisy(self.game.facts(m)));
        let start = self.memory.arena.len();
        Picker {
            start,
            quiets: start,
            end: start,
            next: start,
            losing: start,
            stage: PickerStage::Table,
            pending,
            skip_quiets: false,
            table_move,
            first,
            opened: false,
        }
    }

    /// Generates what comes before the quiet moves, at least.
    fn generate(&mut self, picker: &mut Picker<G::Move>) {
        let memory = &mut *self.memory;
        memory.scratch.clear();
        if picker.pending == Pending::All {
            self.game.search_moves(&mut memory.scratch);
        } else {
            self.game.noisy_moves(&mut memory.scratch);
        }
        if picker.pending == Pending::Both {
            self.game.minor_promotions(&mut memory.scratch);
        }
        picker.pending = if picker.pending == Pending::Both { Pending::Quiet } else { Pending::Nothing };
        for &mv in memory.scratch.iter().filter(|&&mv| picker.first != Some(mv)) {
            let facts = self.game.facts(mv);
            let first = picker.first.is_none() && picker.table_move != 0 && G::pack(mv) == picker.table_move;
            if !first && !is_noisy(facts) {
                memory.arena.push(Scored { mv, score: 0 });
                continue;
            }
            let score = if first { TABLE_MOVE } else { noisy_score::<G>(facts, memory.history.capture(facts)) };
            memory.arena.push(Scored { mv, score });
            let last = memory.arena.len() - 1;
            memory.arena.swap(picker.quiets, last);
            picker.quiets += 1;
        }
        picker.end = memory.arena.len();
    }

    /// Generates the quiet moves if they are not there yet.
    fn generate_quiets(&mut self, picker: &mut Picker<G::Move>) {
        if picker.pending != Pending::Quiet {
            return;
        }
        picker.pending = Pending::Nothing;
        let memory = &mut *self.memory;
        debug_assert!(memory.arena.len() == picker.end, "deeper nodes take their moves away");
        memory.scratch.clear();
        self.game.quiet_moves(&mut memory.scratch);
        let others = memory.scratch.iter().filter(|&&mv| picker.first != Some(mv));
        memory.arena.extend(others.map(|&mv| Scored { mv, score: 0 }));
        picker.end = memory.arena.len();
    }

    /// The best of `from..to` comes to `from`.
    #[inline]
    fn select(&mut self, from: usize, to: usize) -> Scored<G::Move> {
        let moves = &mut self.memory.arena[from..to];
        // Where the best one stands is anybody's guess, so branches would mostly be mispredicted.
        let (mut best, mut top) = (0, i32::MIN);
        for (i, scored) in moves.iter().enumerate() {
            best = std::hint::select_unpredictable(scored.score > top, i, best);
            top = top.max(scored.score);
        }
        moves.swap(0, best);
        moves[0]
    }

    /// The table's move, the first time and if it is known; else the noisy moves are generated.
    #[inline]
    fn open(&mut self, picker: &mut Picker<G::Move>) -> Option<G::Move> {
        if let Some(first) = picker.first
            && !picker.opened
        {
            picker.opened = true;
            return Some(first);
        }
        self.generate(picker);
        picker.stage = PickerStage::Noisy;
        None
    }

    /// The next move by merit, winning noisy moves before quiet ones before losing noisy ones.
    pub(crate) fn next_move(&mut self, picker: &mut Picker<G::Move>, ply: usize) -> Option<G::Move> {
        if picker.stage == PickerStage::Table
            && let Some(first) = self.open(picker)
        {
            return Some(first);
        }
        if picker.stage == PickerStage::Noisy {
            while picker.next < picker.quiets {
                let best = self.select(picker.next, picker.quiets);
                picker.next += 1;
                if best.score == TABLE_MOVE
                    || self.game.see_at_least(best.mv, -best.score / losing_noisy_history::<G>())
                {
                    return Some(best.mv);
                }
                self.memory.arena[picker.losing] = best;
                picker.losing += 1;
            }
            picker.stage = PickerStage::Quiet;
            if !picker.skip_quiets {
                self.generate_quiets(picker);
                self.score_quiets(picker, ply);
            }
        }
        if picker.stage == PickerStage::Quiet {
            if !picker.skip_quiets && picker.next < picker.end {
                picker.next += 1;
                return Some(self.select(picker.next - 1, picker.end).mv);
            }
            picker.stage = PickerStage::LosingNoisy;
            picker.next = picker.start;
        }
        if picker.next < picker.losing {
            picker.next += 1;
            return Some(self.memory.arena[picker.next - 1].mv);
        }
        None
    }

    /// The next capture or promotion by merit, whatever it loses.
    pub(crate) fn next_noisy(&mut self, picker: &mut Picker<G::Move>) -> Option<G::Move> {
        if picker.stage == PickerStage::Table
            && let Some(first) = self.open(picker)
        {
            return Some(first);
        }
        if picker.next == picker.quiets {
            return None;
        }
        picker.next += 1;
        Some(self.select(picker.next - 1, picker.quiets).mv)
    }

    fn score_quiets(&mut self, picker: &Picker<G::Move>, ply: usize) {
        let side = self.game.side().index();
        let rows = self.rows(ply);
        let killers = self.frame(ply).killers;
        let memory = &mut *self.memory;
        let counter = memory.history.counter(rows[0]);
        let checks = self.game.check_test();
        let continuations = rows.map(|row| memory.history.continuations(row));
        let pawns = memory.history.pawns(self.game.feature_keys()[0]);
        for scored in &mut memory.arena[picker.quiets..picker.end] {
            let facts = self.game.facts(scored.mv);
            let packed = G::pack(scored.mv);
            let own = History::<G>::row(facts) as usize;
            let after = |back: usize| i32::from(continuations[back][own].load(Relaxed));
            scored.score =
                2 * memory.history.butterfly(side, facts) + 2 * after(0) + after(1) + after(2) + after(3) / 2;
            scored.score += i32::from(pawns[own].load(Relaxed)) * pawn_history_weight::<G>() / 128;
            if ply < FIRST_PLIES {
                scored.score +=
                    memory.history.first_plies(ply, facts) * root_history_weight::<G>() / (128 * (1 + ply as i32));
            }
            if checks(scored.mv) {
                scored.score += check_score::<G>();
            }
            if killers.contains(&packed) {
                scored.score += killer_score::<G>();
            } else if counter == packed {
                scored.score += counter_score::<G>();
            }
        }
    }
}

/// Most valuable victim first, corrected by experience.
fn noisy_score<G: SearchGame>(facts: MoveFacts, history: i32) -> i32 {
    let victim = G::victim_value(facts.victim) * victim_weight::<G>() / G::PAWN;
    let promotion = if facts.promotes { promotion_score::<G>() } else { 0 };
    victim + promotion + history / noisy_history_divisor::<G>()
}
