//! Defines the messages that the host of a mate search exchanges with its cells on other machines
//! (docs/design/tatematsu1996.md). In `hasami_remote`, the modules `cluster::cell` and `cluster::solver_slots` transfer
//! these messages.

#[cfg(test)]
mod tests;

use crate::message::{self, MessageFormat, words};
use hasami_api::{Hand, Line, Rules, Start};
use hasami_mate::{CellOrder, CellProblem, CellReply, CellResult, CellSearch, Fact};
use hasami_words::text::visible;
use serde::{Deserialize, Serialize};

/// Version of the message format, sent as the first byte of each message.
pub const VERSION: u8 = 4;

/// Length of the longest message, in bytes.
pub const LONGEST: usize = 8 << 20;

const FORMAT: MessageFormat = MessageFormat { name: "messages of cells", version: VERSION, longest: LONGEST };

/// How error messages refer to a move.
const MOVE: &str = "a move";

#[derive(Serialize, Deserialize)]
enum WireOrder {
    Begin(WireProblem),
    Search { task: u64, size: u64, moves: String },
    Stop { task: u64 },
    Facts { problem: u32, facts: Vec<WireFact> },
    End,
}

#[derive(Serialize, Deserialize)]
struct WireProblem {
    number: u32,
    game: String,
    search: WireSearch,
    any_moves: bool,
    longest: u64,
    /// The position before `moves` as FEN or SFEN; `None` for the standard initial position of the game.
    start: Option<String>,
    chess960: bool,
    /// The number of the game's optional rule ([`hasami_api::Rules::own`]).
    own: u8,
    max_moves: u32,
    moves: String,
}

#[derive(Serialize, Deserialize)]
enum WireSearch {
    Dfpn,
    BestFirst,
}

#[derive(Serialize, Deserialize)]
enum WireReply {
    Ready { problem: u32 },
    Facts { problem: u32, facts: Vec<WireFact> },
    Done { task: u64, nodes: u64, found: WireResult },
    Fault(String),
}

#[derive(Serialize, Deserialize)]
enum WireResult {
    Tree { value: u32, branch: String, cut: bool },
    Open { pn: u32, dn: u32 },
    Mate(String),
    None { cut: bool },
    Stopped,
}

#[derive(Serialize, Deserialize)]
struct WireFact {
    #[serde(with = "postcard::fixint::le")]
    key: u64,
    #[serde(with = "postcard::fixint::le")]
    hand: u32,
    plies: Option<u16>,
    work: u32,
}

pub fn encode_order(order: &CellOrder) -> Vec<u8> {
    FORMAT.encode(&match order {
        CellOrder::Begin(problem) => WireOrder::Begin(problem.into()),
        CellOrder::Search { task, size, moves } => WireOrder::Search { task: *task, size: *size, moves: words(moves) },
        CellOrder::Stop { task } => WireOrder::Stop { task: *task },
        CellOrder::Facts { problem, facts } => WireOrder::Facts { problem: *problem, facts: wire_facts(facts) },
        CellOrder::End => WireOrder::End,
    })
}

/// Decodes an order, or describes why it cannot be decoded.
pub fn decode_order(bytes: &[u8]) -> Result<CellOrder, String> {
    Ok(match FORMAT.decode(bytes)? {
        WireOrder::Begin(problem) => CellOrder::Begin(problem.read()?),
        WireOrder::Search { task, size, moves } => {
            CellOrder::Search { task, size, moves: message::moves(&moves, MOVE)? }
        }
        WireOrder::Stop { task } => CellOrder::Stop { task },
        WireOrder::Facts { problem, facts } => CellOrder::Facts { problem, facts: read_facts(&facts)? },
        WireOrder::End => CellOrder::End,
    })
}

pub fn encode_reply(reply: &CellReply) -> Vec<u8> {
    FORMAT.encode(&match reply {
        CellReply::Ready { problem } => WireReply::Ready { problem: *problem },
        CellReply::Facts { problem, facts } => WireReply::Facts { problem: *problem, facts: wire_facts(facts) },
        CellReply::Done { task, nodes, found } => WireReply::Done { task: *task, nodes: *nodes, found: found.into() },
        CellReply::Fault(why) => WireReply::Fault(why.clone()),
    })
}

