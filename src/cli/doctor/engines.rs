//! Files and engines that are named: networks, books, children, clusters.

use super::Scope;
use super::check::Check;
use crate::catalog::Catalog;
use crate::evaluation;
use crate::event::{Action, Time};
use crate::protocol::{Output, Settings};
use crate::workers::children::ChildSpec;
use crate::workers::cluster::{discovery, network_store};
use crate::workers::trial;
use std::path::Path;
use std::time::Instant;

/// The network of each game as the engine would choose it, and the folder for networks of masters.
pub fn networks(scope: &Scope) -> Vec<Check> {
    let of_games = scope.games.iter().map(|game| match game.read_network(&scope.settings) {
        Ok(Some(network)) => Check::fine("network", format!("{}: {}", game.name(), evaluation::describe(&network))),
        Ok(None) => Check::fine("network", format!("{}: none, the evaluation is made by hand", game.name())),
        Err(why) => Check::fault("network", format!("{}: {why}", game.name()), "hasami net FILE says what a file is"),
    });
    let folder = network_store::usual_folder();
    of_games.chain(folder.filter(|_| cfg!(feature = "cluster")).map(|folder| kept(&folder))).collect()
}

/// The folder in which `hasami worker` keeps what it fetches.
fn kept(folder: &Path) -> Check {
    // It is made when it is needed, in the nearest folder that is there.
    let there = folder.ancestors().find(|folder| folder.exists());
    let is_writable = there.is_some_and(|folder| try_file_in(folder).is_ok());
    let shown = folder.display();
    if is_writable {
        return Check::fine("folder", format!("{shown} can be written"));
    }
    Check::note("folder", format!("{shown} cannot be written"), "hasami worker --networks FOLDER keeps them elsewhere")
}

/// Makes a file and takes it away again.
fn try_file_in(folder: &Path) -> std::io::Result<()> {
    let path = folder.join(format!(".hasami-doctor-{}", std::process::id()));
    std::fs::File::create_new(&path)?;
    std::fs::remove_file(&path)
}

/// The book of each game, opened as `OwnBook` would.
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
            Some(why) => {
                let advice = "docs/guide/options.md has the formats; an empty BookFile is the built-in book";
                Check::fault("book", format!("{}: {why}", game.name()), advice)
            }
            None => Check::fine("book", format!("{}: {name}", game.name())),
        }
    };
    scope.games.iter().map(open).collect()
}

/// Each child engine is started once, in the first game that it plays.
pub fn children(scope: &Scope) -> Vec<Check> {
    let broken = scope
        .faults
        .iter()
        .map(|why| Check::fault("children", why.clone(), "docs/guide/children.md has an example of the file"));
    let start = |child: &ChildSpec| {
        let Some(game) = scope.games.iter().map(|game| game.played()).find(|game| child.speaks(game.protocol)) else {
            let found = format!("{}: expected an engine of this game, found one of another protocol", child.name);
            return Check::note("child", found, "the same file may serve several games; this engine is left out here");
        };
        match trial::start_once(child, game) {
            Ok(took) => Check::fine("child", format!("{} answers after {:.2} s", child.name, took.as_secs_f64())),
            Err(why) => {
                let advice = "run its command line by hand, type uci or usi, and see what it says";
                Check::fault("child", format!("{}: {why}", child.name), advice)
            }
        }
    };
    let mut checks: Vec<Check> = broken.chain(scope.children.iter().map(start)).collect();
    if checks.is_empty() {
        checks.push(Check::fine("children", "none named").advise("--children FILE or --child COMMAND tries them"));
    }
    checks
}

/// The server of each cluster must know us.
pub fn clusters(scope: &Scope) -> Vec<Check> {
    let mut checks: Vec<Check> = scope
        .clusters
        .iter()
        .map(|(named, membership)| {
            let begun = Instant::now();
            let reached = membership.transport().and_then(|transport| {
                discovery::reach(&*transport)?;
                Ok(transport.place())
            });
            match reached {
                Ok(place) => {
                    let ms = begun.elapsed().as_millis();
                    Check::fine("cluster", format!("{place} answers after {ms} ms"))
                        .advise("hasami workers lists who is there")
                }
                Err(why) => {
                    let advice = "is the server running, its port open, the password or the creds file right?";
                    Check::fault("cluster", format!("{named}: {why}"), advice)
                }
            }
        })
        .collect();
    if checks.is_empty() {
        checks.push(Check::fine("cluster", "none named").advise("--connect nats://HOST tries one"));
    }
    checks
}
