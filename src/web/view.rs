//! The interface of everything that the page can show.

use super::metrics::Metric;
use hasami_words::Words;
use maud::Markup;

/// The query of a request, such as `?node=e2e4.e7e5&lang=ja`.
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

/// A part of the page, which is sent again when its content has changed.
pub struct Part {
    /// The `id` of the part in the page, which is also its CSS class.
    pub id: &'static str,
    /// The name of the heading's message; empty for a part without a heading.
    pub heading: &'static str,
    pub content: Markup,
}

impl Part {
    pub fn new(id: &'static str, heading: &'static str, content: Markup) -> Self {
        Self { id, heading, content }
    }
}

/// The state of a running job, such as a search or a match. A view is shown to any number of clients, in any language.
pub trait View: Send + Sync {
    /// The kind of view, such as `analysis` or `match`. Pages of different kinds have different parts.
    fn kind(&self) -> &'static str;

    fn title(&self, words: &Words) -> String;

    /// The parts of the page, which must always be the same parts in the same order.
    fn parts(&self, words: &Words) -> Vec<Part>;

    /// The detail of the selected item; `None` if nothing is selected or the item does not exist.
    fn detail(&self, query: &Query, words: &Words) -> Option<Markup>;

    /// The query of the detail to show before anything was selected; `None` for no detail.
    fn first(&self) -> Option<&'static str> {
        None
    }

    /// The metrics for Prometheus.
    fn metrics(&self) -> Vec<Metric> {
        Vec::new()
    }
}
