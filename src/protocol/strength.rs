//! The playing strength that the user has selected with options.

use super::Settings;

/// A level from 0 (the weakest) to [`Self::FULL`], which need not be an integer.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Strength(f64);

impl Strength {
    pub const FULL: u8 = 20;

    /// Levels and their chess ratings, measured by playing games (`scripts/experiments/2026-11-25-strength-levels.md`).
    pub const ELO: [(f64, u16); 4] = [(3.0, 1_100), (5.0, 1_240), (7.0, 1_380), (10.0, 1_660)];

    /// Reads the strength from the settings; `None` for full strength.
    pub fn of(settings: &Settings) -> Option<Self> {
        let level = match settings.limit_strength {
            true => Self::level_of(settings.elo),
            false => f64::from(settings.skill_level),
        };
        (level < f64::from(Self::FULL)).then_some(Self(level))
    }

    pub fn level(self) -> f64 {
        self.0
    }

    /// Computes the level for a rating by linear interpolation between two measured ratings.
    fn level_of(elo: u16) -> f64 {
        let [first, rest @ ..] = Self::ELO;
        let mut below = first;
        for above in rest {
            if elo <= above.1 {
                let part = f64::from(elo.saturating_sub(below.1)) / f64::from(above.1 - below.1);
                return below.0 + part * (above.0 - below.0);
            }
            below = above;
        }
        below.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(level: u8, limit: bool, elo: u16) -> Option<Strength> {
        Strength::of(&Settings { skill_level: level, limit_strength: limit, elo, ..Settings::default() })
    }

    #[test]
    fn full_strength_is_not_weakened() {
        assert_eq!(Strength::of(&Settings::default()), None);
        assert_eq!(with(Strength::FULL, false, 1_000), None, "the rating counts only if it is switched on");
        assert_eq!(with(7, false, 1_000), Some(Strength(7.0)));
    }

    #[test]
    fn a_rating_overrides_the_level_and_grows_with_it() {
        for (level, elo) in Strength::ELO {
            assert_eq!(with(3, true, elo), Some(Strength(level)));
        }
        let levels: Vec<_> = (Strength::ELO[0].1..=Strength::ELO[3].1).map(Strength::level_of).collect();
        assert!(levels.is_sorted_by(|a, b| a < b), "{levels:?}");
    }
}
