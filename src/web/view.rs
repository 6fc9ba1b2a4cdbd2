//! What the page shows, whatever it is.

use super::metrics::Metric;
use hasami_words::Words;
use maud::Markup;
use std::sync::Arc;

/// The arguments of a request: `?node=e2e4.e7e5&lang=ja`.
#[derive(Clone, Default, Debug)]
pub struct Query(Vec<(String, String)>);

impl Query {
    pub fn new(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// A part of the page: replaced when it has changed.
pub struct Part {
    /// Its `id` in the page, and its class.
    pub id: &'static str,
    /// The name of its heading among the words; empty for none.
    pub heading: &'static str,
    pub content: Markup,
}

impl Part {
    pub fn new(id: &'static str, heading: &'static str, content: Markup) -> Self {
        Self { id, heading, content }
    }
}

/// A state of something that runs. Shown to any number of watchers, in any language.
pub trait View: Send + Sync {
    /// `analysis`, `match`, ...: pages of different kinds have different parts.
    fn kind(&self) -> &'static str;

    /// What runs, in a few words.
    fn title(&self, words: &Words) -> String;

    /// The parts of the page, always the same ones in the same order.
    fn parts(&self, words: &Words) -> Vec<Part>;

    /// What is shown beside them when something was chosen; `None`: nothing was, or there is no such thing.
    fn detail(&self, query: &Query, words: &Words) -> Option<Markup>;

    /// What is shown beside them before something was chosen: the arguments of its address. `None`: nothing.
    fn first(&self) -> Option<&'static str> {
        None
    }

    /// A page behind this one, such as one match of many; `None`: there is no such place.
    fn inner(&self, _place: &str) -> Option<Arc<dyn View>> {
        None
    }

    /// For Prometheus.
    fn metrics(&self) -> Vec<Metric>;
}
