//! The view of mate and brinkmate problems: the progress, the speed, and a replay of every solution.

use super::cells;
use super::chart::{self, Curve};
use super::proof_list::ProofList;
use super::replay::{Replay, position};
use super::server::WebPage;
use super::spoken::PageSpeaker;
use super::view::{PagePart, Query, View};
use hasami_api::{Line, MateAnswer, MoveText};
use hasami_catalog::GameRules;
use hasami_solve::problem::MateProblem;
use hasami_solve::solution::{OfBrinkmate, ProblemKind, Solution, answer_name};
use hasami_solve::solver::{MateSoFar, ProgressListener, SolveProgress};
use hasami_words::Words;
use hasami_words::text::grouped;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of rows in the list of problems, which begins with the problem solved last.
const ROWS: usize = 200;

struct SolvedProblem {
    name: String,
    line: Line,
    /// The solution without its certificate, which may be too large to keep.
    solution: Solution,
}

impl SolvedProblem {
    fn of(problem: &MateProblem, solution: &Solution) -> Self {
        let (kind, may_be_shorter, open) = (solution.kind, solution.may_be_shorter, solution.open);
        let bounds = |more: &OfBrinkmate| OfBrinkmate { within: more.within, ..OfBrinkmate::default() };
        let solution = Solution {
            answer: solution.answer.clone(),
            kind,
            may_be_shorter,
            open,
            brinkmate: solution.brinkmate.as_ref().map(bounds),
            nodes: solution.nodes,
            took: solution.took,
            proof: solution.proof.clone(),
            ..Solution::default()
        };
        Self { name: problem.name.clone(), line: problem.line.clone(), solution }
    }

    /// Renders the reservations about the answer, such as that the mate may not be the shortest, which the terminal
    /// shows too.
    fn reservations(&self, words: &Words) -> Markup {
        html! { @for text in self.solution.reservations(words) { span class="quiet note" { (text) } } }
    }
}

struct OpenProblem {
    name: String,
    nodes: u64,
    took: Duration,
    /// When the solver reported `took`.
    heard: Instant,
    /// The shortest mate found so far.
    mate: Option<MateSoFar>,
}

impl OpenProblem {
    /// The time since the search began, including the time since the last report.
    fn time(&self) -> Duration {
        self.took + self.heard.elapsed()
    }
}

struct MatesState {
    catalog: &'static dyn GameRules,
    total: usize,
    /// The problem, if the list has only one; the page shows its board before the user selects it.
    only: Option<(String, Line)>,
    begun: Instant,
    solved: Vec<SolvedProblem>,
    /// The time since the start, in seconds, and the number of problems solved by then.
    course: Vec<(f64, f64)>,
    open: Vec<OpenProblem>,
}

pub struct MatesPage {
    page: Arc<WebPage>,
    state: Arc<Mutex<MatesState>>,
}

impl MatesPage {
    pub fn new(page: WebPage, catalog: &'static dyn GameRules, problems: &[MateProblem]) -> Self {
        let only = if let [only] = problems { Some((only.name.clone(), only.line.clone())) } else { None };
        let state = MatesState {
            catalog,
            total: problems.len(),
            only,
            begun: Instant::now(),
            solved: Vec::new(),
            course: vec![(0.0, 0.0)],
            open: Vec::new(),
        };
        let state = Arc::new(Mutex::new(state));
        page.show(MatesView(state.clone()));
        Self { page: Arc::new(page), state }
    }

    /// Returns a listener for the progress of one solver.
    pub fn listener(&self) -> ProgressListener {
        let (page, state) = (self.page.clone(), self.state.clone());
        Box::new(move |problem, progress| {
            state.lock().unwrap_or_else(PoisonError::into_inner).note(problem, progress);
            page.show(MatesView(state.clone()));
        })
    }

    pub fn solved(&self, problem: &MateProblem, solution: &Solution) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.answered(problem, solution);
        let point = (state.begun.elapsed().as_secs_f64(), state.solved.len() as f64);
        state.course.push(point);
        drop(state);
        self.page.show(MatesView(self.state.clone()));
    }
}

