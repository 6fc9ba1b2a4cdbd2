//! Limits the size of the hash tables to the free memory. The tables are touched before the first search, and the
//! system might kill the program if they did not fit.

use hasami_protocol::Settings;

/// Memory of a thread in addition to its table and histories, in bytes (stack, principal variations).
const PER_THREAD: u64 = 2 << 20;
/// Size of one set of histories in shogi, which needs the most, in bytes.
const HISTORIES: u64 = 86 << 20;
/// One part in `SPARE` of the free memory is left for children and other programs.
const SPARE: u64 = 16;
/// Minimum table size in MiB, which every system is assumed to grant.
const LEAST: u64 = 1;

/// Sizes of the tables in MiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shares {
    /// Table size for all threads together.
    pub players: u32,
    /// Table size for the mate solver, which allocates its table at `go mate`.
    pub solver: u32,
}

/// Returns the table sizes that `settings` ask for, reduced if they exceed `room` (the number of bytes that the system
/// reports as free), or if `gives` says that they cannot be allocated. If the sizes were reduced, also returns
/// a warning for the GUI. If the system does not report its free memory, only `gives` limits the sizes.
pub fn share(settings: &Settings, room: Option<u64>, gives: impl Fn(u64) -> bool) -> (Shares, Option<String>) {
    let asked = u64::from(settings.hash_mb);
    let threads = u64::from(settings.threads.max(1));
    let sets = if settings.shared_hash { 1 } else { threads };
    let others = threads * PER_THREAD + sets * HISTORIES;
    let left = room.map(|room| (room - room / SPARE).saturating_sub(others) >> 20);
    let mut most = left.map_or(asked, |left| left.max(LEAST));
    let fits = |mib: u64| gives(mib << 20);
    while most.min(asked) > LEAST && !fits(most.min(asked)) {
        most = most.min(asked) / 2;
    }
    let players = most.min(asked);
    let solver = left.map_or(players, |left| left.saturating_sub(players).clamp(LEAST, players));
    let shares = Shares { players: players as u32, solver: solver as u32 };
    (shares, (players < asked).then_some(format!("warning: Hash {asked} is too large for this machine, which has room for {most} MiB of tables: {players} are used")))
}

/// Returns true if the system grants an allocation of `bytes` bytes, which is freed without being touched.
pub fn gives(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// The free memory in bytes; `None` if the system does not report it.
pub fn left() -> Option<u64> {
    system::left()
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::read_to_string;
    use std::path::Path;

    /// The free memory of the machine or, if less, of a cgroup that contains this process.
    pub fn left() -> Option<u64> {
        let machine = read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
        let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
        machine.into_iter().chain(groups.lines().flat_map(left_in_groups)).min()
    }

    /// The field `MemAvailable` of /proc/meminfo, in bytes.
    pub fn available(meminfo: &str) -> Option<u64> {
        let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
    }

    /// The free memory of the cgroup that one line of /proc/self/cgroup names, and of each enclosing cgroup. In a
    /// container, /proc/self/cgroup may hold a path on the host; the container's own cgroup is then the root of the
    /// cgroup file system.
    fn left_in_groups(line: &str) -> Vec<u64> {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(kind), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
            return Vec::new();
        };
        let (top, limit, usage, cache) = match kind {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
            "memory" => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            }
            _ => return Vec::new(),
        };
        let inner = Path::new(path.trim_start_matches('/'));
        let folders = inner.ancestors().map(|folder| Path::new(top).join(folder));
        let read = |folder: &Path, name| read_to_string(folder.join(name)).ok();
        let left = |folder: std::path::PathBuf| {
            let stat = read(&folder, "memory.stat").unwrap_or_default();
            left_in_group(&read(&folder, limit)?, &read(&folder, usage)?, &stat, cache)
        };
        folders.filter_map(left).collect()
    }

    /// The limit of a cgroup (`max` for no limit) minus its used memory that cannot be reclaimed.
    pub fn left_in_group(limit: &str, usage: &str, stat: &str, cache: &str) -> Option<u64> {
        let limit: u64 = limit.trim().parse().ok()?;
        let usage: u64 = usage.trim().parse().ok()?;
        let cached = stat.lines().find_map(|line| line.strip_prefix(cache)?.trim().parse().ok()).unwrap_or(0);
        Some(limit.saturating_sub(usage.saturating_sub(cached)))
    }
}

