//! `hasami doctor`: reports what this machine offers, and what would slow down or stop the program.

mod check;
mod engines;
mod machine;
mod memory;

use super::cluster::ClusterArgs;
use check::{Check, State};
use hasami_catalog::{Catalog, Games};
use hasami_protocol::Settings;
use hasami_terminal::Failure;
use hasami_terminal::options;
use hasami_terminal::place;
use hasami_terminal::window;
use hasami_workers::children::{self, ChildSpec};
use hasami_workers::membership::Membership;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Check this machine, files and engines for problems that would slow down or stop the program
///
/// Prints one line per check: ok, note (something could work better) or FAULT, with advice below the line. The exit
/// code is 1 if there is a fault. Options add checks: of a children file, of a cluster, or (with --option) of a
/// network, a book or the table size.
#[derive(clap::Args)]
pub struct Doctor {
    /// The game of the options and of child engines [default: every game]
    #[arg(long)]
    game: Option<String>,

    /// Command line of a child engine (may be repeated)
    #[arg(long, value_name = "COMMAND")]
    child: Vec<String>,

    /// TOML file that lists child engines
    #[arg(long, value_name = "FILE")]
    children: Option<PathBuf>,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// An engine option (may be repeated); requires --game
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "game")]
    options: Vec<String>,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// What `hasami doctor` checks besides the machine itself.
struct Scope {
    games: Vec<&'static dyn Catalog>,
    settings: Settings,
    children: Vec<ChildSpec>,
    /// The clusters to check, each with the option that names it.
    clusters: Vec<(&'static str, Membership)>,
    /// The errors found in the child engine file.
    faults: Vec<String>,
}

impl Doctor {
    pub fn run(&self, games: Games, out: &mut impl Write) -> Result<(), Failure> {
        let scope = self.scope(games)?;
        let columns = std::io::stdout().is_terminal().then(|| usize::from(window::size().0));
        let mut faults = 0;
        let mut results = Vec::new();
        // Each result is printed at once, because the check of a child engine may take half a minute.
        for checks in CHECKS {
            for check in checks(&scope) {
                faults += u32::from(check.state == State::Fault);
                if self.json {
                    results.push(check.as_json());
                } else {
                    write!(out, "{}", check.said(columns))?;
                    out.flush()?;
                }
            }
        }
        if self.json {
            writeln!(out, "{:#}", serde_json::json!({ "ok": faults == 0, "checks": results }))?;
        }
        if faults == 0 { Ok(()) } else { Err(Failure::no_answer(format!("faults: {faults}"))) }
    }

    fn scope(&self, games: Games) -> Result<Scope, Failure> {
        let game = self.game.as_deref().map(|name| place::catalog(games, name)).transpose()?;
        let mut settings = Settings { threads: hasami_terminal::values::cores(), ..Settings::default() };
        if let Some(game) = game {
            options::set(&mut settings, game, &self.options)?;
        }
        let named = self
            .child
            .iter()
            .map(|command| ChildSpec::from_command(command).map_err(|why| Failure::at("--child", why)));
        let mut engines = named.collect::<Result<Vec<_>, Failure>>()?;
        let mut clusters: Vec<_> = self.cluster.membership().map(|found| ("--connect", found)).into_iter().collect();
        if !settings.cluster.is_empty() {
            clusters.push(("--option Cluster", Membership::of(&settings.cluster)));
        }
        let mut faults = Vec::new();
        if let Some(file) = self.children.as_ref().or(settings.children.as_ref()) {
            match children::read(file) {
                Ok(found) => {
                    engines.extend(found.engines);
                    clusters.extend(found.cluster.map(|cluster| ("[cluster]", cluster)));
                }
                Err(why) => faults.push(why.to_string()),
            }
        }
        children::tell_apart(&mut engines);
        let games = game.map_or_else(|| games.iter().collect(), |game| vec![game]);
        Ok(Scope { games, settings, children: engines, clusters, faults })
    }
}

/// The checks of `hasami doctor`, in the order of their output.
const CHECKS: [fn(&Scope) -> Vec<Check>; 9] = [
    |_| vec![machine::program()],
    |_| vec![machine::processor()],
    |scope| vec![machine::kernels(scope)],
    |scope| vec![memory::room(scope)],
    engines::networks,
    engines::books,
    engines::tables,
    engines::children,
    engines::clusters,
];
