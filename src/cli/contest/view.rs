//! A match before one's eyes: a progress bar on the terminal, lines of finished games and the result now and then.

use crate::catalog::Games;
use crate::cli::bar::Bar;
use crate::matches::archive::ArchivedMatch;
use crate::matches::events::MatchEvent;
use crate::matches::faults::OpenFaults;
use crate::matches::names::fitting;
use crate::matches::report::MatchReport;
use crate::matches::run::Outcomes;
use crate::matches::scores::Scores;
use crate::matches::settings::MatchSettings;
use crate::matches::stats::SprtVerdict;
use crate::web::{MatchPage, WebPage};
use hasami_api::Outcome;
use std::io::{self, Write};

/// An engine's faults beyond these are counted, not shown.
const SHOWN_FAULTS: u32 = 5;

/// See the module.
pub struct View<'a> {
    out: &'a mut dyn Write,
    bar: Bar,
    interval: u32,
    quiet: bool,
    report: MatchReport,
    /// Faults so far, by engine.
    faults: Vec<OpenFaults>,
    page: Option<MatchPage>,
}

impl<'a> View<'a> {
    pub fn new(
        out: &'a mut dyn Write,
        interval: u32,
        quiet: bool,
        settings: &MatchSettings,
        page: Option<WebPage>,
    ) -> Self {
        let report = MatchReport::new(settings);
        let bar = Bar::of_games();
        let faults = vec![OpenFaults::default(); report.names.len()];
        Self { out, bar, interval, quiet, report, faults, page: page.map(|page| MatchPage::new(page, settings)) }
    }

    pub fn see(&mut self, event: &MatchEvent<'_>, scores: &Scores) {
        if let Some(page) = &mut self.page {
            page.see(event);
        }
        match event {
            MatchEvent::Opened { done, total } => {
                self.bar.begin(*done as usize, *total as usize);
                if *done > 0 {
                    self.line(&format!("going on after {done} of {total} games"));
                }
            }
            MatchEvent::Earlier { .. }
            | MatchEvent::Began { .. }
            | MatchEvent::Moved { .. }
            | MatchEvent::Machines(_)
            | MatchEvent::Elsewhere(_) => {}
            MatchEvent::Finished { pairing, record } => self.finished(pairing.game + 1, record, scores),
            MatchEvent::Fault { engine, kind, text } => {
                self.faults[*engine].count(*kind);
                self.fault(*engine, text);
            }
            MatchEvent::Warning(text) => self.warn(text),
            MatchEvent::Note(text) => self.line(text),
        }
    }

    fn finished(&mut self, number: u32, record: &hasami_api::GameRecord, scores: &Scores) {
        if !self.quiet {
            let [white, black] = [0, 1].map(|side| fitting(&record.players[side]));
            let result = record.outcome.text();
            self.line(&format!("Finished game {number} ({white} vs {black}): {result} {{{}}}", record.remark));
        }
        if self.interval > 0 && (scores.games().len() as u32).is_multiple_of(self.interval) {
            self.line(&self.report.block(scores, &self.faults).join("\n"));
        }
        self.bar.set_message(self.report.short(scores));
        if record.outcome != Outcome::Unfinished {
            self.bar.advance();
        }
    }

    fn fault(&mut self, engine: usize, text: &str) {
        let OpenFaults { restarts, breaches } = self.faults[engine];
        let count = restarts + breaches;
        if count <= SHOWN_FAULTS {
            let more = if count == SHOWN_FAULTS { " (further ones are only counted)" } else { "" };
            self.warn(&format!("{}: {text}{more}", fitting(&self.report.names[engine])));
        }
    }

    /// Nobody is left to warn when stderr is gone.
    fn warn(&self, text: &str) {
        self.bar.suspend(|| _ = writeln!(io::stderr(), "warning: {text}"));
    }

    /// A reader that has gone away is no reason to end a match.
    fn line(&mut self, text: &str) {
        let out = &mut self.out;
        self.bar.suspend(|| _ = writeln!(out, "{text}").and_then(|()| out.flush()));
    }

    /// The page can still be looked at.
    pub fn close(self) -> Option<MatchPage> {
        self.bar.clear();
        self.page
    }
}

/// The result at the end.
pub fn conclude(out: &mut dyn Write, settings: &MatchSettings, outcomes: &Outcomes) -> io::Result<()> {
    let report = MatchReport::new(settings);
    let rule = "-".repeat(50);
    let lines = report.block(&outcomes.scores, &outcomes.faults);
    writeln!(out, "{rule}\n{}\n{rule}", lines.join("\n"))?;
    for line in outcomes.machines.lines() {
        writeln!(out, "{line}")?;
    }
    outcomes.warnings.iter().try_for_each(|text| writeln!(out, "Warning: {text}"))?;
    if let (Some(sprt), Some(verdict @ (SprtVerdict::H0 | SprtVerdict::H1))) = (&settings.sprt, outcomes.verdict) {
        writeln!(out, "SPRT ({sprt}) completed - {verdict:?} was accepted")?;
    }
    Ok(())
}

/// The figures with the conditions, for the message of the commit beside which the file of the match lies.
pub fn for_commit(out: &mut dyn Write, games: Games, outcomes: &Outcomes) -> io::Result<()> {
    if outcomes.scores.games().is_empty() {
        return writeln!(out, "For the commit message: nothing, no game has ended");
    }
    // What cannot be read has just been written: its figures stand above.
    let Ok(journal) = ArchivedMatch::read(&outcomes.journal, games) else { return Ok(()) };
    writeln!(out, "For the commit message:\n")?;
    journal.block(&[]).iter().try_for_each(|line| writeln!(out, "{line}"))
}
