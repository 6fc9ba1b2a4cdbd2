//! Messages between masters and worker nodes, as bytes: docs/design/cluster.md describes them.

mod values;

pub use crate::message::{moves, plain, words};
pub use values::{WireEnd, WireProfile, WireReport, WireTask};

use super::channel::Packet;
use super::names::{Lease, NetworkId, Owner, Subject, WorkerNodeId};
use crate::message::MessageFormat;
use hasami_api::News;
use hasami_tree::event::TaskId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Version of the messages: the first byte of each. A peer with another version is told so.
pub const VERSION: u8 = 6;

/// Bytes of a message.
pub const LONGEST: usize = 64 << 10;

const FORMAT: MessageFormat = MessageFormat { name: "a message", version: VERSION, longest: LONGEST };

/// Slots of a worker node.
pub const MOST_SLOTS: usize = 1_024;
/// News of one message.
pub const MOST_NEWS: usize = 256;

/// The message of every master to all worker nodes, a few times a second.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MasterBeat {
    pub owner: Owner,
    /// Counts the beats of this epoch.
    pub serial: u64,
    /// `chess`, `shogi`.
    pub game: String,
    pub name: String,
    /// Its share where there are several masters.
    pub weight: u16,
    /// Slots that it wants of each worker node at most.
    pub wants: u32,
    pub role: SlotRole,
    /// Evaluates the positions of its leaves; none: the evaluation made by hand.
    pub network: Option<NetworkId>,
    /// After so many ms without a word the other is gone, on both sides; they speak five times as often.
    pub silence_ms: u32,
    /// It ends: nothing more is heard of it.
    pub leaves: bool,
}

/// The state of a master's slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SlotRole {
    /// They search leaves of a tree: tasks.
    Leaves,
    /// They are cells of a mate search (docs/design/tatematsu1996.md): messages.
    Cells,
    /// They solve brinkmates: messages.
    Brinkmates,
}

/// From a master to one worker node.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MasterOrder {
    pub owner: Owner,
    pub lease: Lease,
    pub what: OrderKind,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum OrderKind {
    /// Begin this task; `game` counts the games of the master.
    Start {
        task: u64,
        game: u32,
        work: WireTask,
    },
    Cancel {
        task: u64,
    },
    /// The end of this task has been heard; 0: that the slot is there has.
    Heard {
        task: u64,
    },
    /// The slot is not wanted any more.
    Return,
    /// Part of a message.
    Packet(Packet),
    /// Part of the file of the master's network.
    NetworkPiece {
        piece: u32,
        bytes: Vec<u8>,
    },
    /// The slot was lost under this lease, without a fault of its own: it may come again under another one, at once.
    Forgotten,
}

/// From a worker node to a master.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NodeMessage {
    /// Epoch of the master.
    pub epoch: u32,
    pub node: WorkerNodeId,
    /// Counts the words of a worker node, so that what was overtaken is known by it.
    pub serial: u64,
    pub say: NodeEvent,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum NodeEvent {
    /// All slots that this master has.
    Beat {
        name: String,
        slots: Vec<SlotReport>,
    },
    /// The slot is ready for tasks.
    Joined {
        lease: Lease,
        name: String,
        profile: WireProfile,
    },
    Reports {
        lease: Lease,
        task: u64,
        reports: Vec<WireReport>,
    },
    Ended {
        lease: Lease,
        task: u64,
        reports: Vec<WireReport>,
        end: WireEnd,
    },
    /// Part of a message.
    Packet {
        lease: Lease,
        packet: Packet,
    },
    /// A piece of the master's network is missing here.
    NetworkWanted {
        lease: Lease,
        piece: u32,
    },
    /// The slot is gone.
    Left {
        lease: Lease,
        why: String,
    },
}

/// State of a slot, as its worker node sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SlotReport {
    pub lease: Lease,
    /// 0: nothing.
    pub task: u64,
    /// The master has answered to its `Joined`.
    pub is_known: bool,
}

/// Asks everybody who is there; answered with [`DiscoveryReply`]s.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DiscoveryRequest;

/// Tells the machines of this name to take nothing more and to end when their tasks have; they answer as to a
/// [`DiscoveryRequest`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DrainRequest {
    pub name: String,
}

