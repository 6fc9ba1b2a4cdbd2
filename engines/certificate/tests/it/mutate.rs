//! Mutations of certificates.

use crate::file::{content, packed};
use hasami_api::MoveText;
use hasami_certificate::{
    AttackBuilder, AttackNode, Certificate, Claim, DefenceBuilder, DefenceNode, DefenderReply, StrategyNodeId,
};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::{IndexedMutRandom, IndexedRandom};

/// Names of the mutations.
pub const KINDS: [&str; 14] = [
    "bits",
    "length",
    "content",
    "claim",
    "position",
    "other position",
    "dropped",
    "swapped",
    "redirected",
    "rest removed",
    "rest redirected",
    "pass",
    "move",
    "reply",
];

/// A certificate taken apart, so that a mutation can change it.
#[derive(Clone)]
struct Plan<N> {
    start: String,
    claim: Claim,
    nodes: Vec<N>,
    ids: Vec<StrategyNodeId>,
    moves: Vec<MoveText>,
}

/// Applies a mutation to a file; `None` if the file has nothing to change, or the result cannot be written.
pub fn changed(file: &[u8], kind: &str, starts: &[&str], random: &mut StdRng) -> Option<Vec<u8>> {
    let changed = match kind {
        "bits" => bits(file, random),
        "length" => length(file, random),
        "content" => packed(&bytes(&content(file), random)),
        _ => {
            let certificate = Certificate::read(file).unwrap();
            match certificate.claim {
                Claim::None { .. } => defence(&certificate, kind, starts, random)?,
                _ => attack(&certificate, kind, starts, random)?,
            }
        }
    };
    (changed != file).then_some(changed)
}

fn bits(file: &[u8], random: &mut StdRng) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..file.len());
        file[at] ^= 1 << random.random_range(0..8);
    }
    file
}

fn length(file: &[u8], random: &mut StdRng) -> Vec<u8> {
    let at = random.random_range(0..file.len());
    let mut file = file.to_vec();
    if random.random() {
        file.truncate(at)
    } else {
        file.insert(at, random.random())
    }
    file
}

fn bytes(content: &[u8], random: &mut StdRng) -> Vec<u8> {
    let mut content = content.to_vec();
    for _ in 0..random.random_range(1..3) {
        let at = random.random_range(0..content.len());
        match random.random_range(0..4) {
            0 => _ = content.remove(at),
            1 => content.insert(at, random.random_range(0..8)),
            2 => content[at] = random.random(),
            _ => content[at] = content[at].wrapping_add_signed(*[-2, -1, 1, 2].choose(random).unwrap()),
        }
    }
    content
}

fn claim(claim: Claim, random: &mut StdRng) -> Claim {
    match claim {
        Claim::None { .. } => {
            Claim::None { within: *[None, Some(0), Some(1), Some(2), Some(3)].choose(random).unwrap() }
        }
        _ => {
            [Claim::Mate, Claim::Brinkmate { plies: 1 }, Claim::Brinkmate { plies: 3 }].choose(random).copied().unwrap()
        }
    }
}

/// Changes one character of the position text, swaps two characters, or inserts one.
fn position(start: &str, random: &mut StdRng) -> String {
    let mut text: Vec<u8> = start.bytes().collect();
    let at = random.random_range(0..text.len());
    let men = b"PLNSGBRKplnsgbrk123456789+";
    match random.random_range(0..3) {
        0 => text[at] = *men.choose(random).unwrap(),
        1 => text.swap(at, random.random_range(0..start.len())),
        _ => text.insert(at, *men.choose(random).unwrap()),
    }
    String::from_utf8(text).unwrap()
}

impl<N> Plan<N> {
    fn of(certificate: &Certificate, node: impl Fn(StrategyNodeId) -> N, moves: impl Fn(&N) -> Vec<MoveText>) -> Self {
        let ids: Vec<StrategyNodeId> = certificate.ids().collect();
        let nodes: Vec<N> = ids.iter().map(|&id| node(id)).collect();
        let mut moves: Vec<MoveText> = nodes.iter().flat_map(moves).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { start: certificate.start.to_owned(), claim: certificate.claim, nodes, ids, moves }
    }

    /// Applies a mutation that works for strategies of either side. Returns false for any other mutation.
    fn change(&mut self, kind: &str, starts: &[&str], random: &mut StdRng) -> bool {
        match kind {
            "claim" => self.claim = claim(self.claim, random),
            "position" => self.start = position(&self.start, random),
            "other position" => self.start = (*starts.choose(random).unwrap()).to_owned(),
            _ => return false,
        }
        true
    }

    /// Picks a node for which `has` is true, and another node, which precedes the first if `before` is set.
    fn pick(&self, has: impl Fn(&N) -> bool, before: bool, random: &mut StdRng) -> Option<(usize, StrategyNodeId)> {
        let fit: Vec<usize> = (0..self.nodes.len()).filter(|&at| has(&self.nodes[at])).collect();
        let at = *fit.choose(random)?;
        Some((at, *self.ids[..if before { at } else { self.ids.len() }].choose(random)?))
    }
}

