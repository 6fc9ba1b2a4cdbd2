//! From a proof to a main line, and the strict replay of a line before it is reported.

use crate::dfpn::{Dfpn, Interrupted};
use hasami_api::{MateGame, Moves, Verdict};

impl<G: MateGame> Dfpn<'_, G> {
    /// A main line from the current position, which is proved: the shortest proof known for the attacker, the longest
    /// defence known. `None` if it cannot be followed to its end.
    pub(crate) fn main_line(&mut self) -> Result<Option<Vec<G::Move>>, Interrupted> {
        let mut line = Vec::new();
        let mut seen = vec![self.game.key()];
        let result = loop {
            let step = match line.len() % 2 {
                0 => self.attack(&seen),
                _ => Ok(self.longest_defence()),
            };
            match step {
                Err(Interrupted) => break Err(Interrupted),
                // The defender has no move left, or the attacker lost the thread.
                Ok(None) => break Ok((line.len() % 2 == 1).then(|| line.clone())),
                Ok(Some(m)) => {
                    self.game.make(m);
                    seen.push(self.game.key());
                    line.push(m);
                }
            }
        };
        for _ in &line {
            self.game.unmake();
        }
        result
    }

    /// The child with the shortest known proof, not going round in circles; the position is solved anew if the table has
    /// forgotten it.
    fn attack(&mut self, seen: &[u64]) -> Result<Option<G::Move>, Interrupted> {
        let mut checks = Moves::new();
        self.game.checking_moves(&mut checks);
        let mut best = None;
        for &m in checks.iter() {
            let known = self.proof_length(m);
            let fresh = !seen.contains(&self.key_after(m));
            if let Some(plies) = known.filter(|_| fresh)
                && best.is_none_or(|(least, _)| plies < least)
            {
                best = Some((plies, m));
            }
        }
        match best {
            Some((_, m)) => Ok(Some(m)),
            None => self.solve().map(|(_, m)| m.filter(|&m| !seen.contains(&self.key_after(m)))),
        }
    }

    fn longest_defence(&mut self) -> Option<G::Move> {
        let mut defences = Moves::new();
        self.game.legal_moves(&mut defences);
        let mut best: Option<(i32, G::Move)> = None;
        for &m in defences.iter() {
            let plies = self.proof_length(m).unwrap_or(-1);
            if best.is_none_or(|(most, _)| plies > most) {
                best = Some((plies, m));
            }
        }
        best.map(|(_, m)| m)
    }

    fn key_after(&mut self, m: G::Move) -> u64 {
        self.game.make(m);
        let key = self.game.key();
        self.game.unmake();
        key
    }

    /// Plies to mate after `m`, if the table knows a proof or it is mate at once.
    fn proof_length(&mut self, m: G::Move) -> Option<i32> {
        self.game.make(m);
        let known = self.table.get(self.game.key()).filter(|value| value.is_proved()).map(|value| value.note);
        let length = if is_mated(&self.game) { Some(0) } else { known };
        self.game.unmake();
        length
    }
}

/// The side to move is in check, has no move, and has lost by it.
pub(crate) fn is_mated<G: MateGame>(game: &G) -> bool {
    game.in_check() && game.count_moves() == 0 && game.verdict_without_moves() == Verdict::Loss
}

/// Every move legal, every attacker's move a check, no draw or declaration on the way, mate at the end.
pub(crate) fn is_mate_line<G: MateGame>(root: &G, line: &[G::Move]) -> bool {
    let mut game = root.clone();
    for (i, &m) in line.iter().enumerate() {
        let mut moves = Moves::new();
        let attacking = i % 2 == 0;
        if attacking {
            game.checking_moves(&mut moves);
        } else {
            game.legal_moves(&mut moves);
        }
        let undecided = match game.verdict() {
            Verdict::Open => true,
            Verdict::Win => attacking,
            Verdict::Draw | Verdict::Loss => false,
        };
        if !moves.contains(&m) || !(i == 0 || undecided) {
            return false;
        }
        game.make(m);
    }
    line.len() % 2 == 1 && is_mated(&game)
}
