//! Additional facts for composers: other moves that mate, and the pieces left in the attacker's hand at the end.

use super::problem::Recorded;
use super::solution::{ProblemKind, Solution};
use hasami_api::{Line, SideLine};
use hasami_catalog::Catalog;
use hasami_mate::{MoveLikeness, OtherAnswer, OtherMove, Variation, VariationKind};
use hasami_words::{Language, Value, Words};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::cmp::Ordering;

/// The pieces in one side's hand, the most valuable first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PiecesInHand(Vec<(&'static str, u32)>);

impl PiecesInHand {
    /// Returns the attacker's hand at the end of a mating line. The attacker is the side that made the last move.
    pub fn at_the_end(game: &dyn Catalog, line: &Line) -> Result<Self, String> {
        let mut diagram = game.diagram(line)?;
        let attacker = game.referee(line)?.side().other();
        Ok(Self(std::mem::take(&mut diagram.hands[attacker.index()])))
    }

    /// Formats the hand, for example `金 歩2`, or `nothing` if it is empty.
    pub fn text(&self, words: &Words) -> String {
        let piece = |(kind, count): &(&str, u32)| match count {
            1 => (*kind).to_owned(),
            _ => format!("{kind}{count}"),
        };
        match self.0.is_empty() {
            true => words.get("nothing-left"),
            false => self.0.iter().map(piece).collect::<Vec<_>>().join(" "),
        }
    }
}

impl Serialize for PiecesInHand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// Classes of mating moves outside the main line, as composers distinguish them (docs/guide/solve.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherKind {
    /// The first move of another solution (yozume at the first move).
    Key,
    /// Another mating check after the first move (yozume).
    Cook,
    /// A check that mates sooner than the main line (hayazume).
    Early,
    /// Another check that mates at the last move; the main line has more than one attacking move.
    Last,
    /// The main line's move with or without promotion, whichever the main line does not have; mates no later than it.
    Promotion,
    /// A check that differs from the main line only in the distance of the checking piece, and mates no later.
    Distance,
}

impl OtherKind {
    /// Classifies a mating move outside the main line, whose length is `plies`.
    pub fn of(other: &OtherMove, plies: usize) -> Self {
        // The attacker's first move is the second ply if the side to be mated moves first.
        let first = if plies.is_multiple_of(2) { 2 } else { 1 };
        let rest = plies + 1 - other.ply;
        let length = match other.answer {
            OtherAnswer::Mate(length) => length,
            OtherAnswer::Open => usize::MAX,
        };
        match (other.likeness, other.ply) {
            (_, ply) if ply == plies && ply > first => Self::Last,
            (MoveLikeness::Promotion, _) if length <= rest => Self::Promotion,
            (MoveLikeness::Distance, _) if length <= rest => Self::Distance,
            _ if length < rest => Self::Early,
            (_, ply) if ply == first => Self::Key,
            _ => Self::Cook,
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Cook => "cook",
            Self::Early => "early",
            Self::Last => "last",
            Self::Promotion => "promotion",
            Self::Distance => "distance",
        }
    }

    /// Returns whether a move of this class makes the problem unsound.
    pub const fn is_flaw(self) -> bool {
        matches!(self, Self::Key | Self::Cook | Self::Early)
    }
}

/// Whether a problem is sound, judged by its other mating moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Soundness {
    Sound,
    Cooked,
    /// No flaw was found, but a limit left some moves undecided.
    Open,
}

impl Soundness {
    /// Judges a problem by its other mating moves; `plies` is the length of the main line.
    pub fn of(others: &[OtherMove], plies: usize) -> Self {
        let flaws = others.iter().filter(|other| OtherKind::of(other, plies).is_flaw());
        flaws.fold(Self::Sound, |found, other| match (found, other.answer) {
            (Self::Cooked, _) | (_, OtherAnswer::Mate(_)) => Self::Cooked,
            (_, OtherAnswer::Open) => Self::Open,
        })
    }
}

/// Describes a mating move outside the main line. `plies` is the length of the main line, and `mv` the move as text.
fn sentence(other: &OtherMove, plies: usize, mv: &str, words: &Words) -> String {
    let OtherMove { ply, answer, .. } = other;
    let place = [("ply", Value::from(*ply)), ("move", mv.into())];
    let OtherAnswer::Mate(length) = *answer else { return words.with("other-is-open", &place) };
    let mate = Recorded::Mate(u32::try_from(length).unwrap_or(u32::MAX));
    let text = mate.of(ProblemKind::Mate, words);
    let length = match length.cmp(&(plies + 1 - ply)) {
        Ordering::Greater => words.with("longer-than-line", &[("mate", (&text).into()), ("plies", length.into())]),
        _ => text,
    };
    let values = [&place[..], &[("length", (&length).into())]].concat();
    match OtherKind::of(other, plies) {
        OtherKind::Key => words.with("other-is-key", &values),
        OtherKind::Cook => words.with("other-is-cook", &values),
        OtherKind::Early => words.with("other-is-early", &values),
        OtherKind::Promotion => words.with("other-is-promotion", &values),
        OtherKind::Distance => words.with("other-is-distance", &values),
        OtherKind::Last if mate == Recorded::Mate(1) => words.with("other-mates-last", &place),
        OtherKind::Last => words.with("other-is-last", &values),
    }
}

