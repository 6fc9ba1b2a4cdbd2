//! The options that connect a subcommand to a cluster.

use super::language::tell;
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
#[cfg(feature = "cluster")]
use hasami_remote::cluster::Access;
use hasami_remote::cluster::discovery;
use hasami_remote::cluster::solver_slots::SolverSlots;
use hasami_remote::cluster::wire::SlotRole;
use hasami_remote::cluster::{self, Transport};
use hasami_terminal::Failure;
use hasami_words::text::At;
use hasami_workers::membership::Membership;
use std::path::PathBuf;
use std::sync::Arc;

/// The options of a subcommand that needs a cluster.
#[cfg(feature = "cluster")]
#[derive(clap::Args)]
pub struct NeededCluster {
    /// NATS server: nats://HOST or tls://USER:PASSWORD@HOST:4222; several separated by commas
    #[arg(long, value_name = "URL")]
    connect: String,

    #[command(flatten)]
    credentials: Credentials,
}

/// The options of a subcommand that can use a cluster.
#[derive(clap::Args)]
pub struct ClusterArgs {
    /// NATS server through which other machines lend workers (docs/guide/cluster.md)
    #[arg(long, value_name = "URL")]
    connect: Option<String>,

    #[command(flatten)]
    credentials: Credentials,
}

#[derive(clap::Args)]
struct Credentials {
    /// Creds file with the credentials for the server
    #[arg(long, value_name = "FILE", requires = "connect")]
    creds: Option<PathBuf>,

    /// Certificates to trust in addition to those of the system (PEM); requires TLS
    #[arg(long, value_name = "FILE", requires = "connect")]
    tls_ca: Option<PathBuf>,
}

#[cfg(feature = "cluster")]
impl NeededCluster {
    /// Returns the server addresses and the credentials for them.
    pub fn access(&self) -> Result<Access, Failure> {
        let access = Access::new(&self.connect, self.credentials.creds.clone(), self.credentials.tls_ca.clone());
        access.map_err(|why| Failure::at("--connect", why))
    }

    pub fn transport(&self) -> Result<Arc<dyn Transport>, Failure> {
        transport(&self.credentials.membership(&self.connect))
    }
}

impl ClusterArgs {
    /// Returns the cluster that these options make an engine join.
    pub fn membership(&self) -> Option<Membership> {
        self.connect.as_deref().map(|servers| self.credentials.membership(servers))
    }

    /// Opens the cluster's slots that serve as cells; returns `None` if no cluster is named.
    pub fn solver_slots(&self, game: &'static dyn Catalog) -> Result<Option<SolverSlots>, Failure> {
        let Some(membership) = self.membership() else { return Ok(None) };
        let mut me = cluster::identity(&membership, game.name());
        me.beat.role = SlotRole::Cells;
        let slots = SolverSlots::open(&*transport(&membership)?, me, usize::MAX, Box::new(tell));
        slots.map(Some).map_err(|why| Failure::at("--connect", why))
    }

    /// Stores the cluster in the settings of an engine inside this process.
    pub fn put_into(&self, settings: &mut Settings) -> Result<(), Failure> {
        if let Some(membership) = self.membership() {
            transport(&membership)?;
            settings.cluster.clone_from(&membership.servers);
            (settings.cluster_creds, settings.cluster_tls_ca) = (membership.creds, membership.tls_ca);
        }
        Ok(())
    }
}

/// Checks that the cluster's servers can be reached. Without a reachable server, a match would run without the cluster,
/// and only the engine processes would report the error.
pub fn reach(servers: &str) -> Result<(), Failure> {
    let reached = discovery::reach(&*transport(&Membership::of(servers))?);
    reached.map_err(|why| Failure::no_answer(why.at("--connect")))
}

impl Credentials {
    fn membership(&self, servers: &str) -> Membership {
        Membership { creds: self.creds.clone(), tls_ca: self.tls_ca.clone(), ..Membership::of(servers) }
    }
}

fn transport(membership: &Membership) -> Result<Arc<dyn Transport>, Failure> {
    cluster::transport(membership).map_err(|why| Failure::at("--connect", why))
}
