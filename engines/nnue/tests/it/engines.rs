//! Runs other engines and reads their evaluations.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An engine process, connected by pipes.
pub struct Engine {
    process: Child,
    stdin: ChildStdin,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Engine {
    /// Starts an engine in the folder of its executable, where its network file is stored.
    pub fn start(path: &str, greeting: &str) -> Self {
        let folder = Path::new(path).parent().unwrap();
        let mut command = Command::new(path);
        let mut process = command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let mut engine = Self { process, stdin, lines: BufReader::new(stdout).lines() };
        writeln!(engine.stdin, "{greeting}\nisready").unwrap();
        engine.wait("readyok");
        engine
    }

    /// Waits for the first line that begins with `begin`, and returns the rest of that line.
    pub fn wait(&mut self, begin: &str) -> String {
        let mut found = self.lines.by_ref().map_while(Result::ok);
        found.find_map(|line| line.strip_prefix(begin).map(str::to_owned)).unwrap()
    }

    pub fn send(&mut self, text: &str) {
        writeln!(self.stdin, "{text}").unwrap();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
