//! Checks that there is enough memory for the hash tables.

use super::Scope;
use super::check::Check;
use hasami_protocol::Settings;
use hasami_words::text::grouped;
use hasami_workers::memory;

pub fn room(scope: &Scope) -> Check {
    let (asked, threads) = (scope.settings.hash_mb, scope.settings.threads);
    let room = memory::left();
    let Some(left) = room else {
        return Check::fine("memory", "the system does not say how much is left");
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
