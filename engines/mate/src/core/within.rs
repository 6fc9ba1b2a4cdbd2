//! Depth-first iterative deepening for a mate within a number of moves, in which the attacker may play all moves or
//! only checks. Each iteration allows one more attacking move, so that the first mate found is a shortest one. With
//! checks only, the search is the inner search of Hashimoto et al. 2001.
//!
//! Only refutations are stored. Earlier moves can end a line early (repetition, counters), which never helps the
//! attacker, so a refutation that does not rely on an early end holds on every path, but a mate might not.

use crate::core::interrupt::Interrupted;
use hasami_api::is_mated_without_moves;
use hasami_api::{MateGame, Moves, Stop, Verdict};

/// Number of positions stored.
const SLOTS: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum BoundedOutcome {
    Mate,
    Refuted(RefutationReason),
}

/// The conditions on which a refutation depends.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct RefutationReason {
    /// Whether the refutation depends on the moves played before, so that it does not hold on every path.
    path: bool,
    /// Whether the refutation depends on the move limit, so that there may be a longer mate.
    moves: bool,
}

const BY_PATH: BoundedOutcome = BoundedOutcome::Refuted(RefutationReason { path: true, moves: false });
const BY_MOVES: BoundedOutcome = BoundedOutcome::Refuted(RefutationReason { path: false, moves: true });
const FOR_GOOD: BoundedOutcome = BoundedOutcome::Refuted(RefutationReason { path: false, moves: false });

/// A number of moves larger than any limit, which means that there is no mate at all.
const NEVER: usize = u16::MAX as usize;

/// For each position, the largest number of moves within which the side to move is known not to mate.
#[derive(Default)]
pub(crate) struct Refutations(Vec<(u64, u16)>);

impl Refutations {
    fn get(&self, key: u64) -> usize {
        let slot = self.0.get(key as usize % SLOTS);
        slot.filter(|slot| slot.0 == key).map_or(0, |slot| slot.1.into())
    }

    fn put(&mut self, key: u64, moves: usize) {
        if self.0.is_empty() {
            self.0 = vec![(0, 0); SLOTS];
        }
        self.0[key as usize % SLOTS] = (key, u16::try_from(moves).unwrap_or(u16::MAX));
    }
}

/// A search for a mate within a number of moves.
pub(crate) struct Within<'a, G: MateGame> {
    pub(crate) game: G,
    known: &'a mut Refutations,
    stop: &'a Stop,
    pub(crate) nodes: u64,
    pub(crate) node_limit: u64,
    /// Node count at which the clock is checked next.
    pause: u64,
    /// Whether the attacker may only play checks.
    checks: bool,
    /// True if the last iteration never reached its move limit, which means that there is no mate at all.
    pub(crate) is_final: bool,
    /// The attacker's first moves to be searched.
    pub(crate) roots: Vec<G::Move>,
    /// The line found from each ply on. `defences` holds the defence that last refuted an attack.
    lines: Vec<Vec<G::Move>>,
    defences: Vec<Option<G::Move>>,
}

impl<'a, G: MateGame> Within<'a, G> {
    pub(crate) fn new(
        game: G,
        roots: Vec<G::Move>,
        checks: bool,
        known: &'a mut Refutations,
        stop: &'a Stop,
        node_limit: u64,
    ) -> Self {
        let is_final = false;
        Self {
            game,
            known,
            stop,
            nodes: 0,
            node_limit,
            pause: stop.more(0),
            checks,
            is_final,
            roots,
            lines: Vec::new(),
            defences: Vec::new(),
        }
    }

    /// Returns a mate of exactly `moves` attacking moves, given that no mate has fewer.
    pub(crate) fn mate_in(&mut self, moves: usize) -> Result<Option<Vec<G::Move>>, Interrupted> {
        self.lines.resize(2 * moves + 2, Vec::new());
        self.defences.resize(2 * moves + 2, None);
        let outcome = self.try_all(&self.roots.clone(), moves, 0)?;
        self.is_final = self.checks && matches!(outcome, BoundedOutcome::Refuted(why) if !why.moves);
        Ok((outcome == BoundedOutcome::Mate).then(|| self.lines[0].clone()))
    }

