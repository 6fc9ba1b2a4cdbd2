//! An engine's membership in a cluster, from the option `Cluster` or the section `[cluster]` of a children file.

use super::names::{Owner, PoolName, User};
#[cfg(feature = "cluster")]
use super::nats::Access;
use super::node_pool::{MasterIdentity, SILENCE};
use super::transport::Transport;
use super::wire::SlotRole;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The settings of a membership.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// URLs, separated by commas.
    pub servers: String,
    pub creds: Option<PathBuf>,
    pub tls_ca: Option<PathBuf>,
    /// The name that is shown to users; `None` for the machine's name and the process id.
    pub name: Option<String>,
    /// Share of the workers if there are several masters.
    pub weight: u16,
    /// Largest number of workers on each machine; `None` for all that it has.
    pub workers: Option<u32>,
    /// The other side counts as gone after this time of silence.
    pub silence: Duration,
    /// The pools whose machines are used. If empty, those of machines without a pool.
    pub pools: Vec<PoolName>,
}

impl Membership {
    pub fn of(servers: &str) -> Self {
        Self {
            servers: servers.to_owned(),
            creds: None,
            tls_ca: None,
            name: None,
            weight: 1,
            workers: None,
            silence: SILENCE,
            pools: Vec::new(),
        }
    }

    /// The transport to the servers. The error says what was expected and what was found.
    #[cfg(feature = "cluster")]
    pub fn transport(&self) -> Result<Arc<dyn Transport>, String> {
        Ok(Arc::new(Access::new(&self.servers, self.creds.clone(), self.tls_ca.clone())?))
    }

    /// Fails, since this program was built without clusters.
    #[cfg(not(feature = "cluster"))]
    pub fn transport(&self) -> Result<Arc<dyn Transport>, String> {
        Err("expected a program built with the feature 'cluster', found one without it".to_owned())
    }

    /// The identity of a master. Its number is set when it connects.
    pub fn identity(&self, game: &'static str) -> MasterIdentity {
        MasterIdentity {
            owner: Owner::draw(User::ANYBODY),
            game,
            name: self.name.clone().unwrap_or_else(master),
            weight: self.weight,
            wants: self.workers.unwrap_or(u32::MAX),
            role: SlotRole::Leaves,
            network: None,
            silence: self.silence,
            pools: self.pools.clone(),
        }
    }
}

/// The name of this process: one machine may run several masters.
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

/// The name is never shown in a program built without clusters.
#[cfg(not(feature = "cluster"))]
fn host_name() -> String {
    String::new()
}
