//! How machines set the engines of a match, as the caller hears of it with their games.

use super::settings_note::SettingsNote;
use crate::matches::deviations::{Deviations, SetOption};
use crate::matches::recorder::MatchRecorder;
use crate::matches::settings::MatchSettings;
use crate::protocol::client::SAYS;
use crate::text::visible;
use crate::words::Message;
use std::collections::BTreeSet;

/// So many machines are told of whose owners set options; the conditions of the match have them all.
const TOLD: usize = 10;

/// See the module.
#[derive(Default)]
pub struct MachineSettings {
    told: BTreeSet<String>,
    /// Complaints of engines.
    complaints: BTreeSet<String>,
}

impl MachineSettings {
    /// Notes of an answer: how engines were set goes to the conditions of the match, what engines complain of is a warning, all
    /// others go to the person who watches.
    pub fn hear(
        &mut self,
        machine: &str,
        notes: &[String],
        settings: &MatchSettings,
        recorder: &mut MatchRecorder<'_, '_>,
    ) {
        let mut found = vec![Deviations::default(); settings.engines.len()];
        for text in notes {
            match text.parse::<SettingsNote>() {
                Ok(note) if note.engine < found.len() => found[note.engine] = note.found,
                _ if is_complaint(text, settings) => self.complain(machine, text, recorder),
                _ => recorder.note_once(text),
            }
        }
        for (engine, found) in found.into_iter().enumerate() {
            if !found.owner.is_empty() && self.told.len() < TOLD {
                let text = by_owner(&settings.engines[engine].name, machine, &found.owner);
                if self.told.insert(text.to_string()) {
                    recorder.warn(text);
                }
            }
            recorder.note_deviations(engine, machine, found);
        }
    }

    /// Once for all machines.
    fn complain(&mut self, machine: &str, note: &str, recorder: &mut MatchRecorder<'_, '_>) {
        if self.complaints.len() < TOLD && self.complaints.insert(note.to_owned()) {
            recorder.warn(Message::from(visible(note)).at(machine));
        }
    }
}

/// `new says: ...`
fn is_complaint(note: &str, settings: &MatchSettings) -> bool {
    let of_engine = |name: &str| note.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
    settings.engines.iter().filter_map(|engine| of_engine(&engine.name)).any(|rest| rest.starts_with(SAYS))
}

fn by_owner(engine: &str, machine: &str, options: &[SetOption]) -> Message {
    let options: Vec<_> = options.iter().map(|(name, value)| visible(&format!("{name}={value}"))).collect();
    let text = Message::new("set-by-owner").with("engine", engine).with("machine", machine);
    text.with("options", options.join(" "))
}
