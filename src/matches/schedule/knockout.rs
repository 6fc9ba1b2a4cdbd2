//! Knockout: who loses an encounter is out. The best two seeds can only meet in the final, the best four in the
//! semi-finals, and so on; where the number of engines is no power of two the best seeds have no opponent in the first
//! round. An encounter that is drawn goes on with pairs of games until one is ahead; after [`EXTRA_PAIRS`] of them the
//! better seed goes on.

/// Pairs of games that decide a drawn encounter, at most.
pub const EXTRA_PAIRS: u32 = 3;

/// A place in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Taken(usize),
    /// By a winner who is not known yet.
    Open,
    /// Nobody: the opponent goes on.
    Empty,
}

/// An encounter of the bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tie {
    /// From 1.
    pub round: u32,
    /// `None` as long as one of them is not known.
    pub engines: Option<[usize; 2]>,
}

/// All encounters in the order of play, as far as they are known; `winner` gives that of an encounter by its number.
pub fn bracket(engines: usize, winner: impl Fn(usize, [usize; 2]) -> Option<usize>) -> Vec<Tie> {
    let seat = |seed: usize| if seed < engines { Place::Taken(seed) } else { Place::Empty };
    let mut places: Vec<Place> = seats(engines.next_power_of_two()).into_iter().map(seat).collect();
    let (mut ties, mut round) = (Vec::new(), 1);
    while places.len() > 1 {
        let next = places.chunks(2).map(|pair| match *pair {
            [Place::Empty, one] | [one, Place::Empty] => one,
            [Place::Taken(a), Place::Taken(b)] => {
                let both = [a.min(b), a.max(b)];
                let number = ties.len();
                ties.push(Tie { round, engines: Some(both) });
                winner(number, both).map_or(Place::Open, Place::Taken)
            }
            _ => {
                ties.push(Tie { round, engines: None });
                Place::Open
            }
        });
        places = next.collect();
        round += 1;
    }
    ties
}

/// Those without an opponent in the first round: the best seeds.
pub fn byes(engines: usize) -> Vec<usize> {
    (0..engines.next_power_of_two() - engines).collect()
}

/// Seeds in the order of the bracket: the sum of opponents is the same for all, as if the better seed always won.
fn seats(count: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < count {
        let size = 2 * order.len();
        order = order.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
    }
    order
}

/// What half points say of an encounter, those of its games and of each extra pair as far as they are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieState {
    /// Games of the encounter itself are missing.
    Regular,
    /// This extra pair is played, from 0.
    Extra(u32),
    Won(usize),
}

/// `None` for points that are not complete. `engines`: the better seed first.
pub fn state(engines: [usize; 2], regular: Option<[u32; 2]>, extra: impl Fn(u32) -> Option<[u32; 2]>) -> TieState {
    let Some(points) = regular else { return TieState::Regular };
    if let Some(ahead) = ahead(engines, points) {
        return TieState::Won(ahead);
    }
    for pair in 0..EXTRA_PAIRS {
        match extra(pair) {
            None => return TieState::Extra(pair),
            Some(points) => {
                if let Some(ahead) = ahead(engines, points) {
                    return TieState::Won(ahead);
                }
            }
        }
    }
    TieState::Won(engines[0])
}

const fn ahead(engines: [usize; 2], points: [u32; 2]) -> Option<usize> {
    if points[0] > points[1] {
        Some(engines[0])
    } else if points[1] > points[0] {
        Some(engines[1])
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_seeds_meet_last() {
        assert_eq!(seats(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let ties = bracket(8, |_, [better, _]| Some(better));
        let met: Vec<_> = ties.iter().map(|tie| (tie.round, tie.engines)).collect();
        let wanted = [(1, [0, 7]), (1, [3, 4]), (1, [1, 6]), (1, [2, 5]), (2, [0, 3]), (2, [1, 2]), (3, [0, 1])];
        assert_eq!(met, wanted.map(|(round, pair)| (round, Some(pair))));
    }

    #[test]
    fn every_number_of_engines_has_one_winner_and_one_defeat_for_everybody_else() {
        for engines in 2..40 {
            for upsets in [0, 1, 2] {
                let winner = |number: usize, pair: [usize; 2]| Some(pair[usize::from(number % 3 < upsets)]);
                let ties = bracket(engines, winner);
                assert_eq!(ties.len(), engines - 1);
                let mut losers: Vec<usize> = Vec::new();
                for (number, tie) in ties.iter().enumerate() {
                    let pair = tie.engines.unwrap_or_default();
                    assert!(pair.iter().all(|engine| !losers.contains(engine)), "{engines}: {pair:?} after {losers:?}");
                    let won = winner(number, pair);
                    losers.extend(pair.into_iter().filter(|engine| Some(*engine) != won));
                }
                losers.sort_unstable();
                losers.dedup();
                assert_eq!(losers.len(), engines - 1);
            }
            // Byes go to the best seeds.
            let first: Vec<_> = bracket(engines, |_, _| None).into_iter().filter(|tie| tie.round == 1).collect();
            let byes = byes(engines);
            let met: Vec<_> = first.iter().flat_map(|tie| tie.engines).flatten().collect();
            assert!((0..engines).all(|engine| met.contains(&engine) != byes.contains(&engine)), "{engines}");
        }
    }

    #[test]
    fn a_drawn_encounter_goes_on_and_ends() {
        let draws = |pairs: u32| move |pair: u32| (pair < pairs).then_some([2, 2]);
        assert_eq!(state([1, 4], None, draws(0)), TieState::Regular);
        assert_eq!(state([1, 4], Some([1, 3]), draws(0)), TieState::Won(4));
        assert_eq!(state([1, 4], Some([2, 2]), draws(0)), TieState::Extra(0));
        assert_eq!(state([1, 4], Some([2, 2]), draws(2)), TieState::Extra(2));
        assert_eq!(state([1, 4], Some([2, 2]), draws(3)), TieState::Won(1));
        assert_eq!(state([1, 4], Some([2, 2]), |pair| Some([2 - pair, 2 + pair])), TieState::Won(4));
    }
}
