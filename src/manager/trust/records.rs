//! Records how many values of each machine were confirmed and contradicted.

use hasami_tree::event::MachineId;
use std::collections::BTreeMap;

/// A machine is set aside once it was contradicted at least this many times and more often than confirmed. About one in
/// fifty values of an honest engine is contradicted by a second search that was too short.
const MOST_CONTRADICTED: u32 = 4;
/// Number of machines that are remembered: twice as many as a cluster can have, to include machines that left.
const MOST: usize = 32_768;

/// How often the values reported by a remote machine were confirmed or contradicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MachineRecord {
    /// Number of values that another worker has confirmed.
    pub confirmed: u32,
    /// Number of values that another worker has contradicted.
    pub contradicted: u32,
    /// True if the machine gets no more work because it was contradicted too often.
    pub is_set_aside: bool,
}

#[derive(Default)]
pub struct MachineRecords(BTreeMap<MachineId, MachineRecord>);

impl MachineRecords {
    pub fn of(&self, machine: MachineId) -> MachineRecord {
        self.0.get(&machine).copied().unwrap_or_default()
    }

    /// Updates the record of a machine with `what`, and returns the updated record.
    pub fn note(&mut self, machine: MachineId, what: impl FnOnce(&mut MachineRecord)) -> MachineRecord {
        if self.0.len() >= MOST && !self.0.contains_key(&machine) {
            self.0.retain(|_, record| record.is_set_aside);
        }
        let record = self.0.entry(machine).or_default();
        what(record);
        *record
    }

    pub fn is_set_aside(&self, machine: MachineId) -> bool {
        self.of(machine).is_set_aside
    }
}

/// Returns whether a machine with this record must now be set aside.
pub fn is_unfit(record: &MachineRecord) -> bool {
    !record.is_set_aside && record.contradicted >= MOST_CONTRADICTED && record.contradicted > record.confirmed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_is_contradicted_repeatedly_is_unfit() {
        let record = |confirmed, contradicted| MachineRecord { confirmed, contradicted, ..MachineRecord::default() };
        assert!(is_unfit(&record(0, MOST_CONTRADICTED)));
        assert!(!is_unfit(&record(0, MOST_CONTRADICTED - 1)), "anybody may be wrong");
        assert!(!is_unfit(&record(5, 5)) && is_unfit(&record(5, 6)));
        assert!(!is_unfit(&MachineRecord { is_set_aside: true, ..record(0, 9) }), "once");
    }
}
