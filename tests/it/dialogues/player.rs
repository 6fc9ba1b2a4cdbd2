//! Runs the executable and plays the steps of a dialogue file.

use super::judge::Judge;
use super::script::{Act, Step, matches};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Time limit for each step, which is generous because the machine may be busy.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Time within which the program must exit after `quit` or the end of its input: 1 s, plus an allowance for busy
/// machines.
const SHUTDOWN: Duration = Duration::from_secs(3);

struct Player {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    judge: Judge,
    /// All lines of the dialogue so far, for error messages.
    record: Vec<String>,
}

/// Plays all steps. An error message contains the line number in the dialogue file and all lines exchanged so far.
pub fn play(steps: &[Step]) -> Result<(), String> {
    let mut player = Player::start();
    for (number, act) in steps {
        if let Err(error) = player.act(act) {
            let record = player.record.join("\n    ");
            return Err(format!("{number}: {error}\n  the dialogue was\n    {record}"));
        }
    }
    Ok(())
}

impl Player {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hasami"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in output.split(b'\n') {
                let text = String::from_utf8_lossy(&line.unwrap_or_default()).into_owned();
                // The thread ends when nobody receives its lines any more.
                if send.send(text).is_err() {
                    break;
                }
            }
        });
        Self { input: child.stdin.take(), child, lines, judge: Judge::default(), record: Vec::new() }
    }

    fn act(&mut self, act: &Act) -> Result<(), String> {
        match act {
            Act::Send(line) => self.send(line),
            Act::Expect(pattern) => {
                let line = self.next_that(|line| pattern.starts_with("info") || !line.starts_with("info"), pattern)?;
                if matches(pattern, &line) { Ok(()) } else { Err(format!("expected '{pattern}', found '{line}'")) }
            }
            Act::Await(pattern) => self.next_that(|line| matches(pattern, line), pattern).map(drop),
            Act::CloseInput => {
                self.input = None;
                Ok(())
            }
            Act::End => self.end(),
        }
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        self.record.push(format!("> {line}"));
        self.judge.sent(line);
        let input = self.input.as_mut().ok_or("the input is closed")?;
        input.write_all(format!("{line}\n").as_bytes()).map_err(|error| format!("cannot send: {error}"))
    }

    fn next_that(&mut self, fits: impl Fn(&str) -> bool, pattern: &str) -> Result<String, String> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("expected '{pattern}', found nothing for {TIMEOUT:?}"),
                RecvTimeoutError::Disconnected => format!("expected '{pattern}', found the end of the program"),
            })?;
            self.hear(&line)?;
            if fits(&line) {
                return Ok(line);
            }
        }
    }

    fn hear(&mut self, line: &str) -> Result<(), String> {
        self.record.push(format!("< {line}"));
        self.judge.said(line).map_err(|error| format!("'{line}': {error}"))
    }

    /// Checks that the program ends with exit code 0, and that all its remaining lines are correct.
    fn end(&mut self) -> Result<(), String> {
        let deadline = Instant::now() + SHUTDOWN;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => self.hear(&line)?,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => return Err("the program does not end".into()),
            }
        }
        let status = self.child.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("expected exit code 0, found {status}")) }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // If the process has already ended, killing it fails, which is harmless.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
