//! The score table of a match: the points of each engine against every other engine.

use super::schedule::Pairing;
use super::stats::ResultTally;
use hasami_api::{Ending, Outcome, Side};
use std::collections::BTreeMap;

/// The facts about a finished game that affect statistics and schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinishedGame {
    pub pairing: Pairing,
    pub outcome: Outcome,
    pub ending: Ending,
}

/// The scores of a match. Games may be added in any order; a pair is counted when both of its games have been added.
#[derive(Clone, Debug)]
pub struct Scores {
    /// Whether two games of one opening count as a pair.
    pairs: bool,
    /// Results by pairing, as seen by the engine with the lower index, whose index comes first.
    encounters: BTreeMap<[usize; 2], ResultTally>,
    /// For each group with only one game so far, the half points of the first engine in that game.
    open: BTreeMap<u32, u8>,
    /// The games, in the order of the calls to `add`.
    games: Vec<FinishedGame>,
}

impl Scores {
    pub fn new(pairs: bool) -> Self {
        Self { pairs, encounters: BTreeMap::new(), open: BTreeMap::new(), games: Vec::new() }
    }

    /// Counts a game, unless it is unfinished.
    pub fn add(&mut self, played: FinishedGame) {
        let [first, second] = played.pairing.engines;
        let point_of_view = if first < second { Side::First } else { Side::Second };
        let Some(half_points) = played.outcome.half_points(point_of_view) else { return };
        let tally = self.encounters.entry([first.min(second), first.max(second)]).or_default();
        tally.add_game(half_points);
        if self.pairs {
            match self.open.remove(&played.pairing.group) {
                None => _ = self.open.insert(played.pairing.group, half_points),
                Some(other) => tally.add_pair([other, half_points]),
            }
        }
        self.games.push(played);
    }

    pub fn has_pairs(&self) -> bool {
        self.pairs
    }

    pub fn games(&self) -> &[FinishedGame] {
        &self.games
    }

    /// Returns the results of `engine` against `other`.
    pub fn between(&self, engine: usize, other: usize) -> ResultTally {
        let tally = self.encounters.get(&[engine.min(other), engine.max(other)]).copied().unwrap_or_default();
        if engine < other { tally } else { tally.reversed() }
    }

    /// Returns the results of `engine` against all others.
    pub fn of(&self, engine: usize) -> ResultTally {
        let mut sum = ResultTally::default();
        for &[a, b] in self.encounters.keys().filter(|pair| pair.contains(&engine)) {
            sum += &self.between(engine, if a == engine { b } else { a });
        }
        sum
    }

    /// Iterates over the pairs of engines that have played each other; the lower index comes first.
    pub fn encounters(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.encounters.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game: u32, group: u32, engines: [usize; 2], outcome: Outcome) -> FinishedGame {
        FinishedGame {
            pairing: Pairing { game, round: 1, group, engines, opening: None },
            outcome,
            ending: Ending::Checkmate,
        }
    }

    #[test]
    fn pairs_count_when_both_games_have_come_in_any_order() {
        let mut scores = Scores::new(true);
        let (white, black) = (Outcome::Win(Side::First), Outcome::Win(Side::Second));
        scores.add(played(0, 0, [0, 1], white));
        scores.add(played(3, 1, [1, 0], black));
        assert_eq!(scores.of(0).pair_count(), 0);
        scores.add(played(2, 1, [0, 1], white));
        scores.add(played(1, 0, [1, 0], Outcome::Draw));
        scores.add(played(4, 2, [0, 1], Outcome::Unfinished));
        let tally = scores.between(0, 1);
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.pairs), (3, 1, 0, [0, 0, 0, 1, 1]));
        assert_eq!(scores.between(1, 0).pairs, [1, 1, 0, 0, 0]);
        assert_eq!(scores.games().len(), 4);
    }

    #[test]
    fn results_of_an_engine_are_summed_over_its_opponents() {
        let mut scores = Scores::new(false);
        scores.add(played(0, 0, [0, 1], Outcome::Draw));
        scores.add(played(1, 1, [2, 0], Outcome::Win(Side::First)));
        scores.add(played(2, 2, [2, 1], Outcome::Win(Side::Second)));
        assert_eq!((scores.of(0).losses, scores.of(0).draws), (1, 1));
        assert_eq!((scores.of(2).wins, scores.of(2).losses), (1, 1));
        assert_eq!(scores.encounters().count(), 3);
    }
}
