//! Shows a running match: a progress bar on the terminal, a line for each finished game, and the result at regular
//! intervals.

use crate::cli::web;
use hasami_api::Outcome;
use hasami_matches::archive::conditions;
use hasami_matches::events::MatchEvent;
use hasami_matches::faults::OpenFaults;
use hasami_matches::names::fitting;
use hasami_matches::report::{self, MatchReport};
use hasami_matches::run::Outcomes;
use hasami_matches::schedule::Pairing;
use hasami_matches::scores::Scores;
use hasami_matches::settings::MatchSettings;
use hasami_matches::stats::SprtVerdict;
use hasami_terminal::bar::Bar;
use hasami_web::{MatchPage, WebPage};
use hasami_words::text::counted;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// At most this many faults are printed per engine; all further ones are only counted.
const SHOWN_FAULTS: u32 = 5;

/// The output of a running match.
pub struct View<'a> {
    out: &'a mut dyn Write,
    bar: Bar,
    interval: u32,
    quiet: bool,
    /// The name of the game that the match plays, for messages.
    game: &'static str,
    report: MatchReport,
    /// Number of faults so far, by engine.
    faults: Vec<OpenFaults>,
    page: Option<MatchPage>,
    /// The line with the web page's address; `None` once it has been printed.
    page_place: Option<String>,
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
        let page_place = page.as_ref().map(web::place);
        let page = page.map(|page| MatchPage::new(page, settings));
        Self { out, bar, interval, quiet, game: settings.catalog.name(), report, faults, page, page_place }
    }

    pub fn see(&mut self, event: &MatchEvent<'_>, scores: &Scores) {
        if let Some(page) = &mut self.page {
            page.see(event);
        }
        match event {
            MatchEvent::Opened { done, total } => {
                // The address of the web page is printed only after the whole command line has been accepted.
                if let Some(place) = self.page_place.take() {
                    self.line(&place);
                }
                match total {
                    Some(total) => self.bar.begin(*done as usize, *total as usize),
                    None => self.bar.begin_without_end(*done as usize),
                }
                if *done > 0 {
                    let of = |total| format!("{done} of {}", counted(total, "game"));
                    self.line(&format!("continuing after {}", total.map_or_else(|| counted(*done, "game"), of)));
                }
            }
            MatchEvent::Earlier { .. } | MatchEvent::Moved { .. } | MatchEvent::Machines(..) => {}
            MatchEvent::Began { pairing } => self.started(*pairing),
            MatchEvent::Finished { pairing, record } => self.finished(pairing.game + 1, record, scores),
            MatchEvent::Fault { engine, kind, text } => {
                self.faults[*engine].count(*kind);
                self.fault(*engine, text);
            }
            MatchEvent::Warning(text) => self.warn(text),
            MatchEvent::Note(text) => self.line(text.as_ref()),
        }
    }

    fn started(&mut self, pairing: Pairing) {
        if self.quiet {
            return;
        }
        let [first, second] = pairing.engines.map(|engine| fitting(&self.report.names[engine]).into_owned());
        let of = self.report.schedule.wanted().map_or_else(String::new, |total| format!(" of {total}"));
        self.line(&format!("Started game {}{of} ({first} vs {second})", pairing.game + 1));
    }

    /// Returns whether the match ends with this game, so that the final report follows at once.
    fn is_last(&self, scores: &Scores) -> bool {
        let is_decided = self.report.verdict(scores).is_some_and(|verdict| verdict != SprtVerdict::GoOn);
        is_decided || scores.games().len() as u32 >= self.report.schedule.total()
    }

    fn finished(&mut self, number: u32, record: &hasami_api::GameRecord, scores: &Scores) {
        if !self.quiet {
            let [first, second] = [0, 1].map(|side| fitting(&record.players[side]));
            let (result, end) = (record.outcome.text(), report::end(record.ending, &record.remark, self.game));
            self.line(&format!("Finished game {number} ({first} vs {second}): {result} {{{end}}}"));
        }
        let is_due = self.interval > 0 && (scores.games().len() as u32).is_multiple_of(self.interval);
        if is_due && !self.is_last(scores) {
            self.line(&self.report.block(scores, &self.faults).join("\n"));
        }
        self.bar.set_message(self.report.short(scores).to_string());
        if record.outcome != Outcome::Unfinished {
            self.bar.advance();
        }
    }

    fn fault(&mut self, engine: usize, text: &str) {
        let OpenFaults { breaches, ignored_limits } = self.faults[engine];
        let count = breaches + ignored_limits;
        if count <= SHOWN_FAULTS {
            let more = if count == SHOWN_FAULTS { " (further ones are only counted)" } else { "" };
            self.warn(&format!("{}: {text}{more}", fitting(&self.report.names[engine])));
        }
    }

    /// Prints a warning. A failure to write to stderr cannot be reported, so it is ignored.
    fn warn(&self, why: &dyn Display) {
        self.bar.suspend(|| _ = writeln!(io::stderr(), "warning: {why}"));
    }

    /// Prints a line. A failure to print is ignored, because a match must not end when its output is closed.
    fn line(&mut self, text: &str) {
        let out = &mut self.out;
        self.bar.suspend(|| _ = writeln!(out, "{text}").and_then(|()| out.flush()));
    }

    /// Clears the progress bar and returns the web page, which stays open.
    pub fn close(self) -> Option<MatchPage> {
        self.bar.clear();
        self.page
    }
}

/// Prints the result at the end of the match.
pub fn conclude(
    out: &mut dyn Write,
    settings: &MatchSettings,
    (outcomes, time): (&Outcomes, Duration),
) -> io::Result<()> {
    let report = MatchReport::new(settings);
    let rule = "-".repeat(50);

    let lines = report.block(&outcomes.scores, &outcomes.faults);
    let mut head = conditions::of_plan(&settings.plan(), &outcomes.identities);
    let seconds = time.as_secs();
    let time = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    head.push(format!("Total time: {time}"));
    writeln!(out, "{rule}\n{}\n{}\n{rule}", head.join("\n"), lines.join("\n"))?;
    for line in outcomes.machines.lines() {
        writeln!(out, "{line}")?;
    }
    outcomes.warnings.iter().try_for_each(|why| writeln!(out, "Warning: {why}"))?;
    if let (Some(sprt), Some(verdict @ (SprtVerdict::H0 | SprtVerdict::H1))) = (&settings.sprt, outcomes.verdict) {
        writeln!(out, "SPRT ({sprt}) completed - {verdict:?} was accepted")?;
    }
    Ok(())
}