/// Who is there, for people.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum DiscoveryReply {
    WorkerNode {
        node: WorkerNodeId,
        name: String,
        version: String,
        seconds: u64,
        slots: Vec<SlotSummary>,
        is_drained: bool,
    },
    Master {
        owner: Owner,
        name: String,
        version: String,
        game: String,
        slots: u32,
        lost: Vec<LostNodeSummary>,
        /// Those whose values were checked.
        machines: Vec<MachineSummary>,
    },
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SlotSummary {
    pub engine: String,
    /// Nodes a second of its last long task; 0: not known.
    pub speed: Option<u64>,
    /// Evaluates its positions; none: the evaluation made by hand, or the engine's own.
    pub network: Option<NetworkId>,
    /// The master that has it, and its game.
    pub owner: Option<(String, String)>,
    /// For so many milliseconds it has been at its task.
    pub busy_ms: Option<u64>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LostNodeSummary {
    pub name: String,
    pub seconds_ago: u64,
    pub why: String,
}

/// What became of the values of a machine that a master has checked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MachineSummary {
    pub node: WorkerNodeId,
    pub name: String,
    pub confirmed: u32,
    pub contradicted: u32,
    /// Mates without a proof.
    pub unproved: u32,
    pub is_set_aside: bool,
}

/// News of a team, for everybody who works for this master.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TeamNews {
    /// Who tells them; a master calls itself 0.
    pub from: WorkerNodeId,
    #[serde(with = "postcard::fixint::le")]
    pub team: u64,
    pub news: Vec<WireNews>,
}

/// [`News`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WireNews {
    #[serde(with = "postcard::fixint::le")]
    key: u64,
    #[serde(with = "postcard::fixint::le")]
    word: u64,
}

/// A message as bytes.
pub fn encode(message: &impl Serialize) -> Vec<u8> {
    FORMAT.encode(message)
}

/// A message out of bytes, or what was expected and what was found.
pub fn decode<M: DeserializeOwned>(bytes: &[u8]) -> Result<M, String> {
    FORMAT.decode(bytes)
}

impl From<&News> for WireNews {
    fn from(&News { key, word }: &News) -> Self {
        Self { key, word }
    }
}

impl TeamNews {
    pub fn news(&self) -> Vec<News> {
        self.news.iter().take(MOST_NEWS).map(|&WireNews { key, word }| News { key, word }).collect()
    }
}

/// The beginning of a message that may have more behind it.
fn beginning<M: DeserializeOwned>(bytes: &[u8]) -> Option<M> {
    postcard::take_from_bytes(bytes.get(1..)?).ok().map(|(beginning, _)| beginning)
}

/// Which worker node a [`NodeMessage`] says it comes from.
pub fn sender(bytes: &[u8]) -> Option<WorkerNodeId> {
    beginning::<(u32, WorkerNodeId)>(bytes).map(|(_, node)| node)
}

/// Whose a [`MasterBeat`] says it is, and which of its beats.
pub fn beat_number(bytes: &[u8]) -> Option<(Owner, u64)> {
    beginning(bytes)
}

/// Whose a [`MasterOrder`] says it is.
pub fn order_owner(bytes: &[u8]) -> Option<Owner> {
    beginning(bytes)
}

/// Where the answer to a [`DiscoveryRequest`] goes. Those of other versions are answered, too: who asks sees that they differ.
pub fn asker(reply: Option<Subject>, request: &[u8]) -> Result<Subject, String> {
    match (reply, request) {
        (Some(to @ Subject::Reply(_)), [_version]) => Ok(to),
        (Some(Subject::Reply(_)), _) => Err(format!("expected a question, found {} bytes", request.len())),
        _ => Err("expected a subject to answer to, found none".into()),
    }
}

/// The version of a message, if it is not ours.
pub fn other_version(bytes: &[u8]) -> Option<u8> {
    bytes.first().copied().filter(|&version| version != VERSION)
}

/// The task of a message.
pub fn task(number: u64) -> Result<TaskId, String> {
    if number == 0 { Err("expected a task, found 0".into()) } else { Ok(TaskId(number)) }
}
