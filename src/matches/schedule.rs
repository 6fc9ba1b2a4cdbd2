//! The schedule of a match: pairings, colours and openings. The pairing, colours and opening of a game depend only on
//! its number, so a match that continues after an interruption plays exactly the missing games.

use serde::{Deserialize, Serialize};

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// Number of the game, from 0, in playing order.
    pub game: u32,
    /// Number of the round, from 1.
    pub round: u32,
    /// Number of the group: the games of two engines from one opening.
    pub group: u32,
    /// The engines that move first and second.
    pub engines: [usize; 2],
    /// Index into the openings; `None` without openings.
    pub opening: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// A match between two engines.
    Pair,
    /// Each of the first engines (the seeds) plays all other engines.
    Gauntlet,
    /// Every engine plays every other engine.
    #[default]
    RoundRobin,
}

/// Largest number of engines in a schedule that is read from a file.
const MOST_ENGINES: usize = 1_000;

/// Number of games if only the SPRT ends the match; no real match is that long.
pub const UNTIL_DECIDED: u32 = 1_000_000;

/// The settings that determine the pairings and their order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    pub tournament: Tournament,
    pub engines: usize,
    /// In a gauntlet, this many engines at the front of the list play all others.
    pub seeds: usize,
    /// Number of games per pairing.
    pub games: u32,
    /// Two engines play each opening this many times in a row; 2 means once with each colour.
    pub repeats: u32,
    /// Whether the engine that is named first always moves first.
    pub no_swap: bool,
    /// Whether colours are swapped, so that the engine that is named second moves first.
    pub reverse: bool,
    /// Number of openings in the file; 0 if all games start from the initial position.
    pub openings: usize,
    /// Index of the first opening to use, from 0.
    pub first_opening: usize,
}

impl Default for Schedule {
    /// Creates a match of two engines that play each opening with both colours.
    fn default() -> Self {
        Self {
            tournament: Tournament::Pair,
            engines: 2,
            seeds: 1,
            games: 2,
            repeats: 2,
            no_swap: false,
            reverse: false,
            openings: 0,
            first_opening: 0,
        }
    }
}

impl Schedule {
    /// Returns the pairs of engines that play each other, in the order of their first games.
    pub fn encounters(&self) -> Vec<[usize; 2]> {
        let first = match self.tournament {
            Tournament::Pair => 1,
            Tournament::Gauntlet => self.seeds.clamp(1, self.engines),
            Tournament::RoundRobin => self.engines,
        };
        (0..first).flat_map(|a| (a + 1..self.engines).map(move |b| [a, b])).collect()
    }

    /// Returns whether the number of games is unlimited, so that only the SPRT ends the match.
    pub const fn is_open(&self) -> bool {
        self.games == UNTIL_DECIDED
    }

    /// Returns the number of games, if there is a limit.
    pub fn wanted(&self) -> Option<u32> {
        (!self.is_open()).then(|| self.total())
    }

    /// Returns whether two games from one opening count as a pair.
    pub fn has_pairs(&self) -> bool {
        self.repeats == 2
    }

    /// Returns the number of games of the match.
    pub fn total(&self) -> u32 {
        self.games * self.encounters().len() as u32
    }

    /// Checks a schedule from a file: returns whether it has engines and its numbers do not overflow.
    pub fn is_sound(&self) -> bool {
        if !(2..=MOST_ENGINES).contains(&self.engines) || self.repeats == 0 {
            return false;
        }
        u32::try_from(self.encounters().len()).is_ok_and(|all| all.checked_mul(self.games).is_some())
    }

    fn opening(&self, group: u32) -> Option<usize> {
        (self.openings > 0).then(|| (self.first_opening + group as usize) % self.openings)
    }

