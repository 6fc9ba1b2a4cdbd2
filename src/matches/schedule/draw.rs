//! The encounters of a tournament, as far as its results have decided them: all of a round robin, round by round of a
//! knockout or of a Swiss system. A pure function of the schedule and the finished games, in whatever order they ended.

use super::knockout::{self, EXTRA_PAIRS, TieState};
use super::swiss::{self, Card, SwissRound};
use super::{Schedule, Tournament};
use crate::matches::pairing::{FinishedGame, Pairing};
use std::collections::BTreeMap;

/// Two engines that meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// From 1.
    pub round: u32,
    /// The engine with the first move in the first game comes first; `None`: not known yet.
    pub engines: Option<[usize; 2]>,
    /// Half points of both, those of extra games included.
    pub points: [u32; 2],
    /// Knockout: who goes on.
    pub winner: Option<usize>,
    /// Knockout: the extra pair that is played, from 0.
    extra: Option<u32>,
    /// All regular games are over.
    pub is_complete: bool,
}

/// What the schedule says of a game's number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planned {
    Game(Pairing),
    /// Other games must end first.
    Later,
    /// It is not needed.
    Never,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Draw {
    pub encounters: Vec<Encounter>,
    /// Swiss: who has no opponent, by round.
    pub byes: Vec<Option<usize>>,
    /// Knockout: who has no opponent in the first round and goes on.
    pub first_byes: Vec<usize>,
}

impl Draw {
    pub fn new(schedule: &Schedule, played: &[FinishedGame]) -> Self {
        let sheet = Sheet::new(schedule, played);
        match schedule.tournament {
            Tournament::Knockout => Self::of_knockout(schedule, &sheet),
            Tournament::Swiss => Self::of_swiss(schedule, &sheet),
            _ => Self::default(),
        }
    }

    fn of_knockout(schedule: &Schedule, sheet: &Sheet<'_>) -> Self {
        let state = |number: usize, engines: [usize; 2]| {
            let extra = |pair| sheet.points(engines, (0..2).map(|turn| sheet.extra_game(number, pair, turn)));
            knockout::state(engines, sheet.regular(number, engines), extra)
        };
        let winner = |number, engines| match state(number, engines) {
            TieState::Won(engine) => Some(engine),
            _ => None,
        };
        let ties = knockout::bracket(schedule.engines, winner).into_iter().enumerate();
        let encounter = |(number, tie): (usize, knockout::Tie)| {
            let found = tie.engines.map(|engines| state(number, engines));
            Encounter {
                round: tie.round,
                engines: tie.engines,
                points: tie.engines.map(|engines| sheet.so_far(number, engines)).unwrap_or_default(),
                winner: tie.engines.and_then(|engines| winner(number, engines)),
                extra: found.and_then(|state| if let TieState::Extra(pair) = state { Some(pair) } else { None }),
                is_complete: found.is_some_and(|state| state != TieState::Regular),
            }
        };
        Self {
            encounters: ties.map(encounter).collect(),
            first_byes: knockout::byes(schedule.engines),
            byes: Vec::new(),
        }
    }

    /// A round is paired when all games of the one before are over.
    fn of_swiss(schedule: &Schedule, sheet: &Sheet<'_>) -> Self {
        let boards = schedule.engines / 2;
        let mut cards = vec![Card { met: vec![0; schedule.engines], ..Card::default() }; schedule.engines];
        let mut draw = Self::default();
        for round in 1..=schedule.rounds {
            let before = draw.encounters.len();
            if draw.encounters.iter().any(|encounter| !encounter.is_complete) {
                let unknown =
                    Encounter { round, engines: None, points: [0; 2], winner: None, extra: None, is_complete: false };
                draw.encounters.extend(std::iter::repeat_n(unknown, boards));
                continue;
            }
            let SwissRound { pairs, bye } = swiss::pair(&cards);
            for (board, engines) in pairs.into_iter().enumerate() {
                let (number, [a, b]) = (before + board, engines);
                let points = sheet.so_far(number, engines);
                let is_complete = sheet.regular(number, engines).is_some();
                draw.encounters.push(Encounter {
                    round,
                    engines: Some(engines),
                    points,
                    winner: None,
                    extra: None,
                    is_complete,
                });
                for (engine, other, points) in [(a, b, points[0]), (b, a, points[1])] {
                    cards[engine].half_points += points;
                    cards[engine].met[other] += 1;
                }
                cards[a].firsts += 1;
            }
            if let Some(bye) = bye {
                cards[bye].half_points += schedule.bye_points();
                cards[bye].byes += 1;
            }
            draw.byes.push(bye);
        }
        draw
    }

