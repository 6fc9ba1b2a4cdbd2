#![no_main]
//! Runs libFuzzer on the target that the environment variable `FUZZ_TARGET` names.

mod targets;

use std::sync::LazyLock;

static CHECK: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let wanted = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = targets::TARGETS.iter().find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("expected a target in FUZZ_TARGET, found '{wanted}'")).1
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| CHECK(bytes));
