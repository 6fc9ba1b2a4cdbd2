//! Options of commands whose games can be played on other machines.

use hasami_matches::events::Watcher;
use hasami_matches::run::{self, Outcomes};
use hasami_matches::settings::{MatchError, MatchSettings};
#[cfg(feature = "cluster")]
use hasami_remote::cluster::Access;
#[cfg(feature = "cluster")]
use hasami_remote::games::remote_match::{self, Machines};
#[cfg(feature = "cluster")]
use hasami_terminal::Failure;
use std::path::PathBuf;

/// The options for playing games on other machines.
#[derive(clap::Args)]
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
pub struct MachineArgs {
    /// NATS server with JetStream through which other machines play the games (docs/guide/games.md)
    #[arg(long = "machines", value_name = "URL")]
    servers: Option<String>,

    /// Relative share of the machines' games if several matches use the machines
    #[arg(long = "share", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), requires = "servers")]
    share: u32,

    /// Scale clocks to a machine that searches N nodes per second, as printed by `hasami worker`; faster machines get
    /// less time, and slower machines more
    #[arg(long, value_name = "NODES", requires = "servers", value_parser = clap::value_parser!(u64).range(1..))]
    reference_speed: Option<u64>,

    /// Send no games to this machine (may be repeated)
    #[arg(long, value_name = "NAME", requires = "servers")]
    without: Vec<String>,

    /// Creds file with the credentials for the server of the machines
    #[arg(long, value_name = "FILE", requires = "servers")]
    machines_creds: Option<PathBuf>,

    /// Certificates to trust for that server in addition to those of the system (PEM)
    #[arg(long, value_name = "FILE", requires = "servers")]
    machines_ca: Option<PathBuf>,
}

impl MachineArgs {
    /// Returns whether the games are played by other machines.
    pub fn is_remote(&self) -> bool {
        self.servers.is_some()
    }

    /// Plays a match on this machine or on other machines.
    #[cfg(feature = "cluster")]
    pub fn play(&self, settings: &mut MatchSettings, watch: &mut Watcher<'_>) -> Result<Outcomes, MatchError> {
        match self.machines().map_err(|failure| failure.to_string())? {
            None => run::play(settings, watch),
            Some(machines) => remote_match::play(settings, &machines, watch),
        }
    }

    /// Plays a match on this machine.
    #[cfg(not(feature = "cluster"))]
    pub fn play(&self, settings: &mut MatchSettings, watch: &mut Watcher<'_>) -> Result<Outcomes, MatchError> {
        if self.servers.is_some() {
            let why = "--machines: this program was built without the feature 'cluster'";
            return Err(MatchError::Failed(why.to_owned()));
        }
        run::play(settings, watch)
    }

    /// Returns the connection to the other machines, or `None` if the games are played on this machine.
    #[cfg(feature = "cluster")]
    pub fn machines(&self) -> Result<Option<Machines>, Failure> {
        let Some(servers) = &self.servers else { return Ok(None) };
        let access = Access::new(servers, self.machines_creds.clone(), self.machines_ca.clone());
        let access = access.map_err(|why| Failure::at("--machines", why))?;
        let without = self.without.clone();
        let (weight, reference_speed) = (self.share, self.reference_speed);
        Ok(Some(Machines { access, weight, reference_speed, without }))
    }
}
