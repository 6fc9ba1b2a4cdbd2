//! Whether the processor has the instructions that the program was compiled for: without them it would be killed in silence.

use super::Failure;

/// To be called first of all.
pub fn check() -> Result<(), Failure> {
    match lacking(Features::of_this_processor()).as_slice() {
        [] => Ok(()),
        lacking => Err(Failure::BadInput(format!(
            "expected a processor with {}, as this program was built for, found one without",
            lacking.join(", ")
        ))),
    }
}

/// Registers that tell of instructions; all bits are set where nothing has to be asked.
#[derive(Clone, Copy)]
struct Features {
    /// ECX of leaf 1 of CPUID.
    basic: u32,
    /// EBX of leaf 7.
    extended: u32,
}

impl Features {
    /// The processor itself is asked: what std detects is taken for granted where the compiler may use it.
    #[cfg(target_arch = "x86_64")]
    fn of_this_processor() -> Self {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        let extended = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
        Self { basic: __cpuid(1).ecx, extended }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn of_this_processor() -> Self {
        Self { basic: !0, extended: !0 }
    }
}

/// What the compiler was allowed to use, and is not there.
fn lacking(features: Features) -> Vec<&'static str> {
    let has = |register: u32, bit: u32| register & (1 << bit) != 0;
    let used = [
        (cfg!(target_feature = "sse4.2"), has(features.basic, 20), "SSE4.2"),
        (cfg!(target_feature = "popcnt"), has(features.basic, 23), "POPCNT"),
        (cfg!(target_feature = "avx2"), has(features.extended, 5), "AVX2"),
        (cfg!(target_feature = "bmi2"), has(features.extended, 8), "BMI2"),
        (cfg!(target_feature = "avx512f"), has(features.extended, 16), "AVX-512"),
    ];
    used.into_iter().filter(|&(used, has, _)| used && !has).map(|(_, _, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_was_compiled_for_is_asked_for_and_nothing_else() {
        assert!(check().is_ok());
        let nothing = lacking(Features { basic: 0, extended: 0 });
        assert_eq!(nothing.contains(&"SSE4.2"), cfg!(target_feature = "sse4.2"));
        assert_eq!(nothing.contains(&"AVX2"), cfg!(target_feature = "avx2"));
        assert!(lacking(Features { basic: !0, extended: !0 }).is_empty());
    }
}
