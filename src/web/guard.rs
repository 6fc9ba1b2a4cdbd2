//! Decides which requests may see the web page.

use axum::http::{HeaderMap, header};
use std::net::SocketAddr;

/// Admits requests to a loopback address if their `Host` header names the local host, and requests to other addresses
/// if they contain the token.
#[derive(Clone, Debug)]
pub struct Guard {
    local: SocketAddr,
    token: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    Welcome,
    /// The request has the token in its URL, and the response sets a cookie for later requests.
    WithToken,
    /// The request names another host, as in a DNS rebinding attack, in which another site makes its own name resolve
    /// to the server's address.
    WrongHost,
    NoToken,
}

const COOKIE: &str = "hasami_token=";

impl Guard {
    pub fn new(local: SocketAddr) -> Self {
        let token = (!local.ip().is_loopback()).then(|| format!("{:032x}", rand::random::<u128>()));
        Self { local, token }
    }

    pub const fn local(&self) -> SocketAddr {
        self.local
    }

    #[cfg(test)]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The URL to open in a browser, including the token.
    pub fn url(&self) -> String {
        let query = self.token.as_ref().map_or_else(String::new, |token| format!("?token={token}"));
        format!("http://{}/{query}", self.local)
    }

    pub fn cookie(&self) -> String {
        let token = self.token.as_deref().unwrap_or_default();
        format!("{COOKIE}{token}; HttpOnly; SameSite=Strict; Path=/")
    }

    pub fn judge(&self, headers: &HeaderMap, token: Option<&str>) -> Entry {
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let Some(expected) = &self.token else {
            let host = header(header::HOST);
            let name = host.strip_suffix(&format!(":{}", self.local.port())).unwrap_or(host);
            let is_ours = ["localhost", "127.0.0.1", "[::1]"].contains(&name) || host == self.local.to_string();
            return if is_ours { Entry::Welcome } else { Entry::WrongHost };
        };
        if token.is_some_and(|token| same(token, expected)) {
            return Entry::WithToken;
        }
        let mut cookies = header(header::COOKIE).split(';').filter_map(|cookie| cookie.trim().strip_prefix(COOKIE));
        let bearer = header(header::AUTHORIZATION).strip_prefix("Bearer ");
        if cookies.any(|token| same(token, expected)) || bearer.is_some_and(|token| same(token, expected)) {
            Entry::Welcome
        } else {
            Entry::NoToken
        }
    }
}

/// Compares two tokens in constant time.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn on_loopback_only_its_own_names_are_accepted() {
        let guard = Guard::new("127.0.0.1:8400".parse().unwrap());
        assert_eq!(guard.url(), "http://127.0.0.1:8400/");
        for host in ["localhost:8400", "127.0.0.1:8400", "[::1]:8400"] {
            assert_eq!(guard.judge(&headers(&[(header::HOST, host)]), None), Entry::Welcome, "{host}");
        }
        for host in ["evil.example:8400", "localhost.evil.example", ""] {
            assert_eq!(guard.judge(&headers(&[(header::HOST, host)]), None), Entry::WrongHost, "{host}");
        }
    }

    #[test]
    fn on_other_addresses_the_token_is_required() {
        let guard = Guard::new("192.0.2.1:8400".parse().unwrap());
        let token = guard.token().unwrap().to_owned();
        assert!(guard.url().ends_with(&format!("?token={token}")) && token.len() == 32);
        assert_ne!(Some(token.as_str()), Guard::new("192.0.2.1:8400".parse().unwrap()).token());
        let host = (header::HOST, "anything");
        assert_eq!(guard.judge(&headers(std::slice::from_ref(&host)), None), Entry::NoToken);
        assert_eq!(guard.judge(&headers(std::slice::from_ref(&host)), Some("0")), Entry::NoToken);
        assert_eq!(guard.judge(&headers(std::slice::from_ref(&host)), Some(&token)), Entry::WithToken);
        let cookie = format!("a=b; hasami_token={token}");
        assert_eq!(guard.judge(&headers(&[host.clone(), (header::COOKIE, &cookie)]), None), Entry::Welcome);
        let bearer = format!("Bearer {token}");
        assert_eq!(guard.judge(&headers(&[host, (header::AUTHORIZATION, &bearer)]), None), Entry::Welcome);
    }
}
