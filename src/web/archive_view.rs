//! Finished matches and tunings: a list whose rows link to the page of each.

use super::cells;
use super::facts::{ArchivedRun, ArchivedTuning, TuningFacts};
use super::match_view::{MatchState, MatchView, ReplayGame, games_of};
use super::server::WebPage;
use super::view::{Part, Query, View};
use hasami_catalog::Games;
use hasami_matches::archive::ArchivedMatch;
use hasami_matches::archive_folder::ArchivedFacts;
use hasami_matches::machine::MachineStamp;
use hasami_words::Words;
use maud::{Markup, html};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Number of matches whose games are kept in memory after they were opened.
const KEPT: usize = 4;

/// A page with a list of journals.
pub struct ArchivePage {
    page: WebPage,
    games: Games,
    opened: Arc<OpenedMatches>,
}

/// The pages of the matches that were opened last, with the modification times of their journals.
type OpenedMatches = Mutex<VecDeque<(PathBuf, SystemTime, Arc<dyn View>)>>;

impl ArchivePage {
    pub fn new(page: WebPage, games: Games) -> Self {
        Self { page, games, opened: Arc::default() }
    }

    /// Shows these runs in the list.
    pub fn show(&self, folder: String, runs: Vec<ArchivedRun>) {
        self.page.show(ArchiveView { folder, runs, games: self.games, opened: Arc::clone(&self.opened) });
    }
}

struct ArchiveView {
    folder: String,
    runs: Vec<ArchivedRun>,
    games: Games,
    opened: Arc<OpenedMatches>,
}

/// The name of a journal in addresses, which is always the same for the same file.
fn place(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The name of a file without its folder.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Formats a time as `2026-11-26 06:10 UTC`.
fn when(time: SystemTime) -> String {
    let time = jiff::Timestamp::try_from(time).unwrap_or_default();
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// The columns of a row after the file: title, game, progress, result, begin.
type Row = (String, &'static str, String, String, String);

fn row_of_match(facts: &ArchivedFacts, words: &Words) -> Row {
    let done = games_of(facts.games.into(), facts.total, words);
    (facts.title.clone(), facts.game, done, facts.short.clone(), began(facts))
}

/// The time at which a match began, to the minute.
fn began(facts: &ArchivedFacts) -> String {
    facts.began.as_ref().map_or_else(String::new, |began| format!("{} UTC", began.get(..16).unwrap_or(began)))
}

impl ArchivedTuning {
    fn row(&self, words: &Words) -> Row {
        let TuningFacts { engine, done, iterations, .. } = &self.facts;
        let counts = [("done", u64::from(*done).into()), ("total", u64::from(*iterations).into())];
        let title = words.with("tuning-of", &[("engine", engine.into())]);
        (title, self.game, words.with("iterations-of", &counts), self.short.clone(), String::new())
    }
}

impl ArchiveView {
    fn row(&self, run: &ArchivedRun, words: &Words) -> Markup {
        let (title, game, done, result, began) = match run {
            ArchivedRun::Match(facts) => row_of_match(facts, words),
            ArchivedRun::Tuning(tuning) => tuning.row(words),
        };
        let name = file_name(run.path());
        let age = SystemTime::now().duration_since(run.changed()).unwrap_or_default();
        html! { tr {
            th scope="row" {
                a href={ "at/" (place(run.path())) "/?lang=" (words.language.code()) } title=(title) { (title) }
                div class="quiet" { (name) }
            }
            (cells::text("game-of-match", words.get(game), words))
            (cells::text("games-done", done, words))
            (cells::text("result", result, words))
            (cells::text("began", began, words))
            (cells::text("changed", words.with("ago", &[("time", (&super::lent_games::span(age, words)).into())]), words))
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
        let list = html! { table class="stack wide" {
            thead { tr { @for name in ["journal", "game-of-match", "games-done", "result", "began", "changed"] { th scope="col" { (words.get(name)) } } } }
            tbody { @for run in &self.runs { (self.row(run, words)) } }
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
        let run = self.runs.iter().find(|run| place(run.path()) == wanted)?;
        let facts = match run {
            ArchivedRun::Match(facts) => facts,
            ArchivedRun::Tuning(tuning) => return Some(Arc::new(OldTuningView(tuning.clone()))),
        };
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., view)) = opened.iter().find(|(path, at, _)| *path == facts.path && *at == facts.changed) {
            return Some(Arc::clone(view));
        }
        let found = ArchivedMatch::read(&facts.path, self.games).ok()?;
        let view: Arc<dyn View> = Arc::new(view(&found, facts));
        opened.retain(|(path, ..)| *path != facts.path);
        opened.push_front((facts.path.clone(), facts.changed, Arc::clone(&view)));
        opened.truncate(KEPT);
        Some(view)
    }
}

/// The page of a match with all its finished games.
fn view(found: &ArchivedMatch, facts: &ArchivedFacts) -> MatchView {
    let mut state = MatchState::new(found.catalog, found.report(), found.has_pairs(), 0);
    let names = [file_name(&facts.path), began(facts)];
    state.label = Some(names.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", "));
    state.total = found.total();
    state.conditions = found.conditions(&[]);
    state.machines.1 = found.results(&[]).machines;
    for (pairing, played) in found.pairings() {
        state.finish(ReplayGame::new(pairing, &played.record));
        let busy = played.machine.as_ref().and_then(|MachineStamp { name, busy, .. }| Some((name, busy.as_ref()?)));
        if let Some((name, why)) = busy {
            state.note(format!("{}: {name}: {why}", pairing.game + 1));
        }
    }
    MatchView(Arc::new(Mutex::new(state)))
}

/// A tuning as its journal describes it. The journal does not contain the games.
struct OldTuningView(Box<ArchivedTuning>);

impl View for OldTuningView {
    fn kind(&self) -> &'static str {
        "old-tuning"
    }

    fn title(&self, words: &Words) -> String {
        format!("{} ({}, {})", self.0.facts.title(self.0.game, words), file_name(&self.0.path), when(self.0.changed))
    }

    fn parts(&self, words: &Words) -> Vec<Part> {
        let facts = &self.0.facts;
        let status = html! { (facts.status(words)) pre class="result quiet" { (self.0.conditions.join("\n")) } };
        vec![
            Part::new("status", "", status),
            Part::new("table", "table", facts.table(words)),
            Part::new("walks", "options-over-iterations", facts.walks(words)),
        ]
    }

    fn detail(&self, _: &Query, _: &Words) -> Option<Markup> {
        None
    }
}
