//! Checks how the engine process ends, and the encoding of its entire output.

use super::conversation::{millis, shown};
use super::subject::Subject;
use super::{Check, Verdict, verdict};
use hasami_protocol::Command;
use std::time::Duration;

/// Time limit for the engine process to end; GUIs wait a few seconds before they kill an engine.
const SHUTDOWN: Duration = Duration::from_secs(2);

pub const CHECKS: &[Check] = &[
    Check::should("lives on after a position that is none", nonsense),
    Check::must("ends at quit", |subject| {
        verdict(subject.up().and_then(|()| {
            subject.say(&Command::Quit);
            ends(subject, "quit")
        }))
    }),
    Check::must("ends at quit in a search", |subject| {
        verdict(searching(subject).and_then(|()| {
            subject.say(&Command::Quit);
            ends(subject, "quit-in-search")
        }))
    }),
    Check::must("ends where its input ends", |subject| {
        verdict(subject.up().and_then(|()| {
            subject.engine().close();
            ends(subject, "end-of-input")
        }))
    }),
    Check::should("ends where its input ends in a search", |subject| {
        verdict(searching(subject).and_then(|()| {
            subject.engine().close();
            ends(subject, "end-of-input-in-search")
        }))
    }),
    Check::should("writes plain ASCII", |subject| {
        subject.engine();
        let failed = |line: String| Verdict::Failed(format!("a line is not ASCII: '{}'", shown(&line)));
        subject.odd.take().map_or(Verdict::Passed, failed)
    }),
];

/// Sends an invalid position, as a GUI might. After an invalid position, the engine may play any move but must not
/// exit.
fn nonsense(subject: &mut Subject<'_>) -> Verdict {
    let line = subject.positions.start.clone();
    let outcome = subject.up().and_then(|()| {
        subject.engine().tell("position startpos moves 0000 xyzzy");
        subject.engine().tell("position nonsense");
        subject.new_game()?;
        subject.search(&line, "go movetime 100", Duration::from_millis(100))?.legal_move(subject.examination.catalog)
    });
    verdict(outcome.map(drop))
}

fn searching(subject: &mut Subject<'_>) -> Result<(), String> {
    let line = subject.positions.start.clone();
    subject.up()?;
    subject.say(&Command::Position(line));
    subject.engine().tell("go infinite");
    Ok(())
}

/// Checks that the engine process ends. The next check uses a new process.
fn ends(subject: &mut Subject<'_>, after: &str) -> Result<(), String> {
    let limit = SHUTDOWN.max(subject.margin());
    let has_ended = subject.engine().ends_within(limit);
    subject.restart();
    if has_ended {
        return Ok(());
    }
    Err(format!("the process is still running {} ms after {after}", millis(limit)))
}
