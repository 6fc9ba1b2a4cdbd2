//! Swiss system, after the Dutch one: engines with equally many points meet; in each group of equals the upper half meets
//! the lower half, in the order of the seeds, and who finds no opponent there meets one of the next group. Nobody meets the
//! same engine twice and nobody has a second bye as long as any pairing of the round allows it.
//!
//! Whether the rest of a round can still be paired is the question for a perfect matching in the graph of allowed pairs. A
//! graph has one exactly if its Tutte matrix is regular (Tutte 1947); with random numbers for the variables a regular one
//! looks singular with a probability below n / 2^61 (Lovász 1979). The numbers are the same in every run.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// A prime, 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// What a round begins with, of one engine; engines are in the order of their seeds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Card {
    pub half_points: u32,
    /// How often it has met each engine.
    pub met: Vec<u32>,
    pub byes: u32,
    /// Encounters in which it had the first move of the first game.
    pub firsts: u32,
}

/// One round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SwissRound {
    /// The engine with the first move in the first game comes first.
    pub pairs: Vec<[usize; 2]>,
    /// Who has no opponent, of an odd number.
    pub bye: Option<usize>,
}

/// So many rounds find a winner, and no more are usual.
pub const fn usual_rounds(engines: usize) -> u32 {
    match engines {
        0..=2 => 1,
        _ => (engines - 1).ilog2() + 1,
    }
}

/// Pairs a round.
pub fn pair(cards: &[Card]) -> SwissRound {
    let mut ranked: Vec<usize> = (0..cards.len()).collect();
    ranked.sort_by_key(|&engine| (std::cmp::Reverse(cards[engine].half_points), engine));
    // The least number of earlier meetings with which the round can be paired: 0 as long as there is a way.
    for most in 0.. {
        let allows = |a: usize, b: usize| cards[a].met[b] <= most;
        for bye in byes(cards, &ranked) {
            let rest: Vec<usize> = ranked.iter().copied().filter(|engine| Some(*engine) != bye).collect();
            if can_be_paired(&rest, &allows) {
                return SwissRound { pairs: pair_rest(cards, rest, &allows), bye };
            }
        }
    }
    SwissRound::default()
}

/// Who may have the bye, the first choice first: who has had the fewest, the last of them.
fn byes(cards: &[Card], ranked: &[usize]) -> Vec<Option<usize>> {
    if ranked.len().is_multiple_of(2) {
        return vec![None];
    }
    let mut order: Vec<usize> = ranked.iter().rev().copied().collect();
    order.sort_by_key(|&engine| cards[engine].byes);
    order.into_iter().map(Some).collect()
}

fn pair_rest(cards: &[Card], mut rest: Vec<usize>, allows: &impl Fn(usize, usize) -> bool) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    while rest.len() >= 2 {
        let first = rest.remove(0);
        let order = opponents(cards, first, &rest);
        let fits = |&at: &usize| {
            let mut others = rest.clone();
            let second = others.remove(at);
            allows(first, second) && can_be_paired(&others, allows)
        };
        // The rest could be paired before, so one of them fits.
        let at = order.into_iter().find(fits).unwrap_or(0);
        let second = rest.remove(at);
        pairs.push(with_first_move(cards, first, second, pairs.len()));
    }
    pairs
}

/// Places in `rest`, the best opponent for `first` first.
fn opponents(cards: &[Card], first: usize, rest: &[usize]) -> Vec<usize> {
    let points = |engine: usize| cards[engine].half_points;
    let equals = rest.iter().take_while(|&&other| points(other) == points(first)).count();
    // With itself: the upper half of its group meets the lower half.
    let middle = equals.div_ceil(2).saturating_sub(1);
    let lower = middle..equals;
    let upper = (0..middle).rev();
    lower.chain(upper).chain(equals..rest.len()).collect()
}

/// Who has had the first move less often; of equals the higher one at every second board.
fn with_first_move(cards: &[Card], high: usize, low: usize, board: usize) -> [usize; 2] {
    let [a, b] = [cards[high].firsts, cards[low].firsts];
    let is_low = if a == b { board % 2 == 1 } else { b < a };
    if is_low { [low, high] } else { [high, low] }
}

/// Everybody has an opponent.
fn can_be_paired(engines: &[usize], allows: &impl Fn(usize, usize) -> bool) -> bool {
    let count = engines.len();
    if !count.is_multiple_of(2) {
        return false;
    }
    let mut random = StdRng::seed_from_u64(1);
    let mut matrix = vec![vec![0; count]; count];
    for row in 0..count {
        for column in row + 1..count {
            if allows(engines[row], engines[column]) {
                let number = random.random_range(1..PRIME);
                (matrix[row][column], matrix[column][row]) = (number, PRIME - number);
            }
        }
    }
    is_regular(matrix)
}