    /// What the schedule says of this number of a game, below [`Schedule::limit`].
    pub fn planned(&self, schedule: &Schedule, game: u32) -> Planned {
        let Some((number, turn, extra)) = schedule.place_of(game) else { return Planned::Never };
        let Some(encounter) = self.encounters.get(number) else { return Planned::Never };
        let Some([a, b]) = encounter.engines else { return Planned::Later };
        match (extra, encounter.extra) {
            (None, _) => {}
            _ if encounter.winner.is_some() => return Planned::Never,
            (Some(pair), Some(now)) if pair == now => {}
            _ => return Planned::Later,
        }
        let swapped = (turn % 2 == 1 && !schedule.no_swap) != schedule.reverse;
        let repeats = schedule.repeats;
        let (of_encounter, of_extra) = (schedule.games.div_ceil(repeats), EXTRA_PAIRS);
        let regular = schedule.encounter_count() as u32 * of_encounter;
        let group = match extra {
            None => number as u32 * of_encounter + turn / repeats,
            Some(pair) => regular + number as u32 * of_extra + pair,
        };
        Planned::Game(Pairing {
            game,
            round: encounter.round,
            group,
            engines: if swapped { [b, a] } else { [a, b] },
            opening: schedule.opening(group),
        })
    }
}

/// Finished games by their numbers.
struct Sheet<'a> {
    schedule: &'a Schedule,
    games: BTreeMap<u32, &'a FinishedGame>,
}

impl<'a> Sheet<'a> {
    fn new(schedule: &'a Schedule, played: &'a [FinishedGame]) -> Self {
        Self { schedule, games: played.iter().map(|game| (game.pairing.game, game)).collect() }
    }

    fn regular_games(&self, number: usize) -> impl Iterator<Item = u32> + use<> {
        let games = self.schedule.games;
        (0..games).map(move |turn| number as u32 * games + turn)
    }

    fn extra_game(&self, number: usize, pair: u32, turn: u32) -> u32 {
        self.schedule.total() + (number as u32 * EXTRA_PAIRS + pair) * 2 + turn
    }

    /// The half points of these games, if all are over.
    fn points(&self, engines: [usize; 2], games: impl Iterator<Item = u32>) -> Option<[u32; 2]> {
        let mut sum = [0; 2];
        for game in games {
            let [a, b] = self.games.get(&game)?.half_points(engines)?;
            sum = [sum[0] + a, sum[1] + b];
        }
        Some(sum)
    }

    fn regular(&self, number: usize, engines: [usize; 2]) -> Option<[u32; 2]> {
        self.points(engines, self.regular_games(number))
    }

