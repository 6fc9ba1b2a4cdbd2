//! Nodes in one vector, named by index and generation, so that a name of a removed node is never taken for its successor.

/// Names a node for its whole life; never valid again after the node was removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId {
    index: u32,
    generation: u32,
}

#[derive(Debug)]
struct Slot<T> {
    generation: u32,
    item: Option<T>,
}

/// A vector of items with stable names; slots of removed items are used again.
#[derive(Debug)]
pub struct Arena<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

/// Some of the nodes that stand.
#[derive(Debug)]
pub struct Marks(Vec<bool>);

impl Marks {
    /// False: it was there already.
    pub fn insert(&mut self, id: NodeId) -> bool {
        !std::mem::replace(&mut self.0[id.index as usize], true)
    }

    pub fn contains(&self, id: NodeId) -> bool {
        self.0[id.index as usize]
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Arena<T> {
    pub fn insert(&mut self, item: T) -> NodeId {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.item = Some(item);
            return NodeId { index, generation: slot.generation };
        }
        let index = u32::try_from(self.slots.len()).expect("a tree has fewer than 2^32 nodes");
        if self.slots.len() == self.slots.capacity() {
            // Nodes are large: twice as many as there are would be the larger part of a tree.
            self.slots.reserve_exact(16 + self.slots.len() / 4);
        }
        self.slots.push(Slot { generation: 0, item: Some(item) });
        NodeId { index, generation: 0 }
    }

    pub fn remove(&mut self, id: NodeId) -> Option<T> {
        let slot = self.slots.get_mut(id.index as usize).filter(|slot| slot.generation == id.generation)?;
        let item = slot.item.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.index);
        Some(item)
    }

    pub fn get(&self, id: NodeId) -> Option<&T> {
        self.slots.get(id.index as usize).filter(|slot| slot.generation == id.generation)?.item.as_ref()
    }

    pub fn get_mut(&mut self, id: NodeId) -> Option<&mut T> {
        self.slots.get_mut(id.index as usize).filter(|slot| slot.generation == id.generation)?.item.as_mut()
    }

    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &T)> {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let id = NodeId { index: index as u32, generation: slot.generation };
            slot.item.as_ref().map(|item| (id, item))
        })
    }

    /// No marks, with room for every node that stands now.
    pub fn marks(&self) -> Marks {
        Marks(vec![false; self.slots.len()])
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
    fn a_removed_name_stays_dead() {
        let mut arena = Arena::default();
        let a = arena.insert('a');
        let b = arena.insert('b');
        assert_eq!(arena.remove(a), Some('a'));
        assert_eq!(arena.remove(a), None);
        let c = arena.insert('c');
        assert_ne!(a, c, "the slot is used again under another name");
        assert_eq!((arena.get(a), arena.get(b), arena.get(c)), (None, Some(&'b'), Some(&'c')));
        assert_eq!(arena.len(), 2);
        assert_eq!(arena.ids(), vec![c, b]);
        let mut marks = arena.marks();
        assert!(marks.insert(b) && !marks.insert(b));
        assert!(marks.contains(b) && !marks.contains(c));
    }
}
