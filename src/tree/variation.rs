//! Lines through the tree: the principal variation, and the move at each node that gets its own node next.

use super::arena::NodeId;
use super::master::MasterTree;
use super::node::{Source, TreeNode};
use hasami_api::{Game, MoveText, Moves, Score, Verdict};

/// The move at a node that gets its own node next.
#[derive(Clone, Copy, Debug)]
pub struct ExpansionCandidate<M> {
    pub m: M,
    /// The move's value for the side to move, if the node's worker considers the move best.
    pub score: Option<Score>,
}

impl<G: Game> MasterTree<G> {
    /// The variation that gives the node its value: the path through the tree to the node that the value comes from,
    /// and then the variation reported by that node's worker. All moves are legal, and none comes after the end of the
    /// game.
    pub fn variation(&mut self, id: NodeId) -> Vec<MoveText> {
        let mut line = Vec::new();
        let mut at = self.searched(id);
        while let Some(child) = self.source(at) {
            line.extend(self.node(child).text());
            at = self.searched(child);
        }
        if !self.node(at).settled.is_end()
            && let Some(own) = self.node(at).finding()
        {
            line.extend_from_slice(&own.pv);
        }
        let value = self.node(self.searched(id)).value;
        let (score, depth) = value.map_or((Score::DRAW, 0), |value| (value.score, value.depth));
        self.lengthened(id, &line, score, depth)
    }

    /// The node whose finding gives the node `id` its value.
    pub fn source_of(&self, id: NodeId) -> NodeId {
        let mut at = self.searched(id);
        while let Some(child) = self.source(at) {
            at = self.searched(child);
        }
        at
    }

    fn source(&self, id: NodeId) -> Option<NodeId> {
        match self.node(id).value?.source {
            Source::Child(child) => Some(child),
            Source::Own => None,
        }
    }

    /// The legal beginning of `line`, which starts at node `id` and has the value `score`, continued with moves of
    /// other known lines. A mating line is continued up to the mate, any other line up to `depth` plies.
    pub fn lengthened(&mut self, id: NodeId, line: &[MoveText], score: Score, depth: u16) -> Vec<MoveText> {
        let continuations = std::mem::take(&mut self.continuations);
        let line = self.at(id, |game| {
            let mut legal = legal_beginning(game, line);
            if score.is_decisive() {
                continuations.lengthen_to_end(game, &mut legal, score);
            } else if !legal.is_empty() {
                continuations.lengthen(game, &mut legal, depth.into());
            }
            legal
        });
        self.continuations = continuations;
        line
    }

    /// The move that gives the node its value.
    pub fn best_move(&mut self, id: NodeId) -> Option<MoveText> {
        let at = self.searched(id);
        let node = self.node(at);
        match node.value?.source {
            Source::Child(child) => self.node(child).text(),
            Source::Own => node.finding().and_then(|own| own.pv.first().copied()),
        }
    }

    /// The move that gets its own node next: the move that the node's worker considers best or, if it has a node, the
    /// move with the most effort. An alpha-beta search spends its effort on moves that it takes seriously (Yokoyama et
    /// al. 2014, section 3).
    pub fn candidate(&mut self, id: NodeId) -> Option<ExpansionCandidate<G::Move>> {
        let node = self.node(id);
        let own = node.own.as_ref()?;
        let best = own.pv.first().copied().filter(|&text| own.valid && !self.has_child(node, text));
        let text = best.or_else(|| {
            let mut ranked = own.ranking.iter().map(|ranked| ranked.text);
            ranked.find(|&text| !self.has_child(node, text))
        })?;
        let score = best.and(Some(own.score));
        let m = self.at(id, |game| game.parse_move(&text).ok())?;
        (self.allows(id, m) && self.child(id, m).is_none()).then_some(ExpansionCandidate { m, score })
    }

    fn has_child(&self, node: &TreeNode<G::Move>, text: MoveText) -> bool {
        node.children.iter().any(|&child| self.node(child).text() == Some(text))
    }
}

/// The moves of `line` up to the first move that is illegal or comes after the end of the game.
pub fn legal_beginning<G: Game>(game: &mut G, line: &[MoveText]) -> Vec<MoveText> {
    played(game, line, |game| game.verdict() != Verdict::Open)
}

/// Returns whether the line is not empty, all its moves are legal, and none comes after the end of the game. A position
/// in which a win may be declared does not count as the end.
pub fn plays_out<G: Game>(game: &mut G, line: &[MoveText]) -> bool {
    let is_over = |game: &G| game.verdict() != Verdict::Open && !game.may_declare_win();
    !line.is_empty() && played(game, line, is_over).len() == line.len()
}

/// Returns whether a line of legal moves leads to the forced end that the score announces, in as many plies.
pub fn shows_end<G: Game>(game: &mut G, line: &[MoveText], score: Score) -> bool {
    let plies = Score::MATE.abs_diff(score.raw().abs()) as usize;
    // A line that ends with a declared win is one move shorter, because the declaration counts as a ply.
    if !score.is_decisive() || !(plies..=plies + 1).contains(&(line.len() + 1)) {
        return false;
    }
    after(game, line, |game, made| {
        let is_over = game.count_moves() == 0 || game.verdict() != Verdict::Open;
        made == line.len() && if made == plies { is_over } else { game.verdict() == Verdict::Win }
    })
}

/// Plays the legal moves at the beginning of `line`, and calls `see` with the position after them and their number.
pub fn after<G: Game, T>(game: &mut G, line: &[MoveText], see: impl FnOnce(&G, usize) -> T) -> T {
    let mut made = 0;
    for text in line {
        let Ok(m) = game.parse_move(text) else { break };
        game.make(m);
        made += 1;
    }
    let seen = see(game, made);
    (0..made).for_each(|_| game.unmake());
    seen
}

/// The moves of `line` up to the first move that is illegal or comes after the position in which the game `is_over`.
fn played<G: Game>(game: &mut G, line: &[MoveText], is_over: impl Fn(&G) -> bool) -> Vec<MoveText> {
    let mut played = Vec::with_capacity(line.len());
    for text in line {
        if !played.is_empty() && is_over(game) {
            break;
        }
        let Ok(m) = game.parse_move(text) else { break };
        played.push(game.format_move(m));
        game.make(m);
    }
    played.iter().for_each(|_| game.unmake());
    played
}

/// All legal moves of a position.
pub fn legal_moves<G: Game>(game: &G) -> Moves<G::Move> {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    moves
}
