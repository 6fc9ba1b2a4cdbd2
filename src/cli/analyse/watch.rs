//! Follows the progress of a search for `analyse`, and shows it.

use super::super::colours::{Colours, Tone};
use super::screen::Screen;
use super::view::{self, Status};
use hasami_api::{GameReview, JudgedPosition, Line, MateUnit, MoveText};
use hasami_catalog::Speaker;
use hasami_protocol::{BestMove, Info, Output};
use hasami_terminal::Failure;
use hasami_tree::{ChosenMove, LineView, Snapshot, reasons};
use hasami_web::SearchPage;
use hasami_words::Words;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Number of tree rows printed if stdout is not a terminal.
const ROWS: usize = 40;

/// Follows a search by reading its output.
pub struct SearchWatch {
    /// What is shown of the search. A MultiPV line that is missing at the current depth comes from the previous depth,
    /// so that lines do not flicker.
    status: Status,
    begun: Instant,
    /// The best line, followed by the other lines of MultiPV.
    lines: Vec<Info>,
    messages: Vec<String>,
    answer: Option<BestMove>,
    screen: Screen,
    page: Option<SearchPage>,
}

impl SearchWatch {
    pub fn new(
        game: &'static str,
        mate_unit: MateUnit,
        limit: Option<Duration>,
        shown: (Screen, Option<SearchPage>),
        speaker: Speaker,
        words: &'static Words,
    ) -> Self {
        let (screen, page) = shown;
        let (elapsed, lines) = (Duration::ZERO, Vec::new());
        let status = Status { game, mate_unit, elapsed, limit, lines, speaker, words };
        let (begun, lines, messages) = (Instant::now(), Vec::new(), Vec::new());
        Self { status, begun, lines, messages, answer: None, screen, page }
    }

