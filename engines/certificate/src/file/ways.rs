//! Encodes nodes and their edges as numbers.

use super::words::{CertificateReader, put};
use crate::graph::{Attack, Defence, Graph, Head, MoveId, StrategyEdge, StrategyNodeId};

/// The encoding of an edge, without the moves after which it is followed. `at` is the index of the node that it belongs
/// to.
pub trait Written: Sized {
    fn put(self, at: usize, out: &mut Vec<u8>);

    fn take(words: &mut CertificateReader, place: NodePlace) -> Result<Self, String>;
}

/// The index of a node, with the total numbers of nodes and moves, which limit the numbers that may be read.
#[derive(Clone, Copy)]
pub struct NodePlace {
    pub at: usize,
    pub nodes: usize,
    pub moves: usize,
}

impl NodePlace {
    fn mv(self, words: &mut CertificateReader) -> Result<MoveId, String> {
        let number = words.number("a move")?;
        self.known(number, words)
    }

    fn known(self, number: u32, words: &CertificateReader) -> Result<MoveId, String> {
        let wrong = || words.wrong(format!("one of {} moves", self.moves), number);
        let id = u16::try_from(number).ok().filter(|&id| usize::from(id) < self.moves);
        id.map(MoveId).ok_or_else(wrong)
    }
}

/// An edge of the attacker leads to an earlier node, which is encoded as the number of nodes back.
impl Written for StrategyNodeId {
    fn put(self, at: usize, out: &mut Vec<u8>) {
        put(out, (at - self.index()) as u32);
    }

    fn take(words: &mut CertificateReader, place: NodePlace) -> Result<Self, String> {
        let back = words.number("an earlier node")?;
        let index = place.at.checked_sub(back as usize).filter(|&index| index < place.at);
        let wrong = || words.wrong(format!("one of {} nodes before", place.at), format!("that {back} before"));
        index.and_then(Self::new).ok_or_else(wrong)
    }
}

/// An edge of the defender has a reply (0: a pass; otherwise the number of the move, plus one) and leads to any node,
/// which is encoded as a zigzag difference.
impl Written for Defence {
    fn put(self, at: usize, out: &mut Vec<u8>) {
        put(out, self.reply.map_or(0, |mv| u32::from(mv.0) + 1));
        let step = self.to.index() as i64 - at as i64;
        put(out, (step << 1 ^ step >> 63) as u32);
    }

    fn take(words: &mut CertificateReader, place: NodePlace) -> Result<Self, String> {
        let reply = match words.number("a reply")? {
            0 => None,
            number => Some(place.known(number - 1, words)?),
        };
        let zigzag = i64::from(words.number("a node")?);
        let index = place.at as i64 + (zigzag >> 1 ^ -(zigzag & 1));
        let to = usize::try_from(index).ok().filter(|&index| index < place.nodes).and_then(StrategyNodeId::new);
        let wrong = || words.wrong(format!("one of {} nodes", place.nodes), format!("node {index}"));
        Ok(Self { reply, to: to.ok_or_else(wrong)? })
    }
}

/// The encoding of the beginning of a node.
pub trait WrittenHead: Head {
    /// Size of the shortest node, in bytes.
    const LEAST: usize;

    /// Writes the node without its edges and its pass, and the number of groups. The low bits of that number are flags:
    /// bit 0 is set if the node has an edge for all other moves, and bit 1 if it has a pass.
    fn put(self, groups: u32, has_rest: bool, out: &mut Vec<u8>);

    /// Reads the node without its edges and its pass, then the number of groups. The result also contains the two
    /// flags: whether the node has an edge for all other moves, and whether it has a pass.
    fn take(words: &mut CertificateReader, place: NodePlace) -> Result<(Self, usize, [bool; 2]), String>;

    fn with_pass(self, pass: StrategyNodeId) -> Self;
}

impl WrittenHead for Attack {
    const LEAST: usize = 2;