    /// Searches the moves of the attacker, who has `left` moves including the next one.
    fn attack(&mut self, left: usize, ply: usize) -> Result<BoundedOutcome, Interrupted> {
        if matches!(self.game.verdict(), Verdict::Draw | Verdict::Loss) {
            return Ok(BY_PATH);
        }
        let key = self.game.key();
        match self.known.get(key) {
            NEVER => return Ok(FOR_GOOD),
            moves if moves >= left => return Ok(BY_MOVES),
            _ => {}
        }
        // Checks come first, because they leave the fewest answers. The last move must be a check.
        let mut moves = Moves::new();
        self.game.checking_moves(&mut moves);
        if left > 1 && !self.checks {
            let mut all = Moves::new();
            self.game.legal_moves(&mut all);
            all.retain(|m| !moves.contains(&m));
            moves.extend(all.iter().copied());
        }
        let mut outcome = self.try_all(&moves, left, ply)?;
        if left == 1
            && !self.checks
            && let BoundedOutcome::Refuted(why) = &mut outcome
        {
            why.moves = true;
        }
        if let BoundedOutcome::Refuted(RefutationReason { path: false, moves }) = outcome {
            self.known.put(key, if moves { left } else { NEVER });
        }
        Ok(outcome)
    }

    fn try_all(&mut self, moves: &[G::Move], left: usize, ply: usize) -> Result<BoundedOutcome, Interrupted> {
        let mut all = RefutationReason::default();
        for &m in moves {
            match self.after(m, |search| search.defend(left, ply + 1))? {
                BoundedOutcome::Mate => {
                    self.keep_line(ply, m);
                    return Ok(BoundedOutcome::Mate);
                }
                BoundedOutcome::Refuted(why) => {
                    all = RefutationReason { path: all.path | why.path, moves: all.moves | why.moves }
                }
            }
        }
        Ok(BoundedOutcome::Refuted(all))
    }

    /// Searches the answers of the defender. `left` is the number of the attacker's moves, including the previous one.
    fn defend(&mut self, left: usize, ply: usize) -> Result<BoundedOutcome, Interrupted> {
        if left == 1 && self.game.count_moves() > 0 {
            return Ok(BY_MOVES);
        }
        let mut moves = Moves::new();
        self.game.legal_moves(&mut moves);
        if moves.is_empty() {
            self.lines[ply].clear();
            return Ok(if is_mated_without_moves(&self.game) { BoundedOutcome::Mate } else { FOR_GOOD });
        }
        if self.game.verdict() != Verdict::Open {
            return Ok(BY_PATH);
        }
        let first = self.defences[ply].filter(|m| moves.contains(m));
        let mut longest = Vec::new();
        for m in first.into_iter().chain(moves.iter().copied().filter(|&m| Some(m) != first)) {
            let outcome = self.after(m, |search| search.attack(left - 1, ply + 1))?;
            if outcome != BoundedOutcome::Mate {
                self.defences[ply] = Some(m);
                return Ok(outcome);
            }
            self.keep_line(ply, m);
            if self.lines[ply].len() > longest.len() {
                longest.clone_from(&self.lines[ply]);
            }
        }
        self.lines[ply] = longest;
        Ok(BoundedOutcome::Mate)
    }

    fn after(
        &mut self,
        m: G::Move,
        look: impl FnOnce(&mut Self) -> Result<BoundedOutcome, Interrupted>,
    ) -> Result<BoundedOutcome, Interrupted> {
        if self.nodes >= self.pause {
            self.pause = self.stop.more(self.nodes);
        }
        if self.nodes >= self.node_limit || self.stop.is_stopped() {
            return Err(Interrupted);
        }
        self.nodes += 1;
        self.game.make(m);
        let outcome = look(self);
        self.game.unmake();
        outcome
    }

    /// Sets the line of `ply` to `m` followed by the line of the next ply.
    fn keep_line(&mut self, ply: usize, m: G::Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(m);
        head[ply].extend_from_slice(&tail[0]);
    }
}
