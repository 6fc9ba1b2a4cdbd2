//! The table's memory: zeroed by the system, in huge pages where it has them. Most probes miss every cache, and with small
//! pages they miss the address cache (TLB) too, which costs as much again.

use crate::table::Cluster;
use memmap2::MmapMut;
use std::ops::Deref;

/// A fixed number of clusters, all zero at first.
pub(crate) struct Clusters {
    memory: MmapMut,
}

impl Clusters {
    /// As many as fit into `bytes`, or into the largest half, quarter ... of it that the system gives.
    pub(crate) fn new(mut bytes: usize) -> Self {
        let memory = loop {
            match MmapMut::map_anon(bytes) {
                Ok(memory) => break memory,
                Err(_) if bytes > 1 << 20 => bytes /= 2,
                Err(error) => panic!("no memory for the smallest table: {error}"),
            }
        };
        // A system without huge pages says so, and nothing is lost but speed.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Self { memory }
    }
}

impl Deref for Clusters {
    type Target = [Cluster];

    #[inline]
    fn deref(&self) -> &[Cluster] {
        let count = self.memory.len() / size_of::<Cluster>();
        // SAFETY: a mapping is aligned to pages, a cluster to 64 bytes; clusters are atomic integers, for which all bits
        // zero is a value and which are written through shared references; nothing else looks at the memory.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), count) }
    }
}
