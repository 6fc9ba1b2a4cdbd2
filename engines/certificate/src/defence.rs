//! Replays the defender's strategy against every attack.
//!
//! Endless play is neither mate nor brinkmate, so a line need not end: the strategy proves its claim if every position
//! that it leads to has a reply.

use crate::certificate::{Certificate, Claim};
use crate::graph::{Edge, Graph, MoveId, StrategyNodeId};
use crate::identity::{Identities, PositionIdentity};
use crate::replay::{Verified, VerifyLimits, set_up};
use crate::unproved::{ReplayFault, Unproved};
use hasami_api::{BrinkmateGame, MoveText, Moves};
use std::collections::{HashMap, HashSet};

/// Number of plies that the attacker has left for a brinkmate. Only checks are tried if no plies are left, either
/// because they are used up or because the defender has passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Left(u16);

impl Left {
    const CHECKS: Self = Self(0);
    const UNLIMITED: Self = Self(u16::MAX);

    /// Returns the number of plies left after an attack and its reply.
    fn after(self) -> Self {
        if self == Self::UNLIMITED { self } else { Self(self.0.saturating_sub(2)) }
    }
}

pub fn replay<G: BrinkmateGame>(
    game: G,
    certificate: &Certificate,
    limits: VerifyLimits,
) -> Result<Verified, Unproved> {
    let ids = (0u16..).zip(&certificate.moves).map(|(id, &mv)| (mv, MoveId(id))).collect();
    let (identities, moves) = (Identities::new(), &certificate.moves[..]);
    let mut replay: DefenceReplay<G> = DefenceReplay {
        graph: &certificate.graph,
        moves,
        ids,
        limits,
        identities,
        seen: HashSet::new(),
        ways: vec![],
        open: vec![],
        at: None,
    };
    let left = match certificate.claim {
        Claim::None { within: Some(plies) } => Left(plies),
        _ => Left::UNLIMITED,
    };
    replay.run(game, certificate.root, left)?;
    Ok(Verified { claim: certificate.claim, plies: None, positions: replay.ways.len() as u64 })
}

/// The edge by which a position was reached.
struct ReachedBy {
    from: u32,
    attack: MoveText,
    /// The defender's reply; `None` for a pass.
    reply: Option<MoveText>,
}

/// A position whose attacks have not been tried yet.
struct OpenPosition {
    way: u32,
    text: String,
    node: StrategyNodeId,
    left: Left,
}

struct DefenceReplay<'a, G: BrinkmateGame> {
    graph: &'a Graph,
    moves: &'a [MoveText],
    ids: HashMap<MoveText, MoveId>,
    limits: VerifyLimits,
    identities: Identities,
    seen: HashSet<(PositionIdentity, StrategyNodeId, Left)>,
    ways: Vec<Option<ReachedBy>>,
    open: Vec<OpenPosition>,
    /// The attack being examined.
    at: Option<G::Move>,
}

impl<G: BrinkmateGame> DefenceReplay<'_, G> {
    fn run(&mut self, game: G, root: StrategyNodeId, left: Left) -> Result<(), Unproved> {
        self.reach(&game, root, left, None).map_err(|why| Unproved { path: Vec::new(), why })?;
        while let Some(open) = self.open.pop() {
            let mut game = set_up::<G>(&open.text).map_err(Unproved::of_position)?;
            self.at = None;
            let refuted = self.refute(&mut game, &open);
            refuted.map_err(|why| {
                let attack = self.at.map(|attack| {
                    game.unmake();
                    Some(game.format_move(attack))
                });
                Unproved { path: self.path(open.way).into_iter().chain(attack).collect(), why }
            })?;
        }
        Ok(())
    }

    /// Checks the replies to every attack, or to every check if no plies are left.
    fn refute(&mut self, game: &mut G, open: &OpenPosition) -> Result<(), ReplayFault> {
        let mut attacks = Moves::new();
        if open.left == Left::CHECKS {
            game.checking_moves(&mut attacks);
        } else {
            game.legal_moves(&mut attacks);
        }
        for &attack in attacks.iter() {
            let text = game.format_move(attack);
            game.make(attack);
            self.at = Some(attack);
            self.reply(game, open, text)?;
            game.unmake();
        }
        Ok(())
    }

    /// Makes the defender's reply. If the reply is correct, `game` is restored; otherwise `game` remains at the
    /// position in which the strategy failed.
    fn reply(&mut self, game: &mut G, open: &OpenPosition, attack: MoveText) -> Result<(), ReplayFault> {
        let Some(Edge { reply, to }) = self.graph.way(open.node, self.ids.get(&attack).copied()) else {
            let found = if game.count_moves() == 0 { "mate" } else { "none" };
            return Err(ReplayFault::Wrong(format!("expected a reply, found {found}")));
        };
        let (reply, left) = match reply {
            Some(mv) => {
                let reply = self.moves[usize::from(mv.0)];
                let made = game.parse_move(&reply).map_err(|error| match game.count_moves() {
                    0 => ReplayFault::wrong("expected a legal move, found mate"),
                    _ => ReplayFault::Wrong(error.to_string()),
                })?;
                game.make(made);
                (Some(reply), open.left.after())
            }
            None if game.in_check() => {
                return Err(ReplayFault::wrong("expected a legal move, found a pass in check"));
            }
            None => {
                game.pass();
                (None, Left::CHECKS)
            }
        };
        let reached = self.reach(game, to, left, Some(ReachedBy { from: open.way, attack, reply }));
        game.unmake();
        reached
    }

    fn reach(&mut self, game: &G, node: StrategyNodeId, left: Left, way: Option<ReachedBy>) -> Result<(), ReplayFault> {
        if !self.seen.insert((self.identities.of(game), node, left)) {
            return Ok(());
        }
        let count = self.ways.len();
        match u32::try_from(count) {
            Ok(index) if (count as u64) < self.limits.positions => {
                self.ways.push(way);
                self.open.push(OpenPosition { way: index, text: game.to_text(), node, left });
                Ok(())
            }
            _ => Err(ReplayFault::TooManyPositions(self.limits.positions)),
        }
    }

    /// Returns the moves from the start to a position.
    fn path(&self, way: u32) -> Vec<Option<MoveText>> {
        let mut path = Vec::new();
        let mut at = way;
        while let Some(ReachedBy { from, attack, reply }) = &self.ways[at as usize] {
            path.extend([*reply, Some(*attack)]);
            at = *from;
        }
        path.reverse();
        path
    }
}
