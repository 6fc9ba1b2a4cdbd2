//! Options that engines must have for their games to be meaningful: the options that are being tuned. Before the first
//! game, a task without games asks a machine which options its engine declares. If an option could not be set as
//! requested on a machine, the games of that machine are not counted.

use hasami_matches::deviations::Deviations;
use hasami_protocol::client::ChildOption;
use hasami_words::text::At;
use std::time::{Duration, Instant};

/// The key of the task that asks for the options. Games have other keys.
pub const KEY: u64 = u64::MAX;
/// Interval at which that task is published again. While the queue already holds the task, it refuses another copy.
const AGAIN: Duration = Duration::from_secs(10);

/// A function that returns why an engine with these declared options cannot be used.
pub type FaultOf = Box<dyn Fn(&[ChildOption]) -> Option<String>>;

/// The options that an engine must have, and whether a machine has confirmed them.
pub struct WantedOptions {
    /// The name of the engine that users see.
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

    /// Whether games have to wait because no machine has confirmed the options.
    pub fn is_open(&self) -> bool {
        !self.is_answered
    }

    /// Whether it is time to ask a machine. If it is, the time of the question is noted.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.asked.is_none_or(|asked| asked.elapsed() >= AGAIN);
        if is_due {
            self.asked = Some(Instant::now());
        }
        is_due
    }

    /// Handles the answer of a machine. Returns the reason why games cannot be played on this machine; another machine
    /// may still be suitable.
    pub fn hear(&mut self, machine: &str, settings: &[Deviations], declared: &[ChildOption]) -> Option<String> {
        let fault = self.fault_of(machine, settings).or_else(|| Some(self.at(machine, (self.fault)(declared)?)));
        self.is_answered |= fault.is_none();
        fault
    }

    /// Makes the next question due at once, for another machine.
    pub fn ask_again(&mut self) {
        self.asked = None;
    }

    /// The reason why the games of an answer do not count.
    pub fn fault_of(&self, machine: &str, settings: &[Deviations]) -> Option<String> {
        let wanted = |name: &&String| self.names.iter().any(|wanted| wanted.eq_ignore_ascii_case(name));
        let fault = settings.iter().find_map(|found| {
            let missing = found.unset.iter().find(wanted);
            let owned = found.owner.iter().map(|(name, _)| name).find(wanted);
            let missing = missing.map(|name| format!("the engine has no option {name}"));
            let beyond = found.beyond.iter().find(wanted);
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn option(name: &str) -> ChildOption {
        let (name, kind) = (name.to_owned(), "spin".to_owned());
        ChildOption { name, kind, default: None, range: [None; 2], values: Vec::new() }
    }

    #[test]
    fn a_machine_whose_engine_cannot_be_tuned_is_reported() {
        let wants = |option: &ChildOption| option.name == "Margin";
        let fault = move |found: &[ChildOption]| (!found.iter().any(wants)).then(|| "no Margin".to_owned());
        let mut wanted = WantedOptions::new("sf".to_owned(), vec!["Margin".to_owned()], Box::new(fault));
        assert!(wanted.is_open() && wanted.is_due() && !wanted.is_due());
        let told = |found: Option<String>| found.unwrap_or_default();
        assert_eq!(told(wanted.hear("attic", &[], &[option("Hash")])), "sf on attic: no Margin");
        assert_eq!(told(wanted.hear("attic", &[], &[])), "sf on attic: no Margin");
        assert!(wanted.is_open() && !wanted.is_due(), "another machine may have it");
        wanted.ask_again();
        assert!(wanted.is_due());
        assert_eq!(wanted.hear("attic", &[], &[option("Margin")]), None);
        assert!(!wanted.is_open());
        let named = |name: &str| vec![name.to_owned()];
        let owner = |name: &str| vec![(name.to_owned(), "1".to_owned())];
        let second = |found: Deviations| [Deviations::default(), found];
        let harmless = Deviations { unset: named("Other"), owner: owner("Hash"), ..Deviations::default() };
        assert_eq!(wanted.fault_of("barn", &second(harmless)), None);
        let unset = Deviations { unset: named("margin"), ..Deviations::default() };
        assert_eq!(told(wanted.fault_of("barn", &second(unset))), "sf on barn: the engine has no option margin");
        let narrower = "sf on barn: the engine does not take all values of the range of margin";
        let beyond = Deviations { beyond: named("margin"), ..Deviations::default() };
        assert_eq!(told(wanted.fault_of("barn", &second(beyond))), narrower);
        let owned = Deviations { owner: owner("Margin"), ..Deviations::default() };
        let owned = told(wanted.hear("barn", &second(owned), &[option("Margin")]));
        assert_eq!(owned, "sf on barn: the owner of the machine sets Margin, which a caller cannot change");
    }
}
