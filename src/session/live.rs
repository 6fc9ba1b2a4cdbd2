//! Serves the option `WebPage`: a web page that shows this engine's search.

use hasami_catalog::Catalog;
use hasami_protocol::{Command, Output};
use hasami_web::{Metric, SearchPage, WebPage};
use hasami_workers::driver::Driver;
use std::time::Instant;

/// The web page, which is open while the option `WebPage` contains an address.
#[derive(Default)]
pub struct LivePage {
    wanted: String,
    page: Option<SearchPage>,
}

impl LivePage {
    /// Opens, moves or closes the page, as the option `WebPage` demands. Returns a line for the user if there is
    /// something to report.
    pub fn set(&mut self, wanted: &str, catalog: &'static dyn Catalog) -> Option<String> {
        if self.wanted == wanted {
            return None;
        }
        wanted.clone_into(&mut self.wanted);
        // The new address may use the same port, so the old page is closed before the new one is opened.
        self.page = None;
        if wanted.is_empty() {
            return None;
        }
        match wanted.parse().and_then(WebPage::open) {
            Ok(page) => {
                let page = self.page.insert(SearchPage::new(page, catalog));
                Some(format!("web page: {}", page.url()))
            }
            Err(why) => Some(format!("WebPage: {why}")),
        }
    }

    pub fn change_game(&mut self, catalog: &'static dyn Catalog) {
        if let Some(page) = &mut self.page {
            page.change_game(catalog);
        }
    }

    /// Passes a GUI command to the web page; must be called before the engine gets the command.
    pub fn command(&mut self, command: &Command) {
        let Some(page) = &mut self.page else { return };
        match command {
            Command::NewGame => page.new_game(),
            Command::Position(line) => page.position(line),
            Command::Go(_) => page.begin(),
            _ => {}
        }
    }

    pub fn hear(&mut self, said: &Output) {
        if let Some(page) = &mut self.page {
            page.hear(said);
        }
    }

    /// The time of the next call to [`Self::show_if_due`].
    pub fn due(&self) -> Option<Instant> {
        self.page.as_ref().and_then(SearchPage::due)
    }

    pub fn show_if_due(&mut self, driver: &Driver) {
        if let Some(page) = &mut self.page {
            page.is_in_cluster = driver.is_in_cluster();
            page.show_if_due(|| (driver.snapshot(), metrics(driver)));
        }
    }
}

/// Returns the lengths of the message queues, and metrics of the connection to a cluster.
fn metrics(driver: &Driver) -> Vec<Metric> {
    let queue = |queue, waiting: u64| {
        Metric::gauge("master_queue", "Messages that wait: of workers to be heard, to the cluster to go out", waiting)
            .with("queue", queue)
    };
    let mut metrics = vec![queue("workers", driver.notices().len() as u64)];
    if let Some(figures) = driver.cluster_figures() {
        metrics.extend([
            queue("cluster", figures.waiting),
            Metric::gauge(
                "master_connected",
                "Whether the connection to the cluster's server stands",
                figures.is_connected.into(),
            ),
            Metric::gauge("master_machines", "Machines of the cluster that lend a slot", figures.machines),
            Metric::gauge("master_slots_held", "Slots of the cluster that this master holds", figures.slots),
            Metric::counter("master_machines_lost", "Machines that were lost so far", figures.lost),
        ]);
    }
    metrics
}
