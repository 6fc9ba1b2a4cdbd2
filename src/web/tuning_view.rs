//! The view of a tuning: its options over the iterations, and the games that move them.

use super::PERIOD;
use super::cells;
use super::chart::{self, Curve};
use super::facts::{TunedFacts, TuningFacts};
use super::match_view::MatchState;
use super::server::WebPage;
use super::view::{Part, Query, View};
use hasami_matches::events::MatchEvent;
use hasami_matches::report::MatchReport;
use hasami_matches::settings::MatchSettings;
use hasami_words::Words;
use maud::{Markup, html};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Half the width of the error band, in standard errors.
const BAND: f64 = 2.0;

/// The web page of a tuning run.
pub struct TuningPage {
    page: WebPage,
    state: Arc<Mutex<TuningState>>,
    /// Number of games and groups per iteration.
    size: [u32; 2],
    shown: Instant,
}

struct TuningState {
    facts: TuningFacts,
    /// The games of all iterations in sequence.
    games: MatchState,
}

impl TuningPage {
    pub fn new(page: WebPage, settings: &MatchSettings, facts: TuningFacts) -> Self {
        let mut games =
            MatchState::new(settings.catalog, MatchReport::new(settings), settings.pairs(), settings.concurrency);
        // Every iteration is a match and produces the same notes.
        games.tells_once = true;
        let schedule = &settings.schedule;
        let size = [schedule.games, schedule.games.div_ceil(schedule.repeats)];
        let state = Arc::new(Mutex::new(TuningState { facts, games }));
        let mut page = Self { page, state, size, shown: Instant::now() };
        page.show();
        page
    }

    fn state(&self) -> MutexGuard<'_, TuningState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles an event of the current iteration.
    pub fn see(&mut self, event: &MatchEvent<'_>) {
        let mut state = self.state();
        state.games.before = self.size.map(|size| size.saturating_mul(state.facts.done));
        state.games.see(event);
        drop(state);
        let is_move = matches!(event, MatchEvent::Moved { .. });
        if !is_move || (self.page.is_watched() && self.shown.elapsed() >= PERIOD) {
            self.show();
        }
    }

    /// Handles the end of an iteration.
    pub fn learned(&mut self, facts: TuningFacts) {
        self.state().facts = facts;
        self.show();
    }

    fn show(&mut self) {
        self.shown = Instant::now();
        self.page.show(TuningView(self.state.clone()));
    }
}

struct TuningView(Arc<Mutex<TuningState>>);

/// Formats a value with a number of decimals that fits the range of its option.
fn shown(option: &TunedFacts, value: f64) -> String {
    let range = option.high - option.low;
    let decimals = (3.0 - range.log10().floor()).clamp(0.0, 6.0) as usize;
    if value.is_finite() { format!("{value:.decimals$}").replace('-', "−") } else { "−".to_owned() }
}

impl TuningFacts {
    pub fn status(&self, words: &Words) -> Markup {
        let counts = [
            ("done", u64::from(self.done).into()),
            ("total", u64::from(self.iterations).into()),
            ("games", u64::from(self.games).into()),
        ];
        html! { p class="state" { (words.with("games-of-tuning", &counts)) } }
    }

    pub fn title(&self, game: &str, words: &Words) -> String {
        words.with("tuning-title", &[("game", (&words.get(game)).into()), ("engine", (&self.engine).into())])
    }

    pub fn table(&self, words: &Words) -> Markup {
        html! { table {
            (cells::thead(&["option", "start-value", "value-now", "value-mean", "range"], &["start-value", "value-now", "value-mean", "range"], words))
            tbody { @for option in &self.options { tr {
                th scope="row" { (option.name) }
                td class="number" { (shown(option, option.start)) }
                td class="number" { (shown(option, option.value)) }
                td class="number" { (shown(option, option.estimate.0)) " ± " (shown(option, option.estimate.1)) }
                td class="number" { (shown(option, option.low)) " … " (shown(option, option.high)) }
            } } }
        } }
    }

    pub fn walks(&self, words: &Words) -> Markup {
        let draw = |option: &TunedFacts| {
            let known = option.estimates.iter().filter(|(.., error)| error.is_finite());
            let end = |value: f64| value.clamp(option.low, option.high);
            let band = known.clone().map(|&(x, mean, error)| (x, end(mean - BAND * error), end(mean + BAND * error)));
            let mean = Curve {
                class: "second",
                points: known.clone().map(|&(x, mean, _)| (x, mean)).collect(),
                band: band.collect(),
            };
            let curves = [Curve::new("first", option.walk.clone()), mean];
            html! { figure {
                figcaption { (option.name) }
                (chart::draw(&option.name, &words.get("axis-iterations"), &curves, &[option.start]))
            } }
        };
        if self.done == 0 {
            return html! { p class="quiet" { (words.get("nothing-yet")) } };
        }
        html! { @for option in &self.options { (draw(option)) } }
    }
}

impl TuningView {
    fn state(&self) -> MutexGuard<'_, TuningState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl View for TuningView {
    fn kind(&self) -> &'static str {
        "tuning"
    }

    fn title(&self, words: &Words) -> String {
        let state = self.state();
        state.facts.title(state.games.game(), words)
    }

    fn parts(&self, words: &Words) -> Vec<Part> {
        let state = self.state();
        let mut parts = vec![
            Part::new("status", "", state.facts.status(words)),
            Part::new("table", "table", state.facts.table(words)),
            Part::new("walks", "options-over-iterations", state.facts.walks(words)),
            Part::new("live", "running-games", state.games.live_games(words)),
            Part::new("list", "finished-games", state.games.list(words)),
            Part::new("messages", "messages", state.games.messages()),
        ];
        if let Some(machines) = state.games.machine_lines(words) {
            parts.insert(2, Part::new("machines", "machines", machines));
        }
        parts
    }

    fn detail(&self, query: &Query, words: &Words) -> Option<Markup> {
        self.state().games.detail(query, words)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use hasami_matches::schedule::Schedule;
    use hasami_words::Language;

    #[test]
    fn options_are_shown_with_their_error_band() {
        let option = TunedFacts {
            name: "Margin <1>".into(),
            start: 20.0,
            low: 0.0,
            high: 200.0,
            value: 143.21,
            estimate: (120.0, 4.5),
            walk: vec![(0.0, 20.0), (1.0, 90.0), (2.0, 143.21)],
            estimates: vec![(1.0, 90.0, f64::INFINITY), (2.0, 118.0, 4.0), (3.0, 120.0, 4.5)],
        };
        let facts = TuningFacts { engine: "toy".into(), done: 2, iterations: 9, games: 4, options: vec![option] };
        let report = MatchReport { names: vec!["a".into(), "b".into()], sprt: None, schedule: Schedule::default() };
        let games = MatchState::new(hasami_games::find("chess").unwrap(), report, true, 1);
        let view = TuningView(Arc::new(Mutex::new(TuningState { facts, games })));
        let words = Words::of(Language::English);
        assert_eq!(view.title(words), "Chess: options of toy");
        let text: String = view.parts(words).into_iter().map(|part| part.content.into_string()).collect();
        for part in [
            "Margin &lt;1&gt;",
            "143.2",
            "120.0 ± 4.5",
            "2 of 9 iterations",
            "<polygon class=\"band second\"",
            "<polyline",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
