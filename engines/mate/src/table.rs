//! Proof and disproof numbers by position, in a table of fixed size.

/// A number that no sum reaches.
pub(crate) const INFINITE: u32 = u32::MAX / 2;

/// A disproof that depends on nothing but its position.
pub(crate) const UNCONDITIONAL: i32 = i32::MAX;
/// A disproof that depends on the moves played before the root (repetition, counters).
pub(crate) const HISTORY: i32 = -1;
/// A disproof that depends on the depth limit: no disproof at all.
pub(crate) const CUT: i32 = -2;

/// What is known about a position, for the attacker: proved if `pn` is 0, disproved if `dn` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub(crate) pn: u32,
    pub(crate) dn: u32,
    /// Proved: plies to mate in the proof found. Disproved: the smallest depth of the path that the disproof depends on,
    /// or one of the constants above.
    pub(crate) note: i32,
}

impl Value {
    pub(crate) const fn open(pn: u32, dn: u32) -> Self {
        Self { pn, dn, note: 0 }
    }

    pub(crate) const fn proved(plies: i32) -> Self {
        Self { pn: 0, dn: INFINITE, note: plies }
    }

    pub(crate) const fn disproved(depends_on: i32) -> Self {
        Self { pn: INFINITE, dn: 0, note: depends_on }
    }

    pub(crate) const fn is_proved(self) -> bool {
        self.pn == 0
    }

    pub(crate) const fn is_disproved(self) -> bool {
        self.dn == 0
    }

    pub(crate) const fn is_decided(self) -> bool {
        self.is_proved() || self.is_disproved()
    }
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    value: Value,
    stamp: Stamp,
}

/// In which task, modulo 256, and after how much work below, in expansions; the least goes first.
#[derive(Clone, Copy, Default)]
struct Stamp(u32);

impl Stamp {
    const MOST: u32 = (1 << 24) - 1;

    fn new(task: u8, work: u32) -> Self {
        Self(u32::from(task) << 24 | work.clamp(1, Self::MOST))
    }

    /// 0: empty, or of another task.
    fn work(self, task: u8) -> u32 {
        if self.0 >> 24 == u32::from(task) { self.0 & Self::MOST } else { 0 }
    }
}

const WAYS: usize = 4;

/// Fewer positions are stored than nodes are counted: only those whose moves were looked at.
fn slots_for(nodes: u64, most_mb: usize) -> usize {
    let most = (most_mb.max(1) << 20) / size_of::<Slot>();
    let wanted = usize::try_from(nodes).unwrap_or(usize::MAX);
    wanted.clamp(WAYS, most).next_multiple_of(WAYS)
}

pub(crate) struct Table {
    slots: Vec<Slot>,
    /// Keys differ by task: what one line's history allows, another's may not.
    salt: u64,
    /// Modulo 256: a slot of a task so long ago may stay a little longer than it should, but is never found.
    task: u8,
}

impl Table {
    /// Room for a search of `nodes` nodes, in at most `most_mb` MiB.
    pub(crate) fn for_nodes(nodes: u64, most_mb: usize) -> Self {
        Self::of_slots(slots_for(nodes, most_mb))
    }

    /// A new table of [`Self::for_nodes`] would be no larger.
    pub(crate) fn suffices(&self, nodes: u64, most_mb: usize) -> bool {
        self.slots.len() >= slots_for(nodes, most_mb)
    }

    fn of_slots(count: usize) -> Self {
        let empty = Slot { key: 0, value: Value::open(1, 1), stamp: Stamp::default() };
        Self { slots: vec![empty; count], salt: 1, task: 0 }
    }

    /// Everything stored so far belongs to another task. Takes no time: a look of a thousand nodes is a task, too.
    pub(crate) fn next_task(&mut self) {
        self.salt = mix(self.salt);
        self.task = self.task.wrapping_add(1);
    }

    fn base(&self, key: u64) -> usize {
        let clusters = self.slots.len() / WAYS;
        ((u128::from(key) * clusters as u128) >> 64) as usize * WAYS
    }

    pub(crate) fn get(&self, key: u64) -> Option<Value> {
        let key = mix(key ^ self.salt);
        let base = self.base(key);
        let cluster = &self.slots[base..base + WAYS];
        cluster.iter().find(|slot| slot.stamp.work(self.task) > 0 && slot.key == key).map(|slot| slot.value)
    }

    pub(crate) fn put(&mut self, key: u64, value: Value, work: u32) {
        let key = mix(key ^ self.salt);
        let base = self.base(key);
        let (task, cluster) = (self.task, &mut self.slots[base..base + WAYS]);
        let is_here = |slot: &Slot| slot.stamp.work(task) > 0 && slot.key == key;
        let place = cluster.iter().position(is_here).unwrap_or_else(|| {
            let least = cluster.iter().enumerate().min_by_key(|(_, slot)| slot.stamp.work(task));
            least.map_or(0, |(place, _)| place)
        });
        let known = &mut cluster[place];
        if is_here(known) && known.value.is_decided() && !value.is_decided() {
            return;
        }
        *known = Slot { key, value, stamp: Stamp::new(task, work) };
    }
}

/// A bijection that spreads every bit (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) const fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_values_are_not_forgotten_for_open_ones() {
        let mut table = Table::for_nodes(100, 1);
        table.put(5, Value::proved(3), 1);
        table.put(5, Value::open(7, 7), 100);
        assert_eq!(table.get(5), Some(Value::proved(3)));
        table.next_task();
        assert_eq!(table.get(5), None);
    }

    #[test]
    fn a_table_is_no_larger_than_its_task_can_fill() {
        let slots = |nodes, most_mb| Table::for_nodes(nodes, most_mb).slots.len();
        assert_eq!((slots(1, 64), slots(1_001, 64), slots(u64::MAX, 1)), (4, 1_004, (1 << 20) / 24 / 4 * 4 + 4));
        let table = Table::for_nodes(1_000, 1);
        assert!(table.suffices(1_000, 1) && table.suffices(10, 1) && !table.suffices(u64::MAX, 1));
    }

    #[test]
    fn a_small_table_keeps_what_cost_most() {
        let mut table = Table::of_slots(WAYS);
        for key in 0..100 {
            table.put(key, Value::open(1, 2), if key == 50 { 1000 } else { 1 });
        }
        assert_eq!(table.get(50), Some(Value::open(1, 2)));
        assert_eq!(table.slots.len(), WAYS);
    }

    #[test]
    fn what_earlier_tasks_left_makes_room_and_is_never_found() {
        let mut table = Table::of_slots(WAYS);
        for task in 0..1_000u64 {
            table.next_task();
            assert!((0..100).all(|key| table.get(key).is_none()), "task {task}");
            for key in 0..WAYS as u64 {
                table.put(key, Value::open(2, 3), u32::MAX);
            }
            let kept = (0..WAYS as u64).filter(|&key| table.get(key).is_some()).count();
            assert!(kept == WAYS || task >= 256, "task {task}: {kept}");
        }
    }
}