    /// The half points of all games of an encounter that are over.
    fn so_far(&self, number: usize, engines: [usize; 2]) -> [u32; 2] {
        let extra = (0..EXTRA_PAIRS * 2).map(|at| self.extra_game(number, at / 2, at % 2));
        let extra: Vec<u32> =
            if self.schedule.tournament == Tournament::Knockout { extra.collect() } else { Vec::new() };
        let found = self.regular_games(number).chain(extra).filter_map(|game| self.games.get(&game));
        found.filter_map(|game| game.half_points(engines)).fold([0; 2], |sum, [a, b]| [sum[0] + a, sum[1] + b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_api::{Ending, Outcome, Side};
    use proptest::prelude::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    fn schedule(tournament: Tournament, engines: usize, games: u32, rounds: u32) -> Schedule {
        Schedule { tournament, engines, games, rounds, openings: 7, ..Schedule::default() }
    }

    /// Plays it as the match does, in a random order with random results; gives the games.
    fn play(schedule: &Schedule, seed: u64) -> Vec<FinishedGame> {
        let mut random = StdRng::seed_from_u64(seed);
        let (mut played, mut waiting) = (Vec::new(), (0..schedule.limit()).collect::<Vec<_>>());
        loop {
            let draw = Draw::new(schedule, &played);
            waiting.retain(|&game| draw.planned(schedule, game) != Planned::Never);
            let ready = waiting.iter().filter_map(|&game| match draw.planned(schedule, game) {
                Planned::Game(pairing) => Some(pairing),
                _ => None,
            });
            let ready: Vec<_> = ready.collect();
            if ready.is_empty() {
                assert!(waiting.is_empty(), "stuck before {waiting:?}");
                return played;
            }
            let pairing = ready[random.random_range(0..ready.len())];
            waiting.retain(|&game| game != pairing.game);
            let outcome = match random.random_range(0..4) {
                0 => Outcome::Win(Side::First),
                1 => Outcome::Win(Side::Second),
                _ => Outcome::Draw,
            };
            played.push(FinishedGame { pairing, outcome, ending: Ending::Checkmate });
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_knockout_ends_with_one_winner(engines in 2_usize..12, games in 1_u32..4, seed in any::<u64>()) {
            let schedule = schedule(Tournament::Knockout, engines, games, 0);
            let played = play(&schedule, seed);
            let draw = Draw::new(&schedule, &played);
            prop_assert_eq!(draw.encounters.len(), engines - 1);
            prop_assert!(draw.encounters.iter().all(|encounter| encounter.winner.is_some()));
            prop_assert!(played.len() as u32 >= schedule.total());
        }

        #[test]
        fn what_is_drawn_does_not_depend_on_the_order_of_the_games(engines in 2_usize..10, seed in any::<u64>()) {
            for tournament in [Tournament::Knockout, Tournament::Swiss] {
                let schedule = schedule(tournament, engines, 2, 3);
                let mut played = play(&schedule, seed);
                let draw = Draw::new(&schedule, &played);
                let games: Vec<_> = played.iter().map(|game| draw.planned(&schedule, game.pairing.game)).collect();
                // What was played is what would be planned; extra games of decided encounters are not played again.
                for (game, planned) in played.iter().zip(games) {
                    let is_extra = game.pairing.game >= schedule.total();
                    prop_assert!(is_extra || planned == Planned::Game(game.pairing));
                }
                let before = draw.encounters.clone();
                played.reverse();
                prop_assert_eq!(Draw::new(&schedule, &played).encounters, before);
            }
        }

        #[test]
        fn a_swiss_tournament_plays_all_its_rounds(engines in 2_usize..10, games in 1_u32..4, seed in any::<u64>()) {
            let schedule = schedule(Tournament::Swiss, engines, games, 3);
            let played = play(&schedule, seed);
            prop_assert_eq!(played.len() as u32, schedule.total());
            let draw = Draw::new(&schedule, &played);
            prop_assert_eq!(draw.byes.len(), 3);
            let points: u32 = draw.encounters.iter().flat_map(|encounter| encounter.points).sum();
            prop_assert_eq!(points, 2 * schedule.total());
        }
    }

    #[test]
    fn a_round_waits_for_the_one_before() {
        let schedule = schedule(Tournament::Swiss, 4, 2, 2);
        let mut played = Vec::new();
        for game in 0..4 {
            let draw = Draw::new(&schedule, &played);
            assert_eq!(draw.planned(&schedule, 4), Planned::Later);
            let Planned::Game(pairing) = draw.planned(&schedule, game) else { panic!("game {game}") };
            played.push(FinishedGame { pairing, outcome: Outcome::Draw, ending: Ending::Repetition });
        }
        let Planned::Game(pairing) = Draw::new(&schedule, &played).planned(&schedule, 4) else { panic!() };
        assert_eq!(pairing.round, 2);
        assert!(!played.iter().any(|game| game.half_points(pairing.engines).is_some()), "nobody meets twice");
    }
}
