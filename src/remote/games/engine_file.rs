//! Checks whether a file can be an engine: whether the file is a program, and whether the program answers as an engine
//! does.

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use hasami_child::{ChildProcess, Launch, ProcessOutput};
use hasami_protocol::Protocol;
use hasami_words::files;
use hasami_words::heard;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// An engine that has not answered `uci` after this time is sent `usi` as well.
const OTHER: Duration = Duration::from_secs(3);
/// A program that has printed nothing for this time is not an engine, unless its output has already identified it as
/// one.
const SILENT: Duration = Duration::from_secs(20);
/// After this time, the user is shown what the program is waiting for.
const TOLD: Duration = Duration::from_secs(1);
/// Largest number of unrelated lines that an engine may print before it answers.
const MOST_STRANGE: u32 = 200;
/// Time for an engine to exit after `quit`.
const FAREWELL: Duration = Duration::from_secs(1);
/// Longest part of a line that is kept, in characters.
const SHOWN: usize = 80;

/// Whether the bytes begin like a program: ELF, PE, Mach-O (for one processor or several), or a script.
pub fn is_program(bytes: &[u8]) -> bool {
    let beginnings: [&[u8]; 5] = [b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"#!"];
    beginnings.iter().any(|beginning| bytes.starts_with(beginning))
}

/// The identification of an engine.
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

/// Starts an engine once and ends it again. The engine must answer `uci` or `usi` within `limit`. If that takes a
/// while, `tell` is called with a message that says what is being waited for.
pub fn greet(launch: &Launch, limit: Duration, tell: &dyn Fn(&str)) -> Result<Greeting, String> {
    let deadline = Instant::now() + limit;
    let start = || Trial::start(launch, limit, tell);
    let greeted = match start().greet(Protocol::Uci, deadline) {
        // The engine may have exited because it does not know the command `uci`.
        Err(TrialFailure::Ended(_)) => start().greet(Protocol::Usi, deadline),
        greeted => greeted,
    };
    greeted.map_err(|failure| match failure {
        TrialFailure::Absent(why) => why,
        TrialFailure::Ended(why) => format!("expected an engine that answers uci or usi, found: {why}"),
        TrialFailure::Strange(line) => format!("expected an engine that answers uci or usi, found '{}'", heard(&line)),
        TrialFailure::Echo => {
            "expected an engine that answers uci or usi, found a program that says what it is told".to_owned()
        }
        TrialFailure::Silent(time) => {
            format!("expected an engine that answers uci or usi within {} s, found silence", time.as_secs())
        }
    })
}

/// Does the same as [`greet`] for the file of an engine, with `folder` as the working directory.
pub fn greet_file(path: &Path, folder: &Path, limit: Duration, tell: &dyn Fn(&str)) -> Result<Greeting, String> {
    let launch = Launch::from_words(vec![path.display().to_string()]).map_err(|error| error.to_string())?;
    greet(&launch.in_dir(folder), limit, tell)
}

/// One run of an engine.
struct Trial<'a> {
    child: ChildProcess,
    heard: Receiver<Result<String, TrialFailure>>,
    limit: Duration,
    tell: &'a dyn Fn(&str),
}

enum TrialFailure {
    /// The engine cannot be started.
    Absent(String),
    /// The engine has exited without an answer.
    Ended(String),
    /// The program has printed output that no engine prints.
    Strange(String),
    /// The program echoes its own input.
    Echo,
    /// The program has printed nothing for this time.
    Silent(Duration),
}

impl<'a> Trial<'a> {
    fn start(launch: &Launch, limit: Duration, tell: &'a dyn Fn(&str)) -> Self {
        // If output comes faster than it is read, it waits in the program's pipe.
        let (sender, heard) = bounded(MOST_STRANGE as usize);
        let child = ChildProcess::spawn(launch, move |said, _| {
            let heard = match said {
                ProcessOutput::Said(line) => Ok(line.trim().chars().take(SHOWN).collect()),
                ProcessOutput::Absent(why) => Err(TrialFailure::Absent(why)),
                ProcessOutput::Gone(why) => Err(TrialFailure::Ended(why)),
            };
            // Once the trial is over, there is no receiver.
            let _ = sender.send(heard);
        });
        Self { child, heard, limit, tell }
    }

    fn greet(self, first: Protocol, deadline: Instant) -> Result<Greeting, TrialFailure> {
        let greeted = self.answer(first, deadline);
        match &greeted {
            Ok(_) => {
                self.child.writer().write("quit");
                self.child.wait_gone(Instant::now() + FAREWELL);
            }
            Err(_) => self.child.kill(),
        }
        greeted
    }

