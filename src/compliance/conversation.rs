//! Exchanges lines with an engine process, with a time limit on every wait.

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use hasami_child::{ChildProcess, Launch, ProcessOutput};
use hasami_words::text::visible;
use std::time::{Duration, Instant};

/// Messages show at most this many characters of a line.
const SHOWN: usize = 100;

/// An event from the engine process.
enum EngineEvent {
    Line(String),
    Gone(String),
}

/// A conversation with an engine process.
pub struct Conversation {
    child: ChildProcess,
    heard: Receiver<EngineEvent>,
    /// The reason why the process has ended; `None` while it is running.
    gone: Option<String>,
    /// The lines exchanged so far, such as `> uci` and `< uciok`.
    pub trace: Vec<String>,
    /// The first output line that is not ASCII text.
    pub odd: Option<String>,
}

impl Conversation {
    pub fn start(launch: &Launch) -> Self {
        let (sender, heard) = unbounded();
        let child = ChildProcess::spawn(launch, move |said, _| {
            let heard = match said {
                ProcessOutput::Said(line) => EngineEvent::Line(line.to_owned()),
                ProcessOutput::Absent(why) | ProcessOutput::Gone(why) => EngineEvent::Gone(why),
            };
            // Sending fails only after the end of the conversation, so the error is ignored.
            let _ = sender.send(heard);
        });
        Self { child, heard, gone: None, trace: Vec::new(), odd: None }
    }

    pub fn tell(&mut self, line: &str) {
        self.trace.push(format!("> {line}"));
        self.child.writer().write(line);
    }

    /// Closes the standard input of the engine process.
    pub fn close(&mut self) {
        self.trace.push("> (end of input)".to_owned());
        self.child.writer().close();
    }

    pub fn is_gone(&self) -> bool {
        self.gone.is_some()
    }

    /// Reads the next line; `None` if none arrives before the deadline.
    fn next(&mut self, deadline: Instant) -> Result<Option<String>, String> {
        if let Some(why) = &self.gone {
            return Err(why.clone());
        }
        match self.heard.recv_deadline(deadline) {
            Ok(EngineEvent::Line(line)) => {
                self.trace.push(format!("< {line}"));
                if self.odd.is_none() && !line.is_ascii() {
                    self.odd = Some(shown(&line));
                }
                Ok(Some(line))
            }
            Ok(EngineEvent::Gone(why)) => {
                self.gone = Some(why.clone());
                Err(why)
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("ended".to_owned()),
        }
    }

    /// Reads lines up to and including the first one for which `is_wanted` returns true, and returns them with the
    /// elapsed time. `what` describes the wanted line in messages.
    pub fn until(
        &mut self,
        what: String,
        limit: Duration,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<(Vec<String>, Duration), String> {
        let (began, mut lines) = (Instant::now(), Vec::new());
        loop {
            match self.next(began + limit) {
                Ok(Some(line)) => {
                    let is_last = is_wanted(line.trim_end());
                    lines.push(line);
                    if is_last {
                        return Ok((lines, began.elapsed()));
                    }
                }
                Ok(None) => {
                    let last = lines.last().map(|line| format!("the last line was '{}'", shown(line)));
                    return Err(format!(
                        "no {what} within {} ms: {}",
                        millis(limit),
                        last.unwrap_or_else(|| "silence".to_owned())
                    ));
                }
                Err(why) => return Err(format!("no {what}: {why}")),
            }
        }
    }

    /// Reads all lines that arrive during the time `while_`.
    pub fn listen(&mut self, while_: Duration) -> Result<Vec<String>, String> {
        let (deadline, mut lines) = (Instant::now() + while_, Vec::new());
        loop {
            match self.next(deadline) {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => return Ok(lines),
                Err(why) => return Err(format!("the engine has quit: {why}")),
            }
        }
    }

    /// Returns whether the process ends by itself within the limit.
    pub fn ends_within(&mut self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            match self.next(deadline) {
                Ok(Some(_)) => {}
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    }
}

/// Converts a time to whole milliseconds, for messages.
pub fn millis(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}

/// Quotes an awaited protocol keyword for use in a message.
pub fn protocol_word(word: &'static str) -> String {
    format!("'{word}'")
}

/// Shortens an output line for use in messages.
pub fn shown(line: &str) -> String {
    let text = visible(line);
    let end = text.char_indices().nth(SHOWN).map(|(at, _)| at);
    end.map_or_else(|| text.to_string(), |end| format!("{}...", &text[..end]))
}
