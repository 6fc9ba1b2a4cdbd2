//! Errors that prevent the server from serving the web page.

use std::io;
use std::net::SocketAddr;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum WebError {
    #[error("expected an address to listen on, as in 127.0.0.1:{port}, found '{found}'")]
    Address { port: u16, found: String },
    #[error("web page: cannot listen on {address}: {why}")]
    Listen { address: SocketAddr, why: io::Error },
}
