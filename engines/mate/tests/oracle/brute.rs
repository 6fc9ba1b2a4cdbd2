//! A naive search for mates by checks, which makes every legal move to see whether it gives check, stores nothing and
//! prunes nothing. The search knows nothing about hands, drops and dominance, unlike the proof-number search.

use hasami_api::{Game, Moves};
use hasami_shogi::{Move, Shogi};

/// The result of searching all lines up to a number of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Mate in at most this many plies.
    Mate(usize),
    /// No line of checks mates, whatever its length.
    NoMate,
    /// No mate within this many plies, and longer lines were not searched.
    Longer(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Mate,
    NoMate,
    /// The depth was too small to decide the position.
    Cut,
}

struct OutOfNodes;

struct Brute {
    game: Shogi,
    /// Keys of the positions on the path.
    path: Vec<u64>,
    nodes_left: u64,
    /// Whether to distinguish "no mate at all" from "no mate within the depth"; if not, both are `Cut`.
    thorough: bool,
}

/// Returns the truth about a position with the attacker to move, searching at most `plies` plies and `nodes` nodes.
pub fn truth(game: &Shogi, plies: usize, nodes: u64) -> Truth {
    let mut brute = Brute { game: game.clone(), path: vec![game.key()], nodes_left: nodes, thorough: false };
    let mut found = Truth::Longer(0);
    for depth in (1..=plies).step_by(2) {
        found = match brute.attack(depth) {
            Ok(Outcome::Mate) => return Truth::Mate(depth),
            Ok(_) => Truth::Longer(depth),
            Err(OutOfNodes) => break,
        };
    }
    let mut brute = Brute { game: game.clone(), path: vec![game.key()], nodes_left: nodes, thorough: true };
    if matches!(brute.attack(plies), Ok(Outcome::NoMate)) { Truth::NoMate } else { found }
}

impl Brute {
    /// Searches the attacker's moves. `left` plies are left until the mate, including the mating move.
    fn attack(&mut self, left: usize) -> Result<Outcome, OutOfNodes> {
        let mut outcome = Outcome::NoMate;
        for m in self.moves() {
            match self
                .after(m, |brute| if brute.game.in_check() { brute.defend(left - 1) } else { Ok(Outcome::NoMate) })?
            {
                Outcome::Mate => return Ok(Outcome::Mate),
                Outcome::Cut => outcome = Outcome::Cut,
                Outcome::NoMate => {}
            }
        }
        Ok(outcome)
    }

    fn defend(&mut self, left: usize) -> Result<Outcome, OutOfNodes> {
        let moves = self.moves();
        if moves.is_empty() {
            return Ok(Outcome::Mate);
        }
        if left == 0 {
            return Ok(Outcome::Cut);
        }
        let mut outcome = Outcome::Mate;
        for m in moves {
            match self.after(m, |brute| brute.attack(left - 1))? {
                Outcome::NoMate => return Ok(Outcome::NoMate),
                Outcome::Cut => outcome = Outcome::Cut,
                Outcome::Mate => {}
            }
            if outcome == Outcome::Cut && !self.thorough {
                return Ok(outcome);
            }
        }
        Ok(outcome)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Moves::new();
        self.game.legal_moves(&mut moves);
        moves.to_vec()
    }

    /// Searches a move. A position that repeats on its path counts as no mate, because an attacker who can mate need
    /// not repeat it.
    fn after(
        &mut self,
        m: Move,
        look: impl FnOnce(&mut Self) -> Result<Outcome, OutOfNodes>,
    ) -> Result<Outcome, OutOfNodes> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(OutOfNodes)?;
        self.game.make(m);
        let key = self.game.key();
        let outcome = if self.path.contains(&key) {
            Ok(Outcome::NoMate)
        } else {
            self.path.push(key);
            let outcome = look(self);
            self.path.pop();
            outcome
        };
        self.game.unmake();
        outcome
    }
}
