//! The web server, which has its own thread so that the program never waits for a browser.

use super::address::WebAddress;
use super::error::WebError;
use super::events::Cache;
use super::guard::Guard;
use super::routes;
use super::view::View;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tokio::sync::{oneshot, watch};

/// Maximum number of ports to try if the user has not given a port.
const PORTS: u16 = 20;

/// State that the program shares with the server's thread.
pub struct Shared {
    pub view: watch::Sender<Option<Arc<dyn View>>>,
    pub guard: Guard,
    pub cache: Cache,
}

/// A running web server; dropping it stops the server.
pub struct WebPage {
    shared: Arc<Shared>,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl WebPage {
    pub fn open(wanted: WebAddress) -> Result<Self, WebError> {
        let refused = |why| WebError::Listen { address: wanted.address, why };
        let listener = listen(wanted).map_err(refused)?;
        let shared = Arc::new(Shared {
            view: watch::Sender::new(None),
            guard: Guard::new(listener.local_addr().map_err(refused)?),
            cache: Cache::default(),
        });
        listener.set_nonblocking(true).map_err(refused)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(refused)?;
        let (end, ended) = oneshot::channel();
        let served = shared.clone();
        let run = move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = axum::serve(listener, routes::router(served)).into_future() => {}
                    _ = ended => {}
                }
            });
            // The server shuts down without waiting for browsers that read slowly.
            runtime.shutdown_background();
        };
        let thread = thread::Builder::new().name("web".into()).spawn(run).map_err(refused)?;
        Ok(Self { shared, end: Some(end), thread: Some(thread) })
    }

    /// The URL to open in a browser, including the token.
    pub fn url(&self) -> String {
        self.shared.guard.url()
    }

    /// The address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.shared.guard.local()
    }

    /// Replaces the view.
    pub fn show(&self, view: impl View + 'static) {
        self.shared.view.send_replace(Some(Arc::new(view)));
    }
}

impl Drop for WebPage {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            // A panic in the server's thread is ignored.
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
