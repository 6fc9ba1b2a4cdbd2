//! The faults of each engine in a match, whether or not they ended a game.

use super::names;
use super::scores::Scores;
use hasami_api::{Ending, Side};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A fault that did not end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FaultKind {
    /// The process ended or hung, and was restarted within the game.
    Restart,
    /// A violation of the protocol, the rules or the engine's own declarations: in a variation, an answer or an option.
    Breach,
    /// Moves of one game that overran their time within the margin.
    Overruns { count: u32, longest_ms: u32 },
    /// A game in which the engine searched far less or far more than its limit.
    IgnoredLimit,
}

/// An engine's faults that did not end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenFaults {
    pub restarts: u32,
    pub breaches: u32,
    pub ignored_limits: u32,
    pub overruns: u32,
    /// The longest of the overruns, in milliseconds.
    pub longest_overrun: u32,
}

impl OpenFaults {
    pub fn count(&mut self, kind: FaultKind) {
        match kind {
            FaultKind::Restart => self.restarts += 1,
            FaultKind::Breach => self.breaches += 1,
            FaultKind::IgnoredLimit => self.ignored_limits += 1,
            FaultKind::Overruns { count, longest_ms } => {
                self.overruns += count;
                self.longest_overrun = self.longest_overrun.max(longest_ms);
            }
        }
    }
}

/// All faults of an engine. The first four fields count games that the engine lost by a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineFaults {
    pub time: u32,
    pub crashes: u32,
    pub hangs: u32,
    pub illegal: u32,
    pub open: OpenFaults,
}

impl EngineFaults {
    pub fn of(engine: usize, scores: &Scores, open: OpenFaults) -> Self {
        let mut faults = Self { open, ..Self::default() };
        for played in scores.games() {
            let Some(seat) = played.pairing.engines.iter().position(|&other| other == engine) else { continue };
            let side = if seat == 0 { Side::First } else { Side::Second };
            if played.outcome.half_points(side) != Some(0) {
                continue;
            }
            match played.ending {
                Ending::TimeLoss => faults.time += 1,
                Ending::Crash => faults.crashes += 1,
                Ending::Silence => faults.hangs += 1,
                Ending::IllegalMove => faults.illegal += 1,
                _ => {}
            }
        }
        faults
    }

    /// For each kind of fault: its key in files, its names in singular and plural, and its count.
    fn kinds(&self) -> [(&'static str, [&'static str; 2], u32); 8] {
        [
            ("time_losses", ["loss on time", "losses on time"], self.time),
            ("crashes", ["crash", "crashes"], self.crashes),
            ("hangs", ["hang", "hangs"], self.hangs),
            ("illegal_moves", ["illegal move", "illegal moves"], self.illegal),
            ("restarts", ["restart", "restarts"], self.open.restarts),
            ("breaches", ["breach of the protocol", "breaches of the protocol"], self.open.breaches),
            (
                "ignored_limits",
                ["game with its limit ignored", "games with their limit ignored"],
                self.open.ignored_limits,
            ),
            ("overruns", ["late move", "late moves"], self.open.overruns),
        ]
    }

    /// A text such as `2 losses on time, 1 crash`; `None` if the engine has no faults.
    pub fn text(&self) -> Option<String> {
        let shown = self.kinds().into_iter().filter(|(.., count)| *count > 0);
        let text = |(key, [one, many], count): (&str, [&str; 2], u32)| {
            let longest = self.open.longest_overrun;
            let by = if key == "overruns" { format!(" (by at most {longest} ms)") } else { String::new() };
            format!("{count} {}{by}", if count == 1 { one } else { many })
        };
        let texts: Vec<String> = shown.map(text).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    pub fn to_json(self) -> Value {
        let mut value = json!({});
        for (word, _, count) in self.kinds() {
            value[word] = count.into();
        }
        value["longest_overrun_ms"] = self.open.longest_overrun.into();
        value
    }
}

/// One line for each engine with faults, or a single line if there are none.
pub fn lines(names: &[String], scores: &Scores, open: &[OpenFaults]) -> Vec<String> {
    let names = names::shown(names);
    let of = |(engine, name): (usize, &String)| {
        let faults = EngineFaults::of(engine, scores, open.get(engine).copied().unwrap_or_default());
        faults.text().map(|text| format!("Faults of {name}: {text}"))
    };
    let lines: Vec<_> = names.iter().enumerate().filter_map(of).collect();
    if lines.is_empty() { vec!["Faults: none".to_owned()] } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Pairing;
    use crate::scores::FinishedGame;
    use hasami_api::Outcome;

    #[test]
    fn a_fault_counts_for_the_engine_that_lost_by_it() {
        let mut scores = Scores::new(false);
        let endings = [
            (Ending::TimeLoss, Side::First),
            (Ending::Crash, Side::Second),
            (Ending::TimeLoss, Side::First),
            (Ending::IllegalMove, Side::Second),
            (Ending::Silence, Side::Second),
            (Ending::Checkmate, Side::First),
        ];
        for (game, (ending, loser)) in endings.into_iter().enumerate() {
            let game = game as u32;
            let pairing = Pairing { game, round: 1, group: game, engines: [1, 0], opening: None };
            scores.add(FinishedGame { pairing, outcome: Outcome::Win(loser.other()), ending });
        }
        let names = ["a".to_owned(), "b".to_owned()];
        let mut open = [OpenFaults::default(); 2];
        open[0].count(FaultKind::Breach);
        open[0].count(FaultKind::Restart);
        open[0].count(FaultKind::IgnoredLimit);
        open[0].count(FaultKind::Overruns { count: 3, longest_ms: 9 });
        open[0].count(FaultKind::Overruns { count: 2, longest_ms: 4 });
        let wanted = [
            "Faults of a: 1 crash, 1 hang, 1 illegal move, 1 restart, 1 breach of the protocol, 1 game with its limit ignored, \
             5 late moves (by at most 9 ms)",
            "Faults of b: 2 losses on time",
        ];
        assert_eq!(lines(&names, &scores, &open), wanted);
        assert_eq!(EngineFaults::of(1, &scores, open[1]).to_json()["time_losses"], 2);
        assert_eq!(lines(&names, &Scores::new(false), &[]), ["Faults: none"]);
    }
}
