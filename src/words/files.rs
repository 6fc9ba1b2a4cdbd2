//! Reads and writes files that users name in a GUI or on the command line. Pipes and devices are rejected where reading
//! them could block the engine, so that it would ignore `quit`.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod error;
mod whole;

use sha2::{Digest, Sha256 as Hash};
use std::fs::TryLockError;
use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use error::FileError;
pub use whole::{WholeFile, are_same, beside, can_be_written, write_whole};

/// Opens a regular file for reading; any other kind of file is an error.
pub fn open(path: &Path, what: &str) -> Result<File, FileError> {
    let failed = |error| unreadable(what, error);
    let found = path.metadata().map_err(failed)?;
    if !found.is_file() {
        return Err(irregular(found.file_type()));
    }
    File::open(path).map_err(failed)
}

/// Resolves a relative path against the program's own folder, because GUIs start engines in any working folder.
pub fn beside_program(path: &Path) -> PathBuf {
    let program = std::env::current_exe().ok();
    program.as_deref().and_then(Path::parent).map_or_else(|| path.to_owned(), |folder| folder.join(path))
}

/// Reads a regular file of at most `most` bytes. Error messages call the file `what`, such as "TOML file".
pub fn read(path: &Path, what: &str, most: u64) -> Result<Vec<u8>, FileError> {
    let mut file = open(path, what)?;
    if file.metadata().is_ok_and(|data| data.len() > most) {
        return Err(FileError::TooLarge { what: what.to_owned(), most });
    }
    read_up_to(&mut file, what, most)
}

/// Returns the SHA-256 of a regular file in hexadecimal digits.
pub fn sha256(path: &Path) -> io::Result<String> {
    const BLOCK: usize = 1 << 16;
    // Pipes are rejected: reading one may block, and its data can be read only once.
    if !path.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let (mut file, mut hash, mut block) = (File::open(path)?, Hash::new(), vec![0; BLOCK]);
    loop {
        match file.read(&mut block)? {
            0 => break,
            read => hash.update(&block[..read]),
        }
    }
    Ok(hex(&hash.finalize()))
}

/// Formats bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the SHA-256 of the concatenated parts, in hexadecimal digits.
pub fn sha256_of<'a>(parts: impl Iterator<Item = &'a [u8]>) -> String {
    let mut hash = Hash::new();
    parts.for_each(|part| hash.update(part));
    hex(&hash.finalize())
}

/// Maximum size of an input file in bytes.
pub const MOST_INPUT: u64 = 1 << 30;
/// Maximum length of a line in bytes, if input is read line by line.
const LONGEST_LINE: u64 = 1 << 20;
/// Maximum number of bytes that are read from a pipe, whose size is not known in advance.
const MOST_OF_PIPE: u64 = 256 << 20;

/// Reads an input file that the user has named: a regular file or a pipe, but not a device, which may be endless. Error
/// messages call the file `what`, such as "file".
pub fn read_input(path: &Path, what: &str) -> Result<Vec<u8>, FileError> {
    let (mut file, is_pipe) = open_input(path, what)?;
    read_up_to(&mut file, what, if is_pipe { MOST_OF_PIPE } else { MOST_INPUT })
}

/// Reads an input file that the user has named, line by line, so that the file may be larger than memory. A line of
/// more than [`LONGEST_LINE`] bytes is an error.
pub fn read_lines(path: &Path, what: &str) -> Result<impl Iterator<Item = Result<String, String>>, FileError> {
    use std::io::{BufRead, BufReader};
    let mut input = BufReader::new(open_input(path, what)?.0);
    Ok(std::iter::from_fn(move || {
        let mut line = Vec::new();
        match (&mut input).take(LONGEST_LINE + 1).read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) if line.len() as u64 > LONGEST_LINE => {
                Some(Err(format!("the line has more than {LONGEST_LINE} bytes")))
            }
            Ok(_) => Some(match String::from_utf8(line) {
                Ok(line) => Ok(line.trim_end_matches(['\r', '\n']).to_owned()),
                Err(_) => Err("the line is not UTF-8".to_owned()),
            }),
            Err(error) => Some(Err(format!("cannot read the line: {error}"))),
        }
    }))
}

/// Opens a regular file or a pipe for reading, and returns whether it is a pipe.
fn open_input(path: &Path, what: &str) -> Result<(File, bool), FileError> {
    let failed = |error| unreadable(what, error);
    let found = path.metadata().map_err(failed)?.file_type();
    if !found.is_file() && !is_pipe(found) {
        return Err(FileError::NoInput { what: what.to_owned(), found: kind(found) });
    }
    Ok((File::open(path).map_err(failed)?, !found.is_file()))
}

/// Reads a regular file that this run may append to; `None` if the file does not exist yet. Pipes and devices are
/// rejected, because they cannot be read again.
pub fn read_kept(path: &Path, what: &str) -> Result<Option<Vec<u8>>, FileError> {
    match path.try_exists() {
        Ok(false) => Ok(None),
        _ => read(path, what, MOST_INPUT).map(Some),
    }
}

/// Reads a stream to its end.
pub fn read_all(stream: &mut dyn Read, what: &str) -> Result<Vec<u8>, FileError> {
    read_up_to(stream, what, MOST_OF_PIPE)
}

fn read_up_to(stream: &mut dyn Read, what: &str, most: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let failed = |error| unreadable(what, error);
    // Does not rely on the reported size: some endless files report 0, and files may grow.
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(FileError::TooLarge { what: what.to_owned(), most });
    }
    Ok(bytes)
}