    fn put(self, groups: u32, has_rest: bool, out: &mut Vec<u8>) {
        put(out, self.mv.0.into());
        put(out, groups << 2 | u32::from(self.pass.is_some()) << 1 | u32::from(has_rest));
    }

    fn take(words: &mut CertificateReader, place: NodePlace) -> Result<(Self, usize, [bool; 2]), String> {
        let mv = place.mv(words)?;
        let number = words.number("a number of groups")?;
        Ok((Self { mv, pass: None }, (number >> 2) as usize, [number & 1 != 0, number & 2 != 0]))
    }

    fn with_pass(self, pass: StrategyNodeId) -> Self {
        Self { pass: Some(pass), ..self }
    }
}

impl WrittenHead for () {
    const LEAST: usize = 1;

    fn put(self, groups: u32, has_rest: bool, out: &mut Vec<u8>) {
        put(out, groups << 1 | u32::from(has_rest));
    }

    fn take(words: &mut CertificateReader, _: NodePlace) -> Result<(Self, usize, [bool; 2]), String> {
        let number = words.number("a number of groups")?;
        Ok(((), (number >> 1) as usize, [number & 1 != 0, false]))
    }

    fn with_pass(self, _: StrategyNodeId) -> Self {}
}

pub fn put_nodes<H: WrittenHead, W: StrategyEdge + Written>(graph: &Graph<H, W>, out: &mut Vec<u8>) {
    let mut ways = Vec::new();
    put(out, graph.len() as u32);
    for (at, id) in (0..graph.len()).filter_map(|at| Some((at, StrategyNodeId::new(at)?))) {
        ways.clear();
        ways.extend(graph.ways(id).iter().map(|&(mv, way)| (way, mv)));
        ways.sort_unstable();
        let groups = || ways.chunk_by(|a, b| a.0 == b.0);
        let (head, rest) = (graph.head(id), graph.rest(id));
        WrittenHead::put(head, groups().count() as u32, rest.is_some(), out);
        if let Some(rest) = rest {
            rest.put(at, out);
        }
        if let Some(pass) = head.pass() {
            pass.put(at, out);
        }
        for group in groups() {
            group[0].0.put(at, out);
            put(out, group.len() as u32);
            let mut last = 0;
            for &(_, MoveId(mv)) in group {
                put(out, u32::from(mv - last));
                last = mv;
            }
        }
    }
}

pub fn take_nodes<H: WrittenHead, W: StrategyEdge + Written>(
    words: &mut CertificateReader,
    moves: usize,
) -> Result<Graph<H, W>, String> {
    let nodes = words.count("a number of nodes", H::LEAST)?;
    let (mut graph, mut ways) = (Graph::with_capacity(nodes), Vec::new());
    for at in 0..nodes {
        let place = NodePlace { at, nodes, moves };
        let (mut head, groups, [has_rest, has_pass]) = H::take(words, place)?;
        let rest = if has_rest { Some(W::take(words, place)?) } else { None };
        if has_pass {
            head = head.with_pass(<StrategyNodeId as Written>::take(words, place)?);
        }
        ways.clear();
        for _ in 0..groups {
            take_group(words, place, &mut ways)?;
        }
        ways.sort_unstable();
        if let Some(pair) = ways.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(words.wrong("one way on after each move", format!("two after move {}", pair[0].0.0)));
        }
        graph.push(head, rest, &ways).ok_or_else(|| words.wrong("fewer nodes and answers", "more than fit"))?;
    }
    Ok(graph)
}

fn take_group<W: StrategyEdge + Written>(
    words: &mut CertificateReader,
    place: NodePlace,
    ways: &mut Vec<(MoveId, W)>,
) -> Result<(), String> {
    let way = W::take(words, place)?;
    let mut mv = 0;
    for index in 0..words.count("a number of moves", 1)? {
        let step = words.number("a move")?;
        if index > 0 && step == 0 {
            return Err(words.wrong("moves in ascending order", "one twice"));
        }
        mv = place.known(u32::saturating_add(mv, step), words)?.0.into();
        ways.push((MoveId(mv as u16), way));
    }
    Ok(())
}
