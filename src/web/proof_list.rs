//! Renders the beginning of a mate proof as nested lists in which each move links to the board after that move.

use super::spoken::PageSpeaker;
use super::tree::address;
use hasami_api::MoveText;
use hasami_mate::{ProofBranch, ProofTree};
use hasami_words::Words;
use maud::{Markup, html};

/// The data for rendering the entries of the list.
pub struct ProofList<'a> {
    /// Number of the problem, counted from 1.
    pub problem: usize,
    /// The main line of the mate; empty if the solution is not a mate.
    pub main: &'a [MoveText],
    pub speaker: &'a PageSpeaker,
    pub words: &'a Words,
}

impl ProofList<'_> {
    /// Renders the attacker's move after `before`, and the known part of the proof below this move.
    pub fn attack(&self, tree: &ProofTree, before: &[MoveText]) -> Markup {
        let attack = after(before, tree.mv);
        html! {
            li {
                a data-detail href=(self.link(&attack)) { b { (self.speaker.notation.last(&attack)) } }
                @if tree.answers.is_empty() && tree.rest == 0 { " " span class="quiet" { (self.words.get("is-mate")) } }
                ul {
                    @for answer in &tree.answers { (self.defence(answer, &attack)) }
                    @if tree.rest > 0 { li class="quiet" { (self.words.with("defences-more", &[("count", (tree.rest as u64).into())])) } }
                }
            }
        }
    }

    fn defence(&self, answer: &ProofBranch, before: &[MoveText]) -> Markup {
        let defence = after(before, answer.mv);
        html! {
            li {
                a data-detail href=(self.link(&defence)) { (self.speaker.notation.last(&defence)) }
                @if let Some(length) = self.length(answer, &defence) { " " span class="quiet" { (length) } }
                @if let Some(next) = &answer.next { ul { (self.attack(next, &defence)) } }
            }
        }
    }

    /// Formats the remaining length of the mate if `defence` is on the main line, and any proved upper bound if it is
    /// not.
    fn length(&self, answer: &ProofBranch, defence: &[MoveText]) -> Option<String> {
        if let Some(left) = self.main.strip_prefix(defence).filter(|left| !left.is_empty()) {
            return Some(self.words.with("mate-left", &[("plies", (left.len() as u64).into())]));
        }
        (answer.plies > 0).then(|| self.words.with("mate-within", &[("plies", (answer.plies as u64).into())]))
    }

    fn link(&self, path: &[MoveText]) -> String {
        format!("?problem={}&line={}", self.problem, address(path))
    }
}

fn after(before: &[MoveText], mv: MoveText) -> Vec<MoveText> {
    before.iter().copied().chain([mv]).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::MateUnit;
    use hasami_solve::problem::MateProblem;

    #[test]
    fn the_main_line_has_the_length_of_the_solution_and_other_defences_their_bounds() {
        let catalog = hasami_games::find("shogi").unwrap();
        let problem = MateProblem::new("x", "9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", catalog).unwrap();
        let mv = |text: &str| text.parse::<MoveText>().unwrap();
        let branch = |text: &str, plies| ProofBranch { mv: mv(text), plies, next: None };
        let tree =
            ProofTree { mv: mv("G*1c"), plies: 11, answers: vec![branch("1b1a", 9), branch("1b2a", 7)], rest: 0 };
        let speaker = PageSpeaker::at(catalog, MateUnit::default(), &problem.line);
        let main = ["G*1c", "1b1a", "G*2b"].map(mv);
        let shown = |main: &[MoveText]| {
            ProofList { problem: 1, main, speaker: &speaker, words: Words::english() }.attack(&tree, &[]).into_string()
        };
        let html = shown(&main);
        assert!(
            html.contains("mate in one ply<") && html.contains("mate within 7 plies<") && !html.contains("within 9"),
            "{html}"
        );
        let unknown = shown(&[]);
        assert!(unknown.contains("mate within 9 plies<") && !unknown.contains("mate in"), "{unknown}");
    }
}
