//! Scores, in centipawns for the side to move or as a number of plies to a forced end of the game.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A score from the point of view of the side to move.
///
/// Scores are ordered by their value for the side to move: a forced win is greater than every evaluation, and a shorter
/// win is greater than a longer one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Score(i32);

/// A score split into its kind and its number, for printing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// Centipawns.
    Cp(i32),
    /// Plies to the end of the game: positive if the side to move wins, negative or zero if it loses.
    Mate(i32),
}

/// The unit in which a game's players count the distance to a mate, and the unit in which values are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MateUnit {
    /// The moves of both sides are counted, and values are printed in centipawns, as in shogi.
    #[default]
    Plies,
    /// Only the moves of the winning side are counted, and values are printed in pawns, as in chess.
    Moves,
}

impl MateUnit {
    /// Converts a signed number of plies to this unit, with half moves rounded away from zero.
    pub const fn count(self, plies: i32) -> i32 {
        match self {
            Self::Plies => plies,
            Self::Moves => (plies + plies.signum()) / 2,
        }
    }

    /// Formats a value in centipawns in this unit, with its sign: `+35` or `+0.35`.
    pub fn value(self, cp: i32) -> String {
        match self {
            Self::Plies => format!("{cp:+}"),
            Self::Moves => format!("{:+.2}", f64::from(cp) / 100.0),
        }
    }
}

impl Score {
    /// The raw value of a mate on the board. A win in `plies` plies has the raw value `MATE - plies`.
    pub const MATE: i32 = 32_000;
    /// The largest distance to a forced end of the game that a score can represent, in plies.
    pub const MAX_PLIES: i32 = 2_000;
    /// The largest evaluation, in centipawns. Larger raw values mean a forced end of the game.
    pub const MAX_CP: i32 = Self::MATE - Self::MAX_PLIES - 1;
    /// The score of an even or drawn game.
    pub const DRAW: Self = Self(0);
    /// A score worse than every other score, for use as the initial value of a maximum.
    pub const WORST: Self = Self(-Self::MATE - 1);

    /// An evaluation in centipawns, clamped so that it cannot be mistaken for a forced win or loss.
    pub const fn cp(value: i32) -> Self {
        if value > Self::MAX_CP {
            Self(Self::MAX_CP)
        } else if value < -Self::MAX_CP {
            Self(-Self::MAX_CP)
        } else {
            Self(value)
        }
    }

    /// A win of the side to move in `plies` plies, clamped to [`Self::MAX_PLIES`]. A mate takes an odd number of plies.
    pub const fn win_in(plies: i32) -> Self {
        Self(Self::MATE - clamp_plies(plies))
    }

    /// A loss of the side to move in `plies` plies; 0 means that the side to move is mated now.
    pub const fn loss_in(plies: i32) -> Self {
        Self(-Self::MATE + clamp_plies(plies))
    }

    /// Expected shares of wins, draws and losses (0 to 1) according to a logistic curve: at 0 centipawns half of the
    /// games are drawn, and an advantage of 100 centipawns nearly doubles the share of wins.
    pub fn chances(self) -> [f64; 3] {
        if self.is_decisive() {
            return if self.is_win() { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
        }
        let share = |cp: f64| 1.0 / (1.0 + (-(cp - 110.0) / 100.0).exp());
        let cp = f64::from(self.raw());
        let (win, loss) = (share(cp), share(-cp));
        [win, 1.0 - win - loss, loss]
    }

    /// Expected points of the side to move, from 0 to 1.
    pub fn expectation(self) -> f64 {
        let [win, draw, _] = self.chances();
        win + draw / 2.0
    }

    /// Builds a score from the integer that searches use; see [`Self::raw`].
    pub const fn from_raw(raw: i32) -> Self {
        Self(raw)
    }

    /// The integer that searches use: centipawns, or `MATE` minus the plies to a forced win, negated for a loss.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Does the side to move have a forced win?
    pub const fn is_win(self) -> bool {
        self.0 > Self::MAX_CP
    }

    /// Does the side to move have a forced loss?
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::MAX_CP
    }

    /// Is the score a forced win for either side?
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The score as protocols express it: centipawns, or plies to the end of the game.
    pub const fn kind(self) -> ScoreKind {
        if self.is_win() {
            ScoreKind::Mate(Self::MATE - self.0)
        } else if self.is_loss() {
            ScoreKind::Mate(-(Self::MATE + self.0))
        } else {
            ScoreKind::Cp(self.0)
        }
    }

    /// Converts the score of a position to the score of its parent: the sign changes, and a mate is one ply further
    /// away.
    pub const fn for_parent(self) -> Self {
        if self.is_win() {
            Self(-(self.0 - 1))
        } else if self.is_loss() {
            Self(-(self.0 + 1))
        } else {
            Self(-self.0)
        }
    }

    /// Converts the score of a position to the score of its child; the inverse of [`Self::for_parent`].
    pub const fn for_child(self) -> Self {
        if self.is_win() {
            Self(-(self.0 + 1))
        } else if self.is_loss() {
            Self(-(self.0 - 1))
        } else {
            Self(-self.0)
        }
    }
}

const fn clamp_plies(plies: i32) -> i32 {
    if plies < 0 {
        0
    } else if plies > Score::MAX_PLIES {
        Score::MAX_PLIES
    } else {
        plies
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Cp(cp) => write!(f, "{cp}cp"),
            ScoreKind::Mate(plies) => write!(f, "mate {plies}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forced_end_is_one_ply_further_away_for_the_parent() {
        let mated = Score::loss_in(0);
        assert_eq!(mated.for_parent(), Score::win_in(1));
        assert_eq!(mated.for_parent().for_parent(), Score::loss_in(2));
        assert_eq!(Score::win_in(7).for_parent().for_child(), Score::win_in(7));
        assert_eq!(Score::cp(35).for_parent(), Score::cp(-35));
    }

    #[test]
    fn chess_counts_only_the_moves_of_the_winner() {
        for (plies, moves) in [(0, 0), (1, 1), (3, 2), (-2, -1), (-4, -2), (2, 1)] {
            assert_eq!((MateUnit::Moves.count(plies), MateUnit::Plies.count(plies)), (moves, plies));
        }
    }

    #[test]
    fn chess_values_are_in_pawns_and_shogi_values_in_centipawns() {
        for (cp, pawns, centipawns) in [(8, "+0.08", "+8"), (0, "+0.00", "+0"), (-1234, "-12.34", "-1234")] {
            assert_eq!((MateUnit::Moves.value(cp), MateUnit::Plies.value(cp)), (pawns.into(), centipawns.into()));
        }
    }

    #[test]
    fn scores_are_ordered_and_limited() {
        assert!(Score::win_in(1) > Score::win_in(3));
        assert!(Score::loss_in(4) > Score::loss_in(2));
        assert!(Score::win_in(Score::MAX_PLIES) > Score::cp(i32::MAX));
        assert!(Score::loss_in(Score::MAX_PLIES) < Score::cp(i32::MIN));
        assert!(Score::WORST < Score::loss_in(0));
        assert_eq!(Score::win_in(5).kind(), ScoreKind::Mate(5));
        assert_eq!(Score::loss_in(4).kind(), ScoreKind::Mate(-4));
    }
}
