//! Draws the first moves of a proof as SVG: a tree that grows to the right, with the attacker's moves in boxes and the
//! main line on top.

use hasami_api::Line;
use hasami_catalog::Catalog;
use hasami_mate::{ProofBranch, ProofTree};
use hasami_pictures::{FONTS, anchored, bar, page, rule};
use hasami_words::Words;
use svg::Document;

/// Width of a column of moves, in SVG units; `HEIGHT` is the height of a row.
const WIDTH: f64 = 118.0;
const HEIGHT: f64 = 26.0;
const GAP: f64 = 26.0;
const MARGIN: f64 = 24.0;
const TITLE: f64 = 34.0;
const FONT: f64 = 13.0;

const ATTACKER: &str = "#fbe3d6";
const DEFENDER: &str = "#e3ecf7";
const INK: &str = "#444";

struct ProofBox {
    text: String,
    /// Number of the column, counted from the left.
    column: usize,
    row: usize,
    /// Row of the box for the previous move.
    above: Option<usize>,
    kind: BoxKind,
    is_main: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BoxKind {
    Attack,
    Defence,
    /// A text in place of a subtree that is not drawn.
    Rest,
}

struct ProofLayout<'a> {
    game: &'a dyn Catalog,
    words: &'a Words,
    cells: Vec<ProofBox>,
    rows: usize,
}

/// Draws a proof tree below its title. If the game rejects a move, the error names that move.
pub fn draw(game: &dyn Catalog, start: &Line, proof: &ProofTree, title: &str, words: &Words) -> Result<String, String> {
    let mut layout = ProofLayout { game, words, cells: Vec::new(), rows: 0 };
    layout.attack(start, proof, 0, None, true)?;
    Ok(layout.picture(title).to_string())
}

/// Draws the tree of a problem in which the defender moves first: all defences, beginning with that of the main line.
pub fn draw_defences(
    game: &dyn Catalog,
    start: &Line,
    defences: &[ProofBranch],
    title: &str,
    words: &Words,
) -> Result<String, String> {
    let mut layout = ProofLayout { game, words, cells: Vec::new(), rows: 0 };
    for (index, defence) in defences.iter().enumerate() {
        layout.answer(start, defence, 0, None, index == 0)?;
    }
    Ok(layout.picture(title).to_string())
}

