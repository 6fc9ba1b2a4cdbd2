//! Text format of sub-trees. In `(2c2b:41,G*2b(1b1a!(G*1c!),1b1c:33))`, the children of a move are in parentheses, `:`
//! precedes the value of a leaf, and `!` marks a proved position, which is a mate or is followed by the main line of
//! its proof.

use super::tree::{HostTree, Id, ROOT};
use super::walker::Walker;
use crate::core::value::INFINITE;
use hasami_api::{MateGame, is_mated};

/// Formats a tree, leaving out its root node; `root` is the position of the root node.
pub(crate) fn print<G: MateGame>(tree: &HostTree<G::Move>, root: &G) -> String {
    let mut game = root.clone();
    let below = |id: Id| tree.children(id).collect::<Vec<Id>>();
    let (mut text, mut open) = (String::from("("), vec![below(ROOT)]);
    while let Some(siblings) = open.last_mut() {
        let Some(id) = siblings.pop() else {
            open.pop();
            text.push(')');
            if !open.is_empty() {
                game.unmake();
            }
            continue;
        };
        let node = tree.node(id);
        let Some(m) = node.mv else { continue };
        if !text.ends_with('(') {
            text.push(',');
        }
        text += &game.format_move(m);
        if node.is_proved() {
            text.push('!');
        } else if node.is_leaf() {
            text += &format!(":{}", node.pn);
        }
        if !node.is_leaf() {
            text.push('(');
            game.make(m);
            open.push(below(id));
        }
    }
    text
}

/// Returns an upper bound on the number of nodes that the text of a sub-tree describes.
pub(crate) fn size(text: &str) -> usize {
    text.bytes().filter(|byte| b"(,".contains(byte)).count()
}

/// Attaches a sub-tree to a leaf. On error, the leaf is unchanged.
pub(crate) fn join<G: MateGame>(
    tree: &mut HostTree<G::Move>,
    leaf: Id,
    walker: &mut Walker<G>,
    text: &str,
) -> Result<(), String> {
    debug_assert!(!tree.is_spare(leaf), "the leaf is no longer in the tree");
    walker.go(tree, leaf);
    let (pn, dn) = (tree.node(leaf).pn, tree.node(leaf).dn);
    let joined = BranchReader { text, at: 0, walker, tree, open: Vec::new() }.read(leaf);
    if joined.is_err() {
        let node = tree.node_mut(leaf);
        (node.pn, node.dn) = (pn, dn);
        tree.collapse(leaf);
    }
    tree.update(leaf);
    joined
}

/// A node whose children are being read.
struct OpenNode<M> {
    id: Id,
    is_proved: bool,
    /// Legal moves that have not been read yet, with their texts.
    moves: Vec<(String, M)>,
}

struct BranchReader<'a, G: MateGame> {
    text: &'a str,
    at: usize,
    walker: &'a mut Walker<G>,
    tree: &'a mut HostTree<G::Move>,
    open: Vec<OpenNode<G::Move>>,
}

impl<G: MateGame> BranchReader<'_, G> {
    fn read(&mut self, leaf: Id) -> Result<(), String> {
        self.expect(b'(')?;
        self.begin(leaf, false);
        while let Some(parent) = self.open.last_mut() {
            let word = word(&self.text[self.at..]);
            self.at += word.len();
            let found = parent.moves.iter().position(|(text, _)| text == word);
            let (_, m) = parent.moves.swap_remove(found.ok_or_else(|| unexpected("a move that is legal there", word))?);
            let child = self.tree.add(parent.id, m);
            let is_proved = self.skip(b'!');
            if !is_proved && self.skip(b':') {
                self.value(child)?;
            } else if self.skip(b'(') {
                self.walker.enter(m);
                self.begin(child, is_proved);
                continue;
            } else {
                self.mate(child, m)?;
            }
            self.end_siblings()?;
        }
        if self.at == self.text.len() { Ok(()) } else { Err(unexpected("the end", &self.text[self.at..])) }
    }

    fn begin(&mut self, id: Id, is_proved: bool) {
        let moves = self.walker.moves(self.tree.node(id).attacks);
        let moves = moves.iter().map(|&m| (self.walker.game.format_move(m).to_string(), m)).collect();
        self.open.push(OpenNode { id, is_proved, moves });
    }

    /// Moves from a child to its next sibling, or closes every node whose children have all been read.
    fn end_siblings(&mut self) -> Result<(), String> {
        while !self.skip(b',') {
            self.expect(b')')?;
            let Some(OpenNode { id, is_proved, .. }) = self.open.pop() else { return Ok(()) };
            if is_proved {
                self.prove(id)?;
            } else {
                self.tree.combine(id);
                if self.tree.node(id).is_decided() {
                    return Err("expected an open position, found one that is decided".into());
                }
            }
            if self.open.is_empty() {
                return Ok(());
            }
            self.walker.leave();
        }
        Ok(())
    }

    fn prove(&mut self, id: Id) -> Result<(), String> {
        let children: Vec<Id> = self.tree.children(id).take(2).collect();
        match children[..] {
            [child] if self.tree.node(child).is_proved() => {
                let plies = self.tree.node(child).plies.saturating_add(1);
                self.tree.prove(id, plies);
                Ok(())
            }
            _ => Err("expected one line below what is proved, found none or more".into()),
        }
    }

    fn value(&mut self, child: Id) -> Result<(), String> {
        let digits = word(&self.text[self.at..]);
        self.at += digits.len();
        let value = digits.parse().ok().filter(|value| (1..INFINITE).contains(value));
        self.tree.node_mut(child).pn = value.ok_or_else(|| unexpected("a value", digits))?;
        self.tree.combine(child);
        Ok(())
    }

    fn mate(&mut self, child: Id, m: G::Move) -> Result<(), String> {
        self.walker.enter(m);
        let is_mate = !self.tree.node(child).attacks && is_mated(&self.walker.game);
        self.walker.leave();
        if is_mate {
            self.tree.prove(child, 0);
            Ok(())
        } else {
            Err("expected a mate at the end of a line, found none".into())
        }
    }

    fn skip(&mut self, byte: u8) -> bool {
        let is_there = self.text.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        let found = &self.text[self.at..];
        if self.skip(byte) { Ok(()) } else { Err(unexpected(&format!("'{}'", char::from(byte)), found)) }
    }
}

/// Returns the text up to the next punctuation mark.
fn word(text: &str) -> &str {
    text.split([',', ':', '!', '(', ')']).next().unwrap_or_default()
}

fn unexpected(expected: &str, found: &str) -> String {
    let shown: String = found.chars().take(20).collect();
    format!("expected {expected}, found '{shown}'")
}
