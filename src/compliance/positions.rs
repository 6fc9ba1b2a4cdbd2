//! The positions that the engine has to search, taken from random legal games that depend only on a seed.

use hasami_api::{Line, MoveText, Rules, Start};
use hasami_catalog::GameRules;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Number of plies that lead to the long-game position; [`MIDDLE`] plies lead to the middle-game position.
const LONG: usize = 160;
const MIDDLE: usize = 24;

/// At most this many random games are played to find the positions.
const GAMES: usize = 200;

/// Random games end after this many plies at the latest.
const LONGEST: usize = 400;

/// Positions from random games; `None` for a kind of position that did not occur.
pub struct Positions {
    pub start: Line,
    pub middle: Line,
    /// The position after many plies of an unfinished game.
    pub long: Option<Line>,
    /// A position with a single legal move.
    pub single: Option<Line>,
    /// A position in which the side to move is mated.
    pub mated: Option<Line>,
}

impl Positions {
    pub fn new(catalog: &dyn GameRules, seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let start = Line { start: Start { text: None, rules: Rules::default() }, moves: Vec::new() };
        let mut found = Self { middle: start.clone(), start: start.clone(), long: None, single: None, mated: None };
        for _ in 0..GAMES {
            found.play(catalog, start.clone(), &mut random);
            if found.long.is_some() && found.single.is_some() && found.mated.is_some() {
                break;
            }
        }
        found
    }

    fn play(&mut self, catalog: &dyn GameRules, mut line: Line, random: &mut StdRng) {
        let Ok(mut referee) = catalog.referee(&line) else { return };
        while line.moves.len() < LONGEST {
            let moves = legal(catalog, &line);
            if moves.is_empty() && referee.in_check() {
                self.mated.get_or_insert_with(|| line.clone());
            }
            if moves.is_empty() || referee.end().is_some() {
                return;
            }
            if moves.len() == 1 {
                self.single.get_or_insert_with(|| line.clone());
            }
            if line.moves.len() == MIDDLE && self.middle.moves.is_empty() {
                self.middle = line.clone();
            }
            if line.moves.len() == LONG {
                self.long.get_or_insert_with(|| line.clone());
            }
            let chosen = moves[random.random_range(0..moves.len())];
            if referee.play(&chosen).is_err() {
                return;
            }
            line.moves.push(chosen);
        }
    }
}

/// Returns the legal moves of a position in the protocol's notation.
pub fn legal(catalog: &dyn GameRules, line: &Line) -> Vec<MoveText> {
    let Ok(text) = catalog.position(line) else { return Vec::new() };
    let start = Start { text: Some(text.into()), rules: line.start.rules };
    catalog.perft(&start, 1).map(|moves| moves.into_iter().map(|(m, _)| m).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_game_has_all_positions() {
        for catalog in hasami_games::GAMES.iter() {
            let found = Positions::new(catalog, 1);
            let count = |line: &Option<Line>| legal(catalog, line.as_ref().unwrap()).len();
            assert_eq!((count(&found.single), count(&found.mated)), (1, 0), "{}", catalog.name());
            assert!(count(&found.long) > 0 && found.middle.moves.len() == MIDDLE);
            assert_eq!(Positions::new(catalog, 1).long, found.long, "the positions depend only on the seed");
        }
    }
}
