//! Does an engine keep to its protocol? `hasami compliance`: what GUIs and match tools rely on, tried one by one.
//!
//! ```text
//!   checks (a table: name, duty, what to do) -> Subject -> Conversation (one process, its lines) -> Finding
//! ```
//! - `subject`: what is checked, and the process that is asked; one that has ended is started again for the next check
//! - `conversation`: lines to the engine and from it, with a limit on every wait
//! - `answer`: one search and everything that was said in it; `positions`: the positions that are asked for
//! - `greeting`, `searching`, `mates`, `farewell`: the checks
//!
//! A check that fails says what was expected and what was found. The engine's fault is a matter of its protocol alone: how
//! well it plays is not looked at. The process is timed, so limits are generous: what is late here is late everywhere.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answer;
mod conversation;
mod farewell;
mod greeting;
mod mates;
mod positions;
mod searching;
mod subject;

use hasami_catalog::Catalog;
pub use hasami_child::Launch;
use hasami_protocol::Protocol;
use hasami_words::Message;
use std::time::Duration;
pub use subject::Subject;

/// What to check.
pub struct Examination {
    /// Whose rules judge the moves.
    pub catalog: &'static dyn Catalog,
    pub launch: Launch,
    pub protocol: Protocol,
    /// Set before the checks.
    pub options: Vec<(String, String)>,
    /// So long every answer is waited for.
    pub limit: Duration,
    /// An answer so long after its time is not late.
    pub margin: Duration,
    /// Only checks with these words in their names.
    pub only: Option<String>,
    /// Of the positions that are asked for.
    pub seed: u64,
}

/// What happens to an engine that does not keep it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// Games are lost or GUIs hang.
    Must,
    /// Users miss something.
    Should,
}

/// How a check ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passed,
    /// What was expected and what was found.
    Failed(Message),
    /// Nothing to check: why.
    Skipped(Message),
}

/// A check, with its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// From 1.
    pub number: usize,
    pub name: &'static str,
    pub duty: Duty,
    pub verdict: Verdict,
}

impl Finding {
    /// The engine breaks a rule by which games are lost.
    pub fn is_breach(&self) -> bool {
        self.duty == Duty::Must && matches!(self.verdict, Verdict::Failed(_))
    }
}

/// One check.
struct Check {
    name: &'static str,
    duty: Duty,
    /// The only protocol that has it.
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

/// A check that fails by the first thing that is wrong.
fn verdict(outcome: Result<(), Message>) -> Verdict {
    outcome.map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

/// Every check of the protocol, in the order in which they are run, with its number.
fn checks(protocol: Protocol) -> impl Iterator<Item = (usize, &'static Check)> {
    let all = [greeting::CHECKS, searching::CHECKS, mates::CHECKS, farewell::CHECKS];
    let of_protocol = all.into_iter().flatten().filter(move |check| check.only.is_none_or(|only| only == protocol));
    of_protocol.enumerate().map(|(index, check)| (index + 1, check))
}

/// Runs the checks; `tell` hears each as it ends, `trace` every line of the conversation. Gives all findings. An engine
/// that does not answer its greeting is asked nothing else.
pub fn examine(
    examination: &Examination,
    trace: &mut dyn FnMut(&Message),
    tell: &mut dyn FnMut(&Finding),
) -> Vec<Finding> {
    let mut subject = Subject::new(examination, trace);
    let mut findings = Vec::new();
    // Whoever asks for later checks alone wants an engine that is there for them.
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

    /// How many checks there are.
    pub fn count(&self) -> usize {
        self.checks().count()
    }
}
