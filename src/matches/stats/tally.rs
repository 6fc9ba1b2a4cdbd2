//! Counts of results, from the point of view of one player.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// The results of one player against another, or against all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ResultTally {
    pub wins: u32,
    pub losses: u32,
    pub draws: u32,
    /// Number of pairs (games from one opening with both colours) by their sum of half points: 0, 1, 2, 3, 4. The sum 2
    /// means a win and a loss or two draws.
    pub pairs: [u32; 5],
    /// Number of pairs with a win and a loss.
    pub win_loss_pairs: u32,
}

impl ResultTally {
    pub const fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// Returns the number of points: 1 for a win, 1/2 for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Returns points per game, from 0 to 1; NaN without games.
    pub fn score(&self) -> f64 {
        self.points() / f64::from(self.games())
    }

    pub fn pair_count(&self) -> u32 {
        self.pairs.iter().sum()
    }

    /// Counts a game by its half points: 0, 1 or 2.
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts two games as a pair. The caller must also count each game by [`Self::add_game`].
    pub fn add_pair(&mut self, half_points: [u8; 2]) {
        let sum = usize::from(half_points[0] + half_points[1]).min(4);
        self.pairs[sum] += 1;
        self.win_loss_pairs += u32::from(sum == 2 && half_points[0] != 1);
    }

    /// Returns the results from the point of view of the other player.
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self { wins: self.losses, losses: self.wins, pairs, ..*self }
    }

    /// Returns the share of pairs with an even result, in percent.
    pub fn pair_draw_ratio(&self) -> f64 {
        100.0 * f64::from(self.pairs[2]) / f64::from(self.pair_count())
    }

    /// Returns the share of drawn games, in percent.
    pub fn draw_ratio(&self) -> f64 {
        100.0 * f64::from(self.draws) / f64::from(self.games())
    }

    /// Returns the ratio of pairs won to pairs lost.
    pub fn pairs_ratio(&self) -> f64 {
        f64::from(self.pairs[3] + self.pairs[4]) / f64::from(self.pairs[0] + self.pairs[1])
    }

    /// Returns the ratio of the pairs with a win and a loss to the pairs of two draws, which shows how biased the
    /// openings are.
    pub fn win_loss_ratio(&self) -> f64 {
        f64::from(self.win_loss_pairs) / f64::from(self.pairs[2] - self.win_loss_pairs)
    }
}

impl AddAssign<&Self> for ResultTally {
    fn add_assign(&mut self, other: &Self) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.pairs.iter_mut().zip(other.pairs).for_each(|(sum, more)| *sum += more);
        self.win_loss_pairs += other.win_loss_pairs;
    }
}
