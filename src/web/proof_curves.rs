//! Proof and disproof number of a problem over the time of its searches.

use super::chart::{self, Curve, Mark};
use hasami_api::ProofQuestion;
use hasami_solve::solution::answer_name;
use hasami_solve::solver::{MateSoFar, SolveProgress};
use hasami_words::Words;
use hasami_words::text::grouped;
use maud::{Markup, html};
use std::time::{Duration, Instant};

/// Number of points to keep per problem; if there are more, every other one is dropped.
const NUMBERS: usize = 400;

/// Both numbers at one time, as logarithms, because they span many orders of magnitude.
#[derive(Clone, Copy)]
struct Numbers {
    seconds: f64,
    proof: f64,
    disproof: f64,
    /// Index of the search that reported the numbers; numbers of different searches are not connected.
    search: usize,
    question: ProofQuestion,
}

/// A problem in progress, or the last one in progress.
#[derive(Default)]
pub struct OpenProblem {
    pub name: String,
    pub nodes: u64,
    took: Duration,
    /// Time at which `took` was reported; `None` if the search is over.
    heard: Option<Instant>,
    numbers: Vec<Numbers>,
    /// Number of searches before the current one.
    searches: usize,
    /// Time until a mate was found. The numbers end there, although a search for a shorter mate may continue.
    mate_after: Option<Duration>,
    /// The shortest mate so far.
    pub mate: Option<MateSoFar>,
    /// The answer, as it is printed (`mate`, `brinkmate`, ...).
    answer: Option<&'static str>,
}

impl OpenProblem {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// The time since the search began, even if nothing was reported recently.
    pub fn time(&self) -> Duration {
        self.took + self.heard.map_or(Duration::ZERO, |heard| heard.elapsed())
    }

    pub fn hear(&mut self, progress: SolveProgress) {
        if progress.took < self.took || self.answer.is_some() {
            *self = Self::new(&self.name);
        }
        (self.nodes, self.took, self.heard) = (progress.nodes, progress.took, Some(Instant::now()));
        let asks_otherwise = |last: &Numbers| progress.numbers.is_none() || last.question != progress.question;
        if self.numbers.last().is_some_and(|last| last.search == self.searches && asks_otherwise(last)) {
            self.searches += 1;
        }
        if progress.mate.is_some() {
            self.mate = progress.mate;
        }
        let Some((pn, dn)) = progress.numbers else { return };
        if pn == 0 && progress.question == ProofQuestion::Task {
            self.mate_after = self.mate_after.or(Some(progress.took));
        }
        // At the end of a search one of the numbers is zero and the other one infinite.
        if pn > 0 && dn > 0 {
            let [proof, disproof] = [pn, dn].map(|number| f64::from(number).log10());
            let (seconds, search, question) = (progress.took.as_secs_f64(), self.searches, progress.question);
            chart::add_point(&mut self.numbers, Numbers { seconds, proof, disproof, search, question }, NUMBERS);
        }
    }

    /// Handles the answer of the problem.
    pub fn end(&mut self, word: &'static str, nodes: u64, took: Duration) {
        (self.nodes, self.took, self.heard, self.answer) = (nodes, took, None, Some(word));
    }

    /// Returns whether there are enough numbers to draw.
    pub fn has_curves(&self) -> bool {
        self.numbers.len() >= 2
    }

    pub fn draw(&self, words: &Words) -> Markup {
        let (nodes, seconds) = (grouped(self.nodes), format!("{:.0}", self.took.as_secs_f64()));
        let effort = [("nodes", (&nodes).into()), ("seconds", (&seconds).into())];
        let (label, axis) = (words.get("numbers-over-time"), words.get("axis-seconds"));
        html! {
            figure {
                figcaption {
                    (self.name) ": " (words.with("nodes-after", &effort))
                    @if let Some(after) = self.mate_after {
                        (words.with("numbers-end", &[("seconds", (&format!("{:.1}", after.as_secs_f64())).into())]))
                    }
                }
                (chart::draw_marked(&label, &axis, &self.curves(), &[], &self.marks(words)))
            }
        }
    }

    fn by_search(&self) -> impl Iterator<Item = &[Numbers]> {
        self.numbers.chunk_by(|a, b| a.search == b.search)
    }

    /// The curves of both numbers, separately for each search.
    fn curves(&self) -> Vec<Curve> {
        let both = |numbers: &[Numbers]| {
            let points = |of: fn(&Numbers) -> f64| numbers.iter().map(|all| (all.seconds, of(all))).collect();
            [Curve::new("first", points(|all| all.proof)), Curve::new("second", points(|all| all.disproof))]
        };
        self.by_search().flat_map(both).collect()
    }

