//! Machines that a caller has heard of lately.

use super::lender::LenderNews;
use super::task::EngineName;
use crate::matches::recorder::MatchRecorder;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A machine that has been silent for so long is not there.
const SILENT: Duration = Duration::from_secs(10);
/// Tasks that are in the queue at least, whoever is there.
const LEAST: usize = 64;

/// See the module.
#[derive(Default)]
pub struct KnownMachines(BTreeMap<u64, (LenderNews, Instant)>);

impl KnownMachines {
    /// Tells of machines that come and go.
    pub fn hear(&mut self, news: LenderNews, recorder: &mut MatchRecorder<'_, '_>) {
        for line in self.update(news, Instant::now()) {
            recorder.note(&line);
        }
    }

    /// Lines about who has come and who has gone.
    pub fn update(&mut self, news: LenderNews, now: Instant) -> Vec<String> {
        let mut lines = Vec::new();
        let is_there = |at: &Instant| now.saturating_duration_since(*at) < SILENT;
        self.0.retain(|_, (news, at)| {
            if !is_there(at) {
                lines.push(format!("machine {} is gone", news.name));
            }
            is_there(at)
        });
        if !self.0.contains_key(&news.id) {
            let games = crate::text::counted(news.games.into(), "game");
            let LenderNews { name, processor, version, speed, .. } = &news;
            lines.push(format!("machine {name} lends {games} ({processor}, hasami {version}, {speed} nodes/s)"));
        }
        self.0.insert(news.id, (news, now));
        lines
    }

    /// Who is there, a line each.
    pub fn lines(&self) -> Vec<String> {
        let line = |(news, _): &(LenderNews, Instant)| {
            let LenderNews { name, games, busy, speed, processor, .. } = news;
            format!("{name}: {busy} of {games} games, {speed} nodes/s, {processor}")
        };
        self.0.values().map(line).collect()
    }

    /// What is missing so that somebody plays: a line for people.
    pub fn lack(&self, engines: &[EngineName]) -> Option<String> {
        let has_all = |news: &LenderNews| engines.iter().all(|engine| news.has(engine));
        let machines: Vec<&LenderNews> = self.0.values().map(|(news, _)| news).collect();
        if machines.is_empty() {
            return Some("no machine lends games: hasami worker --games N".to_owned());
        }
        if machines.iter().any(|news| has_all(news)) {
            return None;
        }
        let nobody_s = engines.iter().find(|engine| !machines.iter().any(|news| news.has(engine)));
        Some(nobody_s.map_or_else(
            || "no machine has all engines of these games".to_owned(),
            |engine| format!("no machine has an engine '{}': hasami worker --engine {}=...", engine.name, engine.name),
        ))
    }

    /// Tasks that should be in the queue, so that nobody waits for one.
    pub fn wanted(&self) -> usize {
        let games: usize = self.0.values().map(|(news, _)| news.games as usize).sum();
        (2 * games).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_come_and_go() {
        let (mut known, now) = (KnownMachines::default(), Instant::now());
        let news = |id, games| LenderNews {
            id,
            name: format!("pc{id}"),
            processor: "x".into(),
            version: "1".into(),
            speed: 5,
            engines: vec!["a".into()],
            fetches: id == 2,
            games,
            busy: 0,
        };
        assert_eq!(known.wanted(), LEAST);
        assert_eq!(known.update(news(1, 40), now), ["machine pc1 lends 40 games (x, hasami 1, 5 nodes/s)"]);
        assert_eq!(known.wanted(), 80);
        let later = now + SILENT;
        let lines = known.update(news(2, 1), later);
        assert_eq!(lines[0], "machine pc1 is gone");
        assert_eq!((lines.len(), known.wanted()), (2, LEAST));
        let engine =
            |name: &str, sha256: Option<&str>| EngineName { name: name.into(), sha256: sha256.map(str::to_owned) };
        assert_eq!(known.lack(&[engine("a", None), engine("x", Some("f"))]), None);
        let told = known.lack(&[engine("a", None), engine("b", None)]);
        assert!(told.is_some_and(|told| told.starts_with("no machine has an engine 'b'")));
        assert!(KnownMachines::default().lack(&[]).is_some_and(|told| told.starts_with("no machine lends games")));
    }
}
