//! Follows a match for the page.

use super::PERIOD;
use super::match_view::{LiveGame, MatchState, MatchView, ReplayGame};
use super::server::WebPage;
use crate::matches::events::MatchEvent;
use crate::matches::report::MatchReport;
use crate::matches::settings::MatchSettings;
use hasami_api::GameRecord;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A page, and what it shows of a match. The match and the page share one state: it is not copied.
pub struct MatchPage {
    page: WebPage,
    state: Arc<Mutex<MatchState>>,
    shown: Instant,
}

impl MatchPage {
    pub fn new(page: WebPage, settings: &MatchSettings) -> Self {
        let report = MatchReport::new(settings);
        let state = MatchState::new(settings.catalog, report, settings.pairs(), settings.concurrency);
        let state = Arc::new(Mutex::new(state));
        page.show(MatchView(state.clone()));
        Self { page, state, shown: Instant::now() }
    }

    pub fn see(&mut self, event: &MatchEvent<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_move = matches!(event, MatchEvent::Moved { .. });
        match event {
            MatchEvent::Earlier { pairing, record } => state.finish(ReplayGame::new(*pairing, record)),
            MatchEvent::Opened { total, .. } => state.total = *total,
            MatchEvent::Began { pairing } => state.begin(*pairing),
            // A game is only followed while somebody looks; whoever comes later sees its next move.
            MatchEvent::Moved { pairing, record } if self.page.is_watched() => {
                state.live.insert(pairing.game, LiveGame::new(*pairing, record));
            }
            MatchEvent::Moved { .. } => {}
            MatchEvent::Finished { pairing, record } => state.finish(ReplayGame::new(*pairing, record)),
            MatchEvent::Fault { engine, kind, text } => state.fault(*engine, *kind, text),
            MatchEvent::Machines(lines) => state.machines = lines.to_vec(),
            MatchEvent::Note(text) | MatchEvent::Warning(text) => state.note(text),
        }
        drop(state);
        // Moves are many: those who watch see some of them.
        if !is_move || (self.page.is_watched() && self.shown.elapsed() >= PERIOD) {
            self.shown = Instant::now();
            self.page.show(MatchView(self.state.clone()));
        }
    }
}

impl ReplayGame {
    fn new(pairing: crate::matches::schedule::Pairing, record: &GameRecord) -> Self {
        Self {
            game: LiveGame::new(pairing, record),
            outcome: record.outcome,
            ending: record.ending,
            remark: record.remark.clone(),
        }
    }
}
