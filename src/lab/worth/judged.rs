//! Positions whose moves were ranked by the judge, an engine that searched many nodes.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::curve;
use crate::learn::journal;
use crate::learn::positions::{LearningGames, Pick};
use crate::learn::ranking::Ranking;
use hasami_api::{Line, MoveText};
use hasami_catalog::Catalog;
use hasami_words::text::At;
use std::fmt;
use std::path::{Path, PathBuf};

/// A position with the judge's scores of its moves.
pub struct JudgedPosition {
    pub line: Line,
    ranking: Ranking,
}

impl JudgedPosition {
    /// Reads those positions of `games` for which the journal `file` ranks at least two moves, in the order of the
    /// games.
    pub fn read(game: &dyn Catalog, games: &[PathBuf], file: &Path) -> Result<Vec<Self>, String> {
        let games = LearningGames::read(games, game, Pick::ALL)?;
        let rankings = journal::load(file, &games)?;
        let judged = rankings.into_iter().filter(|(_, ranking)| ranking.lines.len() > 1);
        let judged: Vec<Self> =
            judged.map(|(at, ranking)| Self { line: games.line(&games.positions[at]), ranking }).collect();
        if judged.is_empty() {
            return Err("it has no positions of these games".at(format!("journal {}", file.display())));
        }
        Ok(judged)
    }

    /// The expected points that a move gives away, compared with the best move. An unranked move counts as the last
    /// ranked one, so its true loss may be larger.
    pub fn loss(&self, played: Option<MoveText>) -> f64 {
        let lines = &self.ranking.lines;
        let best = lines.iter().map(|(_, score)| *score).max();
        let own = lines.iter().find(|(m, _)| Some(*m) == played).or(lines.last()).map(|(_, score)| *score);
        match (best, own) {
            (Some(best), Some(own)) => best.expectation() - own.expectation(),
            _ => 0.0,
        }
    }
}

/// The move that was played in each judged position, and the points that it loses.
#[derive(Clone, Default, Debug)]
pub struct JudgedMoves {
    pub moves: Vec<Option<MoveText>>,
    /// Losses in points, by position.
    pub losses: Vec<f64>,
}

impl JudgedMoves {
    pub fn new(judged: &[JudgedPosition], moves: Vec<Option<MoveText>>) -> Self {
        Self { losses: judged.iter().zip(&moves).map(|(position, &m)| position.loss(m)).collect(), moves }
    }

    /// The moves in the protocol's notation, for JSON.
    pub fn texts(&self) -> Vec<Option<String>> {
        self.moves.iter().map(|m| m.map(|m| m.to_string())).collect()
    }
}

/// Displays the mean loss with its confidence interval, and how often the best move was played.
impl fmt::Display for JudgedMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, error) = curve::mean(&self.losses);
        let best = self.losses.iter().filter(|&&loss| loss <= 0.0).count() as f64 / self.losses.len() as f64;
        let (mean, error, best) = (100.0 * mean, 100.0 * error, 100.0 * best);
        write!(f, "loses {mean:.2} ± {error:.2} % of a point a move, the best move in {best:.1} %")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_api::Score;

    #[test]
    fn a_move_loses_the_difference_to_the_best_score() {
        let m = |text: &str| text.parse::<MoveText>().unwrap();
        let lines = vec![(m("e2e4"), Score::cp(50)), (m("d2d4"), Score::cp(50)), (m("a2a3"), Score::cp(-50))];
        let judged = JudgedPosition { line: Line::default(), ranking: Ranking { depth: 9, lines } };
        assert_eq!((judged.loss(Some(m("e2e4"))), judged.loss(Some(m("d2d4")))), (0.0, 0.0));
        let lost = judged.loss(Some(m("a2a3")));
        assert!((lost - (Score::cp(50).expectation() - Score::cp(-50).expectation())).abs() < 1e-12 && lost > 0.1);
        assert_eq!((judged.loss(Some(m("h2h3"))), judged.loss(None)), (lost, lost), "as the last ranked move");
    }
}
