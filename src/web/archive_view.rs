//! Matches that were played: a list, and behind each of its rows the page of that match.

use super::match_view::{MatchState, MatchView, ReplayGame};
use super::metrics::Metric;
use super::server::WebPage;
use super::view::{Part, Query, View};
use crate::catalog::Games;
use crate::matches::archive::ArchivedMatch;
use crate::matches::archive_folder::ArchivedFacts;
use crate::matches::machine::MachineStamp;
use crate::text::span;
use crate::words::{Language, Words};
use maud::{Markup, html};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Matches whose games are kept in memory after somebody has looked at them.
const KEPT: usize = 4;

/// A page, and what it shows of journals.
pub struct ArchivePage {
    page: WebPage,
    games: Games,
    opened: Arc<OpenedMatches>,
}

/// The pages of matches that were looked at last, as their journals were then.
type OpenedMatches = Mutex<VecDeque<(PathBuf, SystemTime, Arc<dyn View>)>>;

impl ArchivePage {
    pub fn new(page: WebPage, games: Games) -> Self {
        Self { page, games, opened: Arc::default() }
    }

    /// These matches are there now.
    pub fn show(&self, folder: String, facts: Vec<ArchivedFacts>) {
        self.page.show(ArchiveView { folder, facts, games: self.games, opened: Arc::clone(&self.opened) });
    }
}

struct ArchiveView {
    folder: String,
    facts: Vec<ArchivedFacts>,
    games: Games,
    opened: Arc<OpenedMatches>,
}

/// The same for the same file, so that an address can be kept.
fn place(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

impl ArchiveView {
    fn row(&self, facts: &ArchivedFacts, words: &Words) -> Markup {
        let name = facts.path.file_name().unwrap_or_default().to_string_lossy();
        let age = SystemTime::now().duration_since(facts.changed).unwrap_or_default().as_secs();
        let done = [("done", u64::from(facts.games).into()), ("total", u64::from(facts.total).into())];
        html! { tr {
            th scope="row" { a href={ "at/" (place(&facts.path)) "/?lang=" (words.language.code()) } { (facts.title.said(words)) } }
            td { (words.get(facts.game)) }
            td { (words.with("games-of", &done)) }
            td { (facts.short.said(words)) }
            td { (name) }
            td { (words.with("ago", &[("time", (&span(age)).into())])) }
        } }
    }
}

impl View for ArchiveView {
    fn kind(&self) -> &'static str {
        "archive"
    }

    fn title(&self, words: &Words) -> String {
        words.with("matches-in", &[("folder", (&self.folder).into())])
    }

    fn parts(&self, words: &Words) -> Vec<Part> {
        let list = html! { table {
            thead { tr { @for name in ["players", "game-of-match", "games", "result", "journal", "changed"] { th scope="col" { (words.get(name)) } } } }
            tbody { @for facts in &self.facts { (self.row(facts, words)) } }
        } };
        vec![
            Part::new("status", "", html! { p class="quiet" { (words.get("choose-match")) } }),
            Part::new("list", "matches", list),
        ]
    }

    fn detail(&self, _: &Query, _: &Words) -> Option<Markup> {
        None
    }

    fn inner(&self, wanted: &str) -> Option<Arc<dyn View>> {
        let facts = self.facts.iter().find(|facts| place(&facts.path) == wanted)?;
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., view)) = opened.iter().find(|(path, at, _)| *path == facts.path && *at == facts.changed) {
            return Some(Arc::clone(view));
        }
        let view: Arc<dyn View> = Arc::new(view(&ArchivedMatch::read(&facts.path, self.games).ok()?));
        opened.retain(|(path, ..)| *path != facts.path);
        opened.push_front((facts.path.clone(), facts.changed, Arc::clone(&view)));
        opened.truncate(KEPT);
        Some(view)
    }

    fn metrics(&self) -> Vec<Metric> {
        Vec::new()
    }
}

/// The page of a match as it stood at its end.
fn view(found: &ArchivedMatch) -> MatchView {
    let mut state = MatchState::new(found.catalog, found.report(), found.has_pairs(), 0);
    state.total = found.total();
    state.conditions = Language::ALL.map(|language| found.conditions(Words::of(language)));
    state.machines.1 = found.results(&[]).machines;
    for (pairing, played) in found.pairings() {
        state.finish(ReplayGame::new(pairing, &played.record));
        let busy = played.machine.as_ref().and_then(|MachineStamp { name, busy, .. }| Some((name, busy.as_ref()?)));
        if let Some((name, why)) = busy {
            state.note(format!("{}: {name}: {why}", pairing.game + 1).into());
        }
    }
    MatchView(Arc::new(Mutex::new(state)))
}
