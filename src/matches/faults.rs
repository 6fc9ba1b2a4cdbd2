//! The faults of each engine in a match, including those that did not end a game.

use super::names;
use super::scores::Scores;
use hasami_api::{Ending, Side};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A fault that did not end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FaultKind {
    /// A violation of the protocol, the rules or the engine's own declarations, in a variation, an answer or an option.
    Breach,
    /// A game in which the engine searched far less or far more than its limit.
    IgnoredLimit,
}

/// An engine's faults that did not end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenFaults {
    pub breaches: u32,
    pub ignored_limits: u32,
}

impl OpenFaults {
    pub fn count(&mut self, kind: FaultKind) {
        match kind {
            FaultKind::Breach => self.breaches += 1,
            FaultKind::IgnoredLimit => self.ignored_limits += 1,
        }
    }
}

/// All faults of an engine: first those that lost games, then all others.
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

    /// Lists the kinds of faults: key in files, name in singular and plural, and count.
    fn kinds(&self) -> [(&'static str, [&'static str; 2], u32); 6] {
        [
            ("time_losses", ["loss on time", "losses on time"], self.time),
            ("crashes", ["crash", "crashes"], self.crashes),
            ("hangs", ["hang", "hangs"], self.hangs),
            ("illegal_moves", ["illegal move", "illegal moves"], self.illegal),
            ("breaches", ["breach of the protocol", "breaches of the protocol"], self.open.breaches),
            (
                "ignored_limits",
                ["game with its limit ignored", "games with their limit ignored"],
                self.open.ignored_limits,
            ),
        ]
    }

    /// Formats the faults as in `2 losses on time, 1 crash`; `None` if the engine has no faults.
    pub fn text(&self) -> Option<String> {
        let shown = self.kinds().into_iter().filter(|(.., count)| *count > 0);
        let text = |(_, [one, many], count): (&str, [&str; 2], u32)| {
            format!("{count} {}", if count == 1 { one } else { many })
        };
        let texts: Vec<String> = shown.map(text).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    pub fn to_json(self) -> Value {
        let mut value = json!({});
        for (word, _, count) in self.kinds() {
            value[word] = count.into();
        }
        value
    }
}

/// Returns one line for each engine with faults.
pub fn lines(names: &[String], scores: &Scores, open: &[OpenFaults]) -> Vec<String> {
    let names = names::shown(names);
    let of = |(engine, name): (usize, &String)| {
        let faults = EngineFaults::of(engine, scores, open.get(engine).copied().unwrap_or_default());
        faults.text().map(|text| format!("Faults of {name}: {text}"))
    };
    names.iter().enumerate().filter_map(of).collect()
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
        open[0].count(FaultKind::IgnoredLimit);
        let wanted = [
            "Faults of a: 1 crash, 1 hang, 1 illegal move, 1 breach of the protocol, 1 game with its limit ignored",
            "Faults of b: 2 losses on time",
        ];
        assert_eq!(lines(&names, &scores, &open), wanted);
        assert_eq!(EngineFaults::of(1, &scores, open[1]).to_json()["time_losses"], 2);
        assert!(lines(&names, &Scores::new(false), &[]).is_empty());
    }
}
