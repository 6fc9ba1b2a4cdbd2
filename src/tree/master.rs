//! The master tree: the game at its root, its nodes, and access to each node's position.

use super::arena::{Arena, NodeId};
use super::continuations::Continuations;
use super::exacts::Exacts;
use super::node::{Finding, Settled, TreeNode};
use super::phase::{men, phase};
use hasami_api::{Game, MoveText, Moves, Score, Start, Verdict};
use std::collections::{BTreeSet, HashMap};

/// The master tree, in which one worker searches each node (Yokoyama et al. 2014, section 3 and figure 2a). A node's
/// worker searches all moves that do not have their own node. With [`super::rules::anticipation`], the workers of some
/// nodes search all moves.
pub struct MasterTree<G: Game> {
    /// The position of the root, except inside [`Self::at`].
    pub(super) game: G,
    pub(super) nodes: Arena<TreeNode<G::Move>>,
    pub(super) root: NodeId,
    /// The searched node of each position, by key and ply. Sharing nodes between different plies would allow cycles.
    pub(super) by_key: HashMap<(u64, u32), NodeId>,
    /// For each searched node, the other nodes with the same position at the same ply.
    pub(super) aliases: HashMap<NodeId, Vec<NodeId>>,
    /// The moves allowed at the root. If the list is empty, all moves are allowed.
    pub(super) only: Vec<G::Move>,
    /// The root's child after the reply that the GUI expects.
    pub(super) expected: Option<NodeId>,
    /// True if several lines are requested, so that the root is searched even if its value is proved.
    pub(super) several: bool,
    /// True if the root is searched even after a mate is proved, for a shorter mate or a longer defence.
    pub stays_open: bool,
    /// True if the opponent is to move at the root.
    pub replies: bool,
    /// Nodes that were settled since the last call of [`Self::take_settled`].
    pub(super) newly_settled: Vec<NodeId>,
    /// Nodes whose workers may have nothing left to do, collected since the last call of [`Self::take_changed`].
    pub(super) changed: Vec<NodeId>,
    /// The nodes that have a worker.
    pub(super) occupied: BTreeSet<NodeId>,
    /// True if workers search all moves at nodes where the engine is to move ([`super::rules::anticipation`]).
    pub anticipates: bool,
    /// Number of pieces in the initial position of the game ([`super::phase()`]).
    usual_men: usize,
    /// Known continuations, for lines that break off.
    pub(super) continuations: Continuations,
    /// Exact values of moves, for searches that end with only a bound.
    pub(super) exacts: Exacts,
}

impl<G: Game> MasterTree<G> {
    /// Creates a tree with only a root.
    pub fn new(mut game: G) -> Self {
        let mut nodes = Arena::default();
        let usual_men = G::new(&Start::default()).map_or(0, |usual| men(&usual.to_text()));
        let phase = phase_of(&game, usual_men);
        let root = nodes.insert(root_node(&mut game, 0).in_phase(phase));
        let key = nodes.get(root).map_or(0, |node| node.key);
        let by_key = HashMap::from([((key, 0), root)]);
        let mut tree = Self {
            game,
            nodes,
            root,
            by_key,
            aliases: HashMap::new(),
            only: Vec::new(),
            expected: None,
            several: false,
            stays_open: false,
            replies: false,
            newly_settled: Vec::new(),
            changed: Vec::new(),
            occupied: BTreeSet::new(),
            anticipates: false,
            usual_men,
            continuations: Continuations::default(),
            exacts: Exacts::default(),
        };
        tree.back_up(root);
        tree
    }

    /// Creates a tree that consists of the root and uses the rule [`super::rules::anticipation`].
    pub fn anticipating(game: G) -> Self {
        Self { anticipates: true, ..Self::new(game) }
    }

    /// Returns whether the node's worker searches all moves, including those that have their own nodes.
    pub fn is_whole(&self, id: NodeId) -> bool {
        self.anticipates && (self.node(id).ply - self.node(self.root).ply + u32::from(self.replies)).is_multiple_of(2)
    }

    /// The moves that the node's worker does not search, because they have their own nodes.
    pub fn left_out(&self, id: NodeId) -> Vec<MoveText> {
        if self.is_whole(id) {
            return Vec::new();
        }
        self.node(id).children.iter().filter_map(|&child| self.node(child).text()).collect()
    }

