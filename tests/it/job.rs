//! Runs a subcommand of `hasami` or `hasami-lab` in a new folder, and checks that no process is left.
#![cfg(target_os = "linux")]

use crate::program::{ANSWER_LIMIT, folders, new_tag, tagged};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub struct Job {
    subcommand: &'static str,
    folder: TempDir,
    tag: (&'static str, String),
}

impl Job {
    pub fn new(subcommand: &'static str) -> Self {
        Self { subcommand, folder: TempDir::new().unwrap(), tag: new_tag() }
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the parsed contents of `x.json`, the file that tests pass to `--json`.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text("x.json")).unwrap()
    }

    pub fn start(&self, arguments: &[&str]) -> Child {
        self.start_as(self.subcommand, arguments)
    }

    pub fn start_as(&self, subcommand: &str, arguments: &[&str]) -> Child {
        self.command(subcommand, arguments).stdin(Stdio::null()).spawn().unwrap()
    }

    /// Starts the subcommand with a pipe as its standard input.
    pub fn open(&self, arguments: &[&str]) -> Child {
        self.command(self.subcommand, arguments).stdin(Stdio::piped()).spawn().unwrap()
    }

    /// Runs the subcommand with `lines` as its standard input and returns its output.
    pub fn tell(&self, arguments: &[&str], lines: &str) -> Output {
        let mut process = self.open(arguments);
        // Writing fails if the process ends before it has read all of its input, which is harmless.
        let _ = process.stdin.take().unwrap().write_all(lines.as_bytes());
        let output = process.wait_with_output().unwrap();
        self.expect_nobody();
        output
    }

    /// Returns the `/proc` folders of all processes that the subcommand has started.
    pub fn processes(&self) -> Vec<std::path::PathBuf> {
        folders(&self.tag.1)
    }

    fn command(&self, subcommand: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(crate::program_for(subcommand));
        // If a test specifies no openings, games begin at the initial position.
        let names = |word: &str| arguments.iter().any(|argument| argument.trim_start_matches('-') == word);
        let is_plain = subcommand == "match" && names("engine") && !names("openings") && !names("file");
        let usual: &[&str] = if is_plain { &["--openings", "startpos"] } else { &[] };
        command
            .arg(subcommand)
            .args(arguments)
            .args(usual)
            .env(self.tag.0, &self.tag.1)
            .env("XDG_STATE_HOME", self.folder.path().join("state"))
            .current_dir(self.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the subcommand to its end and checks that no process is left.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_as(self.subcommand, arguments)
    }

    /// Runs another subcommand in this folder.
    pub fn run_as(&self, subcommand: &str, arguments: &[&str]) -> Output {
        let output = self.start_as(subcommand, arguments).wait_with_output().unwrap();
        self.expect_nobody();
        output
    }

    pub fn expect_nobody(&self) {
        let deadline = Instant::now() + ANSWER_LIMIT;
        while !tagged(&self.tag.1).is_empty() {
            assert!(Instant::now() < deadline, "left behind: {:#?}", tagged(&self.tag.1));
            std::thread::park_timeout(Duration::from_millis(2));
        }
    }
}
