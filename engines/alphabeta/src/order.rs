//! Move ordering. Moves are selected one by one rather than sorted, because most nodes try only a few of their moves.

use crate::history::{FIRST_PLIES, History};
use crate::params::*;
use crate::state::{Scored, SearchState};
use hasami_api::{Evaluator, SearchGame};

const TABLE_MOVE: i32 = i32::MAX;
/// Score offset that puts captures before all other evasions.
const CAPTURING_EVASION: i32 = 1 << 28;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    /// Captures that lose little or no material.
    Captures,
    Quiets,
    LosingCaptures,
    /// Quiet moves with a bad history.
    BadQuiets,
}

/// Which moves of a node have not been generated yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    /// All moves, which one call will generate.
    All,
    /// Captures and quiet moves, which two separate calls will generate.
    Both,
    Captures,
    Quiets,
    Nothing,
}

/// What a picker selects moves for, which determines the set and the order of the moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// All moves, generated and returned in stages.
    Main,
    /// All evasions, in a single order without stages.
    Evasions,
    /// Captures only, including losing captures.
    Captures,
}

/// The moves of one node in the arena: `start..quiets` holds captures (and the table move), `quiets..end` the other
/// moves. Losing captures are put back into `start..losing`, and quiet moves with a bad history into `quiets..bad`.
pub(crate) struct Picker<M> {
    start: usize,
    quiets: usize,
    end: usize,
    next: usize,
    losing: usize,
    bad: usize,
    stage: Stage,
    pending: Pending,
    purpose: Purpose,
    skip_quiets: bool,
    /// Quiet moves with a score below this limit are not sorted.
    limit: i32,
    is_sorted: bool,
    ply: usize,
    /// The move from the transposition table in packed form; 0 if there is none.
    table_move: u16,
    /// The move from the transposition table, if it was unpacked without generating moves. An unpacked move is not in
    /// the arena.
    first: Option<M>,
    /// Whether `first` has been tried.
    opened: bool,
    /// Whether the last returned move gives check; `None` if move ordering did not determine this.
    checks: Option<bool>,
}

impl<M> Picker<M> {
    pub(crate) const fn start(&self) -> usize {
        self.start
    }

    pub(crate) const fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether the last returned move gives check; `None` if move ordering did not determine this.
    pub(crate) const fn checks(&self) -> Option<bool> {
        self.checks
    }
}

