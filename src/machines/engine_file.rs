//! Whether a file can be an engine: what kind of program it is, and whether it answers as one.

use crate::child::{ChildProcess, Launch, ProcessOutput};
use crate::files;
use crate::protocol::Protocol;
use crate::text::visible;
use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// An engine that is silent to `uci` for so long is asked as a shogi engine as well.
const OTHER: Duration = Duration::from_secs(3);
/// For an engine to end when it is told to.
const FAREWELL: Duration = Duration::from_secs(1);
/// Characters of what an engine says of itself.
const SHOWN: usize = 80;

/// The kind of a program, by its first bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramKind {
    /// `ELF for x86_64`, `script of /usr/bin/python3`.
    pub title: String,
    /// This machine can run it.
    pub is_ours: bool,
}

impl ProgramKind {
    /// `None`: it is no program.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let binary = |format: &str, machine: &str, system: &str| Self {
            title: format!("{format} for {machine}"),
            is_ours: system == std::env::consts::OS && machine == std::env::consts::ARCH,
        };
        let number = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
        match bytes {
            [0x7f, b'E', b'L', b'F', _, 1, ..] => {
                // An executable file, or one that may lie anywhere in memory.
                let is_program = matches!(number(16), Some(2 | 3));
                is_program.then_some(())?;
                let machine = match number(18)? {
                    0x03 => "x86",
                    0x28 => "arm",
                    0x3e => "x86_64",
                    0xb7 => "aarch64",
                    0xf3 => "riscv64",
                    _ => "another processor",
                };
                Some(binary("ELF", machine, "linux"))
            }
            [b'M', b'Z', ..] => {
                let head = usize::from(number(0x3c)?);
                (bytes.get(head..head + 4)? == b"PE\0\0").then_some(())?;
                let machine = match number(head + 4)? {
                    0x014c => "x86",
                    0x8664 => "x86_64",
                    0xaa64 => "aarch64",
                    _ => "another processor",
                };
                Some(binary("PE", machine, "windows"))
            }
            [0xcf, 0xfa, 0xed, 0xfe, processor, ..] => {
                let machine = match processor {
                    7 => "x86_64",
                    12 => "aarch64",
                    _ => "another processor",
                };
                Some(binary("Mach-O", machine, "macos"))
            }
            // So few of them: the same four bytes begin a class of Java.
            [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1..=8, ..] => {
                let is_ours = cfg!(target_os = "macos");
                Some(Self { title: "Mach-O for several processors".to_owned(), is_ours })
            }
            [b'#', b'!', rest @ ..] => {
                let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
                let program = visible(String::from_utf8_lossy(line).trim());
                (!program.is_empty()).then(|| Self { title: format!("script of {program}"), is_ours: cfg!(unix) })
            }
            _ => None,
        }
    }
}

/// What an engine says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Greeting {
    pub protocol: Protocol,
    pub name: String,
}

impl fmt::Display for Greeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let protocol = if self.protocol == Protocol::Usi { "USI" } else { "UCI" };
        write!(f, "'{}', {protocol}", self.name)
    }
}

/// Starts an engine once and ends it again; it must answer `uci` or `usi` by then.
pub fn greet(launch: &Launch, limit: Duration) -> Result<Greeting, String> {
    let deadline = Instant::now() + limit;
    let greeted = match Trial::start(launch).greet(Protocol::Uci, deadline) {
        // It may have ended because it does not know the word.
        Err(TrialFailure::Ended(_)) => Trial::start(launch).greet(Protocol::Usi, deadline),
        greeted => greeted,
    };
    let expected = "expected an engine that answers uci or usi";
    greeted.map_err(|failure| match failure {
        TrialFailure::Absent(why) => why,
        TrialFailure::Ended(why) => format!("{expected}, found: {why}"),
        TrialFailure::Silent => format!("{expected} within {} s, found silence", limit.as_secs()),
    })
}

/// The same for the file of an engine, with this folder as its working folder.
pub fn greet_file(path: &Path, folder: &Path, limit: Duration) -> Result<Greeting, String> {
    let launch = Launch::from_words(vec![path.display().to_string()]).map_err(|error| error.to_string())?;
    greet(&launch.in_dir(folder), limit)
}

/// One start of an engine.
struct Trial {
    child: ChildProcess,
    heard: Receiver<Result<String, TrialFailure>>,
}

enum TrialFailure {
    /// It cannot be started.
    Absent(String),
    /// It has ended without an answer.
    Ended(String),
    Silent,
}

impl Trial {
    fn start(launch: &Launch) -> Self {
        let (sender, heard) = unbounded();
        let child = ChildProcess::spawn(launch, move |said, _| {
            let heard = match said {
                ProcessOutput::Said(line) => Ok(line.trim().chars().take(SHOWN).collect()),
                ProcessOutput::Absent(why) => Err(TrialFailure::Absent(why)),
                ProcessOutput::Gone(why) => Err(TrialFailure::Ended(why)),
            };
            // A trial that is over hears nothing more.
            let _ = sender.send(heard);
        });
        Self { child, heard }
    }

