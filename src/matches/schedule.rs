//! Who plays whom, with which colours, from which opening. Pure: the number of a game says everything about it, so a
//! match that goes on after a break plays exactly what is missing.

mod draw;
mod knockout;
mod swiss;

pub use super::pairing::Pairing;
pub use draw::{Draw, Encounter, Planned};
use serde::{Deserialize, Serialize};
pub use swiss::usual_rounds;

/// The kind of tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// Two engines.
    Pair,
    /// The first engines (seeds) against each of the others.
    Gauntlet,
    /// Each engine against each other.
    #[default]
    RoundRobin,
    /// Who loses an encounter is out.
    Knockout,
    /// In every round engines with about equally many points meet.
    Swiss,
}

/// Of a schedule that is read from a file.
const MOST_ENGINES: usize = 1_000;

/// Everything that the order of the games depends on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    pub tournament: Tournament,
    pub engines: usize,
    /// Gauntlet: so many engines from the front play against all behind them.
    pub seeds: usize,
    /// Games of each two engines against each other.
    pub games: u32,
    /// Games of two engines in a row from one opening: 2 for both colours.
    pub repeats: u32,
    /// The engine that is named first always has the first move.
    pub no_swap: bool,
    /// The engine that is named second begins.
    pub reverse: bool,
    /// Number of openings in the file; 0: all games begin at the usual start.
    pub openings: usize,
    /// The first opening to be used, from 0.
    pub first_opening: usize,
    /// Swiss: how many there are. Not in journals of other tournaments.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rounds: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Default for Schedule {
    /// Two engines, one opening with both colours.
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
            rounds: 0,
        }
    }
}

impl Schedule {
    /// Who meets whom depends on results.
    pub fn is_drawn(&self) -> bool {
        matches!(self.tournament, Tournament::Knockout | Tournament::Swiss)
    }

    /// Pairs of engines that meet, the first named first; none where results have a say.
    pub fn encounters(&self) -> Vec<[usize; 2]> {
        let first = match self.tournament {
            Tournament::Pair => 1,
            Tournament::Gauntlet => self.seeds.clamp(1, self.engines),
            Tournament::RoundRobin => self.engines,
            Tournament::Knockout | Tournament::Swiss => 0,
        };
        (0..first).flat_map(|a| (a + 1..self.engines).map(move |b| [a, b])).collect()
    }

    /// Two games from one opening count as a pair.
    pub fn has_pairs(&self) -> bool {
        self.repeats == 2
    }

    /// So many times two engines meet.
    pub fn encounter_count(&self) -> usize {
        match self.tournament {
            Tournament::Knockout => self.engines - 1,
            Tournament::Swiss => self.rounds as usize * (self.engines / 2),
            _ => self.encounters().len(),
        }
    }

    /// Games, without those that decide drawn encounters of a knockout.
    pub fn total(&self) -> u32 {
        self.games * self.encounter_count() as u32
    }

    /// Numbers of games are below this.
    pub fn limit(&self) -> u32 {
        let extra = if self.tournament == Tournament::Knockout { 2 * knockout::EXTRA_PAIRS } else { 0 };
        self.total() + extra * self.encounter_count() as u32
    }

    /// Of a file, it can be played: there are engines, and no number is beyond what is counted.
    pub fn is_sound(&self) -> bool {
        if !(2..=MOST_ENGINES).contains(&self.engines) || self.repeats == 0 || self.rounds as usize > MOST_ENGINES {
            return false;
        }
        let all = u32::try_from(self.encounter_count()).ok();
        let most = self.games.checked_add(2 * knockout::EXTRA_PAIRS);
        all.zip(most).is_some_and(|(all, most)| all.checked_mul(most).is_some())
    }

    /// The least number of games of each two engines, of whole openings, with which there is a game of this number; `None`
    /// where results have a say, or where games cannot be added to the end.
    pub fn games_for(&self, game: u32) -> Option<u32> {
        if self.is_drawn() || !self.is_sound() || !self.games.is_multiple_of(self.repeats) {
            return None;
        }
        let a_round = u32::try_from(self.encounters().len()).ok()?.checked_mul(self.repeats)?;
        game.checked_div(a_round)?.checked_add(1)?.checked_mul(self.repeats)
    }

