//! Derives from a [`Membership`] how an engine takes part in a cluster.

use super::names::{Member, User};
#[cfg(feature = "cluster")]
use super::nats::Access;
use super::node_pool::MasterIdentity;
use super::transport::Transport;
use super::wire::{MasterBeat, SlotRole};
use hasami_workers::membership::Membership;
use std::sync::Arc;

/// Returns the transport to the servers of the cluster.
#[cfg(feature = "cluster")]
pub fn transport(membership: &Membership) -> Result<Arc<dyn Transport>, String> {
    Ok(Arc::new(Access::new(&membership.servers, membership.creds.clone(), membership.tls_ca.clone())?))
}

/// Always fails, since the program was built without the feature `cluster`.
#[cfg(not(feature = "cluster"))]
pub fn transport(_: &Membership) -> Result<Arc<dyn Transport>, String> {
    Err("this program was built without the feature 'cluster'".to_owned())
}

/// Returns the identity of a master. The member number is set when the master connects.
pub fn identity(membership: &Membership, game: &'static str) -> MasterIdentity {
    MasterIdentity {
        member: Member::draw(User::ANYBODY),
        beat: MasterBeat {
            serial: 0,
            game: game.to_owned(),
            name: membership.name.clone().unwrap_or_else(master),
            weight: membership.weight,
            wants: membership.workers.unwrap_or(u32::MAX),
            role: SlotRole::Leaves,
            network: None,
            leaves: false,
        },
    }
}

/// The name of this process, which includes the process ID because one machine may run several masters.
fn master() -> String {
    format!("{}#{}", machine(), std::process::id())
}

/// The name of this machine, without its domain.
pub fn machine() -> String {
    let name = host_name();
    let short = name.split('.').next().unwrap_or_default();
    if short.is_empty() { "machine".to_owned() } else { super::wire::plain(short) }
}

#[cfg(feature = "cluster")]
fn host_name() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}

/// A program built without the feature `cluster` never shows the name of the machine.
#[cfg(not(feature = "cluster"))]
fn host_name() -> String {
    String::new()
}
