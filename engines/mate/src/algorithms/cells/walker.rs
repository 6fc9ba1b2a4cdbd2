//! A position that moves between the nodes of a tree and expands them.

use super::tree::{HostTree, Id};
use crate::core::path::Path;
use crate::core::replay::add_moves;
use crate::interface::cell_message::CellProblem;
use hasami_api::is_mated_without_moves;
use hasami_api::{MateGame, Moves, Side, Stop, Verdict};

/// Limits common to all positions of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// Whether the attacker may play moves other than checks.
    pub(crate) any_moves: bool,
    /// Maximum length of a line, in plies.
    pub(crate) longest: usize,
}

impl Bounds {
    pub(crate) fn of(problem: &CellProblem) -> Self {
        Self { any_moves: problem.any_moves, longest: usize::try_from(problem.longest).unwrap_or(usize::MAX) }
    }
}

pub(crate) struct Walker<G: MateGame> {
    pub(crate) game: G,
    pub(super) attacker: Side,
    bounds: Bounds,
    /// Positions from the problem's first position to the current one.
    path: Path,
    /// Moves from the tree's root to the current position.
    way: Vec<G::Move>,
    /// Number of plies from the problem's first position to the tree's root.
    above: usize,
    /// Number of moves made.
    pub(crate) nodes: u64,
    /// Node count at which the clock is checked next.
    pause: u64,
    /// True if some line was cut at the maximum length, so that a position without a mate may still have a longer mate.
    pub(crate) was_cut: bool,
}

impl<G: MateGame> Walker<G> {
    /// Creates a walker at the root of a tree, which `moves` reach from the problem's first position.
    pub(crate) fn new(problem: &G, moves: &[G::Move], bounds: Bounds) -> Self {
        let (attacker, game) = (problem.side(), problem.clone());
        let (path, way) = (Path::default(), Vec::new());
        let mut walker =
            Self { game, attacker, bounds, path, way, above: moves.len(), nodes: 0, pause: 0, was_cut: false };
        walker.put_on_path();
        for &m in moves {
            walker.game.make(m);
            walker.put_on_path();
        }
        walker.nodes += moves.len() as u64;
        walker
    }

    fn put_on_path(&mut self) {
        self.path.push(self.game.board_key(), self.game.hand(self.attacker));
    }

    /// Reports to the clock how many moves have been made; the clock may pause the search.
    pub(crate) fn pace(&mut self, stop: &Stop, nodes: u64) {
        if nodes >= self.pause {
            self.pause = stop.more(nodes);
        }
    }

    /// Restarts the clock.
    pub(crate) const fn pace_anew(&mut self) {
        self.pause = 0;
    }

    fn make(&mut self, m: G::Move) {
        self.nodes += 1;
        self.game.make(m);
    }

    pub(crate) fn enter(&mut self, m: G::Move) {
        self.make(m);
        self.put_on_path();
        self.way.push(m);
    }

    pub(crate) fn leave(&mut self) {
        self.way.pop();
        self.path.pop();
        self.game.unmake();
    }

    /// Makes and unmakes moves until the current position is that of a node.
    pub(crate) fn go(&mut self, tree: &HostTree<G::Move>, id: Id) {
        let way = tree.moves_to(id);
        let common = self.way.iter().zip(&way).take_while(|(a, b)| a == b).count();
        while self.way.len() > common {
            self.leave();
        }
        way[common..].iter().for_each(|&m| self.enter(m));
    }

    /// Returns the attacker's (`attacks`) or the defender's moves in the current position.
    pub(crate) fn moves(&self, attacks: bool) -> Moves<G::Move> {
        let mut moves = Moves::new();
        add_moves(&self.game, attacks && !self.bounds.any_moves, &mut moves);
        moves
    }

    /// Adds two plies below a leaf, so that the same side is to move at the new leaves.
    pub(crate) fn expand(&mut self, tree: &mut HostTree<G::Move>, id: Id) {
        self.go(tree, id);
        self.grow(tree, id);
        // At the root of a problem, the other side may be to move, so one ply suffices.
        if tree.node(id).attacks == tree.measure().leaf_attacks() {
            let children: Vec<Id> = tree.children(id).filter(|&child| !tree.node(child).is_decided()).collect();
            for child in children {
                if let Some(m) = tree.node(child).mv {
                    self.enter(m);
                    self.grow(tree, child);
                    tree.combine(child);
                    self.leave();
                }
            }
        }
        tree.update(id);
    }

    /// Adds one ply below a node, whose position must be the current one.
    fn grow(&mut self, tree: &mut HostTree<G::Move>, id: Id) {
        let (attacks, depth) = (tree.node(id).attacks, self.above + self.way.len());
        let moves = self.moves(attacks);
        let ends = match self.game.verdict() {
            Verdict::Open => false,
            Verdict::Win => !attacks,
            Verdict::Draw | Verdict::Loss => true,
        };
        match (attacks, moves.is_empty()) {
            (false, true) if is_mated_without_moves(&self.game) => tree.prove(id, 0),
            (_, true) => tree.disprove(id),
            _ if ends && depth > 0 => tree.disprove(id),
            _ if depth >= self.bounds.longest => {
                self.was_cut = true;
                tree.disprove(id);
            }
            _ => self.add_children(tree, id, &moves, depth + 1),
        }
    }

    fn add_children(&mut self, tree: &mut HostTree<G::Move>, id: Id, moves: &[G::Move], depth: usize) {
        let (attacks, cell) = (tree.node(id).attacks, tree.node(id).cell);
        let drops_wait = !attacks && tree.measure().leaf_attacks();
        let mut squares = 0u128;
        let places: Vec<Option<(u8, bool)>> = moves
            .iter()
            .map(|&m| {
                let (_, square) = self.game.dropped(m).filter(|_| drops_wait)?;
                let (bit, before) = (1 << (square & 127), squares);
                squares |= bit;
                Some((square, before & bit != 0))
            })
            .collect();
        for (&m, place) in moves.iter().zip(places).rev() {
            let child = tree.add(id, m);
            self.make(m);
            self.look(tree, child, attacks, depth);
            self.game.unmake();
            let node = tree.node_mut(child);
            node.cell = cell;
            if let Some((square, comes_later)) = place {
                node.square = Some(square);
                node.waits = comes_later && !node.is_decided();
            }
            tree.combine(child);
        }
    }

    /// Sets the initial numbers of a new node, whose position must be the current one.
    fn look(&self, tree: &mut HostTree<G::Move>, child: Id, is_check: bool, depth: usize) {
        if self.path.repeats(self.game.board_key(), self.game.hand(self.attacker)).is_some() {
            // A repetition can be disproved: a mate after it would also be a mate from the earlier occurrence, and the
            // tree has only one path to this node.
            tree.disprove(child);
        } else if is_check {
            match self.game.count_answers() {
                0 if is_mated_without_moves(&self.game) => tree.prove(child, 0),
                0 => tree.disprove(child),
                answers => {
                    let (pn, dn) = tree.measure().first_numbers(depth, answers);
                    let node = tree.node_mut(child);
                    (node.pn, node.dn) = (pn, dn);
                }
            }
        }
    }
}
