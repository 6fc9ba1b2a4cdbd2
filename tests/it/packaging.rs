//! Tests the files in `scripts/packaging`: each is executed, or checked by the tool that reads it.
#![cfg(target_os = "linux")]

use crate::docs::{files_below, links_of};
use crate::nats::Server;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Environment variables that the server configurations use.
const SECRETS: [&str; 9] = [
    "HASAMI_PASSWORD",
    "HASAMI_PC1_PASSWORD",
    "HASAMI_PC2_PASSWORD",
    "HASAMI_ANNA_PASSWORD",
    "HASAMI_BEN_PASSWORD",
    "HASAMI_LEAF_PASSWORD",
    "HASAMI_MASTER_PASSWORD",
    "HASAMI_WORKER_PASSWORD",
    "HASAMI_ONLOOKER_PASSWORD",
];

fn packaging(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/packaging").join(name)
}

/// Returns true if the program `tool` is installed; prints a note if it is missing.
fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_err() {
        println!("{tool} is not installed: not tested");
    }
    found.is_ok()
}

fn succeed(command: &mut Command) -> Output {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

/// Creates a folder with the server configurations, a certificate, and the files that `keys.py` writes.
fn server_folder() -> Option<TempDir> {
    if !has("openssl") || !has("python3") {
        return None;
    }
    let folder = TempDir::new().unwrap();
    for file in fs::read_dir(packaging("nats")).unwrap().map(|file| file.unwrap().path()) {
        fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
    }
    let certificate = "req -x509 -newkey ed25519 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem";
    succeed(Command::new("openssl").args(certificate.split(' ')).current_dir(folder.path()));
    succeed(Command::new("python3").args(["keys.py", "."]).current_dir(folder.path()));
    Some(folder)
}

#[test]
fn the_server_accepts_every_configuration() {
    let Some(folder) = server_folder().filter(|_| has("nats-server")) else { return };
    let mut count = 0;
    for file in fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|ending| ending == "conf") {
            let mut command = Command::new("nats-server");
            command.args(["-t", "-c"]).arg(&file).current_dir(folder.path());
            command.envs(SECRETS.map(|name| (name, "secret"))).env("HASAMI_LEAF_URL", "tls://leaf:x@localhost:7422");
            succeed(&mut command);
            count += 1;
        }
    }
    assert!(count >= 6, "{count}");
    // If the environment variable with its password is missing, a server must refuse to start.
    let mut open = Command::new("nats-server");
    let output = open.args(["-t", "-c"]).arg(packaging("nats/home.conf")).env_remove(SECRETS[0]).output().unwrap();
    assert!(!output.status.success(), "{output:?}");
}

fn hasami(server: &Server, creds: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasami"));
    command.args(arguments).args(["--connect", &server.url(), "--creds"]).arg(creds).output().unwrap()
}

#[test]
fn key_pairs_give_access_with_the_permissions_of_their_roles() {
    let Some(folder) = server_folder() else { return };
    let accounts = folder.path().join("accounts.conf");
    let Some(server) = Server::start(&["-c", accounts.to_str().unwrap()]) else { return };
    let [master, onlooker] = ["master.creds", "onlooker.creds"].map(|name| folder.path().join(name));
    let nobody = hasami(&server, &onlooker, &["workers", "--wait", "0.05"]);
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("nobody answered"), "{nobody:?}");
    let wrong = hasami(&server, &master, &["workers", "--wait", "0.05"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("Permissions Violation"), "{wrong:?}");
    // Adding a user to an account must not require a change of the server.
    let more = ["keys.py", ".", "--days", "1", "--user", "attic=master"];
    succeed(Command::new("python3").args(more).current_dir(folder.path()));
    let attic = hasami(&server, &folder.path().join("attic.creds"), &["doctor"]);
    assert!(attic.status.success(), "{attic:?}");
    // The list of machines must show a machine under the user name in its credentials.
    succeed(Command::new("python3").args(["keys.py", ".", "--user", "cellar=worker"]).current_dir(folder.path()));
    let mut machine = Command::new(env!("CARGO_BIN_EXE_hasami"));
    machine.args(["worker", "--name", "pc", "--threads", "1", "--hash", "2", "--connect", &server.url(), "--creds"]);
    machine.arg(folder.path().join("cellar.creds")).stdin(Stdio::null()).stderr(Stdio::null());
    let mut machine = machine.spawn().unwrap();
    let is_there = || {
        let output = hasami(&server, &onlooker, &["workers", "--wait", "0.3", "--json"]);
        String::from_utf8_lossy(&output.stdout).contains("\"id\":\"cellar.")
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    let has_come = std::iter::from_fn(|| (Instant::now() < deadline).then(&is_there)).any(|found| found);
    machine.kill().unwrap();
    machine.wait().unwrap();
    assert!(has_come);
    let Some(other) = server_folder() else { return };
    let stranger = hasami(&server, &other.path().join("master.creds"), &["doctor"]);
    assert_eq!(stranger.status.code(), Some(1), "{stranger:?}");
}

#[test]
fn the_systemd_unit_is_valid_and_safe() {
    if !has("systemd-analyze") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let unit = folder.path().join("hasami-worker.service");
    let text = fs::read_to_string(packaging("hasami-worker.service")).unwrap();
    assert_eq!(text.matches("\nExecStart=/usr/bin/hasami worker ").count(), 1, "{text}");
    fs::write(&unit, text.replace("/usr/bin/hasami", env!("CARGO_BIN_EXE_hasami"))).unwrap();
    let verified = succeed(Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&unit));
    assert!(verified.stderr.is_empty(), "{verified:?}");
    // `systemd-analyze security` rates the exposure of a unit from 0 to 100, and a unit without any safety setting at
    // 96.
    let most = ["security", "--offline=yes", "--no-pager", "--threshold=20"];
    succeed(Command::new("systemd-analyze").args(most).arg(&unit));
}