/// Returns sentences about all mating moves outside the main line, and a summary. Undecided moves of the same ply share
/// a sentence; `write` formats a move.
pub fn sentences(
    others: &[OtherMove],
    plies: usize,
    write: impl Fn(&OtherMove) -> String,
    words: &Words,
) -> Vec<String> {
    let mut remarks = Vec::new();
    for at_ply in others.chunk_by(|one, next| one.ply == next.ply) {
        let (open, mates): (Vec<&OtherMove>, Vec<&OtherMove>) =
            at_ply.iter().partition(|other| other.answer == OtherAnswer::Open);
        remarks.extend(mates.iter().map(|other| sentence(other, plies, &write(other), words)));
        match open[..] {
            [] => {}
            [one] => remarks.push(sentence(one, plies, &write(one), words)),
            [first, ..] => {
                let moves = open.iter().map(|other| write(other)).collect::<Vec<_>>().join(" ");
                remarks.push(words.with("other-are-open", &[("ply", first.ply.into()), ("moves", (&moves).into())]));
            }
        }
    }
    let open = others.iter().filter(|other| other.answer == OtherAnswer::Open).count();
    let counts = [("mates", Value::from(others.len() - open)), ("open", open.into())];
    match (others.len(), open) {
        (0 | 1, _) => {}
        (_, 0) => remarks.push(words.with("sum-others", &counts)),
        _ => remarks.push(words.with("sum-others-open", &counts)),
    }
    remarks
}

/// Returns side lines and comments for a game record of the main line, which has `plies` plies. Comments in records are
/// always Japanese.
pub fn side_lines(solution: &Solution, plies: usize) -> Vec<SideLine> {
    let words = Words::of(Language::Japanese);
    let is_shortest = !solution.may_be_shorter;
    let variation = |found: &Variation| {
        let length = found.ply - 1 + found.moves.len();
        let remark = match found.kind {
            VariationKind::Attempt => words.get("variation-attempt"),
            VariationKind::Defence if length == plies && is_shortest => words.count("variation-as-long", length as u64),
            VariationKind::Defence => words.count("variation-defence", length as u64),
        };
        let mates = found.kind == VariationKind::Defence;
        SideLine { ply: found.ply, moves: found.moves.clone(), mates, remark }
    };
    let other = |other: &OtherMove| {
        let OtherAnswer::Mate(length) = other.answer else { return None };
        let name = words.get(match OtherKind::of(other, plies) {
            OtherKind::Key | OtherKind::Cook => "variation-cook",
            OtherKind::Early => "variation-early",
            OtherKind::Last => "variation-last",
            OtherKind::Promotion => "variation-promotion",
            OtherKind::Distance => "variation-distance",
        });
        let length = (other.ply - 1 + length) as u64;
        let remark = words.with("variation-mates", &[("kind", (&name).into()), ("plies", length.into())]);
        Some(SideLine { ply: other.ply, moves: vec![other.mv], mates: false, remark })
    };
    let others = solution.others.iter().flatten().filter_map(other);
    others.chain(solution.variations.iter().map(variation)).collect()
}

