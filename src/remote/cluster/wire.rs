//! Encodes the messages between masters and worker nodes, which docs/design/cluster.md describes.

pub use hasami_workers::message::plain;

use super::channel::Packet;
use super::names::{Lease, NetworkId};
use hasami_api::{Answer, Goal, MateAnswer, Report, Task};
use hasami_tree::event::{Profile, TaskEnd, TaskId};
use hasami_workers::message::{MOST_MOVES, MessageFormat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Version of the messages, which is the first byte of each message. A peer whose messages have another version is
/// reported. Raise the version whenever a type within a message changes, even one from another crate, such as `Task`,
/// `Report`, `Profile` or `TaskEnd`.
pub const VERSION: u8 = 9;

/// Maximum number of lines (MultiPV) in a task.
pub const MOST_LINES: u16 = 600;

/// Maximum length of a message, in bytes.
pub const LONGEST: usize = 64 << 10;

const FORMAT: MessageFormat = MessageFormat { name: "a message", version: VERSION, longest: LONGEST };

/// The most slots that a worker node may have.
pub const MOST_SLOTS: usize = 1_024;
/// Maximum length of a position, in bytes.
const LONGEST_POSITION: usize = 400;
/// Maximum number of news entries in one message.
pub const MOST_NEWS: usize = 256;

/// The heartbeat that every master sends to all worker nodes several times a second.
///
/// A message does not name its sender, which is part of the message's subject.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MasterBeat {
    /// Serial number of the heartbeat, counted per master.
    pub serial: u64,
    /// The master's game: `chess` or `shogi`.
    pub game: String,
    pub name: String,
    /// Weight of the master when slots are shared among several masters.
    pub weight: u16,
    /// Maximum number of slots that the master wants from each worker node.
    pub wants: u32,
    pub role: SlotRole,
    /// The network that evaluates positions; `None` for the built-in network.
    pub network: Option<NetworkId>,
    /// Whether the master is ending, so that this heartbeat is its last message.
    pub leaves: bool,
}

/// What a master uses its slots for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SlotRole {
    /// The slots search leaves of a tree, which they receive as tasks.
    Leaves,
    /// The slots are cells of a mate search, which exchange messages (docs/design/tatematsu1996.md).
    Cells,
}

/// An order from a master to one worker node.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MasterOrder {
    pub lease: Lease,
    pub what: OrderKind,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum OrderKind {
    /// Starts a task. `game` is the number of the master's current game.
    Start {
        task: TaskId,
        game: u32,
        work: Box<Task>,
    },
    Cancel {
        task: TaskId,
    },
    /// Confirms the end of a task or, with task number 0, that the slot has joined.
    Heard {
        task: TaskId,
    },
    /// Gives the slot back to its worker node.
    Return,
    /// A packet of the channel between the host and the slot.
    Packet(Packet),
    /// A part of the master's network file.
    NetworkPiece {
        piece: u32,
        bytes: Vec<u8>,
    },
    /// The master has lost the leased slot through no fault of its worker. The slot may be offered again at once under
    /// another lease.
    Forgotten,
}

/// A message from a worker node to a master.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NodeMessage {
    /// Serial number of the message, counted per worker node, to recognise late messages.
    pub serial: u64,
    pub say: NodeEvent,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum NodeEvent {
    /// The state of all slots that the master has on this worker node.
    Beat {
        name: String,
        slots: Vec<SlotReport>,
    },
    /// The slot is ready for tasks.
    Joined {
        lease: Lease,
        profile: Profile,
    },
    Reports {
        lease: Lease,
        task: TaskId,
        reports: Vec<Report>,
    },
    Ended {
        lease: Lease,
        task: TaskId,
        reports: Vec<Report>,
        /// `None` if the task was cancelled before it was started.
        end: Option<TaskEnd>,
    },
    /// A packet of the channel between the host and the slot.
    Packet {
        lease: Lease,
        packet: Packet,
    },
    /// Requests a piece of the master's network.
    NetworkWanted {
        lease: Lease,
        piece: u32,
    },
    /// The slot is no longer available.
    Left {
        lease: Lease,
        why: String,
    },
}

