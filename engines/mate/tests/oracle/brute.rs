//! Mates by checks without any cleverness: every legal move is made to see whether it checks, nothing is remembered,
//! nothing is left out. It knows hands, drops and dominance as little as proof numbers.

use hasami_api::{Game, Moves};
use hasami_shogi::{Move, Shogi};

/// Statistics of all lines of so many plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Mate in at most so many plies.
    Mate(usize),
    /// No line of checks mates, however long.
    NoMate,
    /// No mate within so many plies; longer lines were not looked at.
    Longer(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Mate,
    NoMate,
    /// The depth was too small to tell.
    Cut,
}

struct OutOfNodes;

struct Brute {
    game: Shogi,
    /// Keys of the positions on the way.
    path: Vec<u64>,
    nodes_left: u64,
    /// Tells apart what is no mate at all and what is none within the depth; otherwise both are `Cut`.
    thorough: bool,
}

/// The truth about a position in which the attacker is to move, as far as `plies` plies and `nodes` moves made tell.
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
    /// The attacker has `left` plies from here to the mate, the mating move included.
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

    /// A position that comes again on its way is no mate: whoever mates need not go round.
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
