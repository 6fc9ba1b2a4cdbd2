//! Shows a running match on the web page.

use super::PERIOD;
use super::match_view::{LiveGame, MatchState, MatchView, ReplayGame};
use super::server::WebPage;
use hasami_api::GameRecord;
use hasami_matches::events::MatchEvent;
use hasami_matches::report::MatchReport;
use hasami_matches::settings::MatchSettings;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The web page of a match. The match and the page share one `MatchState`, which is never copied.
pub struct MatchPage {
    page: WebPage,
    state: Arc<Mutex<MatchState>>,
    shown: Instant,
}

impl MatchPage {
    pub fn new(page: WebPage, settings: &MatchSettings) -> Self {
        let report = MatchReport::new(settings);
        let state = MatchState::new(settings.catalog, report, settings.pairs());
        let state = Arc::new(Mutex::new(state));
        page.show(MatchView(state.clone()));
        Self { page, state, shown: Instant::now() }
    }

    pub fn see(&mut self, event: &MatchEvent<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_move = matches!(event, MatchEvent::Moved { .. });
        state.see(event);
        drop(state);
        // Moves are too frequent to update the page after each one.
        if !is_move || self.shown.elapsed() >= PERIOD {
            self.shown = Instant::now();
            self.page.show(MatchView(self.state.clone()));
        }
    }
}

impl MatchState {
    pub fn see(&mut self, event: &MatchEvent<'_>) {
        match event {
            MatchEvent::Earlier { pairing, record } | MatchEvent::Finished { pairing, record } => {
                self.finish(ReplayGame::new(*pairing, record));
            }
            MatchEvent::Began { pairing } => self.begin(*pairing),
            // The game is updated even if no browser is connected, because a browser may request the page at any time.
            MatchEvent::Moved { pairing, record } => {
                self.live.entry(pairing.game).or_insert_with(|| LiveGame::new(*pairing, record)).follow(record);
            }
            MatchEvent::Fault { engine, kind, text } => self.fault(*engine, *kind, text),
            MatchEvent::Machines(queue, results) => self.machines = (queue.to_vec(), (*results).clone()),
            MatchEvent::Opened { .. } => {}
            MatchEvent::Note(text) | MatchEvent::Warning(text) => self.note((*text).to_owned()),
        }
    }
}

impl ReplayGame {
    pub fn new(pairing: hasami_matches::schedule::Pairing, record: &GameRecord) -> Self {
        Self {
            game: LiveGame::new(pairing, record),
            outcome: record.outcome,
            ending: record.ending,
            remark: record.remark.clone(),
        }
    }
}
