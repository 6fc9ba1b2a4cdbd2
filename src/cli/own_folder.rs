//! An empty folder that goes with the program. What a program left that was killed goes with the next one that starts.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

const PREFIX: &str = "hasami-games-";
/// Another program may take a folder away before it is locked: it looks like one that was left.
const MOST_TRIES: u32 = 10;

/// See the module.
pub struct OwnFolder {
    path: PathBuf,
    /// Held while the folder is used; it ends with the program, however that ends.
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
        // What is left in the folder for temporary files goes with that.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// `None`: another one has it, or this system locks no folders.
fn lock(folder: &Path) -> Option<File> {
    let file = File::open(folder).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Folders whose programs are gone: nobody locks them, and no program has their number. Both, since programs of
/// before did not lock them, and numbers of another container mean nothing here.
fn remove_left(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok());
        // Not what a link points to.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if let Some(_lock) = owner.filter(|&owner| is_folder && !is_alive(owner)).and_then(|_| lock(&entry.path())) {
            // That of another user stays.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Where that cannot be known it is.
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
        // No process has such a number.
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
