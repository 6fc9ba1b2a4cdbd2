//! Holds the addresses of NATS servers and the login credentials. A server on another machine requires a login.

use crate::cluster::names::User;
use crate::cluster::wire::plain;
use async_nats::{Auth, AuthError, Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use hasami_words::files;
use hasami_words::text::{At, LEFT_OUT, redacted};
use nkeys::KeyPair;
use std::error::Error;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Interval of pings. A connection is given up after three unanswered pings.
const PING: Duration = Duration::from_millis(500);
/// Time allowed for connecting.
const TIMEOUT: Duration = Duration::from_secs(2);
/// The pause before a connection attempt grows by `STEP` with each attempt, up to `LONGEST`.
const STEP: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(1);
/// Maximum size of a credentials file or certificate file, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// Number of messages that the client library buffers before senders have to wait, kept small because old messages are
/// worthless.
const KEPT: usize = 16;

/// The addresses of the servers, and the credentials to log in with.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    servers: Vec<ServerAddr>,
    creds: Option<PathBuf>,
    tls_ca: Option<PathBuf>,
    user: User,
}

impl Access {
    /// `text` is one URL or several URLs separated by commas: `nats://HOST`, `tls://USER:PASSWORD@HOST:4222`,
    /// `nats://TOKEN@HOST`.
    pub fn new(text: &str, creds: Option<PathBuf>, tls_ca: Option<PathBuf>) -> Result<Self, String> {
        let servers = text.split(',').map(|url| server(url.trim())).collect::<Result<Vec<_>, String>>()?;
        if let Some(server) = servers.iter().find(|server| server.username() == Some(LEFT_OUT)) {
            return Err(format!(
                "the user and password or the token for {} were left out, because files keep none: name the server again",
                server.host()
            ));
        }
        let mut user =
            servers.iter().find(|server| server.password().is_some()).and_then(ServerAddr::username).map(User::named);
        if let Some(path) = &creds {
            user = Some(Credentials::read(path)?.name());
        }
        if let Some(path) = &tls_ca {
            check_certificates(path)?;
        }
        let access = Self { servers, creds, tls_ca, user: user.unwrap_or(User::ANYBODY) };
        if let Some(stranger) = access.servers.iter().find(|server| !is_here(server) && !access.is_known_to(server)) {
            let host = stranger.host();
            return Err(format!(
                "a server beyond this machine needs credentials: a creds file, nats://USER:PASSWORD@{host} or nats://TOKEN@{host}"
            ));
        }
        Ok(access)
    }

    fn is_known_to(&self, server: &ServerAddr) -> bool {
        self.creds.is_some() || server.username().is_some()
    }

    /// The user that the server derives from this program's login.
    pub(super) const fn named_user(&self) -> User {
        self.user
    }