/// Reads an open file of at most `most` bytes, which must be a regular file.
pub fn read_open(file: &mut File, what: &str, most: u64) -> Result<Vec<u8>, FileError> {
    let found = file.metadata().map_err(|error| unreadable(what, error))?;
    if !found.is_file() {
        return Err(irregular(found.file_type()));
    }
    read_up_to(file, what, most)
}

/// Checks that a path is a regular file or does not exist, because no other kind of file may be replaced.
pub fn is_free_or_regular(path: &Path) -> Result<(), FileError> {
    match path.metadata() {
        Ok(found) if !found.is_file() => Err(irregular(found.file_type())),
        _ => Ok(()),
    }
}

/// Locks an open file until it is closed. Without the lock, two runs could write to the same journal and damage it.
pub fn lock(file: &File) -> Result<(), FileError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => FileError::InUse,
        TryLockError::Error(error) => FileError::Unwritable(error),
    })
}

/// Reads UTF-8 text from an input file; see [`read_input`].
pub fn read_text(path: &Path, what: &str) -> Result<String, FileError> {
    let wrong = |_| FileError::Encoding { what: what.to_owned() };
    String::from_utf8(read_input(path, what)?).map_err(wrong)
}

/// Reads UTF-8 text from a regular file. Other kinds of files are rejected, because reading them might block.
pub fn read_regular_text(path: &Path, what: &str) -> Result<String, FileError> {
    let wrong = |_| FileError::Encoding { what: what.to_owned() };
    String::from_utf8(read(path, what, MOST_INPUT)?).map_err(wrong)
}

#[cfg(unix)]
fn is_pipe(found: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found)
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

/// Opens a file for appending, and creates it if it does not exist. Terminals and devices such as `/dev/null` are
/// accepted if they can be opened without blocking.
pub fn append(path: &Path) -> Result<File, FileError> {
    if let Ok(found) = path.metadata()
        && !found.is_file()
        && !takes_any_text(found.file_type())
    {
        return Err(irregular(found.file_type()));
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    options.open(path).map_err(FileError::Unwritable)
}

#[cfg(unix)]
fn takes_any_text(found: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&found)
}

#[cfg(not(unix))]
fn takes_any_text(_: FileType) -> bool {
    false
}

fn unreadable(what: &str, source: io::Error) -> FileError {
    FileError::Unreadable { what: what.to_owned(), source }
}

fn irregular(found: FileType) -> FileError {
    FileError::Irregular(kind(found))
}

fn kind(found: FileType) -> &'static str {
    if found.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return "a pipe";
        }
        if found.is_char_device() || found.is_block_device() {
            return "a device";
        }
    }
    "something else"
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::Write;

    fn as_text<T>(done: Result<T, FileError>) -> Result<T, String> {
        done.map_err(|error| error.to_string())
    }

    #[test]
    #[cfg(unix)]
    fn devices_are_no_input() {
        for device in ["/dev/zero", "/dev/full", "/dev/tty"] {
            let why = read_input(Path::new(device), "file").unwrap_err();
            assert_eq!(why.to_string(), "cannot read the file: it is a device");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"a\xff").unwrap();
        assert_eq!(read_input(file.path(), "file").unwrap(), b"a\xff");
        assert_eq!(read_text(file.path(), "file").unwrap_err().to_string(), "cannot read the file: it is not UTF-8");
        assert_eq!(read_input(Path::new("/"), "file").unwrap_err().to_string(), "cannot read the file: it is a folder");
    }

    #[test]
    fn regular_files_are_read_up_to_their_limit() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "12345").unwrap();
        assert_eq!(read(file.path(), "file", 5).unwrap(), b"12345");
        assert_eq!(read(file.path(), "file", u64::MAX).unwrap(), b"12345");
        assert_eq!(
            as_text(read(file.path(), "file", 4)),
            Err("cannot read the file: it is larger than 4 bytes".to_owned())
        );
        append(file.path()).unwrap().write_all(b"6").unwrap();
        assert_eq!(read(file.path(), "file", 6).unwrap(), b"123456");
    }

    #[test]
    fn what_is_no_file_is_one_clear_line() {
        let folder = tempfile::tempdir().unwrap();
        let found = Err("cannot use a folder, only a regular file".to_owned());
        assert_eq!(as_text(read(folder.path(), "file", 9)), found);
        assert_eq!(as_text(append(folder.path())).map(drop), found.map(drop));
        let missing = read(&folder.path().join("missing"), "book", 9).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read the book: ") && missing.lines().count() == 1, "{missing}");
        let nowhere = append(&folder.path().join("missing/log")).unwrap_err().to_string();
        assert!(nowhere.starts_with("cannot write the file: "), "{nowhere}");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_keep_nobody_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let found = Err("cannot use a pipe, only a regular file".to_owned());
        assert_eq!(as_text(read(&pipe, "file", 9)), found);
        assert_eq!(as_text(append(&pipe)).map(drop), found.map(drop));
        let zero = read(Path::new("/dev/zero"), "file", u64::MAX);
        assert_eq!(as_text(zero), Err("cannot use a device, only a regular file".to_owned()));
        append(Path::new("/dev/null")).unwrap().write_all(b"gone\n").unwrap();
    }

    #[test]
    fn a_file_has_the_hash_that_other_programs_tell() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, "abc").unwrap();
        // FIPS 180-4, example B.1.
        assert_eq!(sha256(&path).unwrap(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(sha256(folder.path()).is_err() && sha256(&folder.path().join("none")).is_err());
    }
}