fn change_ways<W: Copy>(kind: &str, ways: &mut Vec<(MoveText, W)>, rest: &mut Option<W>, to: W, random: &mut StdRng) {
    let any = if ways.is_empty() { 0 } else { random.random_range(0..ways.len()) };
    match kind {
        "dropped" if !ways.is_empty() => _ = ways.swap_remove(any),
        "swapped" if ways.len() > 1 => {
            let other = random.random_range(0..ways.len());
            let way = ways[any].1;
            ways[any].1 = ways[other].1;
            ways[other].1 = way;
        }
        "swapped" if !ways.is_empty() => _ = rest.replace(std::mem::replace(&mut ways[any].1, rest.unwrap_or(to))),
        "redirected" if !ways.is_empty() => ways[any].1 = to,
        "rest removed" => *rest = None,
        "rest redirected" => *rest = Some(to),
        _ => {}
    }
}

fn attack(certificate: &Certificate, kind: &str, starts: &[&str], random: &mut StdRng) -> Option<Vec<u8>> {
    let moves = |node: &AttackNode| node.answers.iter().map(|&(mv, _)| mv).chain([node.mv]).collect();
    let mut plan = Plan::of(certificate, |id| certificate.attack_node(id).unwrap(), moves);
    if !plan.change(kind, starts, random) {
        let has = |node: &AttackNode| match kind {
            "pass" => node.pass.is_some(),
            "move" => true,
            "rest removed" | "rest redirected" => node.rest.is_some(),
            _ => !node.answers.is_empty(),
        };
        let picked = plan.pick(has, kind != "move", random);
        // No other node was picked, so the mutation is impossible.
        let (at, to) = picked?;
        let other = *plan.moves.choose(random)?;
        let node = &mut plan.nodes[at];
        match kind {
            "pass" => node.pass = random.random::<bool>().then_some(to),
            "move" => node.mv = other,
            _ => change_ways(kind, &mut node.answers, &mut node.rest, to, random),
        }
    }
    let (mut builder, mut ids) = (AttackBuilder::default(), Vec::new());
    let place = |id: StrategyNodeId| plan.ids.iter().position(|&other| other == id).unwrap();
    for node in &plan.nodes {
        let answers = node.answers.iter().map(|&(mv, id)| (mv, ids[place(id)])).collect();
        let (pass, rest) = (node.pass.map(|id| ids[place(id)]), node.rest.map(|id| ids[place(id)]));
        ids.push(builder.add(&AttackNode { mv: node.mv, pass, answers, rest }));
    }
    Some(builder.finish(&plan.start, plan.claim, *ids.last()?).ok()?.write())
}

fn defence(certificate: &Certificate, kind: &str, starts: &[&str], random: &mut StdRng) -> Option<Vec<u8>> {
    let texts = |node: &DefenceNode| {
        let replies = node.replies.iter().map(|&(_, (reply, _))| reply).chain(node.rest.map(|(reply, _)| reply));
        let replies = replies.filter_map(|reply| if let DefenderReply::Move(mv) = reply { Some(mv) } else { None });
        node.replies.iter().map(|&(mv, _)| mv).chain(replies).collect()
    };
    let mut plan = Plan::of(certificate, |id| certificate.defence_node(id).unwrap(), texts);
    if !plan.change(kind, starts, random) {
        let has = |node: &DefenceNode| match kind {
            "rest removed" | "rest redirected" => node.rest.is_some(),
            _ => !node.replies.is_empty(),
        };
        let (at, to) = plan.pick(has, false, random)?;
        let other = DefenderReply::Move(*plan.moves.choose(random)?);
        let node = &mut plan.nodes[at];
        match (kind, &mut node.rest) {
            ("pass", _) => node.replies.choose_mut(random)?.1.0 = DefenderReply::Pass,
            ("move", _) => node.replies.choose_mut(random)?.0 = *plan.moves.choose(random)?,
            ("reply", Some(rest)) if random.random() => rest.0 = other,
            ("reply", _) => node.replies.choose_mut(random)?.1.0 = other,
            _ => {
                let (reply, _) = node.rest.unwrap_or((other, to));
                change_ways(kind, &mut node.replies, &mut node.rest, (reply, to), random);
            }
        }
    }
    let mut builder = DefenceBuilder::default();
    let ids: Vec<StrategyNodeId> = plan.nodes.iter().map(|_| builder.reserve()).collect();
    let place = |id: StrategyNodeId| ids[plan.ids.iter().position(|&other| other == id).unwrap()];
    for (&id, node) in ids.iter().zip(&plan.nodes) {
        let replies = node.replies.iter().map(|&(mv, (reply, to))| (mv, (reply, place(to)))).collect();
        builder.set(id, &DefenceNode { replies, rest: node.rest.map(|(reply, to)| (reply, place(to))) });
    }
    Some(builder.finish(&plan.start, plan.claim, *ids.last()?).ok()?.write())
}