struct MatesView(Arc<Mutex<MatesState>>);

impl MatesView {
    fn state(&self) -> MutexGuard<'_, MatesState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MatesState {
    fn answered(&mut self, problem: &MateProblem, solution: &Solution) {
        self.open.retain(|open| open.name != problem.name);
        self.solved.push(SolvedProblem::of(problem, solution));
    }

    fn note(&mut self, problem: &MateProblem, progress: SolveProgress) {
        let SolveProgress { nodes, took, mate, .. } = progress;
        let before = self.open.iter().position(|open| open.name == problem.name).map(|at| self.open.remove(at));
        let mate = mate.or_else(|| before.and_then(|open| open.mate));
        self.open.push(OpenProblem { name: problem.name.clone(), nodes, took, heard: Instant::now(), mate });
    }

    fn count(&self, word: &str) -> usize {
        self.solved.iter().filter(|solved| solved.solution.word() == word).count()
    }

    /// Counts, for each reservation, the answers that it applies to.
    fn reservations(&self, words: &Words) -> BTreeMap<String, usize> {
        let mut found = BTreeMap::new();
        for text in self.solved.iter().flat_map(|solved| solved.solution.reservations(words)) {
            *found.entry(text).or_default() += 1;
        }
        found
    }

    fn words_found(&self) -> Vec<&'static str> {
        let mut found: Vec<&'static str> = self.solved.iter().map(|solved| solved.solution.word()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Total nodes and time of all searches, including those in progress.
    fn effort(&self) -> (u64, Duration) {
        let nodes: u64 = self.solved.iter().map(|solved| solved.solution.nodes).sum();
        let time: Duration = self.solved.iter().map(|solved| solved.solution.took).sum();
        (
            nodes + self.open.iter().map(|open| open.nodes).sum::<u64>(),
            time + self.open.iter().map(OpenProblem::time).sum::<Duration>(),
        )
    }

    fn status(&self, words: &Words) -> Markup {
        let values = [("done", (self.solved.len() as u64).into()), ("count", (self.total as u64).into())];
        let (nodes, time) = self.effort();
        html! {
            p class="state" { (words.with("problems-of", &values)) }
            dl {
                @for word in self.words_found() { dt { (words.get(answer_name(word))) } dd { (self.count(word)) } }
                dt { (words.get("nodes")) } dd { (grouped(nodes)) }
                dt { (words.get("time")) } dd { (format!("{:.1} s", time.as_secs_f64())) }
            }
            @for (name, mate) in self.open.iter().filter_map(|open| Some((&open.name, open.mate.as_ref()?))) {
                p { (name) ": " (mate.text(words)) }
            }
            @for (text, count) in self.reservations(words) { p class="quiet" { (count) " × " (text) } }
        }
    }

    fn list(&self, words: &Words) -> Markup {
        html! {
            @if self.solved.is_empty() { p class="quiet" { (words.get("nothing-yet")) } }
            @else { (self.rows(words)) }
            @if self.solved.len() > ROWS {
                p class="quiet" { (words.with("problems-more", &[("count", ((self.solved.len() - ROWS) as u64).into())])) }
            }
        }
    }

    fn rows(&self, words: &Words) -> Markup {
        html! {
            table class="stack" {
                (cells::thead(&["problem", "answer", "plies", "nodes", "time"], &["plies", "nodes", "time"], words))
                tbody { @for (index, solved) in self.solved.iter().enumerate().rev().take(ROWS) {
                    tr {
                        th scope="row" { a data-detail id={ "problem-" (index + 1) } href={ "?problem=" (index + 1) } { (solved.name) } }
                        (cells::text("answer", html! { (words.get(answer_name(solved.solution.word()))) (solved.reservations(words)) }, words))
                        (cells::number("plies", solved.solution.mate().map_or_else(|| "−".to_owned(), |moves| moves.len().to_string()), words))
                        (cells::number("nodes", grouped(solved.solution.nodes), words))
                        (cells::number("time", format!("{:.3} s", solved.solution.took.as_secs_f64()), words))
                    }
                } }
            }
        }
    }
}

