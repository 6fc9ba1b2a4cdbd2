//! Reserves processors for games that are played at the same time.

use super::settings::MatchSettings;
use super::warnings::threads;
use hasami_words::text::{At, counted};

/// The processors that `--affinity` allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Affinity {
    /// All processors that this program may use.
    All,
    Some(Vec<usize>),
}

impl Affinity {
    /// Parses a list such as `3,5,7-11`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expected = || format!("expected processors like 3,5,7-11, found '{text}'");
        let mut all = Vec::new();
        for part in text.split(',') {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<u16>().map(usize::from).map_err(|_| expected());
            let (from, to) = (number(from)?, number(to)?);
            if from > to {
                return Err(expected());
            }
            all.extend((from..=to).filter(|cpu| !all.contains(cpu)).collect::<Vec<_>>());
        }
        Ok(Self::Some(all))
    }
}

/// The lanes of a match: sets of processors, one for each concurrent game.
pub struct Lanes {
    /// For each lane, the processors of each side; both sides use the same processors if only one side thinks at a
    /// time.
    lanes: Vec<[Vec<usize>; 2]>,
    is_free: Vec<bool>,
}

impl Lanes {
    /// Creates the lanes of a match; `None` without `--affinity` or if the processors are unknown. `processors` lists
    /// the processors of this machine.
    pub fn new(settings: &MatchSettings, processors: Option<Vec<usize>>) -> Result<Option<Self>, String> {
        let (Some(affinity), Some(found)) = (&settings.affinity, processors) else { return Ok(None) };
        let allowed = match affinity {
            Affinity::All => found,
            Affinity::Some(wanted) => {
                if let Some(absent) = wanted.iter().find(|cpu| !found.contains(cpu)) {
                    return Err(format!("processor {absent} is not available").at("--affinity"));
                }
                wanted.clone()
            }
        };
        let threads = settings.engines.iter().map(threads).max().unwrap_or(1);
        let seats = if settings.engines.iter().any(|engine| engine.ponder) { 2 } else { 1 };
        let games = settings.concurrency.min(settings.schedule.total() as usize);
        let wanted = games * threads * seats;
        if wanted > allowed.len() {
            let (games, found) = (counted(games, "game"), allowed.len());
            let why = format!("{wanted} processors are needed for {games} at a time, but only {found} may be used");
            return Err(why.at("--affinity"));
        }
        let lane = |cpus: &[usize]| {
            let (first, second) = cpus.split_at(threads);
            [first.to_vec(), if seats == 2 { second.to_vec() } else { first.to_vec() }]
        };
        let lanes: Vec<_> = allowed.chunks_exact(threads * seats).take(games).map(lane).collect();
        Ok(Some(Self { is_free: vec![true; lanes.len()], lanes }))
    }

    /// Takes a free lane for a game.
    pub fn take(&mut self) -> Option<usize> {
        let lane = self.is_free.iter().position(|free| *free)?;
        self.is_free[lane] = false;
        Some(lane)
    }

    pub fn give_back(&mut self, lane: usize) {
        self.is_free[lane] = true;
    }

    /// Returns the processors of one side of a lane.
    pub fn processors(&self, lane: usize, side: usize) -> &[usize] {
        &self.lanes[lane][side]
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_parsed() {
        assert_eq!(Affinity::parse("3,5,7-9,8").unwrap(), Affinity::Some(vec![3, 5, 7, 8, 9]));
        for text in ["", "a", "3-", "5-3", "1,,2"] {
            assert!(Affinity::parse(text).unwrap_err().to_string().ends_with(&format!("found '{text}'")));
        }
    }

    #[test]
    fn a_lane_is_free_again_after_its_game() {
        let mut lanes = Lanes { lanes: vec![[vec![0], vec![0]], [vec![2], vec![3]]], is_free: vec![true; 2] };
        assert_eq!((lanes.take(), lanes.take(), lanes.take()), (Some(0), Some(1), None));
        assert_eq!((lanes.processors(1, 0), lanes.processors(1, 1)), (&[2][..], &[3][..]));
        lanes.give_back(1);
        assert_eq!(lanes.take(), Some(1));
    }
}
