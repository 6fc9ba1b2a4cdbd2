//! Checks all orders of memory accesses of two writers and a reader with the model checker `loom`.

use super::*;
use loom::sync::Arc;
use loom::thread;

type ModelWord = loom::sync::atomic::AtomicU64;

impl Word for ModelWord {
    fn load(&self) -> u64 {
        self.load(loom::sync::atomic::Ordering::Relaxed)
    }

    fn store(&self, value: u64) {
        self.store(value, loom::sync::atomic::Ordering::Relaxed);
    }
}

/// A key and its data.
type Written = (u64, u64);

/// Runs two concurrent writers, and a reader that looks for the first key (by symmetry, this covers the second key).
/// `write` and `read` are the operations under test.
fn play(
    written: [Written; 2],
    write: fn(&TtSlot<ModelWord>, Written),
    read: fn(&TtSlot<ModelWord>, u64) -> Option<u64>,
) {
    loom::model(move || {
        let slot = Arc::new(TtSlot { check: ModelWord::new(0), data: ModelWord::new(0) });
        let writers = written.map(|entry| {
            let slot = Arc::clone(&slot);
            thread::spawn(move || write(&slot, entry))
        });
        let key = written[0].0;
        if let Some(data) = read(&slot, key) {
            assert!(written.contains(&(key, data)), "found {data:x} under {key:x}");
        }
        writers.into_iter().for_each(|writer| writer.join().expect("the writer does not panic"));
    });
}

fn read(slot: &TtSlot<ModelWord>, key: u64) -> Option<u64> {
    let data = slot.data();
    (data != 0 && slot.is_of(key, data)).then_some(data)
}

fn write(slot: &TtSlot<ModelWord>, (key, data): Written) {
    slot.write(key, data);
}

#[test]
fn a_mixture_of_two_entries_is_never_found() {
    play([(0x1111, 0xa00b), (0x2222, 0xc0d0)], write, read);
}

#[test]
fn two_entries_of_the_same_key_are_never_mixed() {
    play([(0x1111, 0xa00b), (0x1111, 0xc0d0)], write, read);
}

/// Shows that the check is needed: if the plain key were stored, it would be found with the data of the other entry.
#[test]
#[should_panic(expected = "found ")]
fn without_the_check_the_model_finds_a_mixture() {
    let write = |slot: &TtSlot<ModelWord>, (key, data): Written| {
        Word::store(&slot.check, key);
        Word::store(&slot.data, data);
    };
    let read = |slot: &TtSlot<ModelWord>, key: u64| {
        let data = slot.data();
        (data != 0 && slot.is_of(key, 0)).then_some(data)
    };
    play([(0x1111, 0xa00b), (0x2222, 0xc0d0)], write, read);
}
