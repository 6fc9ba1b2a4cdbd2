//! Tests logins at a real NATS server: with TLS, with a token, and with credentials that expire and are renewed while a
//! worker runs.
#![cfg(target_os = "linux")]

use crate::job::Job;
use crate::nats::Server;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Returns true if both tools are installed; prints a note if one is missing.
fn has(tools: [&str; 2]) -> bool {
    let is_there = |tool: &str| Command::new(tool).arg("--version").stdout(Stdio::null()).status().is_ok();
    let missing = tools.into_iter().find(|tool| !is_there(tool));
    missing.inspect(|tool| println!("{tool} is not installed: not tested")).is_none()
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

/// Creates a certificate for `localhost` and its key.
fn certificate(folder: &Path, name: &str, is_authority: bool) {
    let words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext \
                 subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:";
    let words = format!("{words}{}", if is_authority { "TRUE" } else { "FALSE" });
    let files = ["-keyout".into(), format!("{name}.key"), "-out".into(), format!("{name}.pem")];
    succeed(Command::new("openssl").args(words.split_whitespace()).args(files).current_dir(folder));
}

fn roll(url: &str, more: &[&str]) -> Output {
    Job::new("workers").run(&[&["--connect", url, "--json", "--wait", "0.2"], more].concat())
}

#[test]
fn servers_are_checked_by_certificate_and_users_by_token() {
    if !has(["openssl", "nats-server"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    certificate(folder.path(), "server", false);
    certificate(folder.path(), "other", false);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // The time limits are generous, because the machine may be busy.
    let (pem, key) = (path("server.pem"), path("server.key"));
    let text = format!(
        "tls {{ cert_file: \"{pem}\", key_file: \"{key}\", timeout: 30 }}\nauthorization {{ token: s3cret, timeout: 30 }}\n"
    );
    fs::write(path("server.conf"), text).unwrap();
    let Some(server) = Server::start(&["-c", &path("server.conf")]) else { return };
    let nobody = "nobody answered in 0.2 s";
    let [known, other] = ["server.pem", "other.pem"].map(path);
    for (url, authority, expected) in [
        ("tls://s3cret@localhost", Some(&known), nobody),
        ("nats://s3cret@localhost", Some(&known), nobody),
        ("tls://s3cret@localhost", Some(&other), "not trusted here; name the authority's own with --tls-ca"),
        ("tls://s3cret@localhost", None, "not trusted here; name the authority's own with --tls-ca"),
        ("tls://s3cre@localhost", Some(&known), "authorization violation"),
        ("tls://localhost", Some(&known), "authorization violation"),
        // The server's certificate names another host than the URL.
        ("tls://s3cret@127.0.0.1", Some(&known), "a certificate for localhost, not for 127.0.0.1; "),
    ] {
        let more: Vec<&str> = authority.into_iter().flat_map(|file| ["--tls-ca", file]).collect();
        let output = roll(&format!("{url}:{}", server.port), &more);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(expected), "{url} {more:?}: expected '{expected}', found {text}");
        assert!(text.lines().count() == 1 && !text.contains("s3cre"), "{text}");
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn a_certificate_of_an_authority_is_rejected_for_a_server() {
    if !has(["openssl", "nats-server"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    certificate(folder.path(), "server", true);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text =
        format!("tls {{ cert_file: \"{}\", key_file: \"{}\", timeout: 30 }}\n", path("server.pem"), path("server.key"));
    fs::write(path("server.conf"), text).unwrap();
    let Some(server) = Server::start(&["-c", &path("server.conf")]) else { return };
    let output = roll(&format!("tls://localhost:{}", server.port), &["--tls-ca", &path("server.pem")]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("a certificate of an authority, which a server cannot show; make one for the server"),
        "{text}"
    );
}

/// The NATS account that `keys.py` has created.
struct Account(KeyPair);

impl Account {
    fn read(folder: &Path) -> Self {
        Self(KeyPair::from_seed(fs::read_to_string(folder.join("account.seed")).unwrap().trim()).unwrap())
    }

    /// Writes a credentials file whose only limit is that it expires after `seconds` seconds.
    fn write(&self, file: &Path, seconds: i64) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64;
        let user = KeyPair::new_user();
        let claims = json!({"type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1});
        let (issuer, subject) = (self.0.public_key(), user.public_key());
        let body = json!({
            "iat": now - 3600, "iss": issuer, "name": "lab", "sub": subject, "exp": now + seconds, "nats": claims, "jti": "x",
        });
        let part = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
        let text = format!("{}.{}", part(r#"{"typ":"JWT","alg":"ed25519-nkey"}"#), part(&body.to_string()));
        let jwt = format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(self.0.sign(text.as_bytes()).unwrap()));
        let seed = user.seed().unwrap();
        let whole = format!(
            "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n{seed}\n\
             ------END USER NKEY SEED------\n"
        );
        // The file is replaced atomically, so that a reader never sees an incomplete file.
        let new = file.with_extension("new");
        fs::write(&new, whole).unwrap();
        fs::rename(&new, file).unwrap();
    }
}

struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn expiring_credentials_are_renewed_while_a_worker_runs() {
    if !has(["openssl", "python3"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let keys = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/packaging/nats/keys.py");
    succeed(Command::new("python3").arg(keys).arg(folder.path()));
    let accounts = folder.path().join("accounts.conf");
    let Some(server) = Server::start(&["-c", accounts.to_str().unwrap()]) else { return };
    let [worker, onlooker] = ["worker.creds", "onlooker.creds"].map(|name| folder.path().join(name));
    let account = Account::read(folder.path());
    let is_there = || roll(&server.url(), &["--creds", onlooker.to_str().unwrap()]).status.success();
    // Repeats the query until the worker is present (or absent, if not `wanted`), or the time has run out.
    let until = |wanted: bool, timeout: Duration| {
        let deadline = Instant::now() + timeout;
        std::iter::from_fn(|| (Instant::now() < deadline).then(&is_there)).any(|found| found == wanted)
    };
    account.write(&worker, -60);
    let job = Job::new("worker");
    let words = ["--connect", &server.url(), "--creds", worker.to_str().unwrap(), "--threads", "1", "--hash", "2"];
    let _machine = Worker(job.start(&words));
    assert!(!until(true, Duration::from_millis(300)), "expected expired credentials to be refused");
    // On a busy machine, credentials that are valid for two seconds may expire before they are used.
    let is_in = [2, 4, 8, 16].into_iter().any(|seconds| {
        account.write(&worker, seconds);
        until(true, Duration::from_secs(seconds as u64))
    });
    assert!(is_in, "expected credentials to be read again");
    assert!(until(false, Duration::from_secs(40)), "expected the server to send away whose credentials have ended");
    account.write(&worker, 3_600);
    assert!(until(true, Duration::from_secs(40)), "expected the renewed credentials to be taken");
}