    /// Returns true if all traffic that leaves this machine is encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.tls_ca.is_some() || self.servers.iter().all(|server| is_here(server) || server.tls_required())
    }

    /// Makes one attempt to connect, as the client `name`. `hear` receives the connection's events.
    pub async fn connect(
        &self,
        name: &str,
        hear: impl Fn(Event) + Send + Sync + 'static,
    ) -> Result<Client, Unconnected> {
        let options = self.options(name).event_callback(move |event| {
            hear(event);
            async {}
        });
        options.connect(self.servers.clone()).await.map_err(|error| {
            let why = hasami_words::text::one_line(&first_cause(&error).to_string());
            let wrong_certificate = super::certificates::explanation(&why);
            match error.kind() {
                // The unencrypted greeting of a server without TLS causes a TLS error.
                kind if kind == ConnectErrorKind::Tls || wrong_certificate.is_some() => Unconnected::of(format!(
                    "cannot connect to {self} by TLS with a trusted certificate: {}",
                    wrong_certificate.unwrap_or(why)
                )),
                kind @ ConnectErrorKind::AuthorizationViolation => {
                    Unconnected { why: self.refused_login(&kind.to_string()), is_login: true }
                }
                // The credentials on this machine cannot be used to log in.
                ConnectErrorKind::Authentication => Unconnected { why: self.refused_login(&why), is_login: true },
                _ => Unconnected::of(format!("cannot connect to a NATS server at {self}: {why}")),
            }
        })
    }

    pub(super) fn refused_login(&self, why: &str) -> String {
        format!("cannot log in to the NATS server at {self}: {why}")
    }

    /// Returns the options with which the client `name` connects. A credentials file is read again for every attempt to
    /// connect.
    fn options(&self, name: &str) -> ConnectOptions {
        let access = self.clone();
        let login = move |nonce: Vec<u8>| {
            let found = access.login(&nonce).map_err(AuthError::new);
            async move { found }
        };
        let options = ConnectOptions::with_auth_callback(login)
            .name(name)
            .no_echo()
            .ping_interval(PING)
            .connection_timeout(TIMEOUT)
            .client_capacity(KEPT)
            .reconnect_delay_callback(pause);
        match &self.tls_ca {
            Some(path) => options.add_root_certificates(path.clone()).require_tls(true),
            None => options,
        }
    }

    /// Returns the login; with a credentials file, it includes a signature of `nonce`.
    fn login(&self, nonce: &[u8]) -> Result<Auth, String> {
        let mut login = Auth::new();
        if let Some(path) = &self.creds {
            let Credentials { user, key } = Credentials::read(path)?;
            let wrong = |error| format!("expected a creds file, found '{}': {error}", path.display());
            let key = KeyPair::from_seed(&key).map_err(wrong)?;
            (login.jwt, login.signature) = (Some(user), Some(key.sign(nonce).map_err(wrong)?));
            return Ok(login);
        }
        let named = self.servers.iter().find_map(|server| Some((server.username()?, server.password())));
        match named {
            Some((user, Some(password))) => {
                (login.username, login.password) = (Some(user.to_owned()), Some(password.to_owned()));
            }
            Some((token, None)) => login.token = Some(token.to_owned()),
            None => {}
        }
        Ok(login)
    }
}

/// The reason an attempt to connect has failed, and whether the login was refused.
#[derive(Clone, PartialEq, Debug)]
pub struct Unconnected {
    pub why: String,
    pub is_login: bool,
}

impl Unconnected {
    pub const fn of(why: String) -> Self {
        Self { why, is_login: false }
    }
}

impl From<Unconnected> for String {
    fn from(unconnected: Unconnected) -> Self {
        unconnected.why
    }
}

/// Returns the innermost error, which is more specific than the errors that wrap it.
fn first_cause(error: &dyn Error) -> &dyn Error {
    error.source().map_or(error, first_cause)
}

/// Prints the server URLs with passwords removed.
impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, server) in self.servers.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{}://{}:{}", server.scheme(), server.host(), server.port())?;
        }
        Ok(())
    }
}

/// The pause before the next attempt to connect, after `tries` attempts.
pub(super) fn pause(tries: usize) -> Duration {
    (STEP * tries.min(100) as u32).min(LONGEST)
}

fn server(text: &str) -> Result<ServerAddr, String> {
    let wrong = || format!("expected nats://HOST or tls://HOST, found '{}'", plain(&redacted(text)));
    let (scheme, _) = text.split_once("://").unwrap_or(("nats", ""));
    // The user name and password before the host may contain any characters.
    let place = text.rsplit('@').next().unwrap_or_default();
    let place = place.split_once("://").map_or(place, |(_, place)| place);
    if text.ends_with(".toml") && !text.contains("://") {
        return Err(format!(
            "expected nats://HOST or tls://HOST, found a file (for the option Children): '{}'",
            plain(text)
        ));
    }
    if let Some(at) = place.find(['/', '?', '#']).filter(|&at| &place[at..] != "/") {
        return Err(format!("expected nothing after the host and its port, found '{}'", plain(&place[at..])));
    }
    let server: ServerAddr = text.parse().map_err(|_| wrong())?;
    if !["nats", "tls"].contains(&scheme) || server.host().is_empty() { Err(wrong()) } else { Ok(server) }
}

