//! Sends the changed parts of the web page to a browser as server-sent events.

use super::PERIOD;
use super::server::Shared;
use super::view::View;
use axum::response::sse::Event;
use futures_util::stream::{Stream, unfold};
use hasami_words::{Language, Words};
use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// The parts of a view, rendered in one language for all browsers.
pub struct Rendered {
    pub kind: &'static str,
    pub title: String,
    pub parts: Vec<(&'static str, String)>,
}

/// For each language, the view that was rendered last, with its rendered parts.
#[derive(Default)]
pub struct Cache([Mutex<Option<Newest>>; Language::ALL.len()]);

type Newest = (Arc<dyn View>, Arc<Rendered>);

impl Rendered {
    fn of(view: &dyn View, language: Language) -> Self {
        let words = Words::of(language);
        let parts = view.parts(words).into_iter().map(|part| (part.id, part.content.into_string())).collect();
        Self { kind: view.kind(), title: view.title(words), parts }
    }
}

fn render(cache: &Cache, view: &Arc<dyn View>, language: Language) -> Arc<Rendered> {
    let mut cached = cache.0[language as usize].lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, rendered)) = &*cached
        && Arc::ptr_eq(known, view)
    {
        return rendered.clone();
    }
    let rendered = Arc::new(Rendered::of(&**view, language));
    *cached = Some((view.clone(), rendered.clone()));
    rendered
}

struct Follower {
    shared: Arc<Shared>,
    view: watch::Receiver<Option<Arc<dyn View>>>,
    language: Language,
    /// For each part of the page, a hash of the content that was sent last.
    sent: HashMap<&'static str, u64>,
    sent_at: Option<Instant>,
}

/// Sends all parts of the page once, and then the parts that have changed, at most once per [`PERIOD`]; states in
/// between are skipped.
pub fn follow(shared: Arc<Shared>, language: Language) -> impl Stream<Item = Result<Event, Infallible>> {
    let mut view = shared.view.subscribe();
    view.mark_changed();
    let follower = Follower { shared, view, language, sent: HashMap::new(), sent_at: None };
    unfold(follower, async |mut follower| Some((Ok(follower.next().await?), follower)))
}

impl Follower {
    /// The next event to send; `None` when the program closes the page.
    async fn next(&mut self) -> Option<Event> {
        loop {
            self.view.changed().await.ok()?;
            if let Some(sent) = self.sent_at {
                tokio::time::sleep(PERIOD.saturating_sub(sent.elapsed())).await;
            }
            let view = self.view.borrow_and_update().clone();
            let rendered = view.map(|view| render(&self.shared.cache, &view, self.language));
            if let Some(event) = rendered.and_then(|rendered| self.news(&rendered)) {
                self.sent_at = Some(Instant::now());
                return Some(event);
            }
        }
    }

    fn news(&mut self, rendered: &Rendered) -> Option<Event> {
        let mut parts = serde_json::Map::new();
        for (id, content) in &rendered.parts {
            let mut hasher = DefaultHasher::new();
            content.hash(&mut hasher);
            if self.sent.insert(id, hasher.finish()) != Some(hasher.finish()) {
                parts.insert((*id).to_owned(), content.as_str().into());
            }
        }
        if parts.is_empty() {
            return None;
        }
        let news = serde_json::json!({ "kind": rendered.kind, "title": rendered.title, "parts": parts });
        Some(Event::default().event("parts").data(news.to_string()))
    }
}
