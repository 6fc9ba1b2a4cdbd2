//! Checks memory, huge pages and limits of the system.

use super::Scope;
use super::check::Check;
use hasami_protocol::Settings;
use hasami_words::text::grouped;
use hasami_workers::memory;
use std::fs::read_to_string;

/// File descriptors per child engine, such as its pipes.
const FILES_PER_CHILD: u64 = 6;
/// File descriptors of the program itself: its pipes, logs, a cluster, viewers of the web page.
const FILES: u64 = 64;
/// A limit that is sufficient for everything except hundreds of children.
const USUAL_FILES: u64 = 1_024;

/// Checks whether the tables fit into memory.
pub fn room(scope: &Scope) -> Check {
    let (asked, threads) = (scope.settings.hash_mb, scope.settings.threads);
    let room = memory::left();
    let Some(left) = room else {
        return Check::fine("memory", "the system does not say how much is left".to_owned());
    };
    let everything = Settings { hash_mb: u32::MAX, ..scope.settings.clone() };
    let (most, _) = memory::share(&everything, room, |_| true);
    let most = most.players;
    let is_too_much = asked > most;
    let found = format!("{} MiB left, Hash {} with Threads {threads}", grouped(left >> 20), grouped(asked.into()));
    let most = grouped(most.into());
    if is_too_much {
        return Check::fault("memory", found, format!("a Hash of {most} at most, or the tables are made smaller"));
    }
    Check::fine("memory", found).advise(format!("Hash up to {most}; more is good for long analyses"))
}

/// Checks whether tables are placed in huge pages, by allocating one and looking.
#[cfg(target_os = "linux")]
pub fn huge_pages() -> Option<Check> {
    const TRIED: usize = 32 << 20;
    const ADVICE: &str = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled";
    let before = in_huge_pages()?;
    let mut table = hasami_memory::Zeroed::<u64>::new(TRIED / 8);
    table.iter_mut().step_by(512).for_each(|entry| *entry = 1);
    let got = in_huge_pages()?.saturating_sub(before);
    drop(table);
    let found = format!("{} of {} MiB of a table are in huge pages", got >> 20, TRIED >> 20);
    // The ends of a mapping may not be aligned to huge pages.
    if got as usize + (4 << 20) >= TRIED {
        return Some(Check::fine("huge pages", found));
    }
    let mode = read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    let advice = if mode.contains("[never]") {
        ADVICE.into()
    } else {
        "memory is in small pieces: restart the machine, or end other programs".to_owned()
    };
    Some(Check::note("huge pages", format!("{found}: searches are slower"), advice))
}

/// Always `None`: huge pages are checked on Linux only.
#[cfg(not(target_os = "linux"))]
pub fn huge_pages() -> Option<Check> {
    None
}

/// Bytes of this process that are in huge pages.
#[cfg(target_os = "linux")]
fn in_huge_pages() -> Option<u64> {
    let sums = read_to_string("/proc/self/smaps_rollup").ok()?;
    let line = sums.lines().find_map(|line| line.strip_prefix("AnonHugePages:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Checks how many files and processes the program may have, where the system reports it.
pub fn limits(scope: &Scope) -> Option<Check> {
    let table = read_to_string("/proc/self/limits").ok()?;
    let (files, most) = limit(&table, "Max open files")?;
    let needed = FILES + FILES_PER_CHILD * scope.children.len() as u64;
    let threads = limit(&table, "Max processes").map_or(u64::MAX, |(soft, _)| soft);
    let found = format!("{} files, {} processes and threads", shown(files), shown(threads));
    let raise = |wanted: u64| match wanted <= most {
        true => format!("ulimit -n {wanted} before the start, or LimitNOFILE={wanted} in a unit"),
        false => format!("the hard limit is {most}: root can raise it in /etc/security/limits.conf, or LimitNOFILE="),
    };
    let children = scope.children.len() as u64;
    Some(if files < needed {
        Check::fault("limits", format!("{found}; {needed} files are needed"), raise(needed))
    } else if threads < u64::from(scope.settings.threads) + 4 * children + 16 {
        Check::fault(
            "limits",
            found,
            "ulimit -u, or TasksMax= in a unit: every thread and every child counts".to_owned(),
        )
    } else if files < USUAL_FILES {
        Check::note("limits", found, raise(USUAL_FILES))
    } else {
        Check::fine("limits", found)
    })
}

/// The soft and the hard limit with this name.
fn limit(table: &str, name: &str) -> Option<(u64, u64)> {
    let mut words = table.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace();
    let mut next = || match words.next()? {
        "unlimited" => Some(u64::MAX),
        number => number.parse().ok(),
    };
    Some((next()?, next()?))
}

fn shown(limit: u64) -> String {
    if limit == u64::MAX { "unlimited".to_owned() } else { grouped(limit) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn limits_are_read_from_the_table_of_the_system() {
        let table = "Limit                     Soft Limit           Hard Limit           Units     \n\
                     Max processes             unlimited            95931                processes \n\
                     Max open files            1024                 524288               files     \n";
        assert_eq!(limit(table, "Max open files"), Some((1024, 524_288)));
        assert_eq!(limit(table, "Max processes"), Some((u64::MAX, 95_931)));
        assert_eq!(limit(table, "Max locked memory"), None);
        assert_eq!([shown(1024), shown(u64::MAX)].map(String::from), ["1,024", "unlimited"]);
    }
}
