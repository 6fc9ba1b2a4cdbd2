//! A match before one's eyes: a progress bar on the terminal, lines of finished games and the result now and then.

use crate::cli::bar::Bar;
use crate::matches::events::MatchEvent;
use crate::matches::run::{self, Outcomes};
use crate::matches::scores::Scores;
use crate::matches::settings::MatchSettings;
use crate::matches::stats::SprtVerdict;
use crate::web::{MatchPage, WebPage};
use hasami_api::Outcome;
use std::io::{self, Write};

/// An engine's faults beyond these are counted, not shown.
const SHOWN_FAULTS: u32 = 5;

/// The result in full, and in one line.
type Figures = dyn Fn(&Scores) -> (Vec<String>, String);

/// See the module.
pub struct View<'a> {
    out: &'a mut dyn Write,
    bar: Bar,
    interval: u32,
    quiet: bool,
    names: Vec<String>,
    /// Faults shown so far, by engine.
    faults: Vec<u32>,
    /// Tools behind the figures.
    figures: Box<Figures>,
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
        let (names, sprt) = (settings.engines.iter().map(|spec| spec.name.clone()).collect::<Vec<_>>(), settings.sprt);
        let shown = names.clone();
        let figures = move |scores: &Scores| {
            (run::results(&shown, sprt.as_ref(), scores), run::short_results(&shown, sprt.as_ref(), scores))
        };
        let bar = Bar::of_games();
        let faults = vec![0; names.len()];
        Self {
            out,
            bar,
            interval,
            quiet,
            names,
            faults,
            figures: Box::new(figures),
            page: page.map(|page| MatchPage::new(page, settings)),
        }
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
            | MatchEvent::Machines(_) => {}
            MatchEvent::Finished { pairing, record } => self.finished(pairing.game + 1, record, scores),
            MatchEvent::Fault { engine, text } => self.fault(*engine, text),
            MatchEvent::Note(text) => self.line(text),
        }
    }

    fn finished(&mut self, number: u32, record: &hasami_api::GameRecord, scores: &Scores) {
        let (block, short) = (self.figures)(scores);
        if !self.quiet {
            let [white, black] = &record.players;
            let result = record.outcome.text();
            self.line(&format!("Finished game {number} ({white} vs {black}): {result} {{{}}}", record.remark));
        }
        if self.interval > 0 && (scores.games().len() as u32).is_multiple_of(self.interval) {
            self.line(&block.join("\n"));
        }
        self.bar.set_message(short);
        if record.outcome != Outcome::Unfinished {
            self.bar.advance();
        }
    }

    fn fault(&mut self, engine: usize, text: &str) {
        self.faults[engine] += 1;
        if self.faults[engine] <= SHOWN_FAULTS {
            let more = if self.faults[engine] == SHOWN_FAULTS { " (further ones are only counted)" } else { "" };
            let line = format!("warning: {}: {text}{more}", self.names[engine]);
            // Nobody is left to warn when stderr is gone.
            self.bar.suspend(|| _ = writeln!(io::stderr(), "{line}"));
        }
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
    let names: Vec<String> = settings.engines.iter().map(|spec| spec.name.clone()).collect();
    let rule = "-".repeat(50);
    let lines = run::results(&names, settings.sprt.as_ref(), &outcomes.scores);
    writeln!(out, "{rule}\n{}\n{rule}", lines.join("\n"))?;
    for line in outcomes.machines.lines() {
        writeln!(out, "{line}")?;
    }
    for (name, faults) in names.iter().zip(&outcomes.faults).filter(|(_, faults)| **faults > 0) {
        writeln!(out, "Faults of {name}: {faults}")?;
    }
    if let (Some(sprt), Some(verdict @ (SprtVerdict::H0 | SprtVerdict::H1))) = (&settings.sprt, outcomes.verdict) {
        writeln!(out, "SPRT ({sprt}) completed - {verdict:?} was accepted")?;
    }
    Ok(())
}