    fn greet(self, first: Protocol, deadline: Instant) -> Result<Greeting, TrialFailure> {
        self.child.writer().write(first.greeting());
        let (mut name, mut other) = (String::new(), (first == Protocol::Uci).then(|| Instant::now() + OTHER));
        loop {
            let line = match self.heard.recv_deadline(other.unwrap_or(deadline).min(deadline)) {
                Ok(heard) => heard?,
                Err(RecvTimeoutError::Timeout) if other.take().is_some() && Instant::now() < deadline => {
                    self.child.writer().write(Protocol::Usi.greeting());
                    continue;
                }
                Err(_) => {
                    self.child.kill();
                    return Err(TrialFailure::Silent);
                }
            };
            if let Some(own) = line.strip_prefix("id name ") {
                own.trim().clone_into(&mut name);
            }
            let answered = [Protocol::Uci, Protocol::Usi].into_iter().find(|protocol| line == protocol.greeting_ok());
            if let Some(protocol) = answered {
                self.child.writer().write("quit");
                self.child.wait_gone(Instant::now() + FAREWELL);
                let name = if name.is_empty() { "without a name".to_owned() } else { visible(&name) };
                return Ok(Greeting { protocol, name });
            }
        }
    }
}

/// The SHA-256 of programs, in hexadecimal. A program that is replaced is read anew.
#[derive(Default)]
pub struct ProgramHashes(Mutex<BTreeMap<(PathBuf, u64, SystemTime), String>>);

impl ProgramHashes {
    /// Of a command line's program; empty where it is not known.
    pub fn of(&self, launch: &Launch) -> String {
        self.find(launch).unwrap_or_default()
    }

    fn find(&self, launch: &Launch) -> Option<String> {
        let path = launch.program_file()?;
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
    fn programs_are_known_by_their_first_bytes() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(ProgramKind::of(&own).unwrap().is_ours);
        let title = |bytes: &[u8]| ProgramKind::of(bytes).map(|kind| kind.title);
        let mut elf = *b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\xb7\0";
        assert_eq!(title(&elf).as_deref(), Some("ELF for aarch64"));
        elf[16] = 1;
        assert_eq!(title(&elf), None, "a part of a program");
        let mut pe = vec![0; 0x48];
        pe[..2].copy_from_slice(b"MZ");
        pe[0x3c] = 0x40;
        assert_eq!(title(&pe), None, "of an older system");
        pe[0x40..0x46].copy_from_slice(b"PE\0\0\x64\x86");
        assert_eq!(title(&pe).as_deref(), Some("PE for x86_64"));
        assert_eq!(title(b"#!/usr/bin/env python3\nprint()\n").as_deref(), Some("script of /usr/bin/env python3"));
        for bytes in [&b""[..], b"# notes\n", b"#!\n", b"MZ", b"\x7fELF", b"\xca\xfe\xba\xbe\0\0\0\x41", b"hello"] {
            assert_eq!(title(bytes), None, "{bytes:?}");
        }
    }

    #[cfg(unix)]
    mod trials {
        use super::*;
        use std::os::unix::fs::PermissionsExt;

        fn greet_script(text: &str, limit: Duration) -> Result<Greeting, String> {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("engine");
            std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
            greet(&Launch::from_words(vec![path.to_str().unwrap().to_owned()]).unwrap(), limit)
        }

        const LONG: Duration = Duration::from_secs(120);

        #[test]
        fn engines_answer_and_others_do_not() {
            let found = greet_script("read line; echo id name x 1; echo uciok; read line", LONG).unwrap();
            assert_eq!(found.to_string(), "'x 1', UCI");
            // One that ends when it hears a word that it does not know.
            let usi = "read line; [ $line = usi ] || exit 1; echo usiok; read line";
            assert_eq!(greet_script(usi, LONG).unwrap().protocol, Protocol::Usi);
            let why = greet_script("read line; exit 3", LONG).unwrap_err();
            assert!(why.starts_with("expected an engine that answers uci or usi, found: ended"), "{why}");
            let why = greet_script("read a; read b; read c", Duration::from_millis(20)).unwrap_err();
            assert!(why.ends_with("found silence"), "{why}");
        }

        #[test]
        fn what_is_no_program_is_told() {
            let why = greet(&Launch::from_words(vec!["/nonexistent".to_owned()]).unwrap(), LONG).unwrap_err();
            assert!(why.contains("/nonexistent"), "{why}");
        }
    }

    #[test]
    fn hashes_are_those_of_the_field_and_of_the_file_as_it_is() {
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
