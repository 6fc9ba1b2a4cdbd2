//! Brute-force search for defences in the graph of checks and replies.

use crate::brute::{at, checks, legal};
use hasami_api::{BrinkmateGame, Game, MateGame, MoveText};
use hasami_certificate::{Certificate, Claim, DefenceBuilder, DefenceNode, DefenderReply, StrategyNodeId};
use hasami_shogi::{Move, Shogi};
use std::collections::HashMap;

/// A check and its possible replies. `held` is the first reply that has not been refuted, with the position after it.
struct Check {
    mv: MoveText,
    replies: Vec<Move>,
    next: usize,
    held: Option<(MoveText, usize)>,
}

#[derive(Default)]
pub struct Graph {
    names: HashMap<String, usize>,
    texts: Vec<String>,
    checks: Vec<Vec<Check>>,
    /// For each position, the pairs of an earlier position and a check from which a reply leads to it.
    parents: Vec<Vec<(usize, usize)>>,
    mated: Vec<bool>,
}

impl Graph {
    fn name(&mut self, game: &Shogi) -> usize {
        let text = game.to_text();
        let key = text.rsplit_once(' ').unwrap().0.to_owned();
        *self.names.entry(key).or_insert_with(|| {
            self.texts.push(text);
            self.parents.push(Vec::new());
            self.mated.push(false);
            self.texts.len() - 1
        })
    }

    /// Returns the index of the position, or `None` if the position has a mate by checks.
    fn safe(&mut self, game: &Shogi) -> Option<usize> {
        let name = self.name(game);
        while self.checks.len() < self.texts.len() {
            let new = self.checks.len();
            let mut game = at(&self.texts[new]);
            let found = checks(&game).into_iter().map(|check| {
                let mv = game.format_move(check);
                game.make(check);
                let mut replies = legal(&game);
                // Captures are tried first, because they leave the attacker the fewest pieces.
                replies.sort_by_key(|&reply| (reply.is_drop(), game.won(reply).is_none()));
                game.unmake();
                Check { mv, replies, next: 0, held: None }
            });
            self.checks.push(found.collect());
            (0..self.checks[new].len()).for_each(|check| self.hold(new, check));
            assert!(self.texts.len() < 100_000, "the problem is too large for brute force");
        }
        (!self.mated[name]).then_some(name)
    }

    /// Finds the next reply that is not refuted. If every reply is refuted, the position is a mate, and the checks
    /// whose replies led to it are examined again.
    fn hold(&mut self, name: usize, check: usize) {
        let mut open = vec![(name, check)];
        while let Some((name, index)) = open.pop() {
            let Check { mv, replies, next, .. } = &mut self.checks[name][index];
            let (mv, reply) = (*mv, replies.get(*next).copied());
            *next += 1;
            let Some(reply) = reply else {
                if !std::mem::replace(&mut self.mated[name], true) {
                    let holds = |&(parent, check): &(usize, usize)| {
                        self.checks[parent][check].held.is_some_and(|(_, held)| held == name)
                    };
                    open.extend(self.parents[name].iter().copied().filter(holds));
                }
                continue;
            };
            let mut game = at(&self.texts[name]);
            game.make(game.parse_move(&mv).unwrap());
            let text = game.format_move(reply);
            game.make(reply);
            let to = self.name(&game);
            self.parents[to].push((name, index));
            self.checks[name][index].held = Some((text, to));
            if self.mated[to] {
                open.push((name, index));
            }
        }
    }
}

/// Builds the certificate of a claim: no mate (limit 0), no mate and no brinkmate of one ply (limit 1), or neither a
/// mate nor a brinkmate of any length (no limit). Without a limit, the attacker must have no first move that threatens
/// mate.
pub fn refuted(sfen: &str, within: Option<u16>) -> Option<Certificate> {
    let (mut graph, mut game) = (Graph::default(), at(sfen));
    let root = graph.safe(&game)?;
    let mut plans = Vec::new();
    if within != Some(0) {
        for attack in legal(&game) {
            let mv = game.format_move(attack);
            game.make(attack);
            let plan = reply(&mut graph, &mut game, within);
            game.unmake();
            plans.push((mv, plan?));
        }
    }
    let mut builder = DefenceBuilder::default();
    let ids: Vec<Option<StrategyNodeId>> =
        graph.mated.iter().map(|&mated| (!mated).then(|| builder.reserve())).collect();
    for (name, id) in ids.iter().enumerate().filter_map(|(name, &id)| Some((name, id?))) {
        let replies = graph.checks[name].iter().map(|check| {
            let (reply, to) = check.held.unwrap();
            (check.mv, (DefenderReply::Move(reply), ids[to].unwrap()))
        });
        builder.set(id, &DefenceNode::new(replies));
    }
    let root = match within {
        Some(0) => ids[root].unwrap(),
        _ => builder.add(&DefenceNode::new(plans.into_iter().map(|(mv, (reply, to))| (mv, (reply, ids[to].unwrap()))))),
    };
    Some(builder.finish(sfen, Claim::None { within }, root).unwrap())
}

fn reply(graph: &mut Graph, game: &mut Shogi, within: Option<u16>) -> Option<(DefenderReply, usize)> {
    if !game.in_check() {
        game.pass();
        let safe = graph.safe(game);
        game.unmake();
        if let Some(name) = safe {
            return Some((DefenderReply::Pass, name));
        }
    }
    assert_eq!(within, Some(1), "without a limit, a threat cannot be refuted");
    legal(game).into_iter().find_map(|defence| {
        let text = game.format_move(defence);
        game.make(defence);
        let safe = graph.safe(game);
        game.unmake();
        Some((DefenderReply::Move(text), safe?))
    })
}
