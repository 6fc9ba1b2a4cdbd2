//! Replays the attacker's strategy against every defence.
//!
//! The length of a brinkmate is computed from the last moves back to the first: 0 if checks alone mate, 1 if every
//! defence after the move is answered by mate, and otherwise two more than the length of the longest continuation.
//! Edges of a strategy lead only to earlier nodes, so every line ends. A line may repeat a position, because the moves
//! that mate from the second occurrence would also mate from the first. The repetition rules are not applied, so
//! whether a node proves a position depends only on the node and the position.

use crate::certificate::{Certificate, Claim, Plies};
use crate::graph::{Graph, Head, MoveId, StrategyNodeId};
use crate::identity::{Identities, PositionIdentity};
use crate::replay::{Verified, VerifyLimits};
use crate::unproved::{ReplayFault, Unproved};
use hasami_api::{BrinkmateGame, MoveText, Moves, is_mated_without_moves};
use std::collections::HashMap;

/// Maximum number of moves in the history of a game.
const DEEPEST: usize = 30_000;

pub fn replay<G: BrinkmateGame>(
    game: G,
    certificate: &Certificate,
    limits: VerifyLimits,
) -> Result<Verified, Unproved> {
    let mut replay = AttackReplay::new(game, certificate, limits);
    let claim = certificate.claim;
    let found = replay.run(certificate.root, claim == Claim::Mate);
    let plies = found.map_err(|why| replay.refuse(why))?;
    if let Claim::Brinkmate { plies: claimed } = claim
        && plies > claimed
    {
        let why = format!("expected a brinkmate of at most {}, found one of {}", Plies(claimed), Plies(plies));
        return Err(replay.refuse(ReplayFault::Wrong(why)));
    }
    Ok(Verified { claim, plies: Some(plies), positions: replay.positions })
}

/// A move of the attacker that has been made, with the defences that have not been tried yet.
struct AttackFrame<M> {
    node: StrategyNodeId,
    before: PositionIdentity,
    mv: MoveText,
    is_check: bool,
    by_checks: bool,
    /// Whether the defender's pass after a quiet move still has to be tried.
    passes: bool,
    defences: Vec<M>,
    /// The last move made: a defence, or a pass (`None`).
    made: Option<Option<MoveText>>,
    longest: u16,
}

struct AttackReplay<'a, G: BrinkmateGame> {
    game: G,
    graph: &'a Graph,
    moves: &'a [MoveText],
    ids: HashMap<MoveText, MoveId>,
    limits: VerifyLimits,
    identities: Identities,
    /// Number of plies proved for each pair of a position and a node.
    proved: HashMap<(PositionIdentity, StrategyNodeId), u16>,
    positions: u64,
    stack: Vec<AttackFrame<G::Move>>,
}

impl<'a, G: BrinkmateGame> AttackReplay<'a, G> {
    fn new(game: G, certificate: &'a Certificate, limits: VerifyLimits) -> Self {
        let ids = (0u16..).zip(&certificate.moves).map(|(id, &mv)| (mv, MoveId(id))).collect();
        let (moves, identities, proved) = (&certificate.moves[..], Identities::new(), HashMap::new());
        Self { game, graph: &certificate.graph, moves, ids, limits, identities, proved, positions: 0, stack: vec![] }
    }

    fn run(&mut self, root: StrategyNodeId, by_checks: bool) -> Result<u16, ReplayFault> {
        let mut found = self.enter(root, by_checks)?;
        loop {
            let Some(frame) = self.stack.last_mut() else { return Ok(found.unwrap_or_default()) };
            if let Some(plies) = found.take() {
                frame.longest = frame.longest.max(plies);
                self.game.unmake();
                frame.made = None;
            }
            found = match self.step()? {
                Some((node, by_checks)) => self.enter(node, by_checks)?,
                None => {
                    let plies = self.leave();
                    if self.stack.is_empty() {
                        return Ok(plies);
                    }
                    Some(plies)
                }
            };
        }
    }

