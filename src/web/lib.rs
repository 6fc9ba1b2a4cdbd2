//! A web page that shows a running search, match or list of mate problems, or the members of a cluster.
//!
//! # The course of a view
//! ```text
//!   producer -> WebPage::show(View) -> one cell that holds the newest view
//!   browser -> server -> routes -> page (everything), events (changes, once per `PERIOD`), detail, /metrics
//! ```
//! The page is read-only: a browser cannot control the program. The server renders the HTML of each view once per
//! language, and the page's script only inserts it. A running search is shown once per `PERIOD`, and browsers get
//! changes at most once per `PERIOD`. A producer never waits for a browser, because the server has its own thread.
//!
//! ```
//! use hasami_web::WebPage;
//!
//! // With port 0, the system chooses a free port.
//! let page = WebPage::open("127.0.0.1:0".parse()?)?;
//! assert!(page.url().starts_with("http://127.0.0.1:"));
//! # Ok::<(), hasami_web::WebError>(())
//! ```

mod address;
mod analysis;
mod cells;
mod chart;
mod cluster_view;
mod error;
mod events;
mod facts;
mod guard;
mod lent_games;
mod match_page;
mod match_view;
mod mates_view;
mod metrics;
mod page;
mod proof_list;
mod recorder;
mod replay;
mod routes;
mod server;
mod spoken;
mod tree;
mod view;

pub use address::WebAddress;
pub use cluster_view::ClusterPage;
pub use error::WebError;
pub use facts::{ClusterFacts, MachineFacts, MasterFacts, SlotFacts};
pub use match_page::MatchPage;
pub use mates_view::MatesPage;
pub use metrics::Metric;
pub use recorder::SearchPage;
pub use server::WebPage;
pub use view::{PagePart, Query, View};

use std::time::Duration;

/// Minimum time between two updates of the page.
pub const PERIOD: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests;
