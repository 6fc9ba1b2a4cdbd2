//! Counts games that repeat an earlier game of the same engines move for move. Repeated games carry no new information,
//! although every statistic counts them.

use super::schedule::Pairing;
use hasami_api::GameRecord;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Default)]
pub struct Repeats {
    /// Hashes of the games with at least one move made by an engine.
    seen: BTreeSet<u64>,
    games: u32,
    repeated: u32,
}

impl Repeats {
    pub fn add(&mut self, pairing: Pairing, record: &GameRecord) {
        self.games += 1;
        if record.moves.iter().all(|played| played.book) {
            return;
        }
        let mut hasher = DefaultHasher::new();
        (pairing.engines, &record.start).hash(&mut hasher);
        record.moves.iter().for_each(|played| played.text.hash(&mut hasher));
        self.repeated += u32::from(!self.seen.insert(hasher.finish()));
    }

    /// Returns a warning about repeated games; `None` if no game was repeated.
    pub fn warning(&self) -> Option<String> {
        (self.repeated > 0).then(|| format!("{} of {} games repeat an earlier one move for move; Elo, LOS and error bars count them as games of their own and promise too much", self.repeated, self.games))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::PlayedMove;

    #[test]
    fn same_moves_with_same_colours_are_a_repeat() {
        let record = |moves: &str| GameRecord {
            moves: moves.split(' ').map(|text| PlayedMove::new(text.parse().unwrap())).collect(),
            ..GameRecord::default()
        };
        let pairing = |engines| Pairing { game: 0, round: 1, group: 0, engines, opening: None };
        let mut repeats = Repeats::default();
        for (engines, moves) in [([0, 1], "e2e4 e7e5"), ([1, 0], "e2e4 e7e5"), ([0, 1], "e2e4 e7e6")] {
            repeats.add(pairing(engines), &record(moves));
        }
        assert_eq!(repeats.warning(), None);
        repeats.add(pairing([0, 1]), &record("e2e4 e7e5"));
        let warning = repeats.warning().unwrap().to_string();
        assert!(warning.starts_with("1 of 4 games repeat an earlier one move for move"), "{warning}");
        let book =
            GameRecord { moves: vec![PlayedMove { book: true, ..record("e2e4").moves[0].clone() }], ..record("e2e4") };
        (0..2).for_each(|_| repeats.add(pairing([0, 1]), &book));
        assert!(
            repeats.warning().unwrap().to_string().starts_with("1 of 6 "),
            "games without a move by the engines are not repeats"
        );
    }
}
