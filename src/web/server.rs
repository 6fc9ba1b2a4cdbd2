//! The web server. The server has its own thread, so that the program never waits for a browser.

use super::PERIOD;
use super::address::WebAddress;
use super::error::WebError;
use super::events::{Cache, Pulse};
use super::guard::Guard;
use super::routes;
use super::view::View;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{oneshot, watch};

/// Number of ports to try if the user has not given one.
const PORTS: u16 = 20;
/// Largest number of connections at the same time; a browser uses a few.
const CONNECTIONS: usize = 128;
/// Time after which a request must be complete.
const PATIENCE: Duration = Duration::from_secs(10);
/// Interval of the check for slow clients.
const INSPECTION: Duration = Duration::from_secs(1);

/// Interval at which a producer checks whether a single request waits for a new view.
pub const GLANCE: Duration = Duration::from_millis(100);
/// Longest time that a single request waits for a new view.
const FRESH: Duration = PERIOD.saturating_mul(4);

/// State shared with the server.
pub struct Shared {
    pub view: watch::Sender<Option<Arc<dyn View>>>,
    pub guard: Guard,
    /// Number of browsers that follow the events.
    pub watchers: AtomicUsize,
    /// Whether the view changes all the time, and is made only on request.
    pub moves: AtomicBool,
    /// Whether a client is waiting for a new view.
    pub wanted: AtomicBool,
    pub cache: Cache,
}

/// A page that is served until this value is dropped.
pub struct WebPage {
    shared: Arc<Shared>,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl WebPage {
    /// Starts the server. The error is a line of text for the user.
    pub fn open(wanted: WebAddress) -> Result<Self, WebError> {
        let refused = |why| WebError::Listen { address: wanted.address, why };
        let listener = listen(wanted).map_err(refused)?;
        let shared = Arc::new(Shared {
            view: watch::Sender::new(None),
            guard: Guard::new(listener.local_addr().map_err(refused)?),
            watchers: AtomicUsize::new(0),
            moves: AtomicBool::new(false),
            wanted: AtomicBool::new(false),
            cache: Cache::default(),
        });
        listener.set_nonblocking(true).map_err(refused)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(refused)?;
        let (end, ended) = oneshot::channel();
        let served = shared.clone();
        let run = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, routes::router(served)) => {}
                    _ = ended => {}
                }
            });
            // The shutdown does not wait for browsers that read slowly.
            runtime.shutdown_background();
        };
        let thread = thread::Builder::new().name("web".into()).spawn(run).map_err(refused)?;
        Ok(Self { shared, end: Some(end), thread: Some(thread) })
    }

    /// The address to open in a browser.
    pub fn url(&self) -> String {
        self.shared.guard.url()
    }

    /// The address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.shared.guard.local()
    }

    /// Returns whether a client follows the events, so that a new view will be seen.
    pub fn is_watched(&self) -> bool {
        self.shared.watchers.load(Relaxed) > 0
    }

    /// Sets whether the view changes all the time, so that a single request waits for a new view. The caller must then
    /// check [`Self::is_wanted`] every [`GLANCE`].
    pub fn set_moving(&self, moves: bool) {
        self.shared.moves.store(moves, Relaxed);
    }

    /// Returns whether any request for a single view is waiting for a new one.
    pub fn is_wanted(&self) -> bool {
        self.shared.wanted.load(Relaxed)
    }

    /// Replaces the view.
    pub fn show(&self, view: impl View + 'static) {
        self.shared.wanted.store(false, Relaxed);
        self.shared.view.send_replace(Some(Arc::new(view)));
    }
}

impl Shared {
    /// The current state: a new view, or the last one if there is no new one within [`FRESH`].
    pub async fn present(&self) -> Option<Arc<dyn View>> {
        if self.moves.load(Relaxed) {
            let mut view = self.view.subscribe();
            self.wanted.store(true, Relaxed);
            // If no new view arrives, the last one is used.
            let _ = tokio::time::timeout(FRESH, view.changed()).await;
        }
        self.view.borrow().clone()
    }
}

impl Drop for WebPage {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            // A panic of the server's thread is ignored.
            let _ = thread.join();
        }
    }
}

fn listen(wanted: WebAddress) -> io::Result<TcpListener> {
    let first = TcpListener::bind(wanted.address);
    if wanted.is_exact || first.as_ref().is_ok_and(|_| true) {
        return first;
    }
    let next = |step| wanted.address.port().checked_add(step).map(|port| SocketAddr::new(wanted.address.ip(), port));
    (1..PORTS).filter_map(next).find_map(|address| TcpListener::bind(address).ok()).map_or(first, Ok)
}

async fn accept(listener: TcpListener, router: Router) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many files are open, so wait until other connections are closed.
            tokio::time::sleep(PATIENCE / 100).await;
            continue;
        };
        if open.load(Relaxed) >= CONNECTIONS {
            continue;
        }
        open.fetch_add(1, Relaxed);
        let (open, router) = (open.clone(), router.clone());
        tokio::spawn(async move {
            serve(stream, router).await;
            open.fetch_sub(1, Relaxed);
        });
    }
}

/// Serves one connection until it ends or falls behind.
async fn serve(stream: TcpStream, router: Router) {
    let pulse = Arc::new(Pulse::default());
    let service = TowerToHyperService::new(router.layer(Extension(pulse.clone())));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    loop {
        tokio::select! {
            _ = connection.as_mut() => return,
            () = tokio::time::sleep(INSPECTION) => {
                if pulse.is_behind() {
                    return;
                }
            }
        }
    }
}