    /// Marks at the beginning of each search and at the end.
    fn marks(&self, words: &Words) -> Vec<Mark> {
        let mark = |took: Duration, word: &str| Mark { at: took.as_secs_f64(), text: words.get(answer_name(word)) };
        let is_one = self.by_search().nth(1).is_none();
        let searches = self.by_search().filter_map(|numbers| numbers.first());
        let searches = searches.filter(|first| !is_one || first.question != ProofQuestion::Task);
        let begun = searches.map(|first| Mark { at: first.seconds, text: question(first.question, words) });
        let first_mate = self.mate_after.map(|after| mark(after, "mate"));
        let end = self.answer.filter(|_| first_mate.is_none()).map(|word| mark(self.took, word));
        begun.chain(first_mate).chain(end).collect()
    }
}

/// The question of a search in one or two words.
fn question(question: ProofQuestion, words: &Words) -> String {
    match question {
        ProofQuestion::Task => words.get("asked-anew"),
        ProofQuestion::Mate => words.get("asked-mate"),
        ProofQuestion::Brinkmate(None) => words.get("asked-any-length"),
        ProofQuestion::Brinkmate(Some(plies)) => words.count("asked-within", plies.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds, the proof and disproof number, and the question of the search.
    type Told = (u64, Option<(u32, u32)>, ProofQuestion);

    fn heard(told: &[Told]) -> OpenProblem {
        let mut problem = OpenProblem::new("a");
        for &(seconds, numbers, question) in told {
            let took = Duration::from_secs(seconds);
            problem.hear(SolveProgress { took, nodes: seconds, numbers, question, mate: None });
        }
        problem
    }

    /// The number of curves of this class.
    fn ways(shown: &str, class: &str) -> usize {
        shown.matches(&format!("<polyline class=\"curve {class}\"")).count()
    }

    #[test]
    fn the_numbers_of_two_searches_are_not_joined_and_each_is_named() {
        let (any, short) = (ProofQuestion::Brinkmate(None), ProofQuestion::Brinkmate(Some(3)));
        let told = [
            (1, Some((5, 7)), any),
            (2, Some((9, 4)), any),
            (30, None, any),
            (31, None, short),
            (40, Some((50, 60)), short),
            (60, Some((70, 80)), short),
            (61, None, short),
            (90, Some((700, 800)), any),
            (120, Some((900, 600)), any),
        ];
        let shown = heard(&told).draw(Words::english()).into_string();
        assert_eq!((ways(&shown, "first"), ways(&shown, "second")), (3, 3), "{shown}");
        assert_eq!(shown.matches("<line class=\"mark\"").count(), 3, "{shown}");
        assert!(shown.contains(">any length<") && shown.contains(">≤ 3 plies<"), "{shown}");
    }

    #[test]
    fn the_same_question_again_is_another_search() {
        let told =
            |between| heard(&[(1, Some((5, 7)), ProofQuestion::Task), between, (9, Some((8, 4)), ProofQuestion::Task)]);
        let shown = |problem: OpenProblem| problem.draw(Words::english()).into_string();
        let one = shown(told((2, Some((6, 6)), ProofQuestion::Task)));
        assert!(ways(&one, "first") == 1 && !one.contains("class=\"mark\""), "{one}");
        let two = shown(told((2, None, ProofQuestion::Task)));
        assert!(ways(&two, "first") == 0 && two.matches("<circle class=\"dot first\"").count() == 2, "{two}");
        assert_eq!(two.matches(">new search<").count(), 2, "{two}");
    }

    #[test]
    fn curves_of_an_answered_problem_extend_to_its_answer() {
        let any = ProofQuestion::Brinkmate(None);
        let mut problem = heard(&[(1, Some((5, 7)), any), (2, Some((9, 4)), any), (3, None, any)]);
        let open = problem.draw(Words::english()).into_string();
        assert!(open.contains("a: 3 nodes in 3 s") && !open.contains(">brinkmate<"), "{open}");
        problem.end("brinkmate", 1_234, Duration::from_secs(50));
        let shown = problem.draw(Words::english()).into_string();
        assert!(shown.contains("a: 1,234 nodes in 50 s<") && shown.contains(">brinkmate<"), "{shown}");
        assert!(!shown.contains("a mate was found"), "{shown}");
        assert_eq!(problem.time(), Duration::from_secs(50), "the search is over");
    }

    #[test]
    fn a_mate_within_a_brinkmate_search_does_not_end_the_numbers() {
        let told = [(1, Some((5, 7)), ProofQuestion::Mate), (2, Some((0, u32::MAX)), ProofQuestion::Mate)];
        assert_eq!(heard(&told).mate_after, None);
        let told = [(1, Some((5, 7)), ProofQuestion::Task), (2, Some((0, u32::MAX)), ProofQuestion::Task)];
        assert_eq!(heard(&told).mate_after, Some(Duration::from_secs(2)));
    }
}
