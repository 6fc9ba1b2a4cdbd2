//! Records the games of a match, from any machine, in the journal, record files, scores, summary and picture.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::by_machine::MachineResults;
use super::deviations::Deviations;
use super::events::{MatchEvent, Watcher};
use super::faults::{FaultKind, OpenFaults};
use super::identity::Identities;
use super::journal::{Amendment, JournalGame, MatchJournal};
use super::machine::MachineStamp;
use super::record::{self, Files, unwritable};
use super::repeats::Repeats;
use super::report::MatchReport;
use super::runner::GameSink;
use super::schedule::Pairing;
use super::scores::{FinishedGame, Scores};
use super::settings::{MatchError, MatchSettings};
use super::stats::SprtVerdict;
use super::summary::{self, SummaryData};
use super::{chart, limits, setup, warnings};
use hasami_api::{Ending, GameRecord, Line, Side};
use hasami_protocol::client::Settled;
use hasami_words::Message;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The ends of games update the summary and the picture, but at most once per interval of this length.
const PUBLISHED: Duration = Duration::from_secs(10);

pub struct Outcomes {
    pub scores: Scores,
    /// Faults of each engine that did not end a game.
    pub faults: Vec<OpenFaults>,
    /// Warnings about the match and about its engines.
    pub warnings: Vec<String>,
    pub journal: PathBuf,
    /// The verdict of the SPRT, if there is one.
    pub verdict: Option<SprtVerdict>,
    /// The results of each machine, if games were played on other machines.
    pub machines: MachineResults,
    /// The identities of the engines, on this and on other machines.
    pub identities: Identities,
}

/// A finished game and the machine that played it; `None` for this machine.
pub struct RecordedGame {
    pub pairing: Pairing,
    pub record: GameRecord,
    pub machine: Option<Arc<MachineStamp>>,
}

pub struct MatchRecorder<'a, 'w> {
    settings: &'a MatchSettings,
    report: MatchReport,
    warnings: Vec<String>,
    journal: MatchJournal,
    files: Files,
    scores: Scores,
    faults: Vec<OpenFaults>,
    /// Numbers of the finished games.
    done: BTreeSet<u32>,
    by_machine: MachineResults,
    noted: BTreeSet<String>,
    id: u64,
    /// Identities of engines and files already written to the journal; those in `news` are written with the next game.
    identities: Identities,
    news: Identities,
    /// What other machines report about their engines; the journal stores it with the games.
    elsewhere: Identities,
    /// Time at which the summary and the picture were last written.
    published: Instant,
    repeats: Repeats,
    watch: &'a mut Watcher<'w>,
}

impl<'a, 'w> MatchRecorder<'a, 'w> {
    /// Opens the recorder of a new or a continued match. `cores` is the number of cores for the games; `None` if other
    /// machines play them.
    pub fn open(
        settings: &'a MatchSettings,
        openings: &[Line],
        cores: Option<usize>,
        watch: &'a mut Watcher<'w>,
    ) -> Result<Self, MatchError> {
        // Reports unwritable output files before an earlier journal is renamed.
        for (option, path) in [("--json", &settings.json), ("--svg", &settings.svg)] {
            if let Some(path) = path {
                record::try_replace(path).map_err(|error| unwritable(option, path, &error))?;
            }
        }
        Files::open(settings.catalog, &settings.records, &setup::lengths(settings))?;
        let (journal, header, games) = setup::open_journal(settings)?;
        let mut files = Files::open(settings.catalog, &settings.records, &header.lengths)?;
        let mut scores = Scores::new(settings.pairs());
        let total = settings.schedule.wanted();
        let mut done = BTreeSet::new();
        let mut by_machine = MachineResults::default();
        let mut repeats = Repeats::default();
        for played in games {
            let pairing = setup::earlier_pairing(settings, played.game)?;
            let JournalGame { game, mut record, machine, .. } = played;
            done.insert(game);
            (record.event, record.site) = (settings.event.clone(), site(settings, machine.as_ref()));
            repeats.add(pairing, &record);
            scores.add(FinishedGame { pairing, outcome: record.outcome, ending: record.ending });
            by_machine.add(machine.as_ref(), pairing, &record);
            watch(&MatchEvent::Earlier { pairing, record: &record }, &scores);
            files.add(game, &record)?;
        }
        let recorder = Self {
            report: MatchReport::new(settings),
            warnings: warnings::warnings(settings, openings, cores.unwrap_or(usize::MAX)),
            faults: vec![OpenFaults::default(); settings.engines.len()],
            settings,
            journal,
            files,
            scores,
            done,
            by_machine,
            noted: BTreeSet::new(),
            id: header.id,
            identities: header.identities,
            news: settings.identities.clone(),
            elsewhere: Identities::default(),
            published: Instant::now(),
            repeats,
            watch,
        };
        if let Some(note) = setup::opening_note(settings, openings.len()) {
            (recorder.watch)(&MatchEvent::Note(&note), &recorder.scores);
        }
        recorder.warnings.iter().for_each(|text| (recorder.watch)(&MatchEvent::Warning(text), &recorder.scores));
        (recorder.watch)(&MatchEvent::Opened { done: recorder.done.len() as u32, total }, &recorder.scores);
        Ok(recorder)
    }