    /// Half points of an engine without an opponent: as if it had won all games.
    pub const fn bye_points(&self) -> u32 {
        2 * self.games
    }

    /// The encounter of a game's number, which of its games it is, and of which extra pair.
    fn place_of(&self, game: u32) -> Option<(usize, u32, Option<u32>)> {
        let (total, extra) = (self.total(), 2 * knockout::EXTRA_PAIRS);
        if game < total {
            return Some(((game / self.games) as usize, game % self.games, None));
        }
        let (number, within) = ((game - total) / extra, (game - total) % extra);
        (game < self.limit()).then_some((number as usize, within % 2, Some(within / 2)))
    }

    fn opening(&self, group: u32) -> Option<usize> {
        (self.openings > 0).then(|| (self.first_opening + group as usize) % self.openings)
    }

    /// What is known of a game with this number, below [`Self::limit`].
    pub fn planned(&self, draw: &Draw, game: u32) -> Planned {
        if self.is_drawn() { draw.planned(self, game) } else { Planned::Game(self.game(game)) }
    }

    /// The game with this number, below [`Self::total`], where results have no say.
    pub fn game(&self, game: u32) -> Pairing {
        let encounters = self.encounters();
        let count = encounters.len() as u32;
        let round = game / (count * self.repeats);
        // The last round may be a short one.
        let repeats = self.repeats.min(self.games - round * self.repeats);
        let within = game - round * count * self.repeats;
        let (encounter, turn) = (within / repeats, within % repeats);
        let group = round * count + encounter;
        // With one game an opening the colours change from round to round.
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
    fn everybody_meets_everybody_equally_often() {
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
    fn colours_can_be_kept_or_turned() {
        let fixed = Schedule { no_swap: true, ..schedule(Tournament::Pair, 2, 4) };
        assert!(all(&fixed).iter().all(|game| game.engines == [0, 1]));
        let turned = Schedule { reverse: true, ..schedule(Tournament::Pair, 2, 4) };
        assert_eq!(turned.game(0).engines, [1, 0]);
        let single = Schedule { repeats: 1, ..schedule(Tournament::Pair, 2, 4) };
        let seen: Vec<_> = all(&single).iter().map(|g| (g.engines, g.opening)).collect();
        assert_eq!(seen, [([0, 1], Some(0)), ([1, 0], Some(1)), ([0, 1], Some(2)), ([1, 0], Some(3))]);
    }

    #[test]
    fn more_games_only_add_to_the_end() {
        let (short, long) = (schedule(Tournament::RoundRobin, 4, 4), schedule(Tournament::RoundRobin, 4, 10));
        assert!(all(&long).starts_with(&all(&short)));
    }

    #[test]
    fn a_game_behind_the_end_says_how_many_there_must_be() {
        for (tournament, engines, pairs) in [(Tournament::Pair, 2, 1), (Tournament::RoundRobin, 4, 6)] {
            let short = schedule(tournament, engines, 2);
            let found = |game| short.games_for(game * pairs).expect("a number");
            assert_eq!([found(0), found(1), found(2), found(7)], [2, 2, 4, 8]);
            let game = 7 * pairs;
            assert!(Schedule { games: found(7), ..short.clone() }.total() > game);
            assert_eq!(Schedule { games: 3, ..short }.games_for(9), None, "a short round stands in the middle");
        }
        let odd = Schedule { engines: usize::MAX, ..schedule(Tournament::RoundRobin, 2, 2) };
        assert_eq!((odd.games_for(9), schedule(Tournament::Swiss, 4, 2).games_for(99)), (None, None));
        assert!(
            !schedule(Tournament::Gauntlet, 0, 2).is_sound() && !schedule(Tournament::Pair, 2, u32::MAX).is_sound()
        );
        assert!(!Schedule { repeats: 0, ..Schedule::default() }.is_sound() && Schedule::default().is_sound());
    }

    #[test]
    fn openings_begin_again_at_the_end() {
        let few = Schedule { openings: 2, first_opening: 1, ..schedule(Tournament::Pair, 2, 6) };
        let seen: Vec<_> = all(&few).iter().step_by(2).map(|g| g.opening).collect();
        assert_eq!(seen, [Some(1), Some(0), Some(1)]);
    }
}
