//! `hasami worker`: lends this machine's engines to masters on other machines.

mod games;

use super::cluster::NeededCluster;
use super::interrupt::Interrupt;
use crossbeam_channel::bounded;
use hasami_catalog::Games;
use hasami_remote::cluster::node_runtime::{self, NodeConfig, NodeEnd};
use hasami_remote::cluster::{machine, network_store};
use hasami_terminal::{Failure, values};
use hasami_words::text::{At, counted};
use hasami_workers::children::{self, ChildSpec};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Lend this machine's engines to masters on other machines, over NATS (docs/guide/cluster.md), until Ctrl-C
#[derive(clap::Args)]
pub struct Lender {
    #[command(flatten)]
    connection: NeededCluster,

    /// Name of this machine that masters see [default: its host name]
    #[arg(long, value_parser = values::name)]
    name: Option<String>,

    /// Number of engines of this program to lend [default: one per core; none with child engines]
    #[arg(long, value_name = "T", value_parser = values::workers, allow_negative_numbers = true)]
    threads: Option<u32>,

    /// Size of the tables of all threads together, in MiB
    #[arg(long, value_name = "MB", value_parser = values::hash, default_value = "256", allow_negative_numbers = true)]
    hash: u32,

    /// Command line of a UCI or USI engine to lend (may be repeated)
    #[arg(long, value_name = "CMD")]
    child: Vec<String>,

    /// TOML file that lists child engines, as for the option Children
    #[arg(long, value_name = "FILE")]
    children: Option<PathBuf>,

    /// Folder for the networks of masters [default: networks in the cache folder of this user]
    #[arg(long, value_name = "FOLDER")]
    networks: Option<PathBuf>,

    /// Fetch no networks from masters; a master whose network is not in the folder gets no threads of this machine
    #[arg(long)]
    no_fetch: bool,

    /// Time after which a login that the server keeps refusing ends the program, with exit code 3
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, default_value = "600", allow_negative_numbers = true)]
    login_patience: Duration,

    #[command(flatten)]
    loan: games::GamesLoan,

    /// Lend engines for this game only
    #[arg(long)]
    game: Option<String>,
}

impl Lender {
    /// Lends the engines until Ctrl-C or SIGTERM.
    pub fn run(&self, games: Games) -> Result<(), Failure> {
        super::start_log();
        if self.loan.is_wanted() {
            return self.lend_games(games);
        }
        let config = self.config(games)?;
        let (threads, children) = (config.threads, config.children.len());
        if children > 0 {
            tell(&"starts each child engine once, to see that it answers".at(&config.name));
        }
        node_runtime::try_children(&config).map_err(|why| Failure::bad_input(format!("child engine {why}")))?;
        let (threads, children) = (counted(threads, "thread"), counted(children, "child engine"));
        let lent = format!("{}: {threads} and {children} for {}", config.name, config.transport.place());
        tell(&lent);
        let (ends, stop) = bounded(1);
        let _interrupt = Interrupt::then(move || _ = ends.try_send(()));
        node_runtime::serve(config, &stop, Box::new(tell)).map_err(failure)
    }

    fn config(&self, games: Games) -> Result<NodeConfig, Failure> {
        let transport = self.connection.transport()?;
        let children = self.engines(games)?;
        let cores = values::cores();
        let threads = self.threads.unwrap_or(if children.is_empty() { cores } else { 0 });
        if threads == 0 && children.is_empty() {
            return Err(Failure::bad_input(
                "--threads 0 leaves nothing to lend: give --threads 1 or more, or a child engine (--child, --children)"
                    .to_owned(),
            ));
        }
        let game = self.game.as_deref().and_then(|name| games.find(name));
        let games = game.map_or_else(|| games.iter().collect(), |game| vec![game]);
        let name = self.name.clone().unwrap_or_else(machine);
        let networks = self.networks.clone().or_else(network_store::usual_folder);
        let (hash_mb, fetches, login_patience) = (self.hash, !self.no_fetch, self.login_patience);
        Ok(NodeConfig { name, transport, threads, hash_mb, children, networks, fetches, login_patience, games })
    }

    fn engines(&self, games: Games) -> Result<Vec<ChildSpec>, Failure> {
        if self.game.is_none() && !self.child.is_empty() {
            return Err(Failure::lonely("--child", format!("--game {}", games.names().join(" / "))));
        }
        let named = self
            .child
            .iter()
            .map(|command| ChildSpec::from_command(command).map_err(|why| Failure::at("--child", why)));
        let mut engines = named.collect::<Result<Vec<_>, Failure>>()?;
        if let Some(file) = &self.children {
            let found = children::read(file).map_err(|why| Failure::at("--children", why))?;
            if self.game.is_none() && found.engines.iter().any(|child| child.protocol.is_none()) {
                let why = "every engine needs a protocol here, or name the game with --game".at(file.display());
                return Err(Failure::at("--children", why));
            }
            engines.extend(found.engines);
        }
        children::tell_apart(&mut engines);
        Ok(engines)
    }
}

/// Converts the reason why lending ended into an error.
fn failure(end: NodeEnd) -> Failure {
    match end {
        NodeEnd::Unable(why) => Failure::bad_input(why),
        NodeEnd::LoginRefused(why) => Failure::login_refused(why),
    }
}

/// Prints a log line for the machine's owner.
fn tell(line: &str) {
    // A write error is ignored, because the program must not end if its log is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
}
