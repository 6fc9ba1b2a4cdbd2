//! Checks what the options name: networks, books, endgame tables, child engines and clusters.

use super::Scope;
use super::check::Check;
use hasami_catalog::Catalog;
use hasami_catalog::evaluation;
use hasami_protocol::{Output, Settings};
use hasami_remote::cluster::{self, discovery};
use hasami_tree::event::{Action, Time};
use hasami_words::text::At;
use hasami_workers::children::ChildSpec;
use hasami_workers::trial;
use std::fmt::Display;
use std::time::Instant;

/// Prefixes a text with the name of a game.
fn of_game(game: &dyn Catalog, found: impl Display) -> String {
    format!("{}: {found}", game.name())
}

/// Checks the network that each game's engine would use.
pub fn networks(scope: &Scope) -> Vec<Check> {
    let check = |game: &&'static dyn Catalog| match game.read_network(&scope.settings) {
        Ok(Some(network)) => Check::fine("network", of_game(*game, evaluation::describe(&network))),
        Ok(None) => Check::fine("network", of_game(*game, "none, the evaluation is made by hand")),
        Err(why) => Check::fault("network", of_game(*game, why), "hasami net FILE says what a file is"),
    };
    scope.games.iter().map(check).collect()
}

/// Opens the book of each game, like an engine with the option `OwnBook`.
pub fn books(scope: &Scope) -> Vec<Check> {
    let open = |game: &&'static dyn Catalog| {
        let closed = Settings { own_book: false, children: None, cluster: String::new(), ..scope.settings.clone() };
        let book_settings = closed.book_settings.wrapping_add(1);
        let open = Settings { own_book: true, book_settings, ..closed.clone() };
        let mut manager = game.manager(&closed);
        let said = manager.on_settings(Time::ZERO, &open);
        let why = said.into_iter().find_map(|action| match action {
            Action::Say(Output::Message(text)) if text.to_string().contains("BookFile") => Some(text),
            _ => None,
        });
        let file = open.book_file.display().to_string();
        let name = if file.is_empty() { "the built-in one".to_owned() } else { file };
        match why {
            Some(why) => Check::fault(
                "book",
                of_game(*game, why),
                "docs/guide/options.md has the formats; an empty BookFile is the built-in book",
            ),
            None => Check::fine("book", of_game(*game, name)),
        }
    };
    scope.games.iter().map(open).collect()
}

/// Opens the named endgame tables, like the engine.
pub fn tables(scope: &Scope) -> Vec<Check> {
    let folders = scope.settings.endgames.folders.as_str();
    let has_tables = |game: &&&'static dyn Catalog| !folders.is_empty() && game.options().is_offered("SyzygyPath");
    let open = |game: &&'static dyn Catalog| match game.check_tables(&scope.settings.endgames) {
        Ok(()) => Check::fine("tables", of_game(*game, folders)),
        Err(why) => Check::fault(
            "tables",
            of_game(*game, why),
            "a folder with the files of the tables (.rtbw, .rtbz); several are separated as in PATH",
        ),
    };
    scope.games.iter().filter(has_tables).map(open).collect()
}

/// Starts each child engine once, in the first game whose protocol the engine speaks.
pub fn children(scope: &Scope) -> Vec<Check> {
    let broken = scope
        .faults
        .iter()
        .map(|why| Check::fault("children", why.clone(), "docs/guide/children.md has an example of the file"));
    let start = |child: &ChildSpec| {
        let Some(game) = scope.games.iter().map(|game| game.played()).find(|game| child.speaks(game.protocol)) else {
            let found = "the engine speaks the protocol of another game".at(&child.name);
            return Check::note("child", found, "the same file may serve several games; this engine is left out here");
        };
        match trial::start_once(child, game) {
            Ok(took) => Check::fine("child", format!("{} answers after {:.2} s", child.name, took.as_secs_f64())),
            Err(why) => {
                let advice = "run its command line by hand, type uci or usi, and see what it says";
                Check::fault("child", why.at(&child.name), advice)
            }
        }
    };
    let mut checks: Vec<Check> = broken.chain(scope.children.iter().map(start)).collect();
    if checks.is_empty() {
        checks.push(Check::fine("children", "none named").advise("--children FILE or --child COMMAND tries them"));
    }
    checks
}

/// Checks that the server of each cluster accepts the login.
pub fn clusters(scope: &Scope) -> Vec<Check> {
    let mut checks: Vec<Check> = scope
        .clusters
        .iter()
        .map(|(named, membership)| {
            let begun = Instant::now();
            let reached = cluster::transport(membership).and_then(|transport| {
                discovery::reach(&*transport)?;
                Ok(transport.place())
            });
            match reached {
                Ok(place) => {
                    Check::fine("cluster", format!("{place} answers after {} ms", begun.elapsed().as_millis()))
                        .advise("hasami workers lists who is there")
                }
                Err(why) => {
                    let found = why.at(*named);
                    Check::fault(
                        "cluster",
                        found,
                        "is the server running, its port open, the password or the creds file right?",
                    )
                }
            }
        })
        .collect();
    if checks.is_empty() {
        checks.push(Check::fine("cluster", "none named").advise("--connect nats://HOST tries one"));
    }
    checks
}