/// Returns JSON objects for the mating moves outside the main line, whose length is `plies`. The class of a move is its
/// [`OtherKind::word`], and the length given for it is an upper bound of the plies to mate, including this move.
pub fn other_objects(others: &[OtherMove], plies: usize) -> Vec<serde_json::Value> {
    let object = |other: &OtherMove| {
        let (answer, length) = match other.answer {
            OtherAnswer::Mate(length) => ("mate", Some(length)),
            OtherAnswer::Open => ("unknown", None),
        };
        let kind = OtherKind::of(other, plies).word();
        json!({"ply": other.ply, "move": &*other.mv, "kind": kind, "answer": answer, "plies": length})
    };
    others.iter().map(object).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::problem::MateProblem;

    fn other(ply: usize, answer: OtherAnswer) -> OtherMove {
        OtherMove { ply, mv: "G*5b".parse().unwrap(), answer, likeness: MoveLikeness::None }
    }

    #[test]
    fn other_moves_are_named_by_their_place() {
        let text_of = |ply, answer| sentence(&other(ply, answer), 5, "G*5b", Words::english());
        assert_eq!(text_of(1, OtherAnswer::Mate(5)), "ply 1: G*5b is another key: a mate in 5 plies");
        assert_eq!(text_of(1, OtherAnswer::Open), "ply 1: G*5b is open");
        let longer = "ply 3: G*5b is a cook: a mate in 7 plies at most, longer than the line";
        assert_eq!(text_of(3, OtherAnswer::Mate(7)), longer);
        assert_eq!(text_of(3, OtherAnswer::Mate(3)), "ply 3: G*5b is a cook: a mate in 3 plies");
        assert_eq!(
            text_of(3, OtherAnswer::Mate(1)),
            "ply 3: G*5b mates sooner than the line (hayazume): a mate in 1 ply"
        );
        assert_eq!(text_of(5, OtherAnswer::Mate(1)), "ply 5: G*5b also mates, which does not count as a cook");
        let longer = "ply 5: G*5b is a mate in 9 plies at most, longer than the line, which does not count as a cook";
        assert_eq!(text_of(5, OtherAnswer::Mate(9)), longer);
        let key = "ply 1: G*5b is another key: a mate in 1 ply";
        assert_eq!(
            sentence(&other(1, OtherAnswer::Mate(1)), 1, "G*5b", Words::english()),
            key,
            "of a mate in one, too"
        );
        let objects = other_objects(&[other(3, OtherAnswer::Mate(3)), other(5, OtherAnswer::Open)], 5);
        let expected = concat!(
            r#"[{"answer":"mate","kind":"cook","move":"G*5b","plies":3,"ply":3},"#,
            r#"{"answer":"unknown","kind":"last","move":"G*5b","plies":null,"ply":5}]"#
        );
        assert_eq!(serde_json::to_string(&objects).unwrap(), expected);
    }

    #[test]
    fn promotions_and_distances_are_no_cooks_unless_they_take_longer() {
        let like =
            |likeness, ply, length| OtherKind::of(&OtherMove { likeness, ..other(ply, OtherAnswer::Mate(length)) }, 5);
        for (likeness, kind) in
            [(MoveLikeness::Promotion, OtherKind::Promotion), (MoveLikeness::Distance, OtherKind::Distance)]
        {
            assert_eq!([like(likeness, 1, 5), like(likeness, 3, 3)], [kind, kind]);
            assert_eq!([like(likeness, 1, 7), like(likeness, 3, 5)], [OtherKind::Key, OtherKind::Cook]);
            assert_eq!(like(likeness, 5, 1), OtherKind::Last);
        }
    }

    #[test]
    fn a_problem_is_cooked_by_flaws_only_and_open_where_one_may_be() {
        let [open, longer, mate] = [OtherAnswer::Open, OtherAnswer::Mate(9), OtherAnswer::Mate(1)];
        assert_eq!(Soundness::of(&[], 5), Soundness::Sound);
        assert_eq!(Soundness::of(&[other(5, mate)], 5), Soundness::Sound, "at the last move");
        let alike = OtherMove { likeness: MoveLikeness::Promotion, ..other(3, OtherAnswer::Mate(3)) };
        assert_eq!(Soundness::of(&[alike], 5), Soundness::Sound);
        assert_eq!(Soundness::of(&[other(1, open)], 5), Soundness::Open);
        assert_eq!(Soundness::of(&[other(1, longer), other(3, open)], 5), Soundness::Cooked);
        assert_eq!(Soundness::of(&[other(5, open)], 5), Soundness::Sound, "whatever the last move");
    }

    #[test]
    fn open_moves_stand_together_and_all_are_counted() {
        let texts = |others: &[OtherMove]| sentences(others, 5, |other| other.mv.to_string(), Words::english());
        let [open, mate] = [OtherAnswer::Open, OtherAnswer::Mate(5)];
        assert_eq!(texts(&[other(1, open)]), ["ply 1: G*5b is open"]);
        assert_eq!(
            texts(&[other(1, open), other(1, mate), other(1, open), other(3, open)]),
            [
                "ply 1: G*5b is another key: a mate in 5 plies",
                "ply 1: G*5b G*5b are open",
                "ply 3: G*5b is open",
                "other moves: 1 mate, 3 left open by --nodes or --time"
            ]
        );
        assert_eq!(texts(&[other(1, mate), other(3, mate)])[2], "other moves: 2 mate");
        assert!(texts(&[]).is_empty());
    }

    #[test]
    fn what_is_left_belongs_to_the_attacker() {
        let left = |position: &str, moves: &[&str]| {
            let game = hasami_games::find("shogi").unwrap();
            let problem = MateProblem::new("x", position, game).unwrap();
            let line = Line { moves: moves.iter().map(|m| m.parse().unwrap()).collect(), ..problem.line };
            let in_hand = PiecesInHand::at_the_end(game, &line).unwrap();
            (in_hand.text(Words::english()), serde_json::to_string(&in_hand).unwrap())
        };
        let nothing = ("nothing".to_owned(), "{}".to_owned());
        assert_eq!(left("4k4/9/4P4/9/9/9/9/9/9 b Gr 1", &["G*5b"]), nothing);
        let two = ("金 歩2".to_owned(), r#"{"金":1,"歩":2}"#.to_owned());
        assert_eq!(left("4k4/9/4P4/9/9/9/9/9/9 b 2G2P2r 1", &["G*5b"]), two);
        assert_eq!(left("9/9/9/9/9/9/4p4/9/4K4 w 2g2p2R 1", &["G*5h"]), two);
    }
}