fn text_of(path: &Path, what: &str) -> Result<String, String> {
    let bytes = files::read(path, what, MOST_BYTES).map_err(|why| why.at(path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A user's token and key, from a file written by `nsc`.
struct Credentials {
    user: String,
    key: String,
}

impl Credentials {
    /// The user name in the token, which is a JWT.
    fn name(&self) -> User {
        let claims = self.user.split('.').nth(1).and_then(|part| BASE64_URL_SAFE_NO_PAD.decode(part).ok());
        let claims = claims.and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
        claims.as_ref().and_then(|claims| claims["name"].as_str()).map_or(User::ANYBODY, User::named)
    }

    fn read(path: &Path) -> Result<Self, String> {
        let wrong = |lacks: &str| format!("expected a creds file, found '{}': it has no {lacks}", path.display());
        let text = text_of(path, "creds file")?;
        let part = |what: &str| {
            let (_, rest) = text.split_once(&format!("-----BEGIN {what}-----"))?;
            let (part, _) = rest.split_once("---")?;
            Some(part.trim_end_matches('-').trim().to_owned()).filter(|part| !part.is_empty())
        };
        Ok(Self {
            user: part("NATS USER JWT").ok_or_else(|| wrong("user"))?,
            key: part("USER NKEY SEED").ok_or_else(|| wrong("key"))?,
        })
    }
}

/// Checks that the file holds at least one valid certificate in PEM format.
fn check_certificates(path: &Path) -> Result<(), String> {
    const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
    const END: &str = "-----END CERTIFICATE-----";
    let wrong = |found: &str| format!("expected a file with certificates (PEM), found '{}': {found}", path.display());
    let text = text_of(path, "file with certificates (PEM)")?;
    let mut parts = text.split(BEGIN).skip(1).peekable();
    parts.peek().ok_or_else(|| wrong("it has none"))?;
    for part in parts {
        let body: String = part.split_once(END).map(|(body, _)| body.split_whitespace().collect()).unwrap_or_default();
        // A certificate is a DER sequence.
        let is_sequence = BASE64_STANDARD.decode(&body).is_ok_and(|bytes| bytes.first() == Some(&0x30));
        if !is_sequence {
            return Err(wrong("one of them is damaged"));
        }
    }
    Ok(())
}

/// Returns true if a server is on this machine.
fn is_here(server: &ServerAddr) -> bool {
    let host = server.host().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn new(text: &str) -> Result<Access, String> {
        Access::new(text, None, None)
    }

    #[test]
    fn only_servers_on_this_machine_need_no_login() {
        for text in ["nats://localhost", "nats://127.0.0.1:4333", "nats://[::1]", "localhost", "nats://127.8.9.1"] {
            assert!(new(text).is_ok(), "{text}");
        }
        for text in ["nats://pc2", "tls://10.0.0.1", "nats://localhost.example", "nats://localhost,nats://pc2"] {
            let error = new(text).unwrap_err();
            assert!(error.starts_with("a server beyond this machine needs credentials"), "{error}");
        }
        assert!(new("nats://me:secret@pc2").is_ok());
        assert!(new("nats://token@pc2:4333").is_ok());
    }

    #[test]
    fn the_user_is_that_of_the_login() {
        let user = |access: Result<Access, String>| access.unwrap().named_user().to_string();
        assert_eq!(user(new("nats://localhost")), "anybody");
        assert_eq!(user(new("nats://token@pc2")), "anybody");
        assert_eq!(user(new("nats://me:secret@pc2,nats://me:secret@pc3")), "me");
        assert_eq!(user(new("nats://me.at+home:secret@pc2")), "me-at-home");
        let file = tempfile::NamedTempFile::new().unwrap();
        let token = BASE64_URL_SAFE_NO_PAD.encode(r#"{"name":"attic","sub":"U..."}"#);
        for (jwt, name) in [(format!("head.{token}.signature"), "attic"), ("nonsense".to_owned(), "anybody")] {
            let text = format!(
                "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n-----BEGIN USER NKEY SEED-----\nx\n------END"
            );
            std::fs::write(file.path(), text).unwrap();
            let access = Access::new("nats://pc2", Some(file.path().into()), None);
            assert_eq!(user(access), name);
        }
    }

    #[test]
    fn invalid_urls_are_refused() {
        for text in ["", "http://localhost", "ws://localhost", "nats://", "nats:// x", "nats://a b"] {
            let error = new(text).unwrap_err();
            assert!(error.starts_with("expected nats://HOST or tls://HOST, found '"), "{text}: {error}");
        }
        let error = new("gopher://me:secret@pc2").unwrap_err();
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn passwords_are_not_shown() {
        let access = new("nats://me:secret@pc2,tls://me:secret@pc3:4333").unwrap();
        assert_eq!(access.to_string(), "nats://pc2:4222,tls://pc3:4333");
        assert!(!access.is_encrypted());
    }

    #[test]
    fn a_redacted_login_is_refused() {
        let kept = redacted("nats://me:secret@pc2").into_owned();
        let error = new(&kept).unwrap_err();
        assert_eq!(
            error,
            "the user and password or the token for pc2 were left out, because files keep none: name \
             the server again"
        );
    }

    #[test]
    fn a_path_in_a_url_is_refused() {
        for text in ["nats://localhost/x", "nats://me:secret@pc2:4222/a/b", "localhost?x=1", "nats://localhost#x"] {
            let error = new(text).unwrap_err();
            assert!(error.starts_with("expected nothing after the host and its port, found '"), "{text}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
        assert!(new("nats://localhost/").is_ok());
    }

    #[test]
    fn a_certificates_file_needs_valid_certificates() {
        let file = std::env::temp_dir().join(format!("hasami-ca-{}.pem", std::process::id()));
        let new = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Access::new("nats://localhost", None, Some(file.clone()))
        };
        let whole = "-----BEGIN CERTIFICATE-----\nMIIBszCC\n-----END CERTIFICATE-----\n";
        assert!(new(whole).is_ok());
        for (text, found) in [
            ("no certificate", "it has none"),
            ("-----BEGIN CERTIFICATE-----\nMIIBszCC\n", "one of them is damaged"),
            ("-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n", "one of them is damaged"),
        ] {
            let error = new(text).unwrap_err().to_string();
            assert!(error.starts_with("expected a file with certificates (PEM)") && error.ends_with(found), "{error}");
        }
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_credentials_file_needs_a_user_and_a_key() {
        let file = std::env::temp_dir().join(format!("hasami-{}.creds", std::process::id()));
        let new = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Access::new("nats://pc2", Some(file.clone()), None)
        };
        let user = "-----BEGIN NATS USER JWT-----\nx\n------END NATS USER JWT------\n";
        let key = "-----BEGIN USER NKEY SEED-----\nx\n------END USER NKEY SEED------\n";
        assert!(new(&format!("{user}{key}")).is_ok());
        for (text, found) in [("root:x:0:0", "it has no user"), (user, "it has no key")] {
            let error = new(text).unwrap_err().to_string();
            assert!(error.starts_with("expected a creds file, found '") && error.ends_with(found), "{error}");
        }
        let access = new(&format!("{user}{key}")).unwrap();
        let why = access.login(b"nonce").err().unwrap();
        assert!(why.starts_with("expected a creds file, found '"), "an invalid key: {why}");
        // After the credentials file has changed, the next attempt to connect uses the new credentials.
        let other = KeyPair::new_user();
        std::fs::write(&file, format!("{user}-----BEGIN USER NKEY SEED-----\n{}\n---", other.seed().unwrap())).unwrap();
        let Ok(login) = access.login(b"nonce") else { panic!("expected a login") };
        assert_eq!(login.jwt.as_deref(), Some("x"));
        other.verify(b"nonce", &login.signature.unwrap()).unwrap();
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_children_file_is_not_a_server() {
        let error = new("/etc/cluster.toml").unwrap_err();
        assert!(error.ends_with("found a file (for the option Children): '/etc/cluster.toml'"), "{error}");
    }

    #[test]
    fn files_are_checked_before_connecting() {
        let error = Access::new("nats://pc2", Some("/no/such.creds".into()), None).unwrap_err().to_string();
        assert!(error.starts_with("/no/such.creds: cannot read the creds file: "), "{error}");
        let error = Access::new("nats://pc2", Some("/dev/zero".into()), None).unwrap_err().to_string();
        assert!(error.starts_with("/dev/zero: cannot use a device"), "{error}");
    }
}
