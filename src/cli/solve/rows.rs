//! Formats answers as columns for a terminal. In a pipe, the fields of an answer are separated by tabs.

use hasami_solve::problem::MateProblem;
use hasami_solve::solution::{Solution, answer_name};
use hasami_terminal::window;
use hasami_words::text::{grouped, padded, to_right, wrapped};
use hasami_words::{Language, Words};
use std::io::{self, IsTerminal};
use unicode_width::UnicodeWidthStr;

/// Smallest and largest width of the name column. A name wider than its column moves the rest to the right.
const NAMES: std::ops::RangeInclusive<usize> = 7..=24;

/// Indentation of moves that are printed below their answer.
const INDENT: usize = 4;

pub struct AnswerRows {
    name: usize,
    columns: usize,
    words: &'static Words,
    has_begun: bool,
}

impl AnswerRows {
    /// Creates the table of answers, if stdout is a terminal.
    pub fn new(problems: &[MateProblem], words: &'static Words) -> Option<Self> {
        io::stdout().is_terminal().then(|| Self::of(problems, window::size().0.into(), words))
    }

    fn of(problems: &[MateProblem], columns: usize, words: &'static Words) -> Self {
        let longest = problems.iter().map(|problem| problem.name.width()).max().unwrap_or(0);
        Self { name: longest.clamp(*NAMES.start(), *NAMES.end()), columns, words, has_begun: false }
    }

    /// Formats an answer, whose moves are already text, as lines. The first answer includes the column headers.
    pub fn lines(&mut self, name: &str, solution: &Solution, moves: &[String]) -> Vec<String> {
        let mut lines = Vec::new();
        if !std::mem::replace(&mut self.has_begun, true) {
            let head = ["row-problem", "row-answer", "row-plies", "row-nodes", "row-seconds"];
            let [problem, answer, plies, nodes, seconds] = head.map(|name| self.words.get(name));
            lines.push(self.row(&problem, &answer, [&plies, &nodes, &seconds]));
        }
        let plies = solution.mate().map_or_else(|| "-".to_owned(), |moves| moves.len().to_string());
        let seconds = format!("{:.3}", solution.took.as_secs_f64());
        let name = name.replace(char::is_control, " ");
        // In English, answers use the same words as in output for programs; other languages use translations.
        let answer = match self.words.language {
            Language::English => solution.word().to_owned(),
            Language::Japanese => self.words.get(answer_name(solution.word())),
        };
        let mut row = self.row(&name, &answer, [&plies, &grouped(solution.nodes), &seconds]);
        let all = moves.join(" ");
        if row.width() + 2 + all.width() <= self.columns {
            row = format!("{row}  {all}");
            lines.push(row.trim_end().to_owned());
        } else {
            lines.push(row);
            lines.extend(self.wrapped(&" ".repeat(INDENT), &all));
        }
        let files = solution.brinkmate.iter().flat_map(|more| [&more.certificate_file, &more.below_file]).flatten();
        lines.extend(files.map(|file| format!("{}{file}", " ".repeat(INDENT))));
        lines
    }

    fn row(&self, name: &str, answer: &str, [plies, nodes, seconds]: [&str; 3]) -> String {
        let numbers = [(plies, 5), (nodes, 13), (seconds, 9)];
        let numbers = numbers.map(|(text, columns)| format!(" {}", to_right(text, columns)));
        format!("{} {}{}", padded(name, self.name), padded(answer, 9), numbers.concat())
    }

    /// Formats a note as lines.
    pub fn note(&self, text: &str) -> Vec<String> {
        self.wrapped("# ", text)
    }

    /// Wraps a text into lines, each of which begins with `before`.
    fn wrapped(&self, before: &str, text: &str) -> Vec<String> {
        let lines = wrapped(text, self.columns.saturating_sub(before.width()), 0);
        lines.lines().map(|line| format!("{before}{line}")).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::MateAnswer;
    use std::time::Duration;

    #[test]
    fn columns_align_and_lines_fit() {
        let problem = |name: &str| {
            MateProblem::new(name, "4k4/9/4P4/9/9/9/9/9/9 b G 1", hasami_games::find("shogi").unwrap()).unwrap()
        };
        let problems = ["short", "詰将棋 1", "a name that is longer than any that should be"].map(problem);
        let mut rows = AnswerRows::of(&problems, 80, Words::english());
        let solution = |plies| {
            let answer = MateAnswer::Mate(vec!["G*5b".parse().unwrap(); plies]);
            Solution { answer, nodes: 1_234_567, took: Duration::from_millis(1_500), ..Solution::default() }
        };
        let moves = |plies| vec!["G*5b".to_owned(); plies];
        let lines: Vec<String> =
            ["short", "詰将棋 1"].iter().flat_map(|name| rows.lines(name, &solution(1), &moves(1))).collect();
        let widths: Vec<usize> = lines.iter().map(|line| line.trim_end_matches("  G*5b").width()).collect();
        assert!(lines.len() == 3 && widths.iter().all(|&width| width == widths[0]), "{lines:?}");
        assert!(lines[1].ends_with("1.500  G*5b"), "{lines:?}");
        let long = rows.lines("short", &solution(41), &moves(41));
        assert!(long.len() == 4 && long.iter().all(|line| line.width() <= 80), "{long:?}");
        let wide = rows.lines("short", &solution(41), &vec!["▲５二金".to_owned(); 41]);
        assert!(wide.len() == 6 && wide.iter().all(|line| line.width() <= 80), "{wide:?}");
        let japanese =
            AnswerRows::of(&problems, 80, Words::of(Language::Japanese)).lines("short", &solution(1), &moves(1));
        assert_eq!(japanese[0].width(), lines[0].width(), "{japanese:?}");
        assert_eq!(japanese[1].split_whitespace().nth(1), Some("詰み"), "{japanese:?}");
        assert_eq!(long[1..].concat().split_whitespace().count(), 41);
    }

    #[test]
    fn remarks_break_between_words() {
        let rows = AnswerRows::of(&[], 40, Words::english());
        let lines = rows.note("13 problems: 13 with a mate, 0 without a mate, 0 unknown; 874982 nodes");
        assert_eq!(lines, ["# 13 problems: 13 with a mate, 0 without", "# a mate, 0 unknown; 874982 nodes"]);
        assert_eq!(rows.note("short"), ["# short"]);
    }
}
