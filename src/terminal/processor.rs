//! Checks that the processor has the instructions that the released programs need; without them, the system would kill
//! the program without a message. (A program that was built for newer instructions may use them before this check.)

use super::Failure;

/// Checks the processor; `main` must call this function before any other.
pub fn check() -> Result<(), Failure> {
    match lacking(features()).as_slice() {
        [] => Ok(()),
        lacking => Err(Failure::bad_input(format!(
            "this processor lacks {}, for which this program was built",
            lacking.join(" and ")
        ))),
    }
}

/// Returns the register ECX of CPUID leaf 1. The feature macros of std are no substitute: they assume that features
/// allowed to the compiler exist.
#[cfg(target_arch = "x86_64")]
fn features() -> u32 {
    std::arch::x86_64::__cpuid(1).ecx
}

/// Reports all features as present, because only x86-64 processors need the check.
#[cfg(not(target_arch = "x86_64"))]
fn features() -> u32 {
    !0
}

/// Returns the features that the compiler was allowed to use but the processor lacks.
fn lacking(features: u32) -> Vec<&'static str> {
    let used = [(cfg!(target_feature = "sse4.2"), 20, "SSE4.2"), (cfg!(target_feature = "popcnt"), 23, "POPCNT")];
    used.into_iter().filter(|&(used, bit, _)| used && features & (1 << bit) == 0).map(|(_, _, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_was_compiled_for_is_asked_for_and_nothing_else() {
        assert!(check().is_ok());
        assert_eq!(lacking(0).contains(&"SSE4.2"), cfg!(target_feature = "sse4.2"));
        assert_eq!(lacking(1 << 20).contains(&"POPCNT"), cfg!(target_feature = "popcnt"));
        assert!(lacking(!0).is_empty());
    }
}
