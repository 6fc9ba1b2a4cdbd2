//! Extracts the defender's strategy as a certificate from the table of a search that found no brinkmate: a reply to
//! every attacking move in every position that can arise.
//!
//! Endless play is not a mate, so the defender's strategy is a set of positions in which every attacking move has a
//! reply that leads back into the set.

use crate::brink::{Act, Brink, BrinkProver};
use hasami_api::{BrinkmateGame, Game, PositionKey, Report, Stop, is_mated};
use hasami_certificate::{Certificate, Claim, DefenceBuilder, DefenceNode, DefenderReply, StrategyNodeId};
use hasami_mate::KnownProof;
use std::collections::HashMap;

/// Largest number of positions in the defender's strategy. Each position in the strategy takes a few hundred bytes.
const MOST: usize = 2_000_000;

/// Extracts the defender's strategy.
pub struct Refutation<'a, G: BrinkmateGame> {
    prover: &'a mut BrinkProver<G>,
    stop: &'a Stop,
    /// Number of moves made to re-refute positions that the table has forgotten.
    pub nodes: u64,
    node_limit: u64,
    builder: DefenceBuilder,
    ids: HashMap<PositionKey, StrategyNodeId>,
    /// Positions of the strategy whose replies have not been found yet.
    open: Vec<(StrategyNodeId, Brink<G>)>,
}

impl<'a, G: BrinkmateGame> Refutation<'a, G> {
    pub fn new(prover: &'a mut BrinkProver<G>, stop: &'a Stop, node_limit: u64) -> Self {
        let (builder, ids, open) = (DefenceBuilder::default(), HashMap::new(), Vec::new());
        Self { prover, stop, nodes: 0, node_limit, builder, ids, open }
    }

    /// Returns the certificate for a position where the search has refuted the attack, and the number of moves made.
    /// The certificate is `None` if a part of the strategy could not be found.
    pub fn find(mut self, root: Brink<G>, start: &str, within: Option<u16>) -> (Option<Certificate>, u64) {
        let id = self.add(root);
        while let Some((id, game)) = self.open.pop() {
            let node = if self.stop.is_stopped() || self.ids.len() > MOST { None } else { self.node(game) };
            let Some(node) = node else { return (None, self.nodes) };
            self.builder.set(id, &node);
        }
        (self.builder.finish(start, Claim::None { within }, id).ok(), self.nodes)
    }

    fn add(&mut self, game: Brink<G>) -> StrategyNodeId {
        let place = game.place();
        if let Some(&id) = self.ids.get(&place) {
            return id;
        }
        let id = self.builder.reserve();
        self.ids.insert(place, id);
        self.open.push((id, game));
        id
    }

    /// Builds the node for a position, with a reply to every attacking move.
    fn node(&mut self, mut game: Brink<G>) -> Option<DefenceNode> {
        let attacks = if game.is_by_checks() { game.mating_attempts() } else { game.acts() };
        let mut replies = Vec::with_capacity(attacks.len());
        for attack in attacks {
            let text = game.format_move(attack);
            game.make(attack);
            let reply = self.reply(&mut game)?;
            let replied = reply.played().map_or(DefenderReply::Pass, |_| DefenderReply::Move(game.format_move(reply)));
            game.make(reply);
            let id = self.add(game.clone());
            game.unmake();
            game.unmake();
            replies.push((text, (replied, id)));
        }
        Some(DefenceNode::new(replies))
    }

    /// Finds a reply that leads to a position of the strategy or, failing that, the first reply that is known to refute
    /// the attacking move.
    fn reply(&mut self, game: &mut Brink<G>) -> Option<Act<G::Move>> {
        if is_mated(game) {
            return None;
        }
        let acts = game.acts();
        let mut known = None;
        for &act in &acts {
            game.make(act);
            let is_in_the_set = self.ids.contains_key(&game.place());
            let is_refuted = known.is_none() && self.prover.known(game, game.attacker()) == KnownProof::Disproved;
            game.unmake();
            if is_in_the_set {
                return Some(act);
            }
            if is_refuted {
                known = Some(act);
                if act == Act::Pass {
                    break;
                }
            }
        }
        known.or_else(|| self.refute(game, &acts))
    }

    /// Finds a reply by a new search, for a position that was refuted on one path only or that the table has forgotten.
    fn refute(&mut self, game: &mut Brink<G>, acts: &[Act<G::Move>]) -> Option<Act<G::Move>> {
        for share in [64, 4, 1] {
            for &act in acts {
                let left = self.node_limit.saturating_sub(self.nodes) / share;
                game.make(act);
                let found =
                    self.prover.search(game, left.min(1 << 26 >> share.ilog2()), self.stop, &mut |_: Report| {});
                game.unmake();
                self.nodes += found.nodes;
                if found.known == KnownProof::Disproved {
                    return Some(act);
                }
            }
        }
        None
    }
}