    /// Returns whether the node's worker has any move to search.
    pub fn has_remaining(&self, id: NodeId) -> bool {
        self.is_whole(id) || self.node(id).has_others()
    }

    pub fn root(&self) -> NodeId {
        self.root
    }

    pub fn game(&self) -> &G {
        &self.game
    }

    pub fn len(&self) -> usize {
        self.nodes.count()
    }

    /// Always false: every tree has a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    pub fn get(&self, id: NodeId) -> Option<&TreeNode<G::Move>> {
        self.nodes.get(id)
    }

    /// # Panics
    /// Panics if the node was removed.
    pub fn node(&self, id: NodeId) -> &TreeNode<G::Move> {
        self.nodes.get(id).expect("ids are used only while their nodes exist")
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut TreeNode<G::Move> {
        self.nodes.get_mut(id).expect("ids are used only while their nodes exist")
    }

    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &TreeNode<G::Move>)> {
        self.nodes.iter()
    }

    /// Number of plies from the root.
    pub fn depth(&self, id: NodeId) -> usize {
        (self.node(id).ply - self.node(self.root).ply) as usize
    }

    /// The moves from the root to the node.
    pub fn path(&self, id: NodeId) -> Vec<(G::Move, MoveText)> {
        let mut path = Vec::new();
        let mut at = id;
        while at != self.root {
            let node = self.node(at);
            path.extend(node.step);
            at = node.parent.expect("only the root has no parent");
        }
        path.reverse();
        path
    }

    /// Calls `work` with the game at the node's position. `work` must restore the position before it returns.
    pub fn at<T>(&mut self, id: NodeId, work: impl FnOnce(&mut G) -> T) -> T {
        let path = self.path(id);
        for &(m, _) in &path {
            self.game.make(m);
        }
        let result = work(&mut self.game);
        for _ in &path {
            self.game.unmake();
        }
        result
    }

    /// The node where this node's position is searched: its twin with the same position, if any, or the node itself.
    pub fn searched(&self, id: NodeId) -> NodeId {
        self.node(id).twin.unwrap_or(id)
    }

    pub fn child_by_text(&self, id: NodeId, text: MoveText) -> Option<NodeId> {
        self.node(id).children.iter().copied().find(|&child| self.node(child).text() == Some(text))
    }

    pub fn child(&self, id: NodeId, m: G::Move) -> Option<NodeId> {
        self.node(id).children.iter().copied().find(|&child| self.node(child).step.is_some_and(|(step, _)| step == m))
    }

    /// Sets the root's child after the reply that the GUI expects.
    pub fn expect_move(&mut self, child: NodeId) {
        self.expected = Some(child);
        self.node_mut(self.root).shares.take();
    }

    /// Sets whether several lines are requested at the root, so that a proof of its value does not end its search.
    pub fn set_multi_pv(&mut self, several: bool) {
        if self.several != several {
            self.several = several;
            self.node_mut(self.root).exhausted = false;
            self.renew(self.root);
        }
    }

    /// Sets whether the root is searched even after a mate is proved.
    pub fn keep_open(&mut self, stays_open: bool) {
        if self.stays_open != stays_open {
            self.stays_open = stays_open;
            self.renew(self.root);
        }
    }

    /// Records that the opponent is to move at the current root.
    pub fn set_reply_awaited(&mut self) {
        self.replies = true;
        self.node_mut(self.root).shares.take();
    }

    /// Records that a worker at this node would find nothing more.
    pub fn exhaust(&mut self, id: NodeId) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.exhausted = true;
            self.changed.push(id);
        }
    }

    /// Returns whether the search may consider this move. Only moves at the root can be excluded.
    pub fn allows(&self, id: NodeId, m: G::Move) -> bool {
        id != self.root || self.only.is_empty() || self.only.contains(&m)
    }

    /// Adds the node after a legal move, or returns the existing one. If the parent's worker considers the move best,
    /// the new node inherits its value.
    pub fn add_child(&mut self, parent: NodeId, m: G::Move) -> NodeId {
        if let Some(child) = self.child(parent, m) {
            return child;
        }
        let plies = self.depth(parent) + 1;
        let usual = self.usual_men;
        let (text, key, legal, settled, phase) = self.at(parent, |game| {
            let text = game.format_move(m);
            game.make(m);
            let (legal, settled) = judge(game, plies);
            let (key, phase) = (game.key(), phase_of(game, usual));
            game.unmake();
            (text, key, legal, settled, phase)
        });
        let ply = self.node(parent).ply + 1;
        let mut node = TreeNode::new(Some(parent), Some((m, text)), key, ply, legal).in_phase(phase);
        node.settled = settled;
        if !settled.is_settled() {
            node.twin = self.by_key.get(&(key, ply)).copied();
        }
        let twin = node.twin;
        let child = self.nodes.insert(node);
        match twin {
            Some(twin) => self.aliases.entry(twin).or_default().push(child),
            None if settled.is_settled() => {}
            None => drop(self.by_key.insert((key, ply), child)),
        }
        self.inherit(parent, child, text);
        self.node_mut(parent).children.push(child);
        self.changed.push(parent);
        self.back_up(child);
        child
    }

    /// If the parent's variation begins with `text`, gives its continuation and value to the child. The parent's
    /// finding no longer covers `text`.
    fn inherit(&mut self, parent: NodeId, child: NodeId, text: MoveText) {
        let is_whole = self.is_whole(parent);
        let Some(own) = self.node_mut(parent).own.as_mut() else { return };
        if own.pv.first() != Some(&text) {
            return;
        }
        let mut inherited = Finding {
            score: own.score.for_child(),
            bound: own.bound.flipped(),
            depth: own.depth.saturating_sub(1),
            seldepth: own.seldepth.saturating_sub(1),
            nodes: own.nodes,
            pv: own.pv[1..].into(),
            lines: Box::default(),
            ranking: Box::default(),
            proved: false,
            inherited: true,
            joint: false,
            machine: own.machine,
            valid: true,
        };
        let was_valid = own.valid;
        own.valid &= is_whole;
        let node = self.node(child);
        if was_valid && !node.settled.is_settled() && node.twin.is_none() {
            // Workers may report illegal variations, so the continuation is used only if its next move is legal.
            if inherited.pv.first().is_some_and(|next| !self.is_legal(child, next)) {
                inherited.pv = Box::default();
            }
            self.node_mut(child).own = Some(inherited);
        }
    }

    fn is_legal(&mut self, id: NodeId, text: &str) -> bool {
        self.at(id, |game| game.parse_move(text).is_ok())
    }
}

