//! Writes files atomically: a file is written under a temporary name and renamed at the end. If the process is killed,
//! either the old file or the complete new file exists.

use super::{FileError, irregular};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is being written. If the value is dropped before [`WholeFile::finish`], the old file remains.
pub struct WholeFile {
    file: BufWriter<File>,
    /// The path of the temporary file.
    beside: PathBuf,
    path: PathBuf,
    is_finished: bool,
}

impl WholeFile {
    /// Begins to write a file. The path must be free or name a regular file. Until the file is finished, no other
    /// process can begin to write the same file.
    pub fn begin(path: &Path) -> Result<Self, FileError> {
        // If the path is a link, the file that it points to is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if let Ok(found) = path.metadata()
            && !found.is_file()
        {
            return Err(irregular(found.file_type()));
        }
        let beside = beside(&path, "part");
        super::is_free_or_regular(&beside)?;
        let options = OpenOptions::new().create(true).truncate(false).write(true).clone();
        let file = options.open(&beside).map_err(FileError::Unwritable)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(FileError::InUse),
            // On file systems without locks, the user must ensure that only one process writes the file.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        // Another process may have renamed the temporary file just before this process locked it.
        if !is_still(&file, &beside) {
            return Err(FileError::InUse);
        }
        file.set_len(0).map_err(FileError::Unwritable)?;
        if let Ok(old) = path.metadata() {
            // If the permissions of the old file cannot be copied, the new file keeps the default permissions.
            let _ = file.set_permissions(old.permissions());
        }
        Ok(Self { file: BufWriter::new(file), beside, path, is_finished: false })
    }

    /// Makes the file executable, on systems with this permission.
    pub fn make_executable(&self) -> io::Result<()> {
        #[cfg(unix)]
        self.file.get_ref().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        Ok(())
    }

    /// Writes all data to the disk and renames the file to its final name.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.beside, &self.path)?;
        self.is_finished = true;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.is_finished {
            // If the temporary file remains, the next attempt to write the file overwrites it.
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Writes a whole file, and atomically replaces the old file if there is one.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut file = WholeFile::begin(path)?;
    file.write_all(bytes).map_err(FileError::Unwritable)?;
    file.finish().map_err(FileError::Unwritable)
}

/// Checks that a file can be written; called before a long computation of its content.
pub fn can_be_written(path: &Path) -> Result<(), FileError> {
    WholeFile::begin(path).map(drop)
}

/// Returns the path with an extension appended; for example, the log of `net.nn` is `net.nn.tsv`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Returns whether both paths refer to the same file, directly or through links.
pub fn are_same(one: &Path, other: &Path) -> bool {
    let (Ok(found), Ok(sought)) = (one.metadata(), other.metadata()) else { return false };
    are_one(&found, &sought) || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

#[cfg(unix)]
fn are_one(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn are_one(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(named)) = (file.metadata(), path.metadata()) else { return false };
    are_one(&open, &named)
}

// Windows does not allow renaming a file that another process has open.
#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_not_finished_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "old").unwrap();
        let mut file = WholeFile::begin(&path).unwrap();
        file.write_all(b"new").unwrap();
        let other = WholeFile::begin(&path).map(drop).unwrap_err().to_string();
        assert_eq!(other, "cannot write the file: another run is using it");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        // Simulates a temporary file that a killed process left behind.
        fs::write(folder.path().join("x.part"), "a long part of a file").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_executable_from_the_moment_that_it_has_its_name() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        let file = WholeFile::begin(&path).unwrap();
        file.make_executable().unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o755);
    }

    #[test]
    fn what_cannot_be_written_is_one_clear_line() {
        let folder = tempfile::tempdir().unwrap();
        let why = can_be_written(folder.path()).unwrap_err().to_string();
        assert_eq!(why, "cannot use a folder, only a regular file");
        let why = can_be_written(&folder.path().join("none/x")).unwrap_err().to_string();
        assert!(why.starts_with("cannot write the file: "), "{why}");
        can_be_written(&folder.path().join("x")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        #[cfg(unix)]
        for device in ["/dev/null", "/dev/full"] {
            let why = can_be_written(Path::new(device)).unwrap_err().to_string();
            assert_eq!(why, "cannot use a device, only a regular file");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let [one, hard, soft, other] = ["one", "hard", "soft", "other"].map(|name| folder.path().join(name));
        fs::write(&one, "1").unwrap();
        fs::write(&other, "1").unwrap();
        fs::hard_link(&one, &hard).unwrap();
        std::os::unix::fs::symlink(&one, &soft).unwrap();
        assert!(are_same(&one, &hard) && are_same(&one, &soft) && !are_same(&one, &other));
        assert!(!are_same(&one, &folder.path().join("none")));
        write_whole(&soft, b"2").unwrap();
        assert!(soft.is_symlink() && fs::read(&one).unwrap() == b"2" && fs::read(&hard).unwrap() == b"1");
    }
}