    /// Makes the attacker's move at a node. Returns the number of plies if the node is decided without trying defences.
    fn enter(&mut self, node: StrategyNodeId, by_checks: bool) -> Result<Option<u16>, ReplayFault> {
        let before = self.identities.of(&self.game);
        match self.proved.get(&(before, node)) {
            Some(&plies) if by_checks && plies > 0 => {
                return Err(ReplayFault::wrong("expected a mate by checks, found a brinkmate"));
            }
            Some(&plies) => return Ok(Some(plies)),
            None => self.count()?,
        }
        let Head { mv: Some(mv), pass } = self.graph.head(node) else {
            return Err(ReplayFault::wrong("expected a move of the attacker, found none"));
        };
        let mv = self.moves[usize::from(mv.0)];
        let made = self.game.parse_move(&mv).map_err(|error| ReplayFault::Wrong(error.to_string()))?;
        let expected = self.game.format_move(made);
        if expected != mv {
            return Err(ReplayFault::Wrong(format!("expected {expected} as the protocol writes it, found {mv}")));
        }
        self.game.make(made);
        let is_check = self.game.in_check();
        let passes = !is_check;
        let frame =
            AttackFrame { node, before, mv, is_check, by_checks, passes, defences: vec![], made: None, longest: 0 };
        self.stack.push(frame);
        if by_checks && !is_check {
            return Err(ReplayFault::wrong("expected a check, found a quiet move"));
        }
        if !is_check && pass.is_none() {
            return Err(ReplayFault::wrong("expected a proof of the mate that it threatens, found none"));
        }
        let mut defences = Moves::new();
        self.game.legal_moves(&mut defences);
        if is_check && defences.is_empty() {
            if !is_mated_without_moves(&self.game) {
                return Err(ReplayFault::wrong("expected a mate, found another end of the game"));
            }
            self.stack.pop();
            self.game.unmake();
            return Ok(Some(0));
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.defences = defences.to_vec();
        }
        let most = self.limits.depth.min(DEEPEST);
        if self.stack.len() > most {
            return Err(ReplayFault::TooDeep(most));
        }
        Ok(None)
    }

    fn count(&mut self) -> Result<(), ReplayFault> {
        if self.positions == self.limits.positions {
            return Err(ReplayFault::TooManyPositions(self.limits.positions));
        }
        self.positions += 1;
        Ok(())
    }

    /// Makes the next defence, beginning with the pass. Returns the node that continues the strategy.
    fn step(&mut self) -> Result<Option<(StrategyNodeId, bool)>, ReplayFault> {
        let Some(frame) = self.stack.last_mut() else { return Ok(None) };
        if frame.passes {
            frame.passes = false;
            frame.made = Some(None);
            self.game.pass();
            return Ok(self.graph.head(frame.node).pass.map(|node| (node, true)));
        }
        let Some(defence) = frame.defences.pop() else { return Ok(None) };
        let text = self.game.format_move(defence);
        let Some(way) = self.graph.way(frame.node, self.ids.get(&text).copied()) else {
            return Err(ReplayFault::Wrong(format!("expected an answer to {text}, found none")));
        };
        self.game.make(defence);
        frame.made = Some(Some(text));
        Ok(Some((way.to, frame.by_checks)))
    }

    /// Takes back the attacker's move, after all defences against it have been answered.
    fn leave(&mut self) -> u16 {
        self.game.unmake();
        let Some(AttackFrame { node, before, is_check, longest, .. }) = self.stack.pop() else { return 0 };
        let plies = match longest {
            0 if is_check => 0,
            0 => 1,
            longest => longest + 2,
        };
        self.proved.insert((before, node), plies);
        plies
    }

    fn refuse(&self, why: ReplayFault) -> Unproved {
        let moves = self.stack.iter().flat_map(|frame| [Some(Some(frame.mv)), frame.made]);
        Unproved { path: moves.flatten().collect(), why }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;
    use crate::replay::set_up;
    use crate::{AttackBuilder, AttackNode};
    use hasami_shogi::Shogi;

    /// A position in which dropping the gold mates, even after a pawn move.
    const HELPLESS: &str = "3lkl3/3p1p3/4P4/9/9/9/9/9/P8 b G 1";

    #[test]
    fn a_proof_with_quiet_moves_is_not_accepted_as_a_mate_after_a_pass() {
        let mut builder = AttackBuilder::default();
        let [gold, pawn] = ["G*5b", "9i9h"].map(|text| text.parse().expect("a move"));
        let mate = builder.add(&AttackNode::new(gold, None, []));
        let quiet = builder.add(&AttackNode { mv: pawn, pass: Some(mate), answers: vec![], rest: Some(mate) });
        let certificate = builder.finish(HELPLESS, Claim::Brinkmate { plies: 1 }, quiet).expect("a certificate");
        let game = set_up::<Shogi>(HELPLESS).expect("a position");
        let mut replay = AttackReplay::new(game, &certificate, VerifyLimits::default());
        assert_eq!(replay.run(certificate.root, false), Ok(1));
        assert_eq!(
            replay.run(certificate.root, true),
            Err(ReplayFault::wrong("expected a mate by checks, found a brinkmate"))
        );
        assert_eq!(replay.run(certificate.root, false), Ok(1));
    }
}
