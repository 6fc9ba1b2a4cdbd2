//! A brute-force search for brinkmates, which tries every move of the attacker, every defence, and all lines of checks
//! up to a depth. The brute-force search shares only the rules of the game with the tested searches, and uses neither
//! hand comparisons nor proof numbers.

use hasami_api::{BrinkmateGame, Game, MateGame, Moves};
use hasami_shogi::{Move, Shogi};
use std::collections::HashMap;

/// The brute-force answer, which is `Unknown` if the depth or the number of moves did not suffice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    Yes,
    No,
    Unknown,
}
use Truth::{No, Unknown, Yes};

pub struct Brute {
    game: Shogi,
    mate_plies: usize,
    /// Number of moves that may still be made.
    moves_left: u64,
    /// Whether to distinguish "no mate at all" from "no mate within the depth" below the current node.
    thorough: bool,
    mates: HashMap<u64, Truth>,
}

impl Brute {
    /// Creates a search for a position in which the attacker is to move. The search finds mates of at most `mate_plies`
    /// plies and makes at most `moves` moves.
    pub fn new(game: &Shogi, mate_plies: usize, moves: u64) -> Self {
        Self { game: game.clone(), mate_plies, moves_left: moves, thorough: false, mates: HashMap::new() }
    }

    /// Returns whether the attacker mates by checks.
    pub fn is_mate(&mut self) -> Truth {
        if let Some(&known) = self.mates.get(&self.game.key()) {
            return known;
        }
        self.thorough = false;
        let mut found = Unknown;
        for plies in (1..=self.mate_plies).step_by(2) {
            if self.check(plies) == Yes {
                found = Yes;
                break;
            }
        }
        if found != Yes {
            self.thorough = true;
            found = self.check(self.mate_plies);
        }
        if self.moves_left > 0 {
            self.mates.insert(self.game.key(), found);
        }
        found
    }

    /// Returns whether the attacker, who has no mate, has a brinkmate of at most `plies` plies. The move `first` is
    /// tried first, which changes the answer only if the move limit is reached.
    pub fn is_brinkmate(&mut self, plies: usize, first: Option<Move>) -> Truth {
        let mut all = self.moves();
        all.sort_by_key(|&m| Some(m) != first);
        let mut found = No;
        for m in all {
            match self.after(Some(m), |brute| brute.is_brinkmate_by(plies)) {
                Yes => return Yes,
                Unknown => found = Unknown,
                No => {}
            }
        }
        found
    }

    /// Returns whether the attacker's last move leads to a brinkmate of at most `plies` plies.
    fn is_brinkmate_by(&mut self, plies: usize) -> Truth {
        let counts = if self.game.in_check() { Yes } else { self.after(None, Self::is_mate) };
        if counts == No {
            return No;
        }
        match self.is_lost(plies) {
            Yes => counts,
            other => other,
        }
    }

    /// Returns whether every move of the defender allows a mate or a brinkmate of at most `plies - 2` plies.
    fn is_lost(&mut self, plies: usize) -> Truth {
        let mut found = Yes;
        for m in self.moves() {
            match self.after(Some(m), |brute| brute.is_won(plies)) {
                No => return No,
                Unknown => found = Unknown,
                Yes => {}
            }
        }
        found
    }

    fn is_won(&mut self, plies: usize) -> Truth {
        let mate = self.is_mate();
        if mate == Yes || plies == 1 {
            return mate;
        }
        match self.is_brinkmate(plies - 2, None) {
            No => mate,
            other => other,
        }
    }

    /// Returns whether the attacker has a check that mates within `plies` plies.
    fn check(&mut self, plies: usize) -> Truth {
        let mut checks = Moves::new();
        self.game.checking_moves(&mut checks);
        let mut found = No;
        for &m in checks.iter() {
            match self.after(Some(m), |brute| brute.evade(plies - 1)) {
                Yes => return Yes,
                Unknown => found = Unknown,
                No => {}
            }
        }
        found
    }

    /// Returns whether the defender, who is in check, is mated within `plies` plies whatever it plays.
    fn evade(&mut self, plies: usize) -> Truth {
        let moves = self.moves();
        if moves.is_empty() {
            return Yes;
        }
        if plies == 0 {
            return Unknown;
        }
        let mut found = Yes;
        for m in moves {
            match self.after(Some(m), |brute| brute.check(plies - 1)) {
                No => return No,
                Unknown if !self.thorough => return Unknown,
                Unknown => found = Unknown,
                Yes => {}
            }
        }
        found
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Moves::new();
        self.game.legal_moves(&mut moves);
        moves.to_vec()
    }

    /// Returns the result of `look` after a move, or after a pass for `None`.
    fn after(&mut self, m: Option<Move>, look: impl FnOnce(&mut Self) -> Truth) -> Truth {
        if self.moves_left == 0 {
            return Unknown;
        }
        self.moves_left -= 1;
        match m {
            Some(m) => self.game.make(m),
            None => self.game.pass(),
        }
        let found = look(self);
        self.game.unmake();
        found
    }
}