    fn answer(&self, first: Protocol, deadline: Instant) -> Result<Greeting, TrialFailure> {
        self.child.writer().write(first.greeting());
        let (mut name, mut strange, mut is_engine) = (String::new(), 0, false);
        let now = Instant::now();
        // When to act if nothing is received until then: `told` shows what is being waited for, and `other` sends
        // `usi`.
        let (mut told, mut other) = (Some(now + TOLD), (first == Protocol::Uci).then_some(now + OTHER));
        let mut silent = now + SILENT;
        loop {
            let end = if is_engine { deadline } else { silent.min(deadline) };
            let due = [told, other].into_iter().flatten().fold(end, Instant::min);
            let line = match self.heard.recv_deadline(due) {
                Ok(heard) => heard?,
                Err(RecvTimeoutError::Timeout) if due < end => {
                    if told.take_if(|at| *at <= due).is_some() {
                        (self.tell)(&self.waiting());
                    }
                    if other.take_if(|at| *at <= due).is_some() {
                        self.child.writer().write(Protocol::Usi.greeting());
                    }
                    continue;
                }
                Err(_) => return Err(TrialFailure::Silent(if end == deadline { self.limit } else { SILENT })),
            };
            if let Some(own) = line.strip_prefix("id name ") {
                own.trim().clone_into(&mut name);
            }
            let protocols = [Protocol::Uci, Protocol::Usi];
            if let Some(protocol) = protocols.into_iter().find(|protocol| line == protocol.greeting_ok()) {
                let name = if name.is_empty() { "without a name".to_owned() } else { heard(&name) };
                return Ok(Greeting { protocol, name });
            }
            if protocols.iter().any(|protocol| line == protocol.greeting()) {
                return Err(TrialFailure::Echo);
            }
            match line.split_whitespace().next() {
                Some("id" | "option" | "info" | "copyprotection" | "registration") => is_engine = true,
                _ => strange += 1,
            }
            if strange >= MOST_STRANGE {
                return Err(TrialFailure::Strange(line));
            }
            silent = Instant::now() + SILENT;
        }
    }

    fn waiting(&self) -> String {
        let [silent, limit] = [SILENT.min(self.limit), self.limit].map(|time| time.as_secs());
        format!("waits for its answer to uci or usi: {silent} s if it says nothing, {limit} s at most")
    }
}

/// Caches the SHA-256 of programs and other files, in hexadecimal. If the size or the time stamp of a file has changed,
/// the file is read again.
#[derive(Default)]
pub struct ProgramHashes(Mutex<BTreeMap<(PathBuf, u64, SystemTime), String>>);

impl ProgramHashes {
    /// The hash of a command line's program; empty if it cannot be read.
    pub fn of(&self, launch: &Launch) -> String {
        self.find(launch).unwrap_or_default()
    }

    fn find(&self, launch: &Launch) -> Option<String> {
        self.of_file(launch.program_file()?)
    }

    /// The hash of any file; `None` if it cannot be read.
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

    #[cfg(unix)]
    mod trials {
        use super::*;
        use std::os::unix::fs::PermissionsExt;

        fn greet_script(text: &str, limit: Duration) -> Result<Greeting, String> {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("engine");
            std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
            greet(&Launch::from_words(vec![path.to_str().unwrap().to_owned()]).unwrap(), limit, &|_| {})
        }

        const LONG: Duration = Duration::from_secs(120);

        #[test]
        fn engines_are_told_from_other_programs_by_their_answer() {
            let found = greet_script("read line; echo id name x 1; echo uciok; read line", LONG).unwrap();
            assert_eq!(found.to_string(), "'x 1', UCI");
            // An engine that exits at a command that it does not know.
            let usi = "read line; [ $line = usi ] || exit 1; echo usiok; read line";
            assert_eq!(greet_script(usi, LONG).unwrap().protocol, Protocol::Usi);
            let why = greet_script("read line; exit 3", LONG).unwrap_err();
            assert!(why.starts_with("expected an engine that answers uci or usi, found: ended"), "{why}");
            let why = greet_script("read a; read b; read c", Duration::from_millis(20)).unwrap_err();
            assert!(why.ends_with("found silence"), "{why}");
        }

        #[test]
        fn a_program_with_unrelated_output_is_refused_at_once() {
            let expected = "expected an engine that answers uci or usi, found ";
            let refused = |text: &str, why: &str| {
                assert_eq!(greet_script(text, LONG).unwrap_err(), format!("{expected}{why}"), "{text}");
            };
            refused("cat", "a program that says what it is told");
            refused("while :; do echo y; done", "'y'");
            // An engine may print a few lines before its answer.
            let banner = "echo An engine by somebody; read line; echo uciok; read line";
            assert_eq!(greet_script(banner, LONG).unwrap().protocol, Protocol::Uci);
        }

        #[test]
        fn a_long_wait_is_explained_to_the_user() {
            let told = std::sync::Mutex::new(Vec::new());
            let tell = |text: &str| told.lock().unwrap().push(text.to_string());
            let launch = Launch::from_words(vec!["sleep".to_owned(), "600".to_owned()]).unwrap();
            let why = greet(&launch, Duration::from_millis(1_100), &tell).unwrap_err().to_string();
            assert!(why.ends_with("within 1 s, found silence"), "{why}");
            let told = told.into_inner().unwrap();
            assert_eq!(told, ["waits for its answer to uci or usi: 1 s if it says nothing, 1 s at most"]);
        }

        #[test]
        fn a_missing_program_is_reported() {
            let why = greet(&Launch::from_words(vec!["/nonexistent".to_owned()]).unwrap(), LONG, &|_| {})
                .unwrap_err()
                .to_string();
            assert!(why.contains("/nonexistent"), "{why}");
        }
    }

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
