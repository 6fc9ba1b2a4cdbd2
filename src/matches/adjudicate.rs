//! Ending games by the scores of the engines: draws, resignations, too many moves. Pure.

use hasami_api::{Ending, Outcome, Score, ScoreKind, Side};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Drawn when both engines have shown nothing for some time. Words and meaning as in fastchess and cutechess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before so many moves of the game.
    pub move_number: u32,
    /// So many moves of each side in a row.
    pub move_count: u32,
    /// At most so many centipawns either way.
    pub score: i32,
}

/// Lost when an engine says so for some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// So many moves in a row.
    pub move_count: u32,
    /// At least so many centipawns behind.
    pub score: i32,
    /// The winner must see it, too.
    pub two_sided: bool,
}

/// All rules of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AdjudicationRules {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// Drawn after so many plies of the game without the opening; 0 for never.
    pub max_plies: u32,
}

/// The words of the command line: `draw movenumber=34 movecount=8 score=20, at most 400 plies`; nothing without a rule.
impl fmt::Display for AdjudicationRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draw = self.draw.map(|rule| {
            let DrawRule { move_number, move_count, score } = rule;
            format!("draw movenumber={move_number} movecount={move_count} score={score}")
        });
        let resign = self.resign.map(|rule| {
            let ResignRule { move_count, score, two_sided } = rule;
            format!("resign movecount={move_count} score={score} twosided={two_sided}")
        });
        let longest = (self.max_plies > 0).then(|| format!("at most {} plies", self.max_plies));
        f.write_str(&[draw, resign, longest].into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// An event in a game.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    pub side: Side,
    /// From the mover's point of view.
    pub score: Option<Score>,
    /// Full moves of the game so far, by the number in the start position.
    pub move_number: u32,
    /// The move cannot be taken back (capture, pawn move).
    pub irreversible: bool,
}

/// The rules applied to one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    plies: u32,
    /// Plies in a row with scores near zero.
    level: u32,
    /// Moves in a row in which each side saw itself lost.
    lost: [u32; 2],
    /// Moves in a row in which each side saw itself winning.
    won: [u32; 2],
}

impl Adjudicator {
    pub fn new(rules: AdjudicationRules) -> Self {
        Self { rules, plies: 0, level: 0, lost: [0; 2], won: [0; 2] }
    }

    /// Hears of a move; tells the end if the rules want one.
    pub fn after(&mut self, moved: &Moved) -> Option<(Outcome, Ending)> {
        self.plies += 1;
        self.count(moved);
        let loser = moved.side;
        if let Some(rule) = self.rules.resign
            && self.lost[loser.index()] >= rule.move_count
            && (!rule.two_sided || self.won[loser.other().index()] >= rule.move_count)
        {
            return Some((Outcome::Win(loser.other()), Ending::Adjudication));
        }
        if let Some(rule) = self.rules.draw
            && self.level >= 2 * rule.move_count
            && moved.move_number >= rule.move_number
        {
            return Some((Outcome::Draw, Ending::Adjudication));
        }
        let too_long = self.rules.max_plies > 0 && self.plies >= self.rules.max_plies;
        too_long.then_some((Outcome::Draw, Ending::MaxMoves))
    }

    fn count(&mut self, moved: &Moved) {
        let side = moved.side.index();
        let next = |count: u32, holds: bool| if holds { count + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            let before = if moved.irreversible { 0 } else { self.level };
            self.level = next(before, moved.score.is_some_and(|score| is_level(score, rule.score)));
        }
        if let Some(rule) = self.rules.resign {
            let value = moved.score.map(signed);
            self.lost[side] = next(self.lost[side], value.is_some_and(|value| value <= -rule.score));
            self.won[side] = next(self.won[side], value.is_some_and(|value| value >= rule.score));
        }
    }
}

fn is_level(score: Score, limit: i32) -> bool {
    matches!(score.kind(), ScoreKind::Cp(cp) if cp.abs() <= limit)
}

/// Centipawns; a forced end is beyond all of them.
fn signed(score: Score) -> i32 {
    match score.kind() {
        ScoreKind::Cp(cp) => cp,
        ScoreKind::Mate(_) if score.is_win() => i32::MAX,
        ScoreKind::Mate(_) => i32::MIN + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays scores, each from its mover's point of view, the first player first; gives the ply of the end and the end.
    fn play(rules: AdjudicationRules, scores: &[i32]) -> Option<(usize, Outcome, Ending)> {
        let mut judge = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(ply, &cp)| {
            let side = if ply % 2 == 0 { Side::First } else { Side::Second };
            let score = Some(Score::cp(cp));
            let moved = Moved { side, score, move_number: ply as u32 / 2, irreversible: false };
            judge.after(&moved).map(|(outcome, ending)| (ply + 1, outcome, ending))
        })
    }

    #[test]
    fn draws_need_both_sides_and_the_move_number() {
        let rule = |move_number| AdjudicationRules {
            draw: Some(DrawRule { move_number, move_count: 2, score: 10 }),
            ..AdjudicationRules::default()
        };
        assert_eq!(play(rule(0), &[5, -10, 0, 3, 0]), Some((4, Outcome::Draw, Ending::Adjudication)));
        assert_eq!(play(rule(0), &[5, -11, 0, 3, 0]), None);
        assert_eq!(play(rule(3), &[0; 8]), Some((7, Outcome::Draw, Ending::Adjudication)));
    }

    #[test]
    fn a_move_that_cannot_be_taken_back_starts_the_count_again() {
        let rules = AdjudicationRules {
            draw: Some(DrawRule { move_number: 0, move_count: 1, score: 0 }),
            ..AdjudicationRules::default()
        };
        let mut judge = Adjudicator::new(rules);
        let moved = Moved { side: Side::First, score: Some(Score::DRAW), move_number: 1, irreversible: false };
        assert_eq!(judge.after(&moved), None);
        assert_eq!(judge.after(&Moved { irreversible: true, ..moved }), None);
        assert!(judge.after(&moved).is_some());
    }

    #[test]
    fn the_loser_resigns_and_the_winner_is_asked_if_wanted() {
        let rule = |two_sided| {
            let resign = Some(ResignRule { move_count: 2, score: 500, two_sided });
            AdjudicationRules { resign, ..AdjudicationRules::default() }
        };
        let lost = Some((4, Outcome::Win(Side::First), Ending::Adjudication));
        assert_eq!(play(rule(false), &[0, -500, 0, -600]), lost);
        assert_eq!(play(rule(true), &[0, -500, 0, -600]), None);
        assert_eq!(play(rule(true), &[500, -500, 700, -600]), lost);
        assert_eq!(play(rule(false), &[0, -500, 0, -400, 0, -900]), None);
    }

    #[test]
    fn mates_count_as_lost_and_missing_scores_as_nothing() {
        let rules = AdjudicationRules {
            resign: Some(ResignRule { move_count: 1, score: 9_999, two_sided: false }),
            ..AdjudicationRules::default()
        };
        let moved = |score| Moved { side: Side::Second, score, move_number: 9, irreversible: false };
        assert_eq!(Adjudicator::new(rules).after(&moved(None)), None);
        let end = Adjudicator::new(rules).after(&moved(Some(Score::loss_in(8))));
        assert_eq!(end, Some((Outcome::Win(Side::First), Ending::Adjudication)));
    }

    #[test]
    fn games_that_are_too_long_are_drawn() {
        let rules = AdjudicationRules { max_plies: 3, ..AdjudicationRules::default() };
        assert_eq!(play(rules, &[0; 9]), Some((3, Outcome::Draw, Ending::MaxMoves)));
    }
}