impl View for MatesView {
    fn kind(&self) -> &'static str {
        "mates"
    }

    fn title(&self, words: &Words) -> String {
        let state = self.state();
        let game = words.get(state.catalog.name());
        words.with("problems-title", &[("game", (&game).into()), ("count", (state.total as u64).into())])
    }

    fn parts(&self, words: &Words) -> Vec<PagePart> {
        let state = self.state();
        let curve = || Curve::new("first", state.course.clone());
        let course = match state.solved.is_empty() {
            true => html! { p class="quiet" { (words.get("nothing-yet")) } },
            false => chart::draw(&words.get("problems-over-time"), &words.get("axis-seconds"), &[curve()], &[]),
        };
        vec![
            PagePart::new("status", "", state.status(words)),
            PagePart::new("values", "problems-over-time", course),
            PagePart::new("list", "problems", state.list(words)),
        ]
    }

    fn detail(&self, query: &Query, words: &Words) -> Option<Markup> {
        let state = self.state();
        let number = query.get("problem").or(state.only.as_ref().map(|_| "1"))?.parse::<usize>().ok()?;
        if let (Some((name, line)), true) = (&state.only, state.solved.is_empty()) {
            let mate = state.open.iter().find_map(|open| open.mate.as_ref());
            return Some(html! {
                h2 { (name) }
                (position(state.catalog, line, &[], words))
                @if let Some(mate) = mate {
                    @let speaker = PageSpeaker::at(state.catalog, state.catalog.mate_unit(), line);
                    p { (mate.text(words)) }
                    p class="moves" { (cells::moves(&speaker.notation.moves(&mate.line))) }
                }
            });
        }
        let solved = state.solved.get(number.checked_sub(1)?)?;
        let moves = if let MateAnswer::Mate(moves) = &solved.solution.answer { moves.clone() } else { Vec::new() };
        let line = Line { moves, ..solved.line.clone() };
        let ply = query.get("ply").and_then(|ply| ply.parse().ok()).unwrap_or(0).min(line.moves.len());
        let chosen = query
            .get("line")
            .map(|path| path.split('.').filter_map(|word| word.parse().ok()).collect::<Vec<MoveText>>());
        let speaker = PageSpeaker::at(state.catalog, state.catalog.mate_unit(), &solved.line);
        Some(html! {
            h2 { (solved.name) ": " (words.get(answer_name(solved.solution.word()))) }
            (solved.reservations(words))
            @match chosen {
                Some(path) => {
                    (position(state.catalog, &speaker.notation.line(&path), &[], words))
                    p class="moves" { (cells::moves(&speaker.notation.moves(&path))) }
                    p { a data-detail href={ "?problem=" (number) } { (words.get("main-line")) } }
                }
                None => { (Replay { catalog: state.catalog, line: &line, scores: &[], marks: &[], players: None, name: format!("problem={number}") }.draw(ply, words)) }
            }
            @if let Some(proof) = &solved.solution.proof {
                h2 { (words.get("proof")) }
                @let main = if solved.solution.kind == ProblemKind::Mate { solved.solution.mate().unwrap_or_default() } else { &[] };
                ul class="nodes" { (ProofList { problem: number, main, speaker: &speaker, words }.attack(proof, &[])) }
            }
        })
    }

    fn first(&self) -> Option<&'static str> {
        self.state().only.as_ref().map(|_| "?problem=1")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_solve::open::OpenBecause;
    use hasami_solve::solver::MateSoFar;
    use hasami_words::Language;

    const POSITION: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

    fn state() -> MatesState {
        let catalog = hasami_games::find("shogi").unwrap();
        let (solved, course, open) = (Vec::new(), Vec::new(), Vec::new());
        MatesState { catalog, total: 2, only: None, begun: Instant::now(), solved, course, open }
    }

    fn problem(name: &str) -> MateProblem {
        MateProblem::new(name, POSITION, hasami_games::find("shogi").unwrap()).unwrap()
    }

    #[test]
    fn a_single_problem_has_a_board_before_its_solution() {
        let problem = problem("only");
        let only = Some((problem.name.clone(), problem.line.clone()));
        let view = MatesView(Arc::new(Mutex::new(MatesState { total: 1, only, ..state() })));
        let words = Words::of(Language::English);
        let drawn = |view: &MatesView| view.detail(&Query::default(), words).unwrap().into_string();
        assert!(view.first().is_some() && drawn(&view).contains("<svg"));
        view.state().answered(
            &problem,
            &Solution { answer: MateAnswer::Mate(vec!["G*5b".parse().unwrap()]), ..Solution::default() },
        );
        assert!(drawn(&view).contains("0 / 1"), "{}", drawn(&view));
        // If the list contains several problems, none of them is selected at first.
        let several = MatesView(Arc::new(Mutex::new(state())));
        assert!(several.first().is_none() && several.detail(&Query::default(), words).is_none());
    }

    #[test]
    fn what_a_limit_left_open_is_in_the_table_and_the_detail() {
        let mut state = state();
        let open = Some(OpenBecause::Time(Duration::from_secs(3)));
        let unknown = Solution { open, ..Solution::default() };
        let answer = MateAnswer::Mate(vec!["G*5b".parse().unwrap()]);
        let longer = Solution { answer, may_be_shorter: true, open, ..Solution::default() };
        state.solved = vec![SolvedProblem::of(&problem("a"), &unknown), SolvedProblem::of(&problem("b"), &longer)];
        let view = MatesView(Arc::new(Mutex::new(state)));
        for (language, reasons) in [
            (
                Language::English,
                ["unknown: time limit of 3 s reached", "there may be a shorter solution: time limit of 3 s reached"],
            ),
            (Language::Japanese, ["不明：", "もっと短い手順があるかもしれません："]),
        ] {
            let words = Words::of(language);
            let table = view.state().list(words).into_string();
            let sum = view.state().status(words).into_string();
            for (number, reason) in ["1", "2"].into_iter().zip(reasons) {
                let detail =
                    view.detail(&Query::new(vec![("problem".into(), number.into())]), words).unwrap().into_string();
                assert!(table.contains(reason) && detail.contains(reason), "{reason}: {table} {detail}");
                assert!(sum.contains(&format!("1 × {reason}")), "{reason}: {sum}");
            }
        }
    }

    #[test]
    fn a_mate_is_shown_while_shorter_ones_are_looked_for() {
        let mut state = state();
        let line = ["G*5b", "5a4a", "G*4b"].map(|text| text.parse().unwrap()).to_vec();
        let mut hear = |mate| {
            state.note(&problem("a"), SolveProgress { mate, ..SolveProgress::default() });
            state.status(Words::english()).into_string()
        };
        let at_most = hear(Some(MateSoFar { line: line.clone(), at_least: 0 }));
        assert!(at_most.contains("a: a mate in at most 3 plies so far"), "{at_most}");
        let between = hear(Some(MateSoFar { line: [&line[..], &line[1..]].concat(), at_least: 3 }));
        assert!(between.contains("a: a mate in 3 to 5 plies so far"), "{between}");
        assert_eq!(hear(None), between, "the mate stays");
        state.answered(&problem("a"), &Solution::default());
        assert!(!state.status(Words::english()).into_string().contains("so far"));
    }

    #[test]
    fn effort_of_problems_in_progress_is_counted_once() {
        let mut state = state();
        for seconds in [1, 8] {
            let took = Duration::from_secs(seconds);
            state.note(&problem("a"), SolveProgress { took, nodes: seconds, ..SolveProgress::default() });
        }
        let view = MatesView(Arc::new(Mutex::new(state)));
        let (nodes, time) = view.state().effort();
        assert!(nodes == 8 && time >= Duration::from_secs(8), "{nodes}, {time:?}");
        for id in ["values", "list"] {
            let part = view.parts(Words::english()).into_iter().find(|part| part.id == id).unwrap();
            assert_eq!(part.content.into_string(), "<p class=\"quiet\">Nothing yet.</p>", "{id}");
        }
        let mut state = view.state();
        state.answered(&problem("a"), &Solution { nodes: 9, ..Solution::default() });
        assert_eq!(state.effort().0, 9);
    }
}
