//! Describes an engine's cluster membership, from the option `Cluster` or the section `[cluster]` of a children file.

use std::path::PathBuf;

/// The settings of an engine's membership in a cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// The URLs of the servers, separated by commas.
    pub servers: String,
    pub creds: Option<PathBuf>,
    pub tls_ca: Option<PathBuf>,
    /// The name that users see; `None` for the machine's name and the process ID.
    pub name: Option<String>,
    /// The weight that determines this engine's share of the workers if there are several masters.
    pub weight: u16,
    /// The most workers to use on each machine; `None` for no limit.
    pub workers: Option<u32>,
}

impl Membership {
    pub fn of(servers: &str) -> Self {
        Self { servers: servers.to_owned(), creds: None, tls_ca: None, name: None, weight: 1, workers: None }
    }
}
