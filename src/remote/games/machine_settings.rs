//! Reports how the engines of a match are set on machines. Machines send this to the caller with their games.

use hasami_matches::deviations::{Deviations, SetOption};
use hasami_matches::recorder::MatchRecorder;
use hasami_matches::settings::MatchSettings;
use hasami_protocol::client::SAYS;
use hasami_words::heard;
use hasami_words::text::At;
use std::collections::BTreeSet;

/// Largest number of warnings about options that owners set. The conditions of the match list these options for all
/// machines.
const TOLD: usize = 10;

/// A record of the settings on machines that have already been reported.
#[derive(Default)]
pub struct MachineSettings {
    told: BTreeSet<String>,
    /// Complaints of engines that have been reported.
    complaints: BTreeSet<String>,
}

impl MachineSettings {
    /// Handles the notes and the engine settings in an answer: complaints of engines become warnings, other notes are
    /// shown to the user, and the settings are added to the conditions of the match.
    pub fn hear(
        &mut self,
        (machine, notes, found): (&str, &[String], Vec<Deviations>),
        settings: &MatchSettings,
        recorder: &mut MatchRecorder<'_, '_>,
    ) {
        for text in notes {
            match is_complaint(text, settings) {
                true => self.complain(machine, text, recorder),
                false => recorder.note_once(heard(text)),
            }
        }
        for (engine, (spec, found)) in settings.engines.iter().zip(found).enumerate() {
            for text in by_owner(&spec.name, machine, &found) {
                if self.told.len() < TOLD && self.told.insert(text.clone()) {
                    recorder.warn(text);
                }
            }
            recorder.note_deviations(engine, machine, found);
        }
    }

    /// Reports a complaint. The same complaint is reported only once for all machines.
    fn complain(&mut self, machine: &str, note: &str, recorder: &mut MatchRecorder<'_, '_>) {
        if self.complaints.len() < TOLD && self.complaints.insert(note.to_owned()) {
            recorder.warn(heard(note).at(machine));
        }
    }
}

/// Whether a note reads like `new says: ...`.
fn is_complaint(note: &str, settings: &MatchSettings) -> bool {
    let of_engine = |name: &str| note.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
    settings.engines.iter().filter_map(|engine| of_engine(&engine.name)).any(|rest| rest.starts_with(SAYS))
}

/// Messages about the options that the owner of the machine sets, and about owner options that the engine does not
/// have.
fn by_owner(engine: &str, machine: &str, found: &Deviations) -> Vec<String> {
    let is_unset = |(name, _): &&SetOption| found.unset.iter().any(|other| other.eq_ignore_ascii_case(name));
    let (unset, set): (Vec<&SetOption>, Vec<_>) = found.owner.iter().partition(is_unset);
    let text = |(options, what): (Vec<&SetOption>, fn(String) -> String)| {
        let options: Vec<_> = options.iter().map(|(name, value)| heard(&format!("{name}={value}"))).collect();
        (!options.is_empty()).then(|| format!("{engine} on {machine}: its owner {}", what(options.join(" "))))
    };
    let sets = |options| format!("sets {options}");
    let wants = |options| format!("wants {options}, an option that the engine does not have; not set");
    [(set, sets as fn(String) -> String), (unset, wants)].into_iter().filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_the_engine_lacks_is_not_reported_as_set() {
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let owner = vec![option("Hash", "8"), option("Bogus", "3")];
        let found = Deviations { owner, unset: vec!["bogus".to_owned()], ..Deviations::default() };
        let told: Vec<String> = by_owner("eth", "barn", &found).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "eth on barn: its owner sets Hash=8",
                "eth on barn: its owner wants Bogus=3, an option that the engine does not have; not set"
            ]
        );
    }
}