/// Decodes a reply, or describes why it cannot be decoded.
pub fn decode_reply(bytes: &[u8]) -> Result<CellReply, String> {
    Ok(match FORMAT.decode(bytes)? {
        WireReply::Ready { problem } => CellReply::Ready { problem },
        WireReply::Facts { problem, facts } => CellReply::Facts { problem, facts: read_facts(&facts)? },
        WireReply::Done { task, nodes, found } => CellReply::Done { task, nodes, found: found.read()? },
        WireReply::Fault(why) => CellReply::Fault(shown(&why)),
    })
}

/// Shortens and sanitises a text for display.
fn shown(text: &str) -> String {
    visible(text).chars().take(200).collect()
}

fn wire_facts(facts: &[Fact]) -> Vec<WireFact> {
    let wire = |&Fact { key, hand, plies, work }: &Fact| WireFact { key, hand: hand.bits(), plies, work };
    facts.iter().map(wire).collect()
}

fn read_facts(facts: &[WireFact]) -> Result<Vec<Fact>, String> {
    facts.iter().map(WireFact::read).collect()
}

impl WireFact {
    fn read(&self) -> Result<Fact, String> {
        let &Self { key, hand, plies, work } = self;
        match plies.is_none_or(|plies| plies <= i16::MAX as u16) {
            true => Ok(Fact { key, hand: read_hand(hand)?, plies, work }),
            false => Err(format!("expected the length of a mate, found {plies:?}")),
        }
    }
}

fn read_hand(bits: u32) -> Result<Hand, String> {
    let hand = Hand::from_bits(bits);
    if hand.bits() == bits { Ok(hand) } else { Err(format!("expected a hand, found {bits:x}")) }
}

impl From<&CellProblem> for WireProblem {
    fn from(problem: &CellProblem) -> Self {
        let CellProblem { number, game, search, any_moves, longest, line } = problem;
        let Rules { chess960, own, max_moves } = line.start.rules;
        let search = match search {
            CellSearch::Dfpn => WireSearch::Dfpn,
            CellSearch::BestFirst => WireSearch::BestFirst,
        };
        let (start, moves) = (line.start.text.as_deref().map(str::to_owned), words(&line.moves));
        let (number, game, any_moves, longest) = (*number, game.clone(), *any_moves, *longest);
        Self { number, game, search, any_moves, longest, start, chess960, own, max_moves, moves }
    }
}

impl WireProblem {
    fn read(self) -> Result<CellProblem, String> {
        let Self { number, game, search, any_moves, longest, start, chess960, own, max_moves, moves } = self;
        if let Some(text) = start.as_deref().filter(|text| text.chars().any(char::is_control)) {
            return Err(format!("expected a position in one line, found '{}'", shown(text)));
        }
        let search = match search {
            WireSearch::Dfpn => CellSearch::Dfpn,
            WireSearch::BestFirst => CellSearch::BestFirst,
        };
        let start = Start { text: start.map(Into::into), rules: Rules { chess960, own, max_moves } };
        let line = Line { start, moves: message::moves(&moves, MOVE)? };
        Ok(CellProblem { number, game: shown(&game), search, any_moves, longest, line })
    }
}

impl From<&CellResult> for WireResult {
    fn from(found: &CellResult) -> Self {
        match found {
            CellResult::Tree { value, branch, cut } => Self::Tree { value: *value, branch: branch.clone(), cut: *cut },
            CellResult::Open { pn, dn } => Self::Open { pn: *pn, dn: *dn },
            CellResult::Mate(line) => Self::Mate(words(line)),
            CellResult::None { cut } => Self::None { cut: *cut },
            CellResult::Stopped => Self::Stopped,
        }
    }
}

impl WireResult {
    fn read(self) -> Result<CellResult, String> {
        Ok(match self {
            Self::Tree { branch, .. } if !branch.is_ascii() => {
                return Err(format!("expected a tree in ASCII, found '{}'", shown(&branch)));
            }
            Self::Tree { value, branch, cut } => CellResult::Tree { value, branch, cut },
            Self::Open { pn, dn } => CellResult::Open { pn, dn },
            Self::Mate(line) => CellResult::Mate(message::moves(&line, MOVE)?),
            Self::None { cut } => CellResult::None { cut },
            Self::Stopped => CellResult::Stopped,
        })
    }
}
