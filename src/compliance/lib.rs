//! Checks whether an engine follows its protocol (`hasami compliance`). Each check tests one behaviour that GUIs and
//! match tools rely on.
//!
//! ```text
//!   checks (a table: name, duty, function) -> Subject -> Conversation (one process, its lines) -> Finding
//! ```
//! - `subject`: the engine to check and its process, which is restarted for the next check if it has ended
//! - `conversation`: lines to and from the engine, with a time limit on every wait
//! - `answer`: one search and all of its output; `positions`: the positions to search
//! - `greeting`, `searching`, `mates`, `shutdown`: the checks
//!
//! A failed check reports the expected and the actual behaviour. The checks examine the protocol, not how well the
//! engine plays. Time limits are generous: an answer that exceeds a limit would be late in any GUI or match tool.
//!
//! ```
//! use hasami_compliance::{Examination, Launch};
//! use std::time::Duration;
//!
//! let game = hasami_games::find("chess").expect("a game of the table");
//! let examination = Examination {
//!     catalog: game,
//!     launch: Launch::parse("ssh pc1 engine").expect("a command line"),
//!     protocol: game.protocol(),
//!     options: Vec::new(),
//!     limit: Duration::from_secs(10),
//!     margin: Duration::from_millis(100),
//!     only: None,
//!     seed: 1,
//! };
//! assert!(examination.count() > 10, "the checks of UCI");
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answer;
mod conversation;
mod greeting;
mod mates;
mod positions;
mod searching;
mod shutdown;
mod subject;

use hasami_catalog::GameRules;
pub use hasami_child::Launch;
use hasami_protocol::Protocol;
use std::time::Duration;
pub use subject::Subject;

/// The engine to check, and settings for the checks.
pub struct Examination {
    /// The game whose rules the engine's moves must obey.
    pub catalog: &'static dyn GameRules,
    pub launch: Launch,
    pub protocol: Protocol,
    /// Options to set before the checks.
    pub options: Vec<(String, String)>,
    /// Time limit for each answer.
    pub limit: Duration,
    /// An answer this much over its time limit does not count as late.
    pub margin: Duration,
    /// Run only checks whose names contain this text.
    pub only: Option<String>,
    /// Seed for the positions to search.
    pub seed: u64,
}

/// The severity of a failed check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// A failure loses games or makes GUIs hang.
    Must,
    /// A failure makes a feature unavailable to users.
    Should,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passed,
    /// The check failed; the text is the error message.
    Failed(String),
    /// The check does not apply; the text states why.
    Skipped(String),
}

/// A check and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Number of the check, from 1.
    pub number: usize,
    pub name: &'static str,
    pub duty: Duty,
    pub verdict: Verdict,
}

impl Finding {
    /// Returns whether the engine broke a rule whose violation loses games.
    pub fn is_breach(&self) -> bool {
        self.duty == Duty::Must && matches!(self.verdict, Verdict::Failed(_))
    }
}

struct Check {
    name: &'static str,
    duty: Duty,
    /// The protocol that the check applies to; `None` for both.
    only: Option<Protocol>,
    run: fn(&mut Subject<'_>) -> Verdict,
}

impl Check {
    const fn must(name: &'static str, run: fn(&mut Subject<'_>) -> Verdict) -> Self {
        Self { name, duty: Duty::Must, only: None, run }
    }

    const fn should(name: &'static str, run: fn(&mut Subject<'_>) -> Verdict) -> Self {
        Self { name, duty: Duty::Should, only: None, run }
    }

    const fn only(self, protocol: Protocol) -> Self {
        Self { only: Some(protocol), ..self }
    }
}

/// Converts the outcome of a check that stops at the first fault into a verdict.
fn verdict(outcome: Result<(), String>) -> Verdict {
    outcome.map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

/// Returns all checks of the protocol with their numbers, in the order of execution.
fn checks(protocol: Protocol) -> impl Iterator<Item = (usize, &'static Check)> {
    let all = [greeting::CHECKS, searching::CHECKS, mates::CHECKS, shutdown::CHECKS];
    let of_protocol = all.into_iter().flatten().filter(move |check| check.only.is_none_or(|only| only == protocol));
    of_protocol.enumerate().map(|(index, check)| (index + 1, check))
}

/// Runs the checks and returns all findings. `tell` receives each finding when its check ends, and `trace` receives
/// every line of the conversation. If an engine does not answer the greeting, no other check is run.
pub fn examine(examination: &Examination, trace: &mut dyn FnMut(&str), tell: &mut dyn FnMut(&Finding)) -> Vec<Finding> {
    let mut subject = Subject::new(examination, trace);
    let mut findings = Vec::new();
    // The first checks normally start the engine; if they are skipped, it is started here.
    if examination.checks().next().is_some_and(|(number, _)| number > 1) {
        let _ = subject.up();
    }
    for (number, check) in examination.checks() {
        let verdict = (check.run)(&mut subject);
        let finding = Finding { number, name: check.name, duty: check.duty, verdict };
        tell(&finding);
        let is_mute = number == 1 && finding.is_breach();
        findings.push(finding);
        if is_mute {
            break;
        }
    }
    findings
}

impl Examination {
    fn checks(&self) -> impl Iterator<Item = (usize, &'static Check)> {
        checks(self.protocol)
            .filter(|(_, check)| self.only.as_ref().is_none_or(|only| check.name.contains(only.as_str())))
    }

    /// Returns the number of checks to run.
    pub fn count(&self) -> usize {
        self.checks().count()
    }
}