/// Runs the batch script with a substitute for `srun` that only prints the command.
#[test]
fn the_batch_script_starts_workers_with_valid_arguments() {
    let folder = TempDir::new().unwrap();
    let stand_in = folder.path().join("srun");
    fs::write(&stand_in, "#!/bin/sh\necho \"$@\"\n").unwrap();
    succeed(Command::new("chmod").arg("+x").arg(&stand_in));
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut script = Command::new("bash");
    script.arg(packaging("hasami-worker.slurm")).env("PATH", path).env_remove("HASAMI_CONNECT");
    let refused = script.output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("set it to the server of the cluster"), "{refused:?}");
    let printed = succeed(script.env("HASAMI_CONNECT", "nats://localhost").env("HASAMI_CREDS", "/no/such.creds"));
    let printed = String::from_utf8(printed.stdout).unwrap();
    let words: Vec<&str> = printed.split_whitespace().collect();
    assert_eq!(words[..4], ["hasami", "worker", "--connect", "nats://localhost"], "{words:?}");
    // The only error that the script's arguments may cause is the missing credentials file.
    let output = Command::new(env!("CARGO_BIN_EXE_hasami")).args(&words[1..]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such.creds"), "{output:?}");
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = TempDir::new().unwrap();
    let pages = folder.path().join("man");
    succeed(Command::new(env!("CARGO_BIN_EXE_hasami")).args(["completions", "--manual"]).arg(&pages));
    for name in ["hasami", "hasami-analyse", "hasami-match", "hasami-worker", "hasami-doctor", "hasami-data-count"] {
        let page = fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(".SH OPTIONS"), "{name}: {page}");
    }
    assert!(!pages.join("hasami-help.1").exists());
    if has("man") {
        for page in fs::read_dir(&pages).unwrap().map(|page| page.unwrap().path()) {
            let mut command = Command::new("man");
            command.args(["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"]).arg(&page).env("LC_ALL", "C.UTF-8");
            let read = succeed(command.env("MANROFFSEQ", ""));
            assert!(read.stderr.is_empty(), "{}: {}", page.display(), String::from_utf8_lossy(&read.stderr));
        }
    }
}

/// Links in the documents of a release must be valid although a release does not contain the sources.
#[test]
fn links_of_the_pages_in_a_release_are_valid() {
    let folder = TempDir::new().unwrap();
    let mut copy = Command::new("bash");
    copy.arg(packaging("documents.sh")).arg(env!("CARGO_MANIFEST_DIR")).arg(folder.path());
    succeed(&mut copy);
    let mut pages = Vec::new();
    files_below(folder.path(), &[".md"], &mut pages);
    assert!(pages.len() > 40, "{}", pages.len());
    for page in &pages {
        for target in links_of(page) {
            assert!(target.exists(), "{}: expected {}", page.display(), target.display());
        }
    }
}

#[test]
fn shell_scripts_can_be_parsed() {
    let scripts =
        ["scripts/release.sh", "scripts/windows.sh", "scripts/packaging/deb.sh", "scripts/packaging/documents.sh"];
    let is_checked = has("shellcheck");
    for script in scripts.iter().chain(&["scripts/packaging/hasami-worker.slurm"]) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
        succeed(Command::new("bash").arg("-n").arg(&script));
        if is_checked {
            succeed(Command::new("shellcheck").arg(&script));
        }
    }
}

#[test]
fn a_release_needs_an_existing_tag() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (words, found) in
        [(&["v9.9.9"][..], "found 'v9.9.9'"), (&[][..], "found 'nothing'"), (&["--all"][..], "'--all'")]
    {
        let output = Command::new("bash").arg(root.join("scripts/release.sh")).args(words).output().unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && printed.contains("expected a tag") && printed.contains(found),
            "{printed}"
        );
    }
}
