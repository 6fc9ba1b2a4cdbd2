use hasami_api::Rules;

/// A rule under which a king wins by entering the enemy camp.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnteringKingRule {
    /// A king that has entered the enemy camp does not win.
    None,
    /// CSA's 24-point rule: a side wins with 31 points or more, and draws with 24 to 30 points. Hasami never claims a
    /// draw under this rule.
    CsaRule24,
    /// [`Self::CsaRule24`] for handicap games: the second player, who gives the handicap, needs fewer points; the
    /// difference is the value of the missing pieces.
    CsaRule24H,
    /// CSA's 27-point rule: the first player wins with 28 points, the second player with 27.
    #[default]
    CsaRule27,
    /// [`Self::CsaRule27`] for handicap games: the second player needs fewer points, as in [`Self::CsaRule24H`].
    CsaRule27H,
    /// The try rule: a king wins as soon as it stands on the start square of the enemy king.
    TryRule,
}

impl EnteringKingRule {
    /// Every rule, in declaration order, with its number in [`Rules::own`].
    pub const NUMBERS: [(Self, u8); 6] = [
        (Self::None, Rules::NONE),
        (Self::CsaRule24, 1),
        (Self::CsaRule24H, 4),
        (Self::CsaRule27, Rules::USUAL),
        (Self::CsaRule27H, 5),
        (Self::TryRule, 3),
    ];

    /// The rule with the number `rules.own`, or [`Self::None`] if the number is unknown.
    pub fn of(rules: Rules) -> Self {
        Self::NUMBERS.iter().find(|(_, number)| *number == rules.own).map_or(Self::None, |&(rule, _)| rule)
    }

    /// The number of this rule in [`Rules::own`].
    pub fn number(self) -> u8 {
        Self::NUMBERS[self as usize].1
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