    pub fn words(&self) -> &'static Words {
        self.status.words
    }

    /// Starts measuring the time of a search.
    pub fn begin(&mut self, line: &Line) {
        self.begun = Instant::now();
        if let Some(page) = &mut self.page {
            page.position(line);
            page.begin();
        }
    }

    /// Returns the newest message that has not been shown yet.
    pub fn last_message(&self) -> Option<&String> {
        self.messages.last()
    }

    pub fn hear(&mut self, said: Output) {
        if let Some(page) = &mut self.page {
            page.hear(&said);
        }
        match said {
            Output::Info(info) => {
                // MultiPV lines arrive best first, so a new line replaces the old lines of its own rank and below.
                let place = usize::from(info.multipv.unwrap_or(1)).saturating_sub(1);
                self.lines.truncate(place);
                self.lines.push(info.clone());
                self.status.lines.truncate(if info.multipv.is_some() { self.status.lines.len() } else { 0 });
                match self.status.lines.get_mut(place) {
                    Some(old) => *old = info,
                    None => self.status.lines.push(info),
                }
            }
            Output::Message(text) => self.messages.push(text),
            Output::Best(best) => self.answer = Some(best),
            Output::Effort(_) | Output::Text(_) | Output::Checkmate(_) | Output::MateRefused | Output::ReadyOk => {}
        }
    }

    /// Returns whether a message that has not been shown yet contains `text`.
    pub fn has_heard(&self, text: &str) -> bool {
        self.messages.iter().any(|message| message.contains(text))
    }

    /// Returns the web page, which continues to show the result.
    pub fn into_page(self) -> Option<SearchPage> {
        self.page
    }

    pub fn is_done(&self) -> bool {
        self.answer.is_some()
    }

    /// Prints a line that stays on the screen.
    pub fn say(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        self.screen.say(text, out)?;
        out.flush()
    }

    /// Prints the final tree, unless a terminal already shows the tree.
    pub fn show_tree(&self, tree: &Snapshot, out: &mut impl Write) -> io::Result<()> {
        if matches!(self.screen, Screen::Plain { .. }) {
            let lines = view::picture(&self.status, tree, view::COLUMNS, ROWS);
            lines.iter().try_for_each(|line| writeln!(out, "{}", line.text.trim_end()))?;
        }
        Ok(())
    }

    /// For each move that looks as good as the engine's choice, explains why it was not chosen.
    pub fn explain(&self, tree: &Snapshot, out: &mut impl Write) -> io::Result<()> {
        if let (Some(line), Some(&BestMove::Move { best, .. })) = (self.lines.first(), self.answer.as_ref()) {
            let chosen = ChosenMove { best, score: line.score };
            let name = |line: &[MoveText]| self.status.speaker.last(line);
            reasons(tree, chosen).iter().try_for_each(|reason| writeln!(out, "{}", reason.text(name, self.words())))?;
        }
        out.flush()
    }

    /// Redraws the tree in place on a terminal; elsewhere, prints a line if the search has made progress.
    pub fn draw(&mut self, tree: &Snapshot, out: &mut impl Write) -> io::Result<()> {
        if let Some(page) = &mut self.page {
            let shown = || (tree.clone(), Vec::new());
            if self.answer.is_some() { page.show(tree.clone(), Vec::new()) } else { page.show_if_due(shown) }
        }
        for message in self.messages.drain(..) {
            self.screen.say(&message, out)?;
        }
        self.status.elapsed = self.begun.elapsed();
        self.screen.draw(&self.status, tree, out)
    }

    /// Prepares for the search of another position. `speaker` writes moves from that position.
    pub fn turn_to(&mut self, speaker: Speaker) {
        self.status.speaker = speaker;
        self.lines.clear();
        self.status.lines.clear();
        self.answer = None;
    }

    /// Returns the result of the search; `None` if the search has found nothing.
    pub fn found(&self) -> Option<JudgedPosition> {
        let best = self.lines.first()?;
        let Info { score: value, depth, nodes, .. } = *best;
        Some(JudgedPosition { value, line: self.answer_line(), depth, nodes })
    }

    /// Shows the game on the web page, with the reviews so far and the tree of the last search.
    pub fn show_review(&mut self, review: &GameReview, tree: &Snapshot) {
        if let Some(page) = &mut self.page {
            page.review(review);
            page.show(tree.clone(), Vec::new());
        }
    }

    pub fn colours(&self) -> Colours {
        self.screen.colours()
    }

    /// Erases the tree from the terminal.
    pub fn clear(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.screen.erase(out)
    }

    /// Formats the moves of a line in the notation of the output.
    pub fn speak(&self, moves: &[MoveText]) -> Vec<String> {
        self.status.speaker.moves(moves)
    }

    /// Returns the best line, whose first move is the engine's answer.
    pub fn answer_line(&self) -> Vec<MoveText> {
        let Some(BestMove::Move { best, .. }) = &self.answer else { return Vec::new() };
        let line = self.lines.first().filter(|line| line.pv.first() == Some(best));
        line.map_or_else(|| vec![*best], |line| line.pv.clone())
    }

    /// Returns the lines of a search with MultiPV, best first.
    pub fn lines(&self) -> Vec<LineView> {
        let view =
            |info: &Info| LineView { value: info.score, bound: info.bound, depth: info.depth, pv: info.pv.clone() };
        let asked = self.lines.iter().filter(|info| info.multipv.is_some());
        asked.map(view).collect()
    }

    /// Prints the answer, which ends the output. `nodes` is the node limit, if one was set.
    pub fn conclude(&self, nodes: Option<u64>, out: &mut impl Write) -> Result<(), Failure> {
        let (colours, unit) = (self.screen.colours(), self.status.mate_unit);
        let words = self.words();
        let line = |info: &Info| {
            let moves = self.status.speaker.text(&info.pv);
            let text = words.with("answer-line", &[("moves", (&moves).into())]);
            self.screen.columns().map_or(text.clone(), |columns| view::wrapped_line(&text, columns))
        };
        let mut score = String::new();
        // If the engine answered without a search, there are no depth and nodes to report.
        if let Some(best) = self.lines.first().filter(|line| line.depth > 0) {
            let effort = colours.paint(view::tone_of(best.score), &view::score_and_effort(best, nodes, unit, words));
            score.push_str(&format!("\n{effort}\n{}", line(best)));
        }
        for (place, other) in (2..).zip(self.lines.iter().skip(1)) {
            let painted = colours.paint(view::tone_of(other.score), &view::other_score(place, other, unit, words));
            score.push_str(&format!("\n{painted}\n{}", line(other)));
        }
        match &self.answer {
            Some(BestMove::Move { best, ponder }) => {
                let speaker = &self.status.speaker;
                let move_in =
                    |name: &str, line: &[MoveText]| words.with(name, &[("move", (&speaker.last(line)).into())]);
                let reply = ponder.map_or_else(String::new, |m| move_in("expecting", &[*best, m]));
                let painted = colours.paint(Tone::Best, &move_in("best-move", &[*best]));
                writeln!(out, "{painted}{reply}{score}")?;
            }
            Some(BestMove::Win) => writeln!(out, "{}{score}", words.get("best-declares"))?,
            Some(BestMove::Resign) => writeln!(out, "{}{score}", words.get("best-resigns"))?,
            Some(BestMove::None) | None => {
                return Err(Failure::no_answer("no legal move: the game is over here"));
            }
        }
        Ok(out.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::analyse::view::tests::info;

    #[test]
    fn with_multipv_the_best_line_is_known_where_it_is_the_only_one() {
        for (multipv, known) in [(None, 0), (Some(1), 1)] {
            let shown = (Screen::new(false), None);
            let mut watch =
                SearchWatch::new("chess", MateUnit::Moves, None, shown, Speaker::of_protocol(), Words::english());
            watch.hear(Output::Info(Info { multipv, ..info() }));
            assert_eq!(watch.lines().len(), known);
        }
    }
}
