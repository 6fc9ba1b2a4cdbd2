//! The page of a program that was built without it: it cannot be opened, so nothing is ever shown.

mod facts;

use crate::catalog::{Catalog, Games};
use crate::matches::events::MatchEvent;
use crate::matches::settings::MatchSettings;
use crate::protocol::{Clock, Go, Output};
use crate::solve::problem::MateProblem;
use crate::solve::solution::Solution;
use crate::solve::solver::ProgressListener;
use crate::tree::Snapshot;
use crate::words::Message;
use hasami_api::Line;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Instant;

pub use facts::{
    ArchivedRun, ArchivedTuning, ClusterFacts, LoanFacts, MachineFacts, MasterFacts, RunningFacts, SlotFacts,
    TunedFacts, TuningFacts, WorkerFacts,
};

/// Any words: they are refused when the page is to be opened.
#[derive(Clone, Copy, Debug)]
pub struct WebAddress;

impl FromStr for WebAddress {
    type Err = Message;

    fn from_str(_: &str) -> Result<Self, Message> {
        Ok(Self)
    }
}

pub struct WebPage(Infallible);

impl WebPage {
    pub fn open(_: WebAddress) -> Result<Self, Message> {
        Err(Message::new("expected-feature").with("feature", "web"))
    }

    pub fn open_metrics(wanted: WebAddress) -> Result<Self, Message> {
        Self::open(wanted)
    }

    pub fn address(&self) -> SocketAddr {
        match self.0 {}
    }

    pub fn url(&self) -> String {
        match self.0 {}
    }
}

pub struct MatchPage(WebPage);

impl MatchPage {
    pub fn new(page: WebPage, _: &MatchSettings) -> Self {
        Self(page)
    }

    pub fn see(&mut self, _: &MatchEvent<'_>) {
        match self.0.0 {}
    }
}

pub struct ArchivePage(WebPage);

impl ArchivePage {
    pub fn new(page: WebPage, _: Games) -> Self {
        Self(page)
    }

    pub fn show(&self, _: String, _: Vec<ArchivedRun>) {
        match self.0.0 {}
    }
}

pub struct TuningPage(WebPage);

impl TuningPage {
    pub fn new(page: WebPage, _: &MatchSettings, _: TuningFacts) -> Self {
        Self(page)
    }

    pub fn see(&mut self, _: &MatchEvent<'_>) {
        match self.0.0 {}
    }

    pub fn learned(&mut self, _: TuningFacts) {
        match self.0.0 {}
    }
}

pub struct MatesPage(WebPage);

impl MatesPage {
    pub fn new(page: WebPage, _: &'static dyn Catalog, _: usize) -> Self {
        Self(page)
    }

    pub fn listener(&self) -> ProgressListener {
        match self.0.0 {}
    }

    pub fn solved(&self, _: &MateProblem, _: &Solution) {
        match self.0.0 {}
    }
}

#[derive(Clone)]
pub struct Metric;

impl Metric {
    pub fn new(_: &'static str, _: &'static str, _: f64) -> Self {
        Self
    }

    pub fn counter(_: &'static str, _: &'static str, _: f64) -> Self {
        Self
    }

    #[must_use]
    pub fn with(self, _: &'static str, _: impl Into<String>) -> Self {
        self
    }
}

pub type Figures = Box<dyn Fn() -> Vec<Metric> + Send + Sync>;

#[derive(Clone)]
pub struct WorkerPage;

impl WorkerPage {
    pub fn new(_: Vec<WebPage>, _: WorkerFacts, _: Figures) -> Self {
        Self
    }

    pub fn note(&self, _: Message) {}

    pub fn loan(&self, _: LoanFacts) {}
}

pub struct ClusterPage(WebPage);

impl ClusterPage {
    pub fn new(page: WebPage, _: String) -> Self {
        Self(page)
    }

    pub fn update(&mut self, _: ClusterFacts) {
        match self.0.0 {}
    }
}

pub struct SearchPage(WebPage);

impl SearchPage {
    pub fn new(page: WebPage, _: &'static dyn Catalog) -> Self {
        Self(page)
    }

    pub fn url(&self) -> String {
        self.0.url()
    }

    pub fn change_game(&mut self, _: &'static dyn Catalog) {
        match self.0.0 {}
    }

    pub fn new_game(&mut self) {
        match self.0.0 {}
    }

    pub fn position(&mut self, _: &Line) {
        match self.0.0 {}
    }

    pub fn begin(&mut self, _: &Go) {
        match self.0.0 {}
    }

    pub fn ponder_hit(&mut self, _: Option<Clock>) {
        match self.0.0 {}
    }

    pub fn hear(&mut self, _: &Output) {
        match self.0.0 {}
    }

    pub fn due(&self) -> Option<Instant> {
        match self.0.0 {}
    }

    pub fn show_if_due(&mut self, _: impl FnOnce() -> (Snapshot, Vec<Metric>)) {
        match self.0.0 {}
    }

    pub fn show(&mut self, _: Snapshot, _: Vec<Metric>) {
        match self.0.0 {}
    }
}
