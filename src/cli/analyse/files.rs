//! The output files of `analyse`, which are opened before the search, so that an invalid path wastes no search.

use hasami_terminal::Failure;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// An output file, or stdout. A file keeps its old content until [`Self::write`]; if nothing is written, a new file is
/// removed.
pub struct OutputFile {
    option: &'static str,
    path: PathBuf,
    /// The open file, or `None` for stdout.
    file: Option<File>,
    /// Whether the file is new and still empty.
    is_new: bool,
}

/// Returns whether `path` is `-`, which means stdout in every option.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl OutputFile {
    pub fn open(option: &'static str, path: &Path) -> Result<Self, Failure> {
        if is_stdout(path) {
            return Ok(Self { option, path: path.to_owned(), file: None, is_new: false });
        }
        let is_new = !path.exists();
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| Failure::unwritable(option, path, &error))?;
        Ok(Self { option, path: path.to_owned(), file: Some(file), is_new })
    }

    /// Replaces the content of the file; pipes and devices are written without truncation.
    pub fn write(mut self, text: &str, stdout: &mut impl Write) -> Result<(), Failure> {
        let Some(file) = &mut self.file else {
            return Ok(writeln!(stdout, "{text}").and_then(|()| stdout.flush())?);
        };
        let is_file = file.metadata().is_ok_and(|data| data.is_file());
        let emptied = if is_file { file.set_len(0) } else { Ok(()) };
        let written = emptied.and_then(|()| file.write_all(text.as_bytes())).and_then(|()| file.flush());
        self.is_new = false;
        written.map_err(|error| Failure::unwritable(self.option, &self.path, &error))
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.is_new {
            // If the empty file cannot be removed, it does no harm.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_keeps_its_content_until_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "much longer than what follows").unwrap();
        for path in [&old, &new] {
            drop(OutputFile::open("--svg", path).unwrap());
        }
        assert_eq!(fs::read_to_string(&old).unwrap(), "much longer than what follows");
        assert!(!new.exists());
        for path in [&old, &new] {
            OutputFile::open("--svg", path).unwrap().write("short", &mut Vec::new()).unwrap();
            assert_eq!(fs::read_to_string(path).unwrap(), "short");
        }
    }

    #[test]
    fn a_path_that_is_no_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), &folder.path().join("no/such/file")] {
            let error = OutputFile::open("--json", path).err().unwrap().to_string();
            assert!(error.starts_with("--json: cannot write '"), "{error}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        let error = OutputFile::open("--svg", Path::new("/dev/full"))
            .unwrap()
            .write("x", &mut Vec::new())
            .unwrap_err()
            .to_string();
        assert!(error.contains("/dev/full"), "{error}");
    }
}
