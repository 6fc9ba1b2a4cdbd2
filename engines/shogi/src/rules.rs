//! The rule that players of shogi choose.

use hasami_api::Rules;

/// When a king that entered the enemy camp wins by declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnteringKingRule {
    /// Never.
    None,
    /// 24 points, CSA: 31 and more win, 24 to 30 draw (the draw is not claimed here).
    CsaRule24,
    /// The same for handicap games: the second player, who gives the handicap, needs as many points less as are missing.
    CsaRule24H,
    /// 27 points, CSA: 28 for the first player, 27 for the second.
    #[default]
    CsaRule27,
    /// The same for handicap games, as [`Self::CsaRule24H`].
    CsaRule27H,
    /// The king on the enemy king's start square wins.
    TryRule,
}

impl EnteringKingRule {
    /// Every rule with its number in [`Rules::own`].
    const NUMBERS: [(Self, u8); 6] = [
        (Self::None, Rules::NONE),
        (Self::CsaRule24, 1),
        (Self::CsaRule27, Rules::USUAL),
        (Self::TryRule, 3),
        (Self::CsaRule24H, 4),
        (Self::CsaRule27H, 5),
    ];

    /// The rule of this number; of an unknown one: none.
    pub fn of(rules: Rules) -> Self {
        Self::NUMBERS.iter().find(|(_, number)| *number == rules.own).map_or(Self::None, |&(rule, _)| rule)
    }

    /// The number of this rule in [`Rules::own`].
    pub fn number(self) -> u8 {
        Self::NUMBERS.iter().find(|(rule, _)| *rule == self).map_or(Rules::NONE, |&(_, number)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_number() {
        for (rule, number) in EnteringKingRule::NUMBERS {
            assert_eq!(
                (rule.number(), EnteringKingRule::of(Rules { own: number, ..Rules::default() })),
                (number, rule)
            );
        }
        assert_eq!(EnteringKingRule::of(Rules::default()), EnteringKingRule::default());
        assert_eq!(EnteringKingRule::of(Rules::OF_PROBLEMS), EnteringKingRule::None);
        assert_eq!(EnteringKingRule::of(Rules { own: 200, ..Rules::default() }), EnteringKingRule::None);
    }
}
