//! The match settings that `hasami tune` uses.

use super::{Groups, MatchArgs};
use hasami_catalog::Games;
use hasami_matches::journal::JournalPlace;
use hasami_matches::settings::MatchSettings;
use hasami_terminal::Failure;
use std::path::PathBuf;

impl MatchArgs {
    /// Returns the settings for one iteration of a tuning: games between two copies of the engine.
    pub fn tuning_settings(&self, games: Games, groups: &Groups) -> Result<MatchSettings, Failure> {
        let wrong = |why: &str| Failure::bad_input(format!("tune: {why}"));
        if !self.sprt.is_empty() {
            return Err(wrong("--sprt cannot be used here"));
        }
        let mut settings = self.settings(games, groups, JournalPlace::Named(PathBuf::new()))?;
        let [engine] = &settings.engines[..] else {
            return Err(wrong(&format!("needs one --engine, not {}", settings.engines.len())));
        };
        let mut copies = [engine.clone(), engine.clone()];
        copies[0].name += " (1)";
        copies[1].name += " (2)";
        settings.engines = copies.into();
        settings.schedule = self.schedule(2);
        settings.resume = false;
        Ok(settings)
    }
}
