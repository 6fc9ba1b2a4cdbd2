//! Options that the engines must have for their games to be meaningful: those that are tuned. Before the first game, a
//! task without games asks a machine which options its engine declares. Games of a machine on which an option could not
//! be set as requested are not counted.

use super::settings_note::SettingsNote;
use hasami_protocol::Protocol;
use hasami_protocol::client::{self, ChildOption, Reply};
use hasami_words::text::At;
use std::time::{Duration, Instant};

/// The key of that task; games have other keys.
pub const KEY: u64 = u64::MAX;
/// Interval at which the task is published again. The queue refuses it while it holds one already.
const AGAIN: Duration = Duration::from_secs(10);
/// Prefix of the notes in the answer; the number of an engine follows.
const DECLARED: &str = "options of engine ";

/// Returns why an engine that declares these options cannot be used.
pub type FaultOf = Box<dyn Fn(&[ChildOption]) -> Option<String>>;

/// The options that an engine must have, and whether a machine has confirmed them.
pub struct WantedOptions {
    /// The engine's name as users know it.
    engine: String,
    names: Vec<String>,
    fault: FaultOf,
    asked: Option<Instant>,
    is_answered: bool,
}

impl WantedOptions {
    pub fn new(engine: String, names: Vec<String>, fault: FaultOf) -> Self {
        Self { engine, names, fault, asked: None, is_answered: false }
    }

    /// Whether games have to wait.
    pub fn is_open(&self) -> bool {
        !self.is_answered
    }

    /// Whether it is time to ask.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.asked.is_none_or(|asked| asked.elapsed() >= AGAIN);
        if is_due {
            self.asked = Some(Instant::now());
        }
        is_due
    }

    /// Handles the answer of a machine. Returns why games cannot be played on it; another machine may still be
    /// suitable. A machine with an earlier program reports nothing.
    pub fn hear(&mut self, machine: &str, notes: &[String]) -> Option<String> {
        let declared = declared(notes);
        let why = || if declared.is_empty() { None } else { (self.fault)(&declared) };
        let fault = self.fault_of(machine, notes).or_else(|| Some(self.at(machine, why()?)));
        self.is_answered |= fault.is_none();
        fault
    }

    /// Asks the next machine at once.
    pub fn ask_again(&mut self) {
        self.asked = None;
    }

    /// Why the games of an answer do not count.
    pub fn fault_of(&self, machine: &str, notes: &[String]) -> Option<String> {
        let wanted = |name: &String| self.names.iter().any(|wanted| wanted.eq_ignore_ascii_case(name));
        let found = notes.iter().filter_map(|text| Some(text.parse::<SettingsNote>().ok()?.found));
        let fault = found.into_iter().find_map(|found| {
            let missing = found.unset.into_iter().find(wanted);
            let owned = found.owner.into_iter().map(|(name, _)| name).find(wanted);
            let missing = missing.map(|name| format!("the engine has no option {name}"));
            let beyond = found.beyond.into_iter().find(wanted);
            let beyond = beyond.map(|name| format!("the engine does not take all values of the range of {name}"));
            missing
                .or(beyond)
                .or_else(|| Some(format!("the owner of the machine sets {}, which a caller cannot change", owned?)))
        });
        fault.map(|why| self.at(machine, why))
    }

    fn at(&self, machine: &str, why: String) -> String {
        why.at(format!("{} on {machine}", self.engine))
    }
}

/// The notes by which a machine reports the options of one of its engines.
pub fn notes(engine: usize, declared: &[ChildOption]) -> Vec<String> {
    declared.iter().map(|option| format!("{DECLARED}{}: {option}", engine + 1)).collect()
}

/// The options of the first engine.
fn declared(notes: &[String]) -> Vec<ChildOption> {
    let read = |text: &String| {
        let line = text.strip_prefix(DECLARED)?.strip_prefix("1: ")?;
        if let Reply::Option(option) = client::parse(Protocol::Uci, line) { Some(option) } else { None }
    };
    notes.iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn option(line: &str) -> ChildOption {
        declared(&[format!("{DECLARED}1: {line}")]).remove(0)
    }

    #[test]
    fn options_can_be_read_back_from_notes() {
        for line in [
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name Style type combo default a b var a b var c",
            "option name Clear Hash type button",
            "option name Debug Log File type string default <empty>",
        ] {
            assert_eq!(notes(0, &[option(line)]), [format!("{DECLARED}1: {line}")]);
        }
        let other = notes(1, &[option("option name Hash type spin default 1")]);
        assert!(declared(&other).is_empty(), "of the second engine");
    }

    #[test]
    fn a_machine_whose_engine_cannot_be_tuned_is_reported() {
        let wants = |option: &ChildOption| option.name == "Margin";
        let fault = move |found: &[ChildOption]| (!found.iter().any(wants)).then(|| "no Margin".to_owned());
        let mut wanted = WantedOptions::new("sf".to_owned(), vec!["Margin".to_owned()], Box::new(fault));
        assert!(wanted.is_open() && wanted.is_due() && !wanted.is_due());
        let has = |line: &str| notes(0, &[option(line)]);
        let told = |found: Option<String>| found.map(|why| why.to_string()).unwrap_or_default();
        assert_eq!(told(wanted.hear("attic", &has("option name Hash type spin"))), "sf on attic: no Margin");
        assert!(wanted.is_open() && !wanted.is_due(), "another machine may have it");
        wanted.ask_again();
        assert!(wanted.is_due());
        assert_eq!(wanted.hear("attic", &has("option name Margin type spin")), None);
        assert_eq!(wanted.hear("attic", &[]), None, "an earlier program");
        assert!(!wanted.is_open());
        let set = |text: &str| vec![format!("settings of engine 2: {text}")];
        assert_eq!(wanted.fault_of("barn", &set("unset=Other owner.Hash=1")), None);
        assert_eq!(told(wanted.fault_of("barn", &set("unset=margin"))), "sf on barn: the engine has no option margin");
        let narrower = "sf on barn: the engine does not take all values of the range of margin";
        assert_eq!(told(wanted.fault_of("barn", &set("beyond=margin"))), narrower);
        let owned = told(wanted.hear("barn", &set("owner.Margin=1")));
        assert_eq!(owned, "sf on barn: the owner of the machine sets Margin, which a caller cannot change");
    }
}
