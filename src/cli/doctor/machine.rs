//! The program as it was built, and the processor under it.

use super::Scope;
use super::check::Check;
use hasami_terminal::values;
use hasami_words::Message;
use std::env::consts::{ARCH, OS};
use std::fs::read_to_string;

/// Clocks that are read without a call of the system. Every node limit and every move looks at the clock.
const QUICK_CLOCKS: [&str; 6] =
    ["tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page", "riscv_clocksource", "timebase"];

pub fn program() -> Check {
    let libc = if cfg!(target_env = "musl") { " (static, musl)" } else { "" };
    let found = format!("hasami {}, {ARCH} {OS}{libc}", env!("CARGO_PKG_VERSION"));
    if cfg!(debug_assertions) {
        let found = Message::new("check-not-optimised").with("program", found);
        return Check::note("program", found, Message::new("advice-release"));
    }
    Check::fine("program", found)
}

pub fn processor() -> Check {
    let info = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let usable = values::cores();
    let there = online(&read_to_string("/sys/devices/system/cpu/online").unwrap_or_default());
    let name = model(&info).unwrap_or(ARCH);
    let found = |found: Message| found.with("name", name).with("usable", u64::from(usable));
    match there.filter(|there| *there > usable) {
        Some(there) => Check::note(
            "processor",
            found(Message::new("check-part-of-processor")).with("there", u64::from(there)),
            Message::new("advice-affinity"),
        ),
        None => Check::fine("processor", found(Message::new("check-processor")))
            .advise(Message::new("advice-threads").with("usable", u64::from(usable))),
    }
}

/// The name that the maker gave it, without its blanks and trade marks.
fn model(info: &str) -> Option<&str> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim()).filter(|name| !name.is_empty())
}

/// `0-3,8` are five.
fn online(list: &str) -> Option<u32> {
    let count = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        last.parse::<u32>().ok()?.checked_sub(first.parse().ok()?)?.checked_add(1)
    };
    list.trim().split(',').map(count).sum()
}

/// The instruction set that networks run on.
pub fn kernels(scope: &Scope) -> Check {
    let network = scope.games.iter().find_map(|game| game.built_in_network());
    let Some(set) = network.map(|network| network.instruction_set()) else {
        return Check::fine("kernels", Message::new("check-no-built-in"));
    };
    let found = Message::new("check-kernels").with("set", set.name());
    let is_wide = cfg!(target_arch = "aarch64") || set.name().starts_with("AVX");
    if !is_wide {
        return Check::note("kernels", found, Message::new("advice-avx2"));
    }
    let check = Check::fine("kernels", found);
    let can_gain = cfg!(target_arch = "x86_64") && !cfg!(target_feature = "avx2");
    if can_gain { check.advise(Message::new("advice-native")) } else { check }
}

/// What the time is read from, where the system says it.
pub fn clock() -> Option<Check> {
    let name = read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource").ok()?;
    let name = name.trim();
    if QUICK_CLOCKS.contains(&name) {
        return Some(Check::fine("clock", name));
    }
    Some(Check::note("clock", Message::new("check-slow-clock").with("name", name), Message::new("advice-clock")))
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
