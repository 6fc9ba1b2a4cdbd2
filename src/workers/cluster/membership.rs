//! Membership of an engine in a cluster: the option Cluster, or the part `[cluster]` of a children file.

use super::names::{Owner, PoolName};
#[cfg(feature = "cluster")]
use super::nats::Access;
use super::node_pool::{MasterIdentity, SILENCE};
use super::transport::Transport;
use super::wire::SlotRole;
use hasami_words::Message;
use rand::Rng;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// URLs with commas between them.
    pub servers: String,
    pub creds: Option<PathBuf>,
    pub tls_ca: Option<PathBuf>,
    /// For people who look who is there; `None`: the machine's name and the number of the process.
    pub name: Option<String>,
    /// Its share of workers where there are several masters.
    pub weight: u16,
    /// So many workers at most of each machine; `None`: all that it has.
    pub workers: Option<u32>,
    /// After so long without a word the other is gone.
    pub silence: Duration,
    /// Its machines are those of these pools; none: those without a pool.
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

    /// The way to the servers. Errors say what was expected and what was found.
    #[cfg(feature = "cluster")]
    pub fn transport(&self) -> Result<Arc<dyn Transport>, Message> {
        Ok(Arc::new(Access::new(&self.servers, self.creds.clone(), self.tls_ca.clone())?))
    }

    /// The way to the servers: there is none.
    #[cfg(not(feature = "cluster"))]
    pub fn transport(&self) -> Result<Arc<dyn Transport>, Message> {
        Err(Message::new("expected-feature").with("feature", "cluster"))
    }

    /// A master without a number, which its connection gives it.
    pub fn identity(&self, game: &'static str) -> MasterIdentity {
        MasterIdentity {
            owner: Owner::UNNAMED,
            game,
            name: self.name.clone().unwrap_or_else(master),
            weight: self.weight,
            wants: self.workers.unwrap_or(u32::MAX),
            role: SlotRole::Leaves,
            network: None,
            secret: rand::rng().random(),
            silence: self.silence,
            pools: self.pools.clone(),
        }
    }
}

/// A name of this process: a machine may have several masters.
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

/// Without a cluster nobody else sees it.
#[cfg(not(feature = "cluster"))]
fn host_name() -> String {
    String::new()
}