impl ProofLayout<'_> {
    /// Formats the last move of a line in the usual notation of the game.
    fn written(&self, line: &Line) -> Result<String, String> {
        Ok(self.game.notation(line)?.pop().unwrap_or_default())
    }

    fn attack(
        &mut self,
        before: &Line,
        proof: &ProofTree,
        column: usize,
        above: Option<usize>,
        is_main: bool,
    ) -> Result<(), String> {
        let mut line = before.clone();
        line.moves.push(proof.mv);
        let (text, row) = (self.written(&line)?, self.rows);
        self.cells.push(ProofBox { text, column, row, above, kind: BoxKind::Attack, is_main });
        if proof.answers.is_empty() && proof.rest == 0 {
            self.note(&self.words.get("is-mate"), column + 1, row);
        }
        for (index, answer) in proof.answers.iter().enumerate() {
            self.answer(&line, answer, column + 1, Some(row), is_main && index == 0)?;
        }
        if proof.rest > 0 {
            let row_of_rest = self.rows;
            let name = if proof.answers.is_empty() { "defences-mated" } else { "lines-more" };
            let text = self.words.count(name, proof.rest as u64);
            self.note(&text, column + 1, row_of_rest);
            if let Some(cell) = self.cells.last_mut() {
                cell.above = Some(row);
            }
        }
        Ok(())
    }

    fn answer(
        &mut self,
        before: &Line,
        answer: &ProofBranch,
        column: usize,
        above: Option<usize>,
        is_main: bool,
    ) -> Result<(), String> {
        let mut line = before.clone();
        line.moves.push(answer.mv);
        let (text, row) = (self.written(&line)?, self.rows);
        self.cells.push(ProofBox { text, column, row, above, kind: BoxKind::Defence, is_main });
        match &answer.next {
            Some(next) => self.attack(&line, next, column + 1, Some(row), is_main)?,
            None if answer.plies == 0 => self.note("...", column + 1, row),
            None => self.note(&self.words.count("proved-mate-in", answer.plies as u64), column + 1, row),
        }
        Ok(())
    }

    /// Adds a text at the end of a row, and begins the next row.
    fn note(&mut self, text: &str, column: usize, row: usize) {
        let text = text.to_owned();
        self.cells.push(ProofBox { text, column, row, above: Some(row), kind: BoxKind::Rest, is_main: false });
        self.rows += 1;
    }

    fn picture(&self, title: &str) -> Document {
        let columns = self.cells.iter().map(|cell| cell.column + 1).max().unwrap_or(1);
        let place = |column: usize, row: usize| {
            (MARGIN + column as f64 * (WIDTH + GAP), TITLE + MARGIN + row as f64 * (HEIGHT + 8.0))
        };
        let (width, height) = place(columns, self.rows);
        let size = (width + MARGIN - GAP, height + MARGIN);
        let mut picture = page(size.0, size.1).set("width", size.0).set("height", size.1).set("font-family", FONTS);
        picture = picture.add(anchored(title, MARGIN, TITLE, 16.0, "start").set("font-weight", "bold"));
        for cell in &self.cells {
            let (x, y) = place(cell.column, cell.row);
            let middle = y + HEIGHT / 2.0;
            if let Some(above) = cell.above {
                let bend = x - GAP / 2.0;
                let from = place(cell.column, above).1 + HEIGHT / 2.0;
                let weight = if cell.is_main { 2.5 } else { 1.0 };
                for line in [
                    rule(x - GAP, from, bend, from, INK),
                    rule(bend, from, bend, middle, INK),
                    rule(bend, middle, x, middle, INK),
                ] {
                    picture = picture.add(line.set("stroke-width", weight));
                }
            }
            let fill = match cell.kind {
                BoxKind::Attack => ATTACKER,
                BoxKind::Defence => DEFENDER,
                BoxKind::Rest => "none",
            };
            let text_middle = x + WIDTH / 2.0;
            let weight = if cell.is_main { "bold" } else { "normal" };
            if cell.kind == BoxKind::Rest {
                picture = picture.add(anchored(&cell.text, x + 6.0, middle + 4.5, FONT, "start").set("fill", "#777"));
            } else {
                let edge = if cell.is_main { 1.8 } else { 0.8 };
                let shape = bar(x, y, WIDTH, HEIGHT, fill).set("stroke", INK).set("stroke-width", edge).set("rx", 4);
                let text = anchored(&cell.text, text_middle, middle + 4.5, FONT, "middle").set("font-weight", weight);
                picture = picture.add(shape).add(text);
            }
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::problem::MateProblem;

    #[test]
    fn a_tree_has_its_moves_and_counts_the_rest() {
        let game = hasami_games::find("shogi").unwrap();
        let problem = MateProblem::new("x", "9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", game).unwrap();
        let mv = |text: &str| text.parse().unwrap();
        let last = ProofTree { mv: mv("G*2b"), plies: 1, answers: Vec::new(), rest: 0 };
        let answers = vec![
            ProofBranch { mv: mv("1b1a"), plies: 1, next: Some(last) },
            ProofBranch { mv: mv("1b2a"), plies: 3, next: None },
        ];
        let proof = ProofTree { mv: mv("G*1c"), plies: 3, answers, rest: 2 };
        let picture = draw(game, &problem.line, &proof, "three <3>", Words::english()).unwrap();
        let has = |text: &str| picture.lines().any(|line| line.trim() == text);
        for text in ["▲１三金", "△１一玉", "▲２二金打", "△２一玉", "mate", "mate in 3", "and 2 more", "three &lt;3&gt;"]
        {
            assert!(has(text), "{text}: {picture}");
        }
        assert_eq!(picture.matches("<rect").count(), 1 + 4, "the page and four moves");
    }
}
