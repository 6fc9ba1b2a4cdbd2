//! What a match tells those who watch it.

use super::by_machine::MachineResults;
use super::faults::FaultKind;
use super::schedule::Pairing;
use super::scores::Scores;
use hasami_api::{GameRecord, Line};
use hasami_words::Message;
use std::time::Duration;

/// News for the person at the terminal, or at the page.
pub enum MatchEvent<'a> {
    /// Before [`Self::Opened`]: a game that an earlier run has played.
    Earlier {
        pairing: Pairing,
        record: &'a GameRecord,
    },
    /// Before the first game.
    Opened {
        done: u32,
        total: u32,
    },
    Began {
        pairing: Pairing,
    },
    /// A move was made, and the game goes on.
    Moved {
        pairing: Pairing,
        record: &'a GameRecord,
    },
    Finished {
        pairing: Pairing,
        record: &'a GameRecord,
    },
    /// An engine does what it should not, and the game goes on.
    Fault {
        engine: usize,
        kind: FaultKind,
        text: &'a Message,
    },
    /// Games are played elsewhere: lines about the queue and who is there, and the results of each machine.
    Machines(&'a [Message], &'a MachineResults),
    /// All games that are played elsewhere now.
    Elsewhere(&'a [GameElsewhere]),
    /// The result will not mean what it seems to.
    Warning(&'a Message),
    /// Anything else worth a line.
    Note(&'a Message),
}

/// A game that another machine plays, as that machine tells of it.
#[derive(Clone, PartialEq, Debug)]
pub struct GameElsewhere {
    pub pairing: Pairing,
    pub machine: String,
    /// How long it has run; `None`: its engines are coming up.
    pub since: Option<Duration>,
    pub plies: u32,
    /// `None`: the moves are not told.
    pub line: Option<Line>,
}

/// Sees everything, with the score sheet as it stands.
pub type Watcher<'a> = dyn FnMut(&MatchEvent<'_>, &Scores) + 'a;
