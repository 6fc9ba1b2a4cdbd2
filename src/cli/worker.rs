//! `hasami worker`: lends this machine's engines to masters elsewhere.

mod games;

use super::cluster::NeededCluster;
use super::interrupt::Interrupt;
use super::web::{self, WebArgs};
use crossbeam_channel::bounded;
use hasami_catalog::Games;
use hasami_remote::cluster::node_figures::NodeFigures;
use hasami_remote::cluster::node_runtime::{self, NodeConfig, NodeEnd};
use hasami_remote::cluster::{machine, network_store};
use hasami_terminal::{Failure, values};
use hasami_web::{Metric, WebPage, WorkerFacts, WorkerPage};
use hasami_words::text::{At, counted};
use hasami_workers::children::{self, ChildSpec};
use hasami_workers::membership::PoolName;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// Lend this machine's engines to masters elsewhere, over NATS (docs/guide/cluster.md), until Ctrl-C
#[derive(clap::Args)]
pub struct Lender {
    #[command(flatten)]
    connection: NeededCluster,

    /// Name of this machine that masters see [default: its host name]
    #[arg(long, value_parser = values::name)]
    name: Option<String>,

    /// Lend only to masters that name this pool [default: to masters that name no pool]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,

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

    #[command(flatten)]
    web: WebArgs,

    /// Serve metrics for Prometheus at ADDR, as in 0.0.0.0:9400, without a login
    #[arg(long, value_name = "ADDR")]
    metrics: Option<String>,

    /// Lend engines for this game only
    #[arg(long)]
    game: Option<String>,
}

impl Lender {
    /// Lends the engines until Ctrl-C or SIGTERM.
    pub fn run(&self, games: Games) -> Result<(), Failure> {
        env_logger::Builder::new().filter_level(log::LevelFilter::Warn).parse_default_env().init();
        if self.loan.is_wanted() {
            return self.lend_games(games);
        }
        let config = self.config(games)?;
        let pages = self.open_pages()?;
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
        let page = page(pages, &config)?;
        let hear = move |line: &str| {
            tell(line);
            if let Some(page) = &page {
                page.note(line.to_owned());
            }
        };
        node_runtime::serve(config, &stop, Box::new(hear)).map_err(failure)
    }

    /// Opens the pages before the engines are tried, which may take a while.
    fn open_pages(&self) -> Result<OpenPages, Failure> {
        let refused = |why| Failure::at("--metrics", why);
        let open = |text: &String| WebPage::open_metrics(text.parse().map_err(refused)?).map_err(refused);
        Ok(OpenPages { page: self.web.open()?, metrics: self.metrics.as_ref().map(open).transpose()? })
    }

    fn config(&self, games: Games) -> Result<NodeConfig, Failure> {
        let transport = self.connection.transport()?;
        let children = self.engines(games)?;
        let cores = values::cores();
        let threads = self.threads.unwrap_or(if children.is_empty() { cores } else { 0 });
        if threads == 0 && children.is_empty() {
            return Err(Failure::bad_input(
                "expected a thread or a child engine to lend, found --threads 0".to_owned(),
            ));
        }
        let game = self.game.as_deref().and_then(|name| games.find(name));
        let games = game.map_or_else(|| games.iter().collect(), |game| vec![game]);
        let name = self.name.clone().unwrap_or_else(machine);
        let networks = self.networks.clone().or_else(network_store::usual_folder);
        let (hash_mb, fetches, login_patience) = (self.hash, !self.no_fetch, self.login_patience);
        let figures = Arc::default();
        Ok(NodeConfig {
            name,
            transport,
            threads,
            hash_mb,
            children,
            networks,
            fetches,
            figures,
            login_patience,
            games,
            pool: self.pool,
        })
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
                let why = "expected a protocol for every engine, or --game, found neither".at(file.display());
                return Err(Failure::at("--children", why));
            }
            engines.extend(found.engines);
        }
        children::tell_apart(&mut engines);
        Ok(engines)
    }
}

/// The error that ended the lending.
fn failure(end: NodeEnd) -> Failure {
    match end {
        NodeEnd::Unable(why) => Failure::bad_input(why),
        NodeEnd::LoginRefused(why) => Failure::login_refused(why),
    }
}

/// The page for the browser and the metrics, if they were requested.
struct OpenPages {
    page: Option<WebPage>,
    metrics: Option<WebPage>,
}

impl OpenPages {
    /// Prints the addresses of the pages.
    fn announce(self) -> std::io::Result<Vec<WebPage>> {
        if let Some(page) = &self.page {
            web::announce(page, &mut std::io::stderr())?;
        }
        if let Some(page) = &self.metrics {
            let url = format!("http://{}/metrics", page.address());
            tell(&format!("metrics: {url}"));
        }
        Ok(self.page.into_iter().chain(self.metrics).collect())
    }
}

fn page(pages: OpenPages, config: &NodeConfig) -> Result<Option<WorkerPage>, Failure> {
    let shared = Arc::clone(&config.figures);
    let figures = move || metrics(&shared.lock().unwrap_or_else(PoisonError::into_inner));
    let pages = pages.announce()?;
    Ok((!pages.is_empty()).then(|| WorkerPage::new(pages, facts(config), Box::new(figures))))
}

/// Prints a line for the owner of the machine.
fn tell(line: &str) {
    // An error is ignored: a closed log does not end the program.
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn facts(config: &NodeConfig) -> WorkerFacts {
    WorkerFacts {
        name: config.name.clone(),
        place: config.transport.place().to_string(),
        threads: config.threads,
        children: config.children.iter().map(|child| child.name.clone()).collect(),
        games: config.games.iter().map(|game| game.name()).collect(),
        loan: None,
    }
}

fn metrics(figures: &NodeFigures) -> Vec<Metric> {
    let NodeFigures { slots, held, busy, masters, nodes, tasks, reports, lost, .. } = *figures;
    let mut metrics = vec![
        Metric::gauge("worker_connected", "Whether the connection to the server stands", figures.is_connected.into()),
        Metric::gauge("worker_slots", "Slots that are lent", slots),
        Metric::gauge("worker_slots_held", "Slots that masters hold", held),
        Metric::gauge("worker_slots_busy", "Slots that are at a task", busy),
        Metric::gauge("worker_masters", "Masters that are heard", masters),
        Metric::counter("worker_nodes", "Nodes of all tasks so far", nodes),
        Metric::counter("worker_tasks", "Tasks that have ended so far", tasks),
        Metric::counter("worker_reports", "Reports to masters so far", reports),
        Metric::counter("worker_lost", "Engines that have died so far", lost),
        Metric::gauge("worker_queue", "Messages that have not gone out yet", figures.waiting),
    ];
    let refused = |&(why, count)| {
        Metric::counter("worker_refused", "Messages that were refused so far", count).with("reason", why)
    };
    metrics.extend(figures.refused.iter().map(refused));
    metrics
}
