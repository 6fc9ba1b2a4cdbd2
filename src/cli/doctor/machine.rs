//! Checks the program's build and the machine's processor.

use super::Scope;
use super::check::Check;
use hasami_terminal::values;
use hasami_words::text::counted;
use std::env::consts::{ARCH, OS};
use std::fs::read_to_string;

pub fn program() -> Check {
    let libc = if cfg!(target_env = "musl") { " (static, musl)" } else { "" };
    let found = format!("hasami {}, {ARCH} {OS}{libc}", env!("CARGO_PKG_VERSION"));
    if cfg!(debug_assertions) {
        return Check::note(
            "program",
            format!("{found}, not optimised"),
            "several times slower than cargo build --release",
        );
    }
    Check::fine("program", found)
}

pub fn processor() -> Check {
    let info = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let usable = values::cores();
    let there = online(&read_to_string("/sys/devices/system/cpu/online").unwrap_or_default());
    let name = model(&info).unwrap_or(ARCH);

    match there.filter(|there| *there > usable) {
        Some(there) => Check::note(
            "processor",
            format!("{name}, {usable} of {there} hardware threads"),
            "an affinity or a limit of the container withholds the others",
        ),
        None => Check::fine("processor", format!("{name}, {}", counted(usable, "hardware thread")))
            .advise(format!("Threads up to {usable}; in timed games against engines on this machine, their share")),
    }
}

/// Returns the model name of the processor, without extra spaces and trademark signs.
fn model(info: &str) -> Option<&str> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim()).filter(|name| !name.is_empty())
}

/// Counts the processors in a list; `0-3,8` contains five.
fn online(list: &str) -> Option<u32> {
    let count = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        last.parse::<u32>().ok()?.checked_sub(first.parse().ok()?)?.checked_add(1)
    };
    list.trim().split(',').map(count).sum()
}

/// Returns the instruction set used to evaluate networks.
pub fn kernels(scope: &Scope) -> Check {
    let network = scope.games.iter().find_map(|game| game.built_in_network());
    let Some(set) = network.map(|network| network.instruction_set()) else {
        return Check::fine("kernels", "no built-in network");
    };
    let found = format!("networks run on {}", set.name());
    let is_wide = cfg!(target_arch = "aarch64") || set.name().starts_with("AVX");
    if !is_wide {
        return Check::note("kernels", found, "a processor with AVX2 evaluates positions faster");
    }
    let check = Check::fine("kernels", found);
    let can_gain = cfg!(target_arch = "x86_64") && !cfg!(target_feature = "avx2");
    if can_gain {
        check.advise("mates some 11 % faster if built with RUSTFLAGS=\"-C target-cpu=native\"")
    } else {
        check
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn processors_are_counted_in_ranges() {
        assert_eq!([online("0-3,8\n"), online("0\n"), online("2-1"), online("")], [Some(5), Some(1), None, None]);
        assert_eq!(model("processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n"), Some("Some CPU @ 2 GHz"));
        assert_eq!(model("processor\t: 0\n"), None);
    }
}