#[cfg(windows)]
mod system {
    use windows::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

    /// The free physical memory, or the remaining commit limit if that is less.
    pub fn left() -> Option<u64> {
        let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
        // SAFETY: `status` holds its own size in `dwLength`, and lives until `GlobalMemoryStatusEx` has filled it in.
        unsafe { GlobalMemoryStatusEx(&raw mut status) }.ok()?;
        Some(status.ullAvailPhys.min(status.ullAvailPageFile))
    }
}

#[cfg(not(any(windows, target_os = "linux")))]
mod system {
    pub fn left() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const MIB: u64 = 1 << 20;

    fn shared(hash_mb: u32, threads: u32, room: Option<u64>, most: u64) -> (Shares, bool) {
        let settings = Settings { hash_mb, threads, ..Settings::default() };
        let (shares, text) = share(&settings, room, |bytes| bytes <= most);
        (shares, text.is_some())
    }

    #[test]
    fn tables_take_at_most_the_free_memory() {
        let shares = |players, solver| Shares { players, solver };
        assert_eq!(shared(64, 1, Some(4096 * MIB), u64::MAX), (shares(64, 64), false));
        assert_eq!(shared(3000, 1, Some(4096 * MIB), u64::MAX), (shares(3000, 752), false), "the solver gets the rest");
        assert_eq!(shared(8000, 1, Some(4096 * MIB), u64::MAX), (shares(3752, 1), true));
        assert_eq!(shared(8000, 64, Some(4096 * MIB), u64::MAX), (shares(3626, 1), true));
        assert_eq!(shared(8000, 1, Some(0), u64::MAX), (shares(1, 1), true));
        assert_eq!(shared(1_048_576, 1, None, u64::MAX), (shares(1_048_576, 1_048_576), false));
    }

    #[test]
    fn memory_that_is_refused_is_halved_and_reported() {
        assert_eq!(shared(1000, 1, None, 300 * MIB), (Shares { players: 250, solver: 250 }, true));
        assert_eq!(shared(1000, 1, None, 0), (Shares { players: 1, solver: 1 }, true));
        let settings = Settings { hash_mb: 9000, ..Settings::default() };
        let (_, text) = share(&settings, Some(4096 * MIB), |_| true);
        let expected =
            "warning: Hash 9000 is too large for this machine, which has room for 3752 MiB of tables: 3752 are used";
        assert_eq!(text.unwrap(), expected);
    }

    #[test]
    fn no_system_grants_unlimited_memory() {
        assert!(gives(MIB));
        assert!(!gives(u64::MAX));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_reports_the_free_memory() {
        let meminfo = "MemTotal:       16304764 kB\nMemFree:          226488 kB\nMemAvailable:    9876544 kB\n";
        assert_eq!(system::available(meminfo), Some(9_876_544 << 10));
        assert_eq!(system::available("MemTotal: 5 kB\n"), None);
        let stat = "anon 3\ninactive_file 100\ntotal_inactive_file 40\n";
        assert_eq!(system::left_in_group("1000\n", "700\n", stat, "inactive_file"), Some(400));
        assert_eq!(system::left_in_group("1000", "700", stat, "total_inactive_file"), Some(340));
        assert_eq!(system::left_in_group("1000", "1700", "", "inactive_file"), Some(0));
        assert_eq!(system::left_in_group("max\n", "700\n", stat, "inactive_file"), None);
        assert!(left().is_some_and(|left| left > 0));
    }
}
