//! The third phase: the order of the moves. Selection, not sorting: most nodes look at few of them.

use crate::state::{Scored, Search};
use hasami_api::{Evaluator, MoveFacts, SearchGame};

const TABLE_MOVE: i32 = i32::MAX;
const KILLER: i32 = 30_000;
const COUNTER: i32 = 12_000;
const CHECK: i32 = 16_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Noisy,
    Quiet,
    LosingNoisy,
}

/// The moves of one node, in the arena: `start..quiets` noisy ones (and the table's move), `quiets..end` the others.
/// Noisy moves that lose material are put back to `start..losing` to be tried last.
pub(crate) struct Picker {
    start: usize,
    quiets: usize,
    end: usize,
    next: usize,
    losing: usize,
    stage: Stage,
    skip_quiets: bool,
}

impl Picker {
    pub(crate) const fn start(&self) -> usize {
        self.start
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.start == self.end
    }

    pub(crate) const fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The moves left are noisy and lose material.
    pub(crate) const fn is_late(&self) -> bool {
        matches!(self.stage, Stage::LosingNoisy)
    }
}

/// Captures and promotions.
#[inline]
pub(crate) const fn is_noisy(facts: MoveFacts) -> bool {
    facts.victim != 0 || facts.promotes
}

impl<G: SearchGame, E: Evaluator<G>> Search<'_, G, E> {
    /// All moves, the table's first.
    pub(crate) fn pick_all(&mut self, table_move: u16) -> Picker {
        self.memory.scratch.clear();
        self.game.search_moves(&mut self.memory.scratch);
        self.begin(table_move)
    }

    /// Captures and promotions only.
    pub(crate) fn pick_noisy(&mut self, table_move: u16) -> Picker {
        self.memory.scratch.clear();
        self.game.noisy_moves(&mut self.memory.scratch);
        self.begin(table_move)
    }

    fn begin(&mut self, table_move: u16) -> Picker {
        let memory = &mut *self.memory;
        let start = memory.arena.len();
        let mut quiets = start;
        for (i, &mv) in memory.scratch.iter().enumerate() {
            let facts = self.game.facts(mv);
            let first = table_move != 0 && G::pack(mv) == table_move;
            if !first && !is_noisy(facts) {
                memory.arena.push(Scored { mv, score: 0 });
                continue;
            }
            let score = if first { TABLE_MOVE } else { noisy_score::<G>(facts, memory.history.capture(facts)) };
            memory.arena.push(Scored { mv, score });
            memory.arena.swap(quiets, start + i);
            quiets += 1;
        }
        let end = memory.arena.len();
        Picker { start, quiets, end, next: start, losing: start, stage: Stage::Noisy, skip_quiets: false }
    }

    /// The best of `from..to` comes to `from`.
    #[inline]
    fn select(&mut self, from: usize, to: usize) -> Scored<G::Move> {
        let moves = &mut self.memory.arena[from..to];
        let mut best = 0;
        for i in 1..moves.len() {
            if moves[i].score > moves[best].score {
                best = i;
            }
        }
        moves.swap(0, best);
        moves[0]
    }

    /// The next move by merit, winning noisy moves before quiet ones before losing noisy ones.
    pub(crate) fn next_move(&mut self, picker: &mut Picker, ply: usize) -> Option<G::Move> {
        if picker.stage == Stage::Noisy {
            while picker.next < picker.quiets {
                let best = self.select(picker.next, picker.quiets);
                picker.next += 1;
                if best.score == TABLE_MOVE || self.game.see_at_least(best.mv, -best.score / 32) {
                    return Some(best.mv);
                }
                self.memory.arena[picker.losing] = best;
                picker.losing += 1;
            }
            picker.stage = Stage::Quiet;
            if !picker.skip_quiets {
                self.score_quiets(picker, ply);
            }
        }
        if picker.stage == Stage::Quiet {
            if !picker.skip_quiets && picker.next < picker.end {
                picker.next += 1;
                return Some(self.select(picker.next - 1, picker.end).mv);
            }
            picker.stage = Stage::LosingNoisy;
            picker.next = picker.start;
        }
        if picker.next < picker.losing {
            picker.next += 1;
            return Some(self.memory.arena[picker.next - 1].mv);
        }
        None
    }

    /// The next capture or promotion by merit, whatever it loses.
    pub(crate) fn next_noisy(&mut self, picker: &mut Picker) -> Option<G::Move> {
        if picker.next == picker.quiets {
            return None;
        }
        picker.next += 1;
        Some(self.select(picker.next - 1, picker.quiets).mv)
    }

    fn score_quiets(&mut self, picker: &Picker, ply: usize) {
        let side = self.game.side().index();
        let rows = self.rows(ply);
        let killers = self.frame(ply).killers;
        let memory = &mut *self.memory;
        let counter = memory.history.counter(rows[0]);
        for scored in &mut memory.arena[picker.quiets..picker.end] {
            let facts = self.game.facts(scored.mv);
            let packed = G::pack(scored.mv);
            scored.score = 2 * memory.history.butterfly(side, facts)
                + 2 * memory.history.continuation(rows[0], facts)
                + memory.history.continuation(rows[1], facts)
                + memory.history.continuation(rows[2], facts)
                + memory.history.continuation(rows[3], facts) / 2;
            if self.game.gives_check(scored.mv) {
                scored.score += CHECK;
            }
            if killers.contains(&packed) {
                scored.score += KILLER;
            } else if counter == packed {
                scored.score += COUNTER;
            }
        }
    }
}

/// Most valuable victim first, corrected by experience.
fn noisy_score<G: SearchGame>(facts: MoveFacts, history: i32) -> i32 {
    let victim = G::victim_value(facts.victim) * 700 / G::PAWN;
    let promotion = if facts.promotes { 700 } else { 0 };
    victim + promotion + history / 8
}
