//! An empty temporary folder that is removed with the program. A folder left by a killed program is removed by the next
//! program that starts.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

const PREFIX: &str = "hasami-games-";
/// Number of attempts to create and lock a folder; another program may take it for an abandoned one before it is
/// locked.
const MOST_TRIES: u32 = 10;

/// A temporary folder that belongs to this program.
pub struct OwnFolder {
    path: PathBuf,
    /// Lock that is held while the folder is used; the system releases it when the program ends in any way.
    _lock: Option<File>,
}

impl OwnFolder {
    pub fn new() -> io::Result<Self> {
        Self::within(&std::env::temp_dir())
    }

    fn within(place: &Path) -> io::Result<Self> {
        remove_left(place);
        let mut tries = 1;
        loop {
            let path = place.join(format!("{PREFIX}{}-{:08x}", std::process::id(), rand::random::<u32>()));
            fs::create_dir(&path)?;
            let lock = lock(&path);
            if path.is_dir() || tries == MOST_TRIES {
                return Ok(Self { path, _lock: lock });
            }
            tries += 1;
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        // Anything that is left here is removed with the system's folder for temporary files.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Locks a folder; `None` if another program holds the lock or this system cannot lock folders.
fn lock(folder: &Path) -> Option<File> {
    let file = File::open(folder).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Removes the folders of programs that have ended: those that are not locked and whose process number is not in use.
/// The lock and the process number are both checked, because earlier versions of the program did not lock their
/// folders, and process numbers of another container mean nothing here.
fn remove_left(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok());
        // The target of a link is not removed.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if let Some(_lock) = owner.filter(|&owner| is_folder && !is_alive(owner)).and_then(|_| lock(&entry.path())) {
            // A folder of another user cannot be removed, and stays.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns whether this process is running, or true if that cannot be determined.
fn is_alive(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(process.to_string()).exists()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_a_killed_program_left_goes_and_nothing_that_is_used() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = place.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("file"), "x").unwrap();
            path
        };
        // No running process has this number.
        let left = make("hasami-games-4194305-0000000a");
        let locked = make("hasami-games-4194305-0000000b");
        let used = lock(&locked).unwrap();
        let [running, other] =
            [format!("{PREFIX}{}-0", std::process::id()), "hasami-other".to_owned()].map(|name| make(&name));
        let link = place.path().join("hasami-games-4194305-0000000c");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let own = OwnFolder::within(place.path()).unwrap();
        assert_eq!(
            [&left, &locked, &running, &other, &link].map(|path| path.exists()),
            [false, true, true, true, true]
        );
        drop(used);
        let second = OwnFolder::within(place.path()).unwrap();
        assert!(!locked.exists() && own.path().is_dir() && second.path().is_dir());
        let path = own.path().to_owned();
        drop(own);
        assert!(!path.exists());
    }
}
