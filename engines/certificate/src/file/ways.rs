//! Encodes nodes and their edges as numbers.

use super::words::{CertificateReader, put};
use crate::graph::{Edge, Graph, Head, MoveId, StrategyNodeId};

/// The index of a node, and the total numbers of nodes and moves, against which decoded values are checked.
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

/// Writes the target of an attacker's edge as a distance, because the edge always leads to an earlier node.
fn put_earlier(id: StrategyNodeId, at: usize, out: &mut Vec<u8>) {
    put(out, (at - id.index()) as u32);
}

fn take_earlier(words: &mut CertificateReader, place: NodePlace) -> Result<StrategyNodeId, String> {
    let back = words.number("an earlier node")?;
    let index = place.at.checked_sub(back as usize).filter(|&index| index < place.at);
    let wrong = || words.wrong(format!("one of {} nodes before", place.at), format!("that {back} before"));
    index.and_then(StrategyNodeId::new).ok_or_else(wrong)
}

/// Writes an edge without the opponent's moves that lead along it. An edge of the defender consists of a reply (0 for a
/// pass, otherwise the number of the move plus one) and the difference from the index of the next node, in zigzag
/// encoding.
fn put_edge(Edge { reply, to }: Edge, is_attack: bool, at: usize, out: &mut Vec<u8>) {
    if is_attack {
        return put_earlier(to, at, out);
    }
    put(out, reply.map_or(0, |mv| u32::from(mv.0) + 1));
    let step = to.index() as i64 - at as i64;
    put(out, (step << 1 ^ step >> 63) as u32);
}

fn take_edge(words: &mut CertificateReader, is_attack: bool, place: NodePlace) -> Result<Edge, String> {
    if is_attack {
        return Ok(Edge { reply: None, to: take_earlier(words, place)? });
    }
    let reply = match words.number("a reply")? {
        0 => None,
        number => Some(place.known(number - 1, words)?),
    };
    let zigzag = i64::from(words.number("a node")?);
    let index = place.at as i64 + (zigzag >> 1 ^ -(zigzag & 1));
    let to = usize::try_from(index).ok().filter(|&index| index < place.nodes).and_then(StrategyNodeId::new);
    let wrong = || words.wrong(format!("one of {} nodes", place.nodes), format!("node {index}"));
    Ok(Edge { reply, to: to.ok_or_else(wrong)? })
}

/// Writes the nodes. A node consists of the attacker's move (in strategies of the attacker), the number of groups of
/// edges, and the groups. The low bits of the number of groups are flags for an edge for all other moves and, in
/// strategies of the attacker, for a pass.
pub fn put_nodes(graph: &Graph, is_attack: bool, out: &mut Vec<u8>) {
    let mut ways = Vec::new();
    put(out, graph.len() as u32);
    for (at, id) in (0..graph.len()).filter_map(|at| Some((at, StrategyNodeId::new(at)?))) {
        ways.clear();
        ways.extend(graph.ways(id).iter().map(|&(mv, way)| (way, mv)));
        ways.sort_unstable();
        let groups = || ways.chunk_by(|a, b| a.0 == b.0);
        let (Head { mv, pass }, rest) = (graph.head(id), graph.rest(id));
        let (count, has_rest) = (groups().count() as u32, u32::from(rest.is_some()));
        if let Some(mv) = mv {
            put(out, mv.0.into());
        }
        put(
            out,
            if is_attack { count << 2 | u32::from(pass.is_some()) << 1 | has_rest } else { count << 1 | has_rest },
        );
        if let Some(rest) = rest {
            put_edge(rest, is_attack, at, out);
        }
        if let Some(pass) = pass {
            put_earlier(pass, at, out);
        }
        for group in groups() {
            put_edge(group[0].0, is_attack, at, out);
            put(out, group.len() as u32);
            let mut last = 0;
            for &(_, MoveId(mv)) in group {
                put(out, u32::from(mv - last));
                last = mv;
            }
        }
    }
}

pub fn take_nodes(words: &mut CertificateReader, is_attack: bool, moves: usize) -> Result<Graph, String> {
    // A node of the attacker takes at least two bytes, and a node of the defender at least one.
    let nodes = words.count("a number of nodes", if is_attack { 2 } else { 1 })?;
    let (mut graph, mut ways) = (Graph::with_capacity(nodes), Vec::new());
    for at in 0..nodes {
        let place = NodePlace { at, nodes, moves };
        let mv = if is_attack { Some(place.mv(words)?) } else { None };
        let number = words.number("a number of groups")?;
        let (groups, has_pass) = if is_attack { (number >> 2, number & 2 != 0) } else { (number >> 1, false) };
        let rest = if number & 1 != 0 { Some(take_edge(words, is_attack, place)?) } else { None };
        let pass = if has_pass { Some(take_earlier(words, place)?) } else { None };
        ways.clear();
        for _ in 0..groups {
            take_group(words, is_attack, place, &mut ways)?;
        }
        ways.sort_unstable();
        if let Some(pair) = ways.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(words.wrong("one way on after each move", format!("two after move {}", pair[0].0.0)));
        }
        let pushed = graph.push(Head { mv, pass }, rest, &ways);
        pushed.ok_or_else(|| words.wrong("fewer nodes and answers", "more than fit"))?;
    }
    Ok(graph)
}

fn take_group(
    words: &mut CertificateReader,
    is_attack: bool,
    place: NodePlace,
    ways: &mut Vec<(MoveId, Edge)>,
) -> Result<(), String> {
    let way = take_edge(words, is_attack, place)?;
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
