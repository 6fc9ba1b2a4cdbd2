//! During the search for shorter mates, prints the known bounds on stderr.

use hasami_catalog::{Catalog, Notation, Speaker};
use hasami_solve::problem::MateProblem;
use hasami_solve::solver::{MateSoFar, ProgressListener, SolveProgress};
use hasami_terminal::bar::Bar;
use hasami_words::Words;
use std::io::{Write, stderr};
use std::sync::Arc;
use std::time::Duration;

/// Bounds are printed only after a search of this duration.
const PRINTED_AFTER: Duration = Duration::from_secs(1);

/// Prints the progress of one solver.
pub struct SoFar {
    game: &'static dyn Catalog,
    notation: Notation,
    words: &'static Words,
    bar: Arc<Bar>,
    last: MateSoFar,
}

impl SoFar {
    pub fn new(game: &'static dyn Catalog, notation: Notation, words: &'static Words, bar: Arc<Bar>) -> Self {
        Self { game, notation, words, bar, last: MateSoFar::default() }
    }

    /// Returns a listener that prints new bounds and passes every progress report on to `next`.
    pub fn listener(mut self, mut next: Option<ProgressListener>) -> ProgressListener {
        Box::new(move |problem, progress| {
            if let Some(text) = self.news(problem, &progress) {
                // A failure to write to stderr cannot be reported, so it is ignored.
                self.bar.suspend(|| _ = writeln!(stderr(), "{text}"));
            }
            if let Some(next) = &mut next {
                next(problem, progress);
            }
        })
    }

    /// Returns a line about the mate if the search takes longer than [`PRINTED_AFTER`] and the bounds have changed.
    fn news(&mut self, problem: &MateProblem, progress: &SolveProgress) -> Option<String> {
        let mate = progress.mate.clone().unwrap_or_default();
        if progress.took < PRINTED_AFTER {
            // The last printed bounds belong to an earlier problem.
            self.last = MateSoFar::default();
            return None;
        }
        let is_news = mate.at_least != self.last.at_least || mate.line.len() != self.last.line.len();
        self.last = mate;
        if !is_news || self.last == MateSoFar::default() {
            return None;
        }
        let text = format!("{}: {}", problem.name, self.last.text(self.words));
        if self.last.line.is_empty() {
            return Some(text);
        }
        let moves = Speaker::at(self.game, &problem.line, self.notation).moves(&self.last.line);
        Some(format!("{text}: {}", moves.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn news_of_a_mate_are_printed_once_and_after_a_while() {
        let game = hasami_games::find("shogi").unwrap();
        let problem = MateProblem::new("x", "4k4/9/4P4/9/9/9/9/9/9 b 2G 1", game).unwrap();
        let bar = Arc::new(Bar::of_problems());
        let mut so_far = SoFar::new(game, Notation::Protocol, Words::english(), bar);
        let mut news = |seconds, at_least, moves: &str| {
            let line: Vec<_> = moves.split_whitespace().map(|text| text.parse().unwrap()).collect();
            let mate = (at_least > 0 || !line.is_empty()).then_some(MateSoFar { line, at_least });
            so_far
                .news(&problem, &SolveProgress { took: Duration::from_secs(seconds), mate, ..SolveProgress::default() })
        };
        assert_eq!(news(0, 0, "G*6b 5a4a G*4b"), None, "it is too early");
        assert_eq!(
            news(2, 0, "G*6b 5a4a G*4b").unwrap(),
            "x: a mate in at most 3 plies so far: G*6b 5a4a G*4b",
            "what was found too early is shown later"
        );
        assert_eq!(news(2, 0, "G*6b 5a4a G*4b"), None, "nothing is new");
        assert_eq!(
            news(3, 3, "G*6b 5a4a G*4b 4a3a G*3b").unwrap(),
            "x: a mate in 3 to 5 plies so far: G*6b 5a4a G*4b 4a3a G*3b"
        );
        assert_eq!(news(4, 3, "G*6b 5a4a G*4b 4a3a G*3b"), None);
        assert_eq!(news(0, 0, ""), None, "the next problem");
        assert_eq!(news(5, 7, "").unwrap(), "x: no mate in fewer than 7 plies so far");
        assert_eq!(news(6, 7, ""), None);
    }
}
