//! Keeps track of the files that a match creates, so that they can be removed if the match does not take place.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::settings::MatchSettings;
use std::fs;
use std::path::PathBuf;

/// Paths at which nothing existed before the match.
pub struct NewFiles(Vec<PathBuf>);

impl NewFiles {
    pub fn of(settings: &MatchSettings) -> Self {
        let records = settings.records.iter().map(|target| &target.path);
        let absent = records.chain(&settings.log).filter(|path| fs::symlink_metadata(path).is_err());
        Self(absent.cloned().collect())
    }

    /// Removes the files that are empty. Errors are ignored, because the caller is already reporting an error.
    pub fn remove_empty(&self) {
        for path in &self.0 {
            let _ = match fs::metadata(path) {
                Ok(data) if data.is_dir() => fs::remove_dir(path),
                Ok(data) if data.len() == 0 => fs::remove_file(path),
                _ => Ok(()),
            };
        }
    }
}
