//! Ends games early: as draws or losses according to the engines' scores, or as draws after a maximum number of plies.
//! The module performs no input or output.

use hasami_api::{Ending, Outcome, Score, ScoreKind, Side};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The rule for adjudicating a game as drawn. The fields have the names and meanings of the options of fastchess and
/// cutechess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The rule applies from this full move of the game on.
    pub move_number: u32,
    /// Number of consecutive moves of each side whose scores must be near zero.
    pub move_count: u32,
    /// Largest absolute score that counts as near zero, in centipawns.
    pub score: i32,
}

/// The rule for adjudicating a game as lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// Number of consecutive moves at which the loser must report a losing score.
    pub move_count: u32,
    /// Smallest deficit that counts as lost, in centipawns.
    pub score: i32,
    /// Whether the winner must also report a winning score.
    pub two_sided: bool,
}

/// All adjudication rules of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AdjudicationRules {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// Number of plies after the opening at which a game is drawn; 0 for no limit.
    pub max_plies: u32,
}

/// Formats the rules in the words of the command line, such as `draw movenumber=34 movecount=8 score=20, at most 400
/// plies`; empty without rules.
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

/// A move and its score.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    pub side: Side,
    /// The score that the engine reported for the move, from the engine's point of view.
    pub score: Option<Score>,
    /// Number of full moves of the game so far, counted from the number in the start position.
    pub move_number: u32,
    /// Whether the move is a capture or a pawn move.
    pub irreversible: bool,
}

/// The state of adjudication in one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    plies: u32,
    /// Consecutive plies with scores near zero.
    level: u32,
    /// Consecutive moves at which each side reported a losing score.
    lost: [u32; 2],
    /// Consecutive moves at which each side reported a winning score.
    won: [u32; 2],
}

impl Adjudicator {
    pub fn new(rules: AdjudicationRules) -> Self {
        Self { rules, plies: 0, level: 0, lost: [0; 2], won: [0; 2] }
    }

    /// Records a move, and returns the result if the adjudication rules end the game.
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

/// Returns the score in centipawns; a forced mate counts more than any centipawn score.
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

    /// Plays one move per score, beginning with the first player, and returns the ply at which the game ended, with its
    /// result. Each score is from the mover's point of view.
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
    fn irreversible_moves_reset_the_draw_count() {
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
    fn resignation_needs_the_winners_agreement_if_two_sided() {
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
    fn mate_scores_count_as_lost_and_missing_scores_do_not() {
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