    /// Iterates over the numbers of the games that have not been played, in playing order.
    pub fn missing(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.settings.schedule.total()).filter(|game| !self.done.contains(game))
    }

    /// Returns the random number that was drawn when the match began.
    pub fn id(&self) -> u64 {
        self.id
    }

    pub fn is_done(&self, game: u32) -> bool {
        self.done.contains(&game)
    }

    pub fn note(&mut self, text: impl Into<String>) {
        self.see(&MatchEvent::Note(&text.into()));
    }

    /// Shows a warning about the match as a whole.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.see(&MatchEvent::Warning(&text.into()));
    }

    /// Shows a note unless the same text was shown before.
    pub fn note_once(&mut self, text: impl Into<String>) {
        let text = text.into();
        if self.noted.insert(text.to_string()) {
            self.note(text);
        }
    }

    /// Records an engine's deviations on `machine` (empty for this machine), before its games are recorded.
    pub fn note_deviations(&mut self, engine: usize, machine: &str, found: Deviations) {
        if !found.is_empty() {
            self.news.absorb(Identities::with_deviations(engine, machine, found));
        }
    }

    /// Shows lines about the queue and the machines, and the machines' results.
    pub fn show_machines(&mut self, lines: &[Message]) {
        (self.watch)(&MatchEvent::Machines(lines, &self.by_machine), &self.scores);
    }

    /// Notes that a machine has sent impossible games, which are not counted.
    pub fn add_false_answer(&mut self, machine: &MachineStamp, why: &str) {
        self.by_machine.add_false_answer(machine);
        self.note_once(format!("{} sent games that the rules contradict; not counted: {why}", machine.name));
    }

    /// Returns the endings that are specific to the match's game.
    pub fn endings(&self) -> &'static [Ending] {
        self.settings.catalog.endings()
    }

    /// Records finished games, first in the journal, because the other outputs can be restored from it. Games that the
    /// journal already contains are ignored. Games of several openings may be passed together, so that the disk is
    /// synchronized only once.
    pub fn add(&mut self, mut games: Vec<RecordedGame>) -> Result<(), MatchError> {
        games.retain(|game| !self.is_done(game.pairing.game));
        for RecordedGame { record, machine, .. } in &mut games {
            (record.event, record.site) = (self.settings.event.clone(), site(self.settings, machine.as_deref()));
        }
        if !games.is_empty() {
            self.note_identities()?;
        }
        let lines = games.iter().map(|game| (game.pairing.game, &game.record, game.machine.as_deref()));
        self.journal.add(lines)?;
        for RecordedGame { pairing, record, machine } in games {
            self.announce_journal();
            if let Some(machine) = &machine {
                let words = |engine: usize| Some(self.settings.engines.get(engine)?.launch.words().first()?.as_str());
                self.elsewhere.absorb(Identities::of_machine(machine, words));
            }
            self.done.insert(pairing.game);
            self.files.add(pairing.game, &record)?;
            self.scores.add(FinishedGame { pairing, outcome: record.outcome, ending: record.ending });
            self.repeats.add(pairing, &record);
            self.judge_limits(pairing, &record);
            self.by_machine.add(machine.as_deref(), pairing, &record);
            (self.watch)(&MatchEvent::Finished { pairing, record: &record }, &self.scores);
        }
        if self.published.elapsed() >= PUBLISHED { self.publish() } else { Ok(()) }
    }

    /// Reports the engines that ignored their limits in a game.
    fn judge_limits(&mut self, pairing: Pairing, record: &GameRecord) {
        for (engine, side) in pairing.engines.into_iter().zip([Side::First, Side::Second]) {
            let control = &self.settings.engines[engine].control;
            if let Some(text) = limits::ignored(self.settings.catalog, record, side, control) {
                self.see(&MatchEvent::Fault { engine, kind: FaultKind::IgnoredLimit, text: &text });
            }
        }
    }

    /// Writes new identities of engines and files to the journal, before the games that they belong to.
    fn note_identities(&mut self) -> Result<(), MatchError> {
        let news = std::mem::take(&mut self.news);
        if self.identities.absorb(news.clone()) {
            self.journal.amend(&Amendment { identities: news, ..Amendment::default() })?;
        }
        Ok(())
    }

    /// Before the first game, shows where the journal is.
    fn announce_journal(&mut self) {
        if self.done.is_empty() {
            setup::journal_notes(self.settings, &self.journal).into_iter().for_each(|text| self.note(text));
        }
    }

    /// Ends the recording. `outcome` is the error that ended the match, if any.
    pub fn close(mut self, outcome: Result<(), MatchError>) -> Result<Outcomes, MatchError> {
        if let Err(error) = outcome {
            // If no game was played, the earlier journal is restored.
            let is_empty = self.done.is_empty();
            return Err(if is_empty { self.journal.withdraw().err().map_or(error, Into::into) } else { error });
        }
        self.announce_journal();
        self.warnings.extend(self.repeats.warning());
        self.publish()?;
        let verdict = self.report.verdict(&self.scores);
        self.elsewhere.absorb(self.identities);
        Ok(Outcomes {
            scores: self.scores,
            faults: self.faults,
            warnings: self.warnings,
            journal: self.journal.path.clone(),
            verdict,
            machines: self.by_machine,
            identities: self.elsewhere,
        })
    }

    /// Returns whether the SPRT has reached a verdict.
    pub fn is_decided(&self) -> bool {
        self.report.verdict(&self.scores).is_some_and(|verdict| verdict != SprtVerdict::GoOn)
    }

    fn publish(&mut self) -> Result<(), MatchError> {
        self.published = Instant::now();
        if let Some(path) = &self.settings.json {
            let data = SummaryData {
                report: &self.report,
                scores: &self.scores,
                faults: &self.faults,
                warnings: &self.warnings,
            };
            let value = summary::summary(&self.settings.plan(), &data);
            let text = format!("{value:#}\n");
            record::replace(path, &text).map_err(|error| unwritable("--json", path, &error))?;
        }
        if let Some(path) = &self.settings.svg {
            let text = chart::draw(&self.report, &self.scores) + "\n";
            record::replace(path, &text).map_err(|error| unwritable("--svg", path, &error))?;
        }
        Ok(())
    }
}

impl GameSink for MatchRecorder<'_, '_> {
    fn see(&mut self, event: &MatchEvent<'_>) {
        match event {
            MatchEvent::Fault { engine, kind, .. } => self.faults[*engine].count(*kind),
            MatchEvent::Warning(text) => self.warnings.push((*text).to_owned()),
            _ => {}
        }
        (self.watch)(event, &self.scores);
    }

    fn introduce(&mut self, engine: usize, own_name: &str, settled: &Settled) {
        self.news.absorb(Identities::with_name(engine, own_name));
        self.note_deviations(engine, "", Deviations::of(settled));
    }

    fn finish(&mut self, pairing: Pairing, record: GameRecord) -> Result<(), MatchError> {
        self.add(vec![RecordedGame { pairing, record, machine: None }])
    }
}

/// Returns the site of a game: the machine that played it, or the site named by the user.
fn site(settings: &MatchSettings, machine: Option<&MachineStamp>) -> String {
    machine.map_or_else(|| settings.site.clone(), ToString::to_string)
}