impl<G: SearchGame, E: Evaluator<G>> SearchState<'_, G, E> {
    /// Finds the legal move with the packed form `packed`, if this is possible without generating all moves.
    #[inline]
    pub(crate) fn unpack(&self, packed: u16) -> Option<G::Move> {
        if packed == 0 { None } else { self.game.unpack(packed) }
    }

    /// Picks all moves, beginning with `table_move`: the packed form of the transposition table's move and, if it could
    /// be unpacked, the move itself.
    pub(crate) fn pick_all(
        &mut self,
        table_move: (u16, Option<G::Move>),
        in_check: bool,
        depth: i32,
        ply: usize,
    ) -> Picker<G::Move> {
        let pending = if G::STAGED && !in_check { Pending::Both } else { Pending::All };
        let purpose = if in_check { Purpose::Evasions } else { Purpose::Main };
        Picker { limit: -order_limit::<G>() * depth, ..self.begin(table_move, pending, purpose, ply) }
    }

    /// Picks captures only.
    pub(crate) fn pick_captures(&mut self, table_move: (u16, Option<G::Move>), ply: usize) -> Picker<G::Move> {
        self.begin(table_move, Pending::Captures, Purpose::Captures, ply)
    }

    fn begin(
        &mut self,
        (table_move, unpacked): (u16, Option<G::Move>),
        pending: Pending,
        purpose: Purpose,
        ply: usize,
    ) -> Picker<G::Move> {
        let first = unpacked.filter(|&m| purpose != Purpose::Captures || G::is_noisy(self.game.facts(m)));
        let start = self.memory.arena.len();
        Picker {
            start,
            quiets: start,
            end: start,
            next: start,
            losing: start,
            bad: start,
            stage: Stage::Table,
            pending,
            purpose,
            skip_quiets: false,
            limit: i32::MIN,
            is_sorted: true,
            ply,
            table_move,
            first,
            opened: false,
            checks: None,
        }
    }

    /// Returns the next move in this order: the table move, captures that lose little, quiet moves, losing captures,
    /// quiet moves with a bad history.
    pub(crate) fn next_move(&mut self, picker: &mut Picker<G::Move>) -> Option<G::Move> {
        if picker.stage == Stage::Table {
            if let Some(first) = picker.first
                && !picker.opened
            {
                picker.opened = true;
                return Some(first);
            }
            self.generate(picker);
            picker.stage = Stage::Captures;
        }
        if picker.purpose != Purpose::Main {
            if picker.next == picker.end {
                return None;
            }
            picker.next += 1;
            return Some(self.select(picker.next - 1, picker.end).mv);
        }
        self.next_in_stages(picker)
    }

    fn next_in_stages(&mut self, picker: &mut Picker<G::Move>) -> Option<G::Move> {
        if picker.stage == Stage::Captures {
            while picker.next < picker.quiets {
                let best = self.select(picker.next, picker.quiets);
                picker.next += 1;
                let holds = || {
                    let threshold = exchange::<G>(-best.score / capture_losing::<G>());
                    self.game.see_at_least(best.mv, threshold)
                };
                if best.score == TABLE_MOVE || holds() {
                    return Some(best.mv);
                }
                self.memory.arena[picker.losing] = best;
                picker.losing += 1;
            }
            picker.stage = Stage::Quiets;
            picker.bad = picker.quiets;
            if !picker.skip_quiets {
                self.generate_quiets(picker);
                self.score_quiets(picker);
            }
        }
        if picker.stage == Stage::Quiets {
            while !picker.skip_quiets && picker.next < picker.end {
                let quiet = self.next_quiet(picker);
                if quiet.score > order_good::<G>() {
                    picker.checks = Some(quiet.checks);
                    return Some(quiet.mv);
                }
                self.memory.arena[picker.bad] = quiet;
                picker.bad += 1;
            }
            picker.stage = Stage::LosingCaptures;
            picker.next = picker.start;
        }
        picker.checks = None;
        if picker.stage == Stage::LosingCaptures {
            if picker.next < picker.losing {
                picker.next += 1;
                return Some(self.memory.arena[picker.next - 1].mv);
            }
            picker.stage = Stage::BadQuiets;
            picker.next = picker.quiets;
        }
        if picker.skip_quiets || picker.next == picker.bad {
            return None;
        }
        picker.next += 1;
        let quiet = self.memory.arena[picker.next - 1];
        picker.checks = Some(quiet.checks);
        Some(quiet.mv)
    }

    /// Returns the best remaining quiet move. Once all remaining scores are below the limit, quiet moves are returned
    /// in any order.
    fn next_quiet(&mut self, picker: &mut Picker<G::Move>) -> Scored<G::Move> {
        picker.next += 1;
        if !picker.is_sorted {
            return self.memory.arena[picker.next - 1];
        }
        let quiet = self.select(picker.next - 1, picker.end);
        picker.is_sorted = quiet.score >= picker.limit;
        quiet
    }

    /// Moves the best move in `from..to` to the index `from` by a swap, and returns it.
    #[inline]
    fn select(&mut self, from: usize, to: usize) -> Scored<G::Move> {
        let moves = &mut self.memory.arena[from..to];
        // The loop avoids branches, because a branch predictor could not guess which move is the best.
        let (mut best, mut top) = (0, i32::MIN);
        for (i, scored) in moves.iter().enumerate() {
            best = std::hint::select_unpredictable(scored.score > top, i, best);
            top = top.max(scored.score);
        }
        moves.swap(0, best);
        moves[0]
    }

    /// Generates the moves that are tried before the quiet moves, or all moves if the picker has no stages.
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
        picker.pending = if picker.pending == Pending::Both { Pending::Quiets } else { Pending::Nothing };
        let (side, is_evasion) = (self.game.side().index(), picker.purpose == Purpose::Evasions);
        let before = memory.earlier(picker.ply, 1).row;
        for &mv in memory.scratch.iter().filter(|&&mv| picker.first != Some(mv)) {
            let facts = self.game.facts(mv);
            let is_first = picker.first.is_none() && picker.table_move != 0 && G::pack(mv) == picker.table_move;
            let is_capture = G::is_noisy(facts);
            let score = match () {
                () if is_first => TABLE_MOVE,
                () if is_evasion && is_capture => CAPTURING_EVASION + victim_units::<G>(facts.victim),
                () if is_evasion => {
                    let after = memory.history.continuation(before, History::<G>::row(facts));
                    memory.history.main(side, facts) + after
                }
                () if is_capture => {
                    memory.history.capture(facts) + capture_victim::<G>() * victim_units::<G>(facts.victim)
                }
                () if picker.purpose == Purpose::Captures => continue,
                () => 0,
            };
            memory.arena.push(Scored { mv, score, checks: false });
            if is_first || is_capture || is_evasion {
                let last = memory.arena.len() - 1;
                memory.arena.swap(picker.quiets, last);
                picker.quiets += 1;
            }
        }
        picker.end = memory.arena.len();
    }

    /// Generates the quiet moves of the node, unless they have been generated before.
    fn generate_quiets(&mut self, picker: &mut Picker<G::Move>) {
        if picker.pending != Pending::Quiets {
            return;
        }
        picker.pending = Pending::Nothing;
        let memory = &mut *self.memory;
        debug_assert!(memory.arena.len() == picker.end, "deeper nodes remove their moves from the arena");
        memory.scratch.clear();
        self.game.quiet_moves(&mut memory.scratch);
        let others = memory.scratch.iter().filter(|&&mv| picker.first != Some(mv));
        memory.arena.extend(others.map(|&mv| Scored { mv, score: 0, checks: false }));
        picker.end = memory.arena.len();
    }

    fn score_quiets(&mut self, picker: &Picker<G::Move>) {
        let (side, ply) = (self.game.side().index(), picker.ply);
        let memory = &mut *self.memory;
        let before = [1, 2, 3, 4, 6].map(|back| memory.earlier(ply, back).row);
        let (history, loss) = (&memory.history, exchange::<G>(-check_loss::<G>()));
        let rows = before.map(|row| history.continuations(row));
        let pawns = history.pawns(self.game.feature_keys()[0]);
        let quiets = &mut memory.arena[picker.quiets..picker.end];
        // The history rows are far apart in memory, so all values are loaded before any branch depends on one of them.
        for scored in quiets.iter_mut() {
            let facts = self.game.facts(scored.mv);
            let own = History::<G>::row(facts) as usize;
            let after: i32 = rows.iter().map(|row| row.get(own)).sum();
            scored.score = 2 * history.main(side, facts) + 2 * pawns.get(own) + after;
            if ply < FIRST_PLIES {
                scored.score += 8 * history.first_plies(ply, facts) / (1 + ply as i32);
            }
        }
        let checks = self.game.check_test();
        for scored in quiets.iter_mut().filter(|scored| checks(scored.mv)) {
            scored.checks = true;
            if self.game.see_at_least(scored.mv, loss) {
                scored.score += check_score::<G>();
            }
        }
    }
}
