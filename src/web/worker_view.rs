//! The view of a worker node: the resources that it lends, and its events.

use super::facts::{LoanFacts, WorkerFacts};
use super::metrics::Metric;
use super::server::WebPage;
use super::view::{Part, Query, View};
use hasami_words::Words;
use maud::{Markup, html};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Number of events to keep.
const EVENTS: usize = 200;

/// A function that returns the current metrics.
pub type Figures = Box<dyn Fn() -> Vec<Metric> + Send + Sync>;

struct WorkerState {
    facts: WorkerFacts,
    figures: Figures,
    /// Events as time and text.
    events: VecDeque<(String, String)>,
}

/// The pages about a worker node.
#[derive(Clone)]
pub struct WorkerPage {
    pages: Arc<[WebPage]>,
    state: Arc<Mutex<WorkerState>>,
}

impl WorkerPage {
    pub fn new(pages: Vec<WebPage>, facts: WorkerFacts, figures: Figures) -> Self {
        let state = Arc::new(Mutex::new(WorkerState { facts, figures, events: VecDeque::new() }));
        let page = Self { pages: pages.into(), state };
        page.show();
        page
    }

    fn show(&self) {
        self.pages.iter().for_each(|page| page.show(WorkerView(self.state.clone())));
    }

    /// Sets the facts about a machine that lends games.
    pub fn loan(&self, loan: LoanFacts) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).facts.loan = Some(loan);
        self.show();
    }

    /// Adds an event.
    pub fn note(&self, text: String) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC").to_string();
        state.events.push_back((now, text));
        if state.events.len() > EVENTS {
            state.events.pop_front();
        }
        drop(state);
        self.show();
    }
}

struct WorkerView(Arc<Mutex<WorkerState>>);

impl WorkerView {
    fn state(&self) -> MutexGuard<'_, WorkerState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl View for WorkerView {
    fn kind(&self) -> &'static str {
        "worker"
    }

    fn title(&self, words: &Words) -> String {
        words.with("worker-node", &[("name", (&self.state().facts.name).into())])
    }

    fn parts(&self, words: &Words) -> Vec<Part> {
        let state = self.state();
        let facts = &state.facts;
        let row = |name: &str, text: String| html! { tr { th scope="row" { (words.get(name)) } td { (text) } } };
        let table = html! { table class="facts" {
            (row("server", facts.place.clone()))
            @match &facts.loan {
                Some(loan) => (loan.rows(words)),
                None => {
                    @if facts.threads > 0 { (row("threads", facts.threads.to_string())) }
                    @if !facts.children.is_empty() { (row("child-engines", facts.children.join(", "))) }
                }
            }
            (row("lends-for", facts.games.iter().map(|game| words.get(game)).collect::<Vec<_>>().join(", ")))
        } };
        let events = html! {
            @if state.events.is_empty() { p class="quiet" { (words.get("nothing-yet")) } }
            table { tbody { @for (when, what) in state.events.iter().rev() { tr { td { (when) } td { (what) } } } } }
        };
        let mut parts = vec![Part::new("status", "", table), Part::new("messages", "events", events)];
        if let Some(loan) = &facts.loan {
            parts.insert(1, Part::new("live", "running-games", loan.running(words)));
        }
        parts
    }

    fn detail(&self, _: &Query, _: &Words) -> Option<Markup> {
        None
    }

    fn metrics(&self) -> Vec<Metric> {
        let state = self.state();
        state.facts.loan.as_ref().map_or_else(|| (state.figures)(), LoanFacts::metrics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_lent_is_shown() {
        let shown = |threads, children: &[&str]| {
            let children = children.iter().map(ToString::to_string).collect();
            let (name, place, games, loan) = ("pc".into(), "nats://server".into(), vec!["chess"], None);
            let facts = WorkerFacts { name, place, threads, children, games, loan };
            let (figures, events): (Figures, _) = (Box::new(Vec::new), VecDeque::new());
            let view = WorkerView(Arc::new(Mutex::new(WorkerState { facts, figures, events })));
            view.parts(Words::english()).remove(0).content.into_string()
        };
        let threads = shown(2, &[]);
        assert!(threads.contains("<td>2</td>") && !threads.contains("Child engines"), "{threads}");
        let children = shown(0, &["stockfish", "lc0"]);
        assert!(children.contains("stockfish, lc0") && !children.contains("Threads"), "{children}");
    }
}
