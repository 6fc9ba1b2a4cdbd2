//! Computes the hashes of engines' programs.

use hasami_child::Launch;
use hasami_words::files;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Caches the SHA-256 of programs and other files, in hexadecimal. A file is read again if its size or its time stamp
/// has changed.
#[derive(Default)]
pub struct ProgramHashes(Mutex<BTreeMap<(PathBuf, u64, SystemTime), String>>);

impl ProgramHashes {
    /// The hash of a command line's program; empty if the program cannot be read.
    pub fn of(&self, launch: &Launch) -> String {
        self.find(launch).unwrap_or_default()
    }

    fn find(&self, launch: &Launch) -> Option<String> {
        self.of_file(launch.program_file()?)
    }

    /// The hash of any file; `None` if the file cannot be read.
    pub fn of_file(&self, path: PathBuf) -> Option<String> {
        let data = path.metadata().ok()?;
        let key = (path, data.len(), data.modified().ok()?);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sha256) = known.get(&key) {
            return Some(sha256.clone());
        }
        let found = files::sha256(&key.0).ok()?;
        known.insert(key, found.clone());
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn hashes_follow_changes_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        let launch = Launch::from_words(vec![path.to_str().unwrap().to_owned()]).unwrap();
        let hashes = ProgramHashes::default();
        assert_eq!(hashes.of(&launch), "");
        std::fs::write(&path, "abc").unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!([hashes.of(&launch), hashes.of(&launch)], [abc, abc]);
        std::fs::write(&path, "abcd").unwrap();
        assert!(hashes.of(&launch).starts_with("88d4266fd4e6338d"));
    }
}
