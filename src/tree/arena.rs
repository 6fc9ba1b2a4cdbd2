//! Stores nodes in chunked vectors. A node is identified by index and generation, so that the id of a removed node
//! never refers to a later node at the same index.

use std::num::NonZeroU32;

/// Identifies an existing node. The id of a removed node never becomes valid again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId {
    index: u32,
    /// The generation is never 0, so that `Option<NodeId>` takes no extra space.
    generation: NonZeroU32,
}

#[derive(Debug)]
struct ArenaSlot<T> {
    generation: NonZeroU32,
    item: Option<T>,
}

/// Number of slots per chunk. Chunks are used because items are large: a single growing vector would copy a lot of
/// memory and waste much of its capacity.
const CHUNK: usize = 64;

/// A collection of items with stable ids, which reuses the slots of removed items.
#[derive(Debug)]
pub struct Arena<T> {
    /// Every chunk except the last one holds [`CHUNK`] slots.
    chunks: Vec<Vec<ArenaSlot<T>>>,
    free: Vec<u32>,
}

/// A set of existing nodes.
#[derive(Debug)]
pub struct Marks(Vec<bool>);

impl Marks {
    /// Marks a node. Returns false if the node was already marked.
    pub fn insert(&mut self, id: NodeId) -> bool {
        !std::mem::replace(&mut self.0[id.index as usize], true)
    }

    pub fn contains(&self, id: NodeId) -> bool {
        self.0[id.index as usize]
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), free: Vec::new() }
    }
}

impl<T> Arena<T> {
    pub fn insert(&mut self, item: T) -> NodeId {
        if let Some(index) = self.free.pop() {
            let slot = self.slot_mut(index).expect("a free slot exists");
            slot.item = Some(item);
            return NodeId { index, generation: slot.generation };
        }
        let index = u32::try_from(self.slots()).expect("a tree has fewer than 2^32 nodes");
        let generation = NonZeroU32::MIN;
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        self.chunks.last_mut().expect("the last chunk has room").push(ArenaSlot { generation, item: Some(item) });
        NodeId { index, generation }
    }

    pub fn remove(&mut self, id: NodeId) -> Option<T> {
        let slot = self.slot_mut(id.index).filter(|slot| slot.generation == id.generation)?;
        let item = slot.item.take()?;
        slot.generation = slot.generation.checked_add(1).unwrap_or(NonZeroU32::MIN);
        self.free.push(id.index);
        Some(item)
    }

    pub fn get(&self, id: NodeId) -> Option<&T> {
        let slot = self.chunks.get(id.index as usize / CHUNK)?.get(id.index as usize % CHUNK);
        slot.filter(|slot| slot.generation == id.generation)?.item.as_ref()
    }

    pub fn get_mut(&mut self, id: NodeId) -> Option<&mut T> {
        self.slot_mut(id.index).filter(|slot| slot.generation == id.generation)?.item.as_mut()
    }

    pub fn count(&self) -> usize {
        self.slots() - self.free.len()
    }

    fn slots(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    fn slot_mut(&mut self, index: u32) -> Option<&mut ArenaSlot<T>> {
        self.chunks.get_mut(index as usize / CHUNK)?.get_mut(index as usize % CHUNK)
    }

    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &T)> {
        self.chunks.iter().flatten().enumerate().filter_map(|(index, slot)| {
            let id = NodeId { index: index as u32, generation: slot.generation };
            slot.item.as_ref().map(|item| (id, item))
        })
    }

    /// An empty set with room for all existing nodes.
    pub fn marks(&self) -> Marks {
        Marks(vec![false; self.slots()])
    }

    pub fn ids(&self) -> Vec<NodeId> {
        self.iter().map(|(id, _)| id).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_id_of_a_removed_node_stays_invalid() {
        let mut arena = Arena::default();
        let a = arena.insert('a');
        let b = arena.insert('b');
        assert_eq!(arena.remove(a), Some('a'));
        assert_eq!(arena.remove(a), None);
        let c = arena.insert('c');
        assert_ne!(a, c, "the slot is reused under another id");
        assert_eq!((arena.get(a), arena.get(b), arena.get(c)), (None, Some(&'b'), Some(&'c')));
        assert_eq!(arena.count(), 2);
        assert_eq!(arena.ids(), vec![c, b]);
        let mut marks = arena.marks();
        assert!(marks.insert(b) && !marks.insert(b));
        assert!(marks.contains(b) && !marks.contains(c));
    }
}
