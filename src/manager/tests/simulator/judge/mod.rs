//! Named rules that the judge checks at every step of the manager.

mod answers;
mod infos;
mod mates;
mod roster;
mod tree;

pub use roster::MOST_UNGROUPED;

use super::gui::GuiMessage;
use super::scenario::Scenario;
use hasami_protocol::{Command, Output, Settings};
use hasami_tree::Snapshot;
use hasami_tree::event::{Action, Time, WorkerEvent};
use std::fmt;
use std::time::Duration;

/// A rule that was violated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    pub rule: &'static str,
    pub found: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.found)
    }
}

/// Returns the violation of a rule as an error.
pub(super) fn broken<T>(rule: &'static str, found: impl Into<String>) -> Result<T, Broken> {
    Err(Broken { rule, found: found.into() })
}

/// Input to the manager, as the judge sees it.
#[derive(Clone, PartialEq, Debug)]
pub enum JudgeInput {
    Order(GuiMessage),
    Worker(WorkerEvent),
    Alarm,
}

/// Checks all rules during one run.
#[derive(Debug)]
pub struct Judge {
    settings: Settings,
    roster: roster::RosterJudge,
    answers: answers::AnswerJudge,
    infos: infos::Infos,
    /// True if no worker sends false reports, so that node counts and the lengths of mates can be checked.
    honest: bool,
    /// True if no trusted worker sends false reports, so that mates in info lines must be true.
    is_sure: bool,
    workers: usize,
    steps: Steps,
}

/// Detects a manager that makes no progress, or sets alarms too often.
#[derive(Debug, Default)]
struct Steps {
    at: Time,
    here: u32,
    second: u64,
    alarms: u32,
}

/// Largest number of alarms per second.
const MOST_ALARMS: u32 = 500;

impl Judge {
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            settings: scenario.settings.clone(),
            roster: roster::RosterJudge::default(),
            answers: answers::AnswerJudge::new(scenario.is_healthy()),
            infos: infos::Infos::default(),
            honest: scenario.is_honest(),
            is_sure: !scenario.is_deceived(),
            workers: scenario.workers.len(),
            steps: Steps::default(),
        }
    }

    /// Returns whether the GUI is waiting for an answer that will come without `stop`.
    pub fn awaits_answer(&self) -> bool {
        self.answers.awaits()
    }

    /// Must be called before the manager receives `input`.
    pub fn before(&mut self, now: Time, input: &JudgeInput) -> Result<(), Broken> {
        self.steps.count(now, self.workers)?;
        self.steps.alarm(now, input)?;
        match input {
            JudgeInput::Order(GuiMessage::Command(command)) => self.answers.hear(now, command),
            JudgeInput::Order(GuiMessage::Settings(settings)) => self.settings = (**settings).clone(),
            JudgeInput::Worker(event) => self.roster.hear(event),
            JudgeInput::Alarm => {}
        }
        Ok(())
    }

    /// Checks one of the manager's actions in response to an input.
    pub fn action(&mut self, now: Time, input: &JudgeInput, action: &Action) -> Result<(), Broken> {
        match action {
            Action::Say(output) => self.said(now, input, output),
            other => self.roster.act(now, other),
        }
    }

    fn said(&mut self, now: Time, input: &JudgeInput, output: &Output) -> Result<(), Broken> {
        match output {
            Output::Info(info) => {
                let Some(owed) = self.answers.current() else {
                    return broken("info-without-go", format!("{info:?}"));
                };
                self.infos.line(now, owed, info, self.honest)?;
                if self.is_sure { mates::check_reported(owed, info) } else { Ok(()) }
            }
            Output::Effort(effort) if self.answers.current().is_none() => {
                broken("info-without-go", format!("{effort:?}"))
            }
            Output::Effort(_) => Ok(()),
            Output::Best(best) => {
                let owed = self.answers.best(now, input, best, &self.settings)?;
                self.infos.answered(&owed, best)
            }
            Output::Checkmate(answer) => {
                self.infos.forget();
                self.answers.checkmate(now, answer)
            }
            Output::MateRefused => {
                self.infos.forget();
                self.answers.mate_refused(now)
            }
            Output::Message(_) => Ok(()),
            other => broken("not-the-managers", format!("{other:?}")),
        }
    }

    /// Must be called after the last of the manager's actions in response to an input.
    pub fn after(&mut self, now: Time, input: &JudgeInput, actions: usize) -> Result<(), Broken> {
        if actions > 8 * self.workers + 64 {
            return broken("too-many-actions", format!("{actions} after {input:?}"));
        }
        let command = match input {
            JudgeInput::Order(GuiMessage::Command(command)) => Some(command),
            _ => None,
        };
        if matches!(command, Some(Command::Stop | Command::GameOver | Command::NewGame)) {
            self.answers.nothing_owed()?;
        }
        self.answers.at_most_one()?;
        self.answers.in_time(now)
    }

    /// Checking the tree takes longer than all other checks, so it is not done after every step.
    pub fn tree(&self, snapshot: &Snapshot) -> Result<(), Broken> {
        tree::check(snapshot, self.roster.len().max(self.workers))
    }

    /// Checks the final state, some time after the GUI's last `stop`.
    pub fn at_rest(&self, now: Time) -> Result<(), Broken> {
        self.answers.nothing_owed()?;
        self.roster.at_rest(now, self.settings.ponder)
    }
}

impl Steps {
    fn alarm(&mut self, now: Time, input: &JudgeInput) -> Result<(), Broken> {
        if self.second != now.as_secs() {
            (self.second, self.alarms) = (now.as_secs(), 0);
        }
        self.alarms += u32::from(*input == JudgeInput::Alarm);
        if self.alarms > MOST_ALARMS { broken("too-many-alarms", format!("{now:?}")) } else { Ok(()) }
    }

    fn count(&mut self, now: Time, workers: usize) -> Result<(), Broken> {
        if self.at == now {
            self.here += 1;
        } else {
            (self.at, self.here) = (now, 0);
        }
        let most = 500 + 200 * workers as u32;
        if self.here > most { broken("no-progress", format!("{most} steps at {now:?}")) } else { Ok(()) }
    }
}

/// Largest delay of an alarm or of a message from the GUI; the move overhead covers this delay.
pub const JITTER: Duration = Duration::from_millis(2);
