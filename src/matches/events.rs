//! The events of a match, for observers.

use super::by_machine::MachineResults;
use super::faults::FaultKind;
use super::schedule::Pairing;
use super::scores::Scores;
use hasami_api::GameRecord;
use hasami_words::Message;

/// An event to show on the terminal or on the web page.
pub enum MatchEvent<'a> {
    /// A game that an earlier run of the match has played, sent before [`Self::Opened`].
    Earlier {
        pairing: Pairing,
        record: &'a GameRecord,
    },
    /// The match begins; sent before the first game.
    Opened {
        done: u32,
        /// Number of games; `None` if a statistical test ends the match.
        total: Option<u32>,
    },
    Began {
        pairing: Pairing,
    },
    /// A move was made, and the game continues.
    Moved {
        pairing: Pairing,
        record: &'a GameRecord,
    },
    Finished {
        pairing: Pairing,
        record: &'a GameRecord,
    },
    /// An engine misbehaved, and the game continues.
    Fault {
        engine: usize,
        kind: FaultKind,
        text: &'a str,
    },
    /// News about games on other machines: lines about queue and machines, and results by machine.
    Machines(&'a [Message], &'a MachineResults),
    /// A warning that the result may be misleading.
    Warning(&'a str),
    /// An informative line.
    Note(&'a str),
}

/// A callback that receives every event, with the current scores.
pub type Watcher<'a> = dyn FnMut(&MatchEvent<'_>, &Scores) + 'a;
