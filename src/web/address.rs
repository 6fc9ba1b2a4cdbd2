//! Parses the address on which the web page is served.

use super::error::WebError;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::str::FromStr;

/// The default port. If the user has not given a port and the default port is taken, the next free port is used.
const PORT: u16 = 8400;

/// An address to listen on, such as `127.0.0.1:8400`, `8400`, `:8400`, `0.0.0.0`, `[::]:8400` or `localhost`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WebAddress {
    pub address: SocketAddr,
    /// True if the user has given the port, so that the server must not use another port.
    pub is_exact: bool,
}

impl Default for WebAddress {
    fn default() -> Self {
        Self { address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT), is_exact: false }
    }
}

impl FromStr for WebAddress {
    type Err = WebError;

    fn from_str(text: &str) -> Result<Self, WebError> {
        let local = Self::default().address;
        let text = text.trim();
        if text.is_empty() || text.eq_ignore_ascii_case("on") {
            return Ok(Self::default());
        }
        let exact = |address| Ok(Self { address, is_exact: true });
        if let Ok(port) = text.strip_prefix(':').unwrap_or(text).parse() {
            return exact(SocketAddr::new(local.ip(), port));
        }
        if let Ok(address) = text.parse() {
            return exact(address);
        }
        let bare = text.trim_start_matches('[').trim_end_matches(']');
        if let Ok(ip) = bare.parse() {
            return Ok(Self { address: SocketAddr::new(ip, PORT), is_exact: false });
        }
        let has_port = text.rsplit(':').next().is_some_and(|port| port.parse::<u16>().is_ok());
        let named = if has_port { text.to_owned() } else { format!("{text}:{PORT}") };
        let found = named.to_socket_addrs().ok().and_then(|mut found| found.next());
        match found {
            Some(address) => Ok(Self { address, is_exact: has_port }),
            None => Err(WebError::Address { port: PORT, found: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn addresses_are_parsed_as_people_write_them() {
        for (text, expected, is_exact) in [
            ("", "127.0.0.1:8400", false),
            ("on", "127.0.0.1:8400", false),
            ("9000", "127.0.0.1:9000", true),
            (":9000", "127.0.0.1:9000", true),
            ("0.0.0.0", "0.0.0.0:8400", false),
            ("0.0.0.0:80", "0.0.0.0:80", true),
            ("::1", "[::1]:8400", false),
            ("[::1]:81", "[::1]:81", true),
        ] {
            let found: WebAddress = text.parse().unwrap();
            assert_eq!((found.address.to_string().as_str(), found.is_exact), (expected, is_exact), "{text}");
        }
        let error = "no host".parse::<WebAddress>().unwrap_err().to_string();
        assert!(error.starts_with("expected an address to listen on"), "{error}");
    }
}
