//! The trait of everything that the web page can show.

use super::metrics::Metric;
use hasami_words::Words;
use maud::Markup;

/// The query of a requested URL, such as `?node=e2e4.e7e5&lang=ja`.
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

/// A part of the page, which the server sends again when its content has changed.
pub struct PagePart {
    /// The HTML `id` of the part, which is also its CSS class.
    pub id: &'static str,
    /// The name of the message that is the heading; empty for a part without a heading.
    pub heading: &'static str,
    pub content: Markup,
}

impl PagePart {
    pub fn new(id: &'static str, heading: &'static str, content: Markup) -> Self {
        Self { id, heading, content }
    }
}

/// The state of a job, such as a search or a match, that any number of browsers can show in any language.
pub trait View: Send + Sync {
    /// The kind of view, such as `analysis` or `match`, which determines the parts of the page.
    fn kind(&self) -> &'static str;

    fn title(&self, words: &Words) -> String;

    /// The parts of the page. Every call must return parts with the same ids in the same order.
    fn parts(&self, words: &Words) -> Vec<PagePart>;

    /// The detail of the item that the query selects; `None` if it selects nothing or the item does not exist.
    fn detail(&self, query: &Query, words: &Words) -> Option<Markup>;

    /// The query of the detail to show before the user selects an item; `None` for no detail.
    fn first(&self) -> Option<&'static str> {
        None
    }

    /// The metrics to export to Prometheus.
    fn metrics(&self) -> Vec<Metric> {
        Vec::new()
    }
}