/// The state of a slot, as its worker node reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SlotReport {
    pub lease: Lease,
    /// The number of the current task; 0 if the slot has none.
    pub task: TaskId,
    /// Whether the master has confirmed the slot's `Joined` message.
    pub is_known: bool,
}

/// Asks all members to describe themselves with a [`DiscoveryReply`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DiscoveryRequest;

/// A member's description of itself, to be shown to users.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum DiscoveryReply {
    WorkerNode {
        name: String,
        version: String,
        seconds: u64,
        slots: Vec<SlotSummary>,
    },
    Master {
        name: String,
        version: String,
        game: String,
        slots: u32,
        lost: Vec<LostNodeSummary>,
    },
    /// A machine that offers to run whole games: its `LenderNews` as JSON.
    Lender {
        news: String,
    },
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SlotSummary {
    pub engine: String,
    /// Nodes per second of the slot's last long task; `None` if the speed is not known.
    pub speed: Option<u64>,
    /// The network that evaluates positions; `None` if a child engine uses its own evaluation.
    pub network: Option<NetworkId>,
    /// The name of the master that holds the slot, and the master's game.
    pub owner: Option<(String, String)>,
    /// How long the slot has been working on its task, in milliseconds; `None` if it has no task.
    pub busy_ms: Option<u64>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LostNodeSummary {
    pub name: String,
    pub seconds_ago: u64,
    pub why: String,
}

/// News of a team, for all machines that work for the team's master: the key and the word of each table entry, both
/// little-endian.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TeamNews(pub Vec<[[u8; 8]; 2]>);

/// Encodes a message.
pub fn encode(message: &impl Serialize) -> Vec<u8> {
    FORMAT.encode(message)
}

pub fn decode<M: DeserializeOwned>(bytes: &[u8]) -> Result<M, String> {
    FORMAT.decode(bytes)
}

/// Checks a task from a master, but not whether its moves are legal.
pub fn check_task(task: &Task) -> Result<(), String> {
    if let Some(text) = task.line.start.text.as_deref() {
        if text.len() > LONGEST_POSITION {
            return Err(format!("expected a position of at most {LONGEST_POSITION} bytes, found {}", text.len()));
        }
        if text.chars().any(char::is_control) {
            return Err(format!("expected a position in one line, found '{}'", plain(text)));
        }
    }
    match [&task.line.moves, &task.only, &task.except].into_iter().find(|moves| moves.len() > MOST_MOVES) {
        Some(moves) => Err(format!("expected at most {MOST_MOVES} moves, found {}", moves.len())),
        None => Ok(()),
    }
}

/// Checks that the end of a task fits its goal. A task that was never started gets an answer without a move.
pub fn task_end(end: Option<TaskEnd>, goal: Goal) -> TaskEnd {
    match end {
        Some(TaskEnd::Failed(why)) => TaskEnd::Failed(plain(&why)),
        Some(TaskEnd::Answer(answer)) if matches!(answer, Answer::Best { .. }) != (goal == Goal::Best) => {
            TaskEnd::Failed("the answer does not fit the task".to_owned())
        }
        Some(answer) => answer,
        None if goal == Goal::Best => TaskEnd::Answer(Answer::Best { best: None, ponder: None }),
        None => TaskEnd::Answer(Answer::Mate(MateAnswer::Unknown)),
    }
}

/// Checks a [`DiscoveryRequest`]. Requests with another message version are valid too, so that their senders learn
/// about the other version.
pub fn discovery_request(bytes: &[u8]) -> Result<(), String> {
    if bytes.len() == 1 { Ok(()) } else { Err(format!("expected a question, found {} bytes", bytes.len())) }
}

/// Returns the version of a message, if it differs from [`VERSION`].
pub fn other_version(bytes: &[u8]) -> Option<u8> {
    bytes.first().copied().filter(|&version| version != VERSION)
}
