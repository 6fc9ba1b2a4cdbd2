//! Renders a line of moves for replay: the board, links to the next and previous positions, and a link for every move.

use super::chart::{self, Curve, level};
use super::spoken::PageSpeaker;
use hasami_api::{Bound, Line, MoveMark, MoveText, Score, Side};
use hasami_catalog::GameRules;
use hasami_pictures::board::{self, Arrow};
use hasami_words::Words;
use maud::{Markup, PreEscaped, html};

/// Maximum number of arrows on a board; more arrows would hide the pieces.
const ARROWS: usize = 5;

/// Draws the board after the moves of `line`, with arrows for possible next moves, the best move first.
pub fn position(catalog: &dyn GameRules, line: &Line, arrows: &[MoveText], words: &Words) -> Markup {
    let diagram = match catalog.diagram(line) {
        Ok(diagram) => diagram,
        Err(why) => return html! { p class="quiet" { (why) } },
    };
    let last_place = |line: &Line| catalog.places(line).ok().and_then(|places| places.last().copied());
    let to_move = side_after(catalog, line);
    let title = words.with("board-after", &[("moves", (line.moves.len() as u64).into())]);
    let mut drawn = Vec::new();
    for (place, mv) in arrows.iter().take(ARROWS).enumerate() {
        let mut with = line.clone();
        with.moves.push(*mv);
        drawn.extend(last_place(&with).map(|places| Arrow { places, weight: 1.0 / (1.0 + 0.7 * place as f64) }));
    }
    html! { (PreEscaped(board::draw(&diagram, &title, to_move, last_place(line), &drawn))) }
}

pub fn side_after(catalog: &dyn GameRules, line: &Line) -> Side {
    catalog.referee(line).map_or(Side::First, |referee| referee.side())
}

/// A line of moves, with their scores and judgements.
pub struct Replay<'a> {
    pub catalog: &'static dyn GameRules,
    pub line: &'a Line,
    /// The scores by ply, each for the player who made the move.
    pub scores: &'a [Option<Score>],
    /// The judgements of the moves, by ply.
    pub marks: &'a [Option<MoveMark>],
    /// The first and the second player, if each player reported the scores of its own moves; `None` if one analysis
    /// gave all scores.
    pub players: Option<[&'a str; 2]>,
    /// The part of a URL's query that selects this line, such as `game=3`.
    pub name: String,
}

impl Replay<'_> {
    /// Renders the line, with the board after `ply` moves.
    pub fn draw(&self, ply: usize, words: &Words) -> Markup {
        let start = Line { start: self.line.start.clone(), moves: Vec::new() };
        let speaker = PageSpeaker::at(self.catalog, self.catalog.mate_unit(), &start);
        let spoken = speaker.notation.moves(&self.line.moves);
        let all = self.line.moves.len();
        let shown = Line { moves: self.line.moves[..ply].to_vec(), ..self.line.clone() };
        let step = |to: usize| format!("?{}&ply={to}", self.name);
        let first = side_after(self.catalog, &start);
        // The board, the chart and the scores are shown from the first player's point of view.
        let of_first = |ply: usize| {
            let is_first = ply.is_multiple_of(2) == (first == Side::First);
            let score = self.scores.get(ply).copied().flatten()?;
            Some(if is_first { score } else { Score::from_raw(-score.raw()) })
        };
        let unit = self.catalog.mate_unit();
        let point = |ply: usize| of_first(ply).map(|score| ((ply + 1) as f64, level(score, unit)));
        let points = |plies: &mut dyn Iterator<Item = usize>| plies.filter_map(point).collect::<Vec<_>>();
        let plies = self.scores.len();
        let earlier = usize::from(first == Side::Second);
        let of_side = |side: usize| points(&mut (0..plies).filter(|ply| (ply + earlier) % 2 == side));
        let curves = match self.players {
            None => vec![Curve::new("first", points(&mut (0..plies)))],
            Some(_) => vec![Curve::new("first", of_side(0)), Curve::new("second", of_side(1))],
        };
        let numbers = self.numbers(first);
        html! {
            (position(self.catalog, &shown, &[], words))
            p class="replay" {
                a data-detail rel="first" href=(step(0)) aria-label=(words.get("to-start")) { "|◀" }
                a data-detail rel="prev" href=(step(ply.saturating_sub(1))) aria-label=(words.get("back")) { "◀" }
                span { (ply) " / " (all) }
                a data-detail rel="next" href=(step((ply + 1).min(all))) aria-label=(words.get("forward")) { "▶" }
                a data-detail rel="last" href=(step(all)) aria-label=(words.get("to-end")) { "▶|" }
                @if let Some(score) = ply.checked_sub(1).and_then(of_first) {
                    b class="value" { (speaker.score(score, Bound::Exact)) }
                    span class="quiet note" { (words.with("value-is-for", &[("side", self.catalog.sides()[0].into())])) }
                }
            }
            p class="moves" { @for (index, text) in spoken.iter().enumerate() {
                @if let Some(number) = &numbers[index] { span class="quiet" { (number) } " " }
                a data-detail href=(step(index + 1)) aria-current=[(index + 1 == ply).then_some("true")] { (text) (self.marks.get(index).copied().flatten().map_or("", MoveMark::symbol)) } " "
            } }
            @if curves.iter().any(|curve| !curve.points.is_empty()) {
                (chart::draw(&words.get("value-over-moves"), &words.get("axis-plies"), &curves, &[0.0]))
                @if let Some(players) = self.players {
                    p class="legend" { @for (name, curve) in players.iter().zip(&curves) { span class=(curve.class) { (name) } " " } }
                }
            }
        }
    }

    /// Returns the number to show before each move. In a game that counts a move by each side as one move, as in chess,
    /// only moves of the first player get numbers.
    fn numbers(&self, first: Side) -> Vec<Option<String>> {
        let all = self.line.moves.len();
        if self.catalog.plies_per_move() == 1 {
            return (1..=all).map(|ply| Some(format!("{ply}"))).collect();
        }
        let earlier = usize::from(first == Side::Second);
        let number = |ply: usize| match (ply + earlier) % 2 {
            0 => Some(format!("{}.", (ply + earlier) / 2 + 1)),
            _ if ply == 0 => Some("1...".to_owned()),
            _ => None,
        };
        (0..all).map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_words::Language;

    /// In this game, both engines consider the first player better.
    #[test]
    fn values_of_all_moves_are_for_the_first_player() {
        let moves = ["e2e4", "e7e5"].map(|text| text.parse().unwrap()).to_vec();
        let line = Line { moves, ..Line::default() };
        let scores = [Some(Score::cp(30)), Some(Score::cp(-40))];
        let catalog = hasami_games::find("chess").unwrap();
        let players = Some(["A", "B"]);
        let marks = [None, Some(MoveMark::Blunder)];
        let replay = Replay { catalog, line: &line, scores: &scores, marks: &marks, players, name: "game=1".into() };
        let words = Words::of(Language::English);
        for (ply, shown) in [(1, "+0.30"), (2, "+0.40")] {
            let drawn = replay.draw(ply, words).into_string();
            assert!(drawn.contains(&format!(">{shown}</b>")) && drawn.contains("for White"), "{drawn}");
            // The replay must number the moves and draw one curve for each player.
            assert!(drawn.contains(">1.</span>") && drawn.contains(">e5??</a>"), "{drawn}");
            assert!(drawn.contains("class=\"dot first\"") && drawn.contains("class=\"dot second\""), "{drawn}");
            assert!(drawn.contains("<span class=\"second\">B</span>"), "{drawn}");
        }
    }
}