    /// Returns the game with the number `game`, which must be below [`Self::total`].
    pub fn game(&self, game: u32) -> Pairing {
        let encounters = self.encounters();
        let count = encounters.len() as u32;
        let round = game / (count * self.repeats);
        // The last round may have fewer games per opening.
        let repeats = self.repeats.min(self.games - round * self.repeats);
        let within = game - round * count * self.repeats;
        let (encounter, turn) = (within / repeats, within % repeats);
        let group = round * count + encounter;
        // With one game per opening, colours alternate from round to round.
        let odd = if self.repeats == 1 { round } else { turn } % 2 == 1;
        let [a, b] = encounters[encounter as usize];
        let swapped = (odd && !self.no_swap) != self.reverse;
        Pairing {
            game,
            round: round + 1,
            group,
            engines: if swapped { [b, a] } else { [a, b] },
            opening: self.opening(group),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn schedule(tournament: Tournament, engines: usize, games: u32) -> Schedule {
        Schedule { tournament, engines, games, openings: 100, ..Schedule::default() }
    }

    fn all(schedule: &Schedule) -> Vec<Pairing> {
        (0..schedule.total()).map(|game| schedule.game(game)).collect()
    }

    #[test]
    fn a_pair_plays_every_opening_with_both_colours() {
        let games = all(&schedule(Tournament::Pair, 2, 4));
        let seen: Vec<_> = games.iter().map(|g| (g.round, g.engines, g.opening)).collect();
        let wanted = [(1, [0, 1], Some(0)), (1, [1, 0], Some(0)), (2, [0, 1], Some(1)), (2, [1, 0], Some(1))];
        assert_eq!(seen, wanted);
    }

    #[test]
    fn every_pairing_has_the_same_number_of_games() {
        for (tournament, engines, meetings) in
            [(Tournament::RoundRobin, 5, 10), (Tournament::Gauntlet, 5, 4), (Tournament::Pair, 2, 1)]
        {
            for games in [1, 2, 3, 6, 7] {
                let schedule = schedule(tournament, engines, games);
                let mut count: BTreeMap<[usize; 2], u32> = BTreeMap::new();
                for game in all(&schedule) {
                    let [a, b] = game.engines;
                    *count.entry([a.min(b), a.max(b)]).or_default() += 1;
                }
                assert_eq!(count.len(), meetings);
                assert!(count.values().all(|&played| played == games), "{tournament:?} {games}: {count:?}");
            }
        }
    }

    #[test]
    fn colours_can_be_fixed_or_swapped() {
        let fixed = Schedule { no_swap: true, ..schedule(Tournament::Pair, 2, 4) };
        assert!(all(&fixed).iter().all(|game| game.engines == [0, 1]));
        let turned = Schedule { reverse: true, ..schedule(Tournament::Pair, 2, 4) };
        assert_eq!(turned.game(0).engines, [1, 0]);
        let single = Schedule { repeats: 1, ..schedule(Tournament::Pair, 2, 4) };
        let seen: Vec<_> = all(&single).iter().map(|g| (g.engines, g.opening)).collect();
        assert_eq!(seen, [([0, 1], Some(0)), ([1, 0], Some(1)), ([0, 1], Some(2)), ([1, 0], Some(3))]);
    }

    #[test]
    fn extending_a_match_only_appends_games() {
        let (short, long) = (schedule(Tournament::RoundRobin, 4, 4), schedule(Tournament::RoundRobin, 4, 10));
        assert!(all(&long).starts_with(&all(&short)));
    }

    #[test]
    fn unplayable_schedules_are_recognized() {
        let odd = Schedule { engines: usize::MAX, ..schedule(Tournament::RoundRobin, 2, 2) };
        assert!(!odd.is_sound());
        assert!(
            !schedule(Tournament::Gauntlet, 0, 2).is_sound()
                && !schedule(Tournament::RoundRobin, 4, u32::MAX).is_sound()
        );
        assert!(!Schedule { repeats: 0, ..Schedule::default() }.is_sound() && Schedule::default().is_sound());
    }

    #[test]
    fn a_match_that_a_test_ends_has_no_number_of_games_to_show() {
        let open = schedule(Tournament::Pair, 2, UNTIL_DECIDED);
        assert_eq!((open.wanted(), Schedule { games: 40, ..open }.wanted()), (None, Some(40)));
    }

    #[test]
    fn openings_wrap_around() {
        let few = Schedule { openings: 2, first_opening: 1, ..schedule(Tournament::Pair, 2, 6) };
        let seen: Vec<_> = all(&few).iter().step_by(2).map(|g| g.opening).collect();
        assert_eq!(seen, [Some(1), Some(0), Some(1)]);
    }
}