fn phase_of<G: Game>(game: &G, usual: usize) -> f64 {
    phase(men(&game.to_text()), usual)
}

/// Creates the root's node. At the root, the game is over only if there is no legal move.
pub(super) fn root_node<G: Game>(game: &mut G, ply: u32) -> TreeNode<G::Move> {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let mut node = TreeNode::new(None, None, game.key(), ply, moves.len() as u16);
    if moves.is_empty() {
        node.settled = Settled::Rules(score_of(game.verdict_without_moves()).unwrap_or(Score::DRAW));
    }
    node
}

/// The number of legal moves and the result under the rules, in a position `plies` below the root.
pub(super) fn judge<G: Game>(game: &G, plies: usize) -> (u16, Settled) {
    let legal = game.count_moves() as u16;
    if legal == 0 {
        let score = score_of(game.verdict_without_moves()).unwrap_or(Score::DRAW);
        return (legal, Settled::Rules(score));
    }
    if let Some(score) = score_of(game.verdict()) {
        return (legal, Settled::Rules(score));
    }
    // If a repetition would count against the side to move (perpetual check), that side may still deviate, so the node
    // is not settled.
    match score_of(game.verdict_in_search(plies)) {
        Some(score) if !score.is_loss() => (legal, Settled::Repetition(score)),
        _ => (legal, Settled::No),
    }
}

/// Converts a verdict to a score for the side to move. A declared win counts as a win in one ply.
fn score_of(verdict: Verdict) -> Option<Score> {
    match verdict {
        Verdict::Open => None,
        Verdict::Win => Some(Score::win_in(1)),
        Verdict::Draw => Some(Score::DRAW),
        Verdict::Loss => Some(Score::loss_in(0)),
    }
}
