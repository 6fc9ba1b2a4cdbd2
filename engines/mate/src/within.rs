//! Mate within so many moves, quiet ones included: all moves of both sides, one more move of the attacker at a time, so
//! that the first mate found is the shortest one.
//!
//! Only refutations are remembered. What came before can end a line early (repetition, counters), which never helps the
//! attacker: a refutation that did not use such an end holds on every path, a mate might not.

use hasami_api::{MateGame, Moves, Stop, Verdict};

/// Positions remembered.
const SLOTS: usize = 1 << 20;

/// The search was stopped or ran into its node limit.
pub(crate) struct Interrupted;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Mate,
    Refuted,
    /// Refuted by the moves played before: not on every path.
    RefutedHere,
}

/// The most moves within which the side to move is known not to mate, by position.
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

/// One search.
pub(crate) struct Within<'a, G: MateGame> {
    game: G,
    known: &'a mut Refutations,
    stop: &'a Stop,
    pub(crate) nodes: u64,
    node_limit: u64,
    /// The attacker's first moves that count.
    roots: Vec<G::Move>,
    /// By ply: the line found, and the defence that refuted last.
    lines: Vec<Vec<G::Move>>,
    defences: Vec<Option<G::Move>>,
}

impl<'a, G: MateGame> Within<'a, G> {
    pub(crate) fn new(
        game: G,
        roots: Vec<G::Move>,
        known: &'a mut Refutations,
        stop: &'a Stop,
        node_limit: u64,
    ) -> Self {
        Self { game, known, stop, nodes: 0, node_limit, roots, lines: Vec::new(), defences: Vec::new() }
    }

    /// A shortest mate of exactly so many moves of the attacker, if there is none in fewer.
    pub(crate) fn mate_in(&mut self, moves: usize) -> Result<Option<Vec<G::Move>>, Interrupted> {
        self.lines.resize(2 * moves + 2, Vec::new());
        self.defences.resize(2 * moves + 2, None);
        let outcome = self.try_all(&self.roots.clone(), moves, 0)?;
        Ok((outcome == Outcome::Mate).then(|| self.lines[0].clone()))
    }

    /// The attacker moves, for the `left`th time before the last.
    fn attack(&mut self, left: usize, ply: usize) -> Result<Outcome, Interrupted> {
        if matches!(self.game.verdict(), Verdict::Draw | Verdict::Loss) {
            return Ok(Outcome::RefutedHere);
        }
        let key = self.game.key();
        if self.known.get(key) >= left {
            return Ok(Outcome::Refuted);
        }
        // Checks leave the fewest answers; the last move is one.
        let mut moves = Moves::new();
        self.game.checking_moves(&mut moves);
        if left > 1 {
            let mut all = Moves::new();
            self.game.legal_moves(&mut all);
            all.retain(|m| !moves.contains(&m));
            moves.extend(all.iter().copied());
        }
        let outcome = self.try_all(&moves, left, ply)?;
        if outcome == Outcome::Refuted {
            self.known.put(key, left);
        }
        Ok(outcome)
    }

    fn try_all(&mut self, moves: &[G::Move], left: usize, ply: usize) -> Result<Outcome, Interrupted> {
        let mut outcome = Outcome::Refuted;
        for &m in moves {
            match self.after(m, |search| search.defend(left, ply + 1))? {
                Outcome::Mate => {
                    self.keep_line(ply, m);
                    return Ok(Outcome::Mate);
                }
                Outcome::RefutedHere => outcome = Outcome::RefutedHere,
                Outcome::Refuted => {}
            }
        }
        Ok(outcome)
    }

    /// The defender moves; `left` counts the attacker's move just made.
    fn defend(&mut self, left: usize, ply: usize) -> Result<Outcome, Interrupted> {
        if left == 1 && self.game.count_moves() > 0 {
            return Ok(Outcome::Refuted);
        }
        let mut moves = Moves::new();
        self.game.legal_moves(&mut moves);
        if moves.is_empty() {
            self.lines[ply].clear();
            let is_mate = self.game.in_check() && self.game.verdict_without_moves() == Verdict::Loss;
            return Ok(if is_mate { Outcome::Mate } else { Outcome::Refuted });
        }
        if self.game.verdict() != Verdict::Open {
            return Ok(Outcome::RefutedHere);
        }
        let first = self.defences[ply].filter(|m| moves.contains(m));
        let mut longest = Vec::new();
        for m in first.into_iter().chain(moves.iter().copied().filter(|&m| Some(m) != first)) {
            let outcome = self.after(m, |search| search.attack(left - 1, ply + 1))?;
            if outcome != Outcome::Mate {
                self.defences[ply] = Some(m);
                return Ok(outcome);
            }
            self.keep_line(ply, m);
            if self.lines[ply].len() > longest.len() {
                longest.clone_from(&self.lines[ply]);
            }
        }
        self.lines[ply] = longest;
        Ok(Outcome::Mate)
    }

    fn after(
        &mut self,
        m: G::Move,
        look: impl FnOnce(&mut Self) -> Result<Outcome, Interrupted>,
    ) -> Result<Outcome, Interrupted> {
        if self.nodes >= self.node_limit || self.stop.is_stopped() {
            return Err(Interrupted);
        }
        self.nodes += 1;
        self.game.make(m);
        let outcome = look(self);
        self.game.unmake();
        outcome
    }

    /// The line of `ply` is `m` and the line after it.
    fn keep_line(&mut self, ply: usize, m: G::Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(m);
        head[ply].extend_from_slice(&tail[0]);
    }
}
