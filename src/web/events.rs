//! The events for a client that watches the page: the changed parts, as server-sent events.

use super::PERIOD;
use super::server::Shared;
use super::view::View;
use axum::response::sse::Event;
use futures_util::stream::{Stream, unfold};
use hasami_words::{Language, Words};
use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// A client that has not read an event for this long is disconnected.
const PATIENCE: Duration = Duration::from_secs(15);
/// Interval of empty comments, by which both ends notice that the other one has gone.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// Tracks whether a connection reads the events that are sent to it.
#[derive(Debug)]
pub struct Pulse {
    born: Instant,
    /// Milliseconds from `born` to the sending of an event that has not been read yet, plus one; 0 if there is no such
    /// event.
    handed: AtomicU64,
}

impl Default for Pulse {
    fn default() -> Self {
        Self { born: Instant::now(), handed: AtomicU64::new(0) }
    }
}

impl Pulse {
    fn hand(&self) {
        self.handed.store(self.born.elapsed().as_millis() as u64 + 1, Relaxed);
    }

    fn taken(&self) {
        self.handed.store(0, Relaxed);
    }

    pub fn is_behind(&self) -> bool {
        self.is_behind_after(self.born.elapsed())
    }

    fn is_behind_after(&self, age: Duration) -> bool {
        match self.handed.load(Relaxed) {
            0 => false,
            handed => age.saturating_sub(Duration::from_millis(handed - 1)) > PATIENCE,
        }
    }
}

/// The parts of a view in one language, rendered once for all clients.
pub struct Rendered {
    pub kind: &'static str,
    pub title: String,
    pub parts: Vec<(&'static str, String)>,
}

/// The newest view that was rendered, by language.
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

/// Counts a client as long as it is connected.
struct Watcher(Arc<Shared>);

impl Drop for Watcher {
    fn drop(&mut self) {
        self.0.watchers.fetch_sub(1, Relaxed);
    }
}

struct Follower {
    watcher: Watcher,
    view: watch::Receiver<Option<Arc<dyn View>>>,
    language: Language,
    pulse: Arc<Pulse>,
    /// For each part, a hash of the content that was sent last.
    sent: HashMap<&'static str, u64>,
    sent_at: Option<Instant>,
}

/// Sends everything at first, then the changes, at most once per [`PERIOD`]. Intermediate states are skipped.
pub fn follow(
    shared: Arc<Shared>,
    language: Language,
    pulse: Arc<Pulse>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    shared.watchers.fetch_add(1, Relaxed);
    let mut view = shared.view.subscribe();
    view.mark_changed();
    let watcher = Watcher(shared);
    let follower = Follower { watcher, view, language, pulse, sent: HashMap::new(), sent_at: None };
    unfold(follower, |mut follower| async move {
        follower.pulse.taken();
        let event = follower.next().await?;
        follower.pulse.hand();
        Some((Ok(event), follower))
    })
}

impl Follower {
    /// The next event; `None` when the page is closed.
    async fn next(&mut self) -> Option<Event> {
        loop {
            match tokio::time::timeout(SIGN_OF_LIFE, self.view.changed()).await {
                Err(_) => return Some(Event::default().comment("")),
                Ok(changed) => changed.ok()?,
            }
            if let Some(sent) = self.sent_at {
                tokio::time::sleep(PERIOD.saturating_sub(sent.elapsed())).await;
            }
            let view = self.view.borrow_and_update().clone();
            let rendered = view.map(|view| render(&self.watcher.0.cache, &view, self.language));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_does_not_read_falls_behind() {
        let pulse = Pulse::default();
        assert!(!pulse.is_behind_after(PATIENCE * 3));
        pulse.hand();
        let now = pulse.born.elapsed();
        assert!(!pulse.is_behind_after(now) && pulse.is_behind_after(now + PATIENCE + Duration::from_millis(2)));
        pulse.taken();
        assert!(!pulse.is_behind_after(PATIENCE * 3));
    }
}