/// Gauss's elimination modulo [`PRIME`].
fn is_regular(mut matrix: Vec<Vec<u64>>) -> bool {
    let count = matrix.len();
    for column in 0..count {
        let Some(pivot) = (column..count).find(|&row| matrix[row][column] != 0) else { return false };
        matrix.swap(column, pivot);
        let inverse = power(matrix[column][column], PRIME - 2);
        for row in column + 1..count {
            let factor = times(matrix[row][column], inverse);
            if factor == 0 {
                continue;
            }
            let (above, below) = matrix.split_at_mut(row);
            for (cell, &pivot) in below[0].iter_mut().zip(&above[column]).skip(column) {
                *cell = (*cell + PRIME - times(factor, pivot)) % PRIME;
            }
        }
    }
    true
}

const fn times(a: u64, b: u64) -> u64 {
    (a as u128 * b as u128 % PRIME as u128) as u64
}

const fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cards(engines: usize) -> Vec<Card> {
        vec![Card { met: vec![0; engines], ..Card::default() }; engines]
    }

    /// The round has been played; `outcome` gives the half points of the first engine of a pair, of two.
    fn play(cards: &mut [Card], round: &SwissRound, mut outcome: impl FnMut() -> u32) {
        for &[a, b] in &round.pairs {
            let points = outcome();
            cards[a].half_points += points;
            cards[b].half_points += 2 - points;
            cards[a].met[b] += 1;
            cards[b].met[a] += 1;
            cards[a].firsts += 1;
        }
        if let Some(bye) = round.bye {
            cards[bye].half_points += 2;
            cards[bye].byes += 1;
        }
    }

    /// By trying everything.
    fn has_pairing(engines: &[usize], allows: &impl Fn(usize, usize) -> bool) -> bool {
        let Some((&first, rest)) = engines.split_first() else { return true };
        (0..rest.len()).any(|at| {
            let mut others = rest.to_vec();
            let second = others.remove(at);
            allows(first, second) && has_pairing(&others, allows)
        })
    }

    #[test]
    fn the_first_round_is_upper_half_against_lower_half() {
        let round = pair(&cards(8));
        assert_eq!(round.pairs, [[0, 4], [5, 1], [2, 6], [7, 3]]);
        let round = pair(&cards(5));
        assert_eq!((round.pairs, round.bye), (vec![[0, 2], [3, 1]], Some(4)));
    }

    /// A graph whose vertices have half of all others for neighbours has a perfect matching (Dirac 1952).
    #[test]
    fn nobody_meets_twice_in_half_as_many_rounds_as_there_are_engines() {
        for engines in (2..=24).step_by(2) {
            let mut cards = cards(engines);
            for _ in 0..engines / 2 {
                let round = pair(&cards);
                play(&mut cards, &round, || 1);
            }
            assert!(cards.iter().flat_map(|card| &card.met).all(|&met| met <= 1), "{engines} engines");
        }
    }

    proptest! {
        #[test]
        fn a_matrix_says_what_trying_everything_says(engines in 0_usize..9, edges in any::<u64>()) {
            let allows = |a: usize, b: usize| (edges >> ((a.min(b) * 8 + a.max(b)) % 64)) & 1 == 1;
            let all: Vec<usize> = (0..engines).collect();
            prop_assert_eq!(can_be_paired(&all, &allows), has_pairing(&all, &allows) && engines % 2 == 0);
        }

        #[test]
        fn everybody_plays_once_a_round_and_nobody_meets_twice_where_that_can_be_avoided(
            engines in 2_usize..11,
            outcomes in proptest::collection::vec(0_u32..3, 60),
        ) {
            let (mut cards, mut outcomes) = (cards(engines), outcomes.into_iter().cycle());
            for _ in 0..usual_rounds(engines) + 2 {
                let round = pair(&cards);
                let mut seen: Vec<usize> = round.pairs.iter().flatten().copied().chain(round.bye).collect();
                seen.sort_unstable();
                prop_assert_eq!(seen, (0..engines).collect::<Vec<_>>());
                prop_assert_eq!(round.bye.is_some(), engines % 2 == 1);
                let repeats = round.pairs.iter().any(|&[a, b]| cards[a].met[b] > 0);
                let fresh = |a: usize, b: usize| cards[a].met[b] == 0;
                let rest = |bye: Option<usize>| (0..engines).filter(|&engine| Some(engine) != bye).collect::<Vec<_>>();
                let byes = if engines % 2 == 1 { (0..engines).map(Some).collect() } else { vec![None] };
                let can = |bye: &Option<usize>| has_pairing(&rest(*bye), &fresh);
                prop_assert_eq!(repeats, !byes.iter().any(can));
                if let Some(bye) = round.bye {
                    let first_time = |bye: &Option<usize>| bye.is_some_and(|bye| cards[bye].byes == 0);
                    prop_assert!(cards[bye].byes == 0 || !byes.iter().any(|bye| first_time(bye) && can(bye)));
                }
                play(&mut cards, &round, || outcomes.next().unwrap_or(1));
            }
        }
    }
}
