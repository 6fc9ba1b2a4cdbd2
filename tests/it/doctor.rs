//! Tests that `hasami doctor` reports what is installed, and tries the engines, servers and files that its arguments
//! name.

use crate::nats::Server;
use crate::program::{children_file, mock};
use serde_json::Value;
use std::process::Command;
use tempfile::TempDir;

fn doctor(arguments: &[&str]) -> (i32, Vec<Value>) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_hasami")).args(["doctor", "--json"]).args(arguments).output().unwrap();
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let code = output.status.code().unwrap();
    assert_eq!(printed["ok"], code == 0, "{printed}");
    (code, printed["checks"].as_array().unwrap().clone())
}

/// Returns the states and texts of all checks whose subject is `what`.
fn about(checks: &[Value], what: &str) -> Vec<(String, String)> {
    let text = |check: &Value, key: &str| check[key].as_str().unwrap().to_owned();
    let of_it = checks.iter().filter(|check| check["what"] == what);
    of_it.map(|check| (text(check, "state"), text(check, "found"))).collect()
}

#[test]
fn a_machine_without_faults_is_described() {
    let (code, checks) = doctor(&[]);
    assert_eq!(code, 0, "{checks:?}");
    for what in ["program", "processor", "kernels", "memory"] {
        assert_eq!(about(&checks, what).len(), 1, "{what}");
    }
    for what in ["network", "book"] {
        let found = about(&checks, what);
        assert!(found.len() == 2 && found.iter().all(|(state, _)| state == "ok"), "{found:?}");
    }
    // The checks `kernels` and `network` must name the same SIMD kernels.
    let set = about(&checks, "kernels")[0].1.replace("networks run on ", "");
    assert!(about(&checks, "network")[0].1.ends_with(&set), "{checks:?}");
    let output = Command::new(env!("CARGO_BIN_EXE_hasami")).arg("doctor").output().unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    let advice = checks.iter().filter(|check| !check["advice"].is_null()).count();
    assert_eq!(table.lines().count(), checks.len() + advice, "{table}");
}

#[test]
fn unreadable_files_are_named_as_faults() {
    let folder = TempDir::new().unwrap();
    let file = |option: &str, name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, "neither of them").unwrap();
        format!("{option}={}", path.display())
    };
    let (book, network) = (file("BookFile", "book.bin"), file("EvalFile", "x.nnue"));
    let asked = ["--game", "chess", "--option", &book, "--option", &network, "--option", "Hash=1048576"];
    let (code, checks) = doctor(&asked);
    assert_eq!(code, 1);
    for (what, word) in [("book", "book.bin"), ("network", "x.nnue"), ("memory", "Hash 1,048,576")] {
        let found = about(&checks, what);
        assert!(found.len() == 1 && found[0].0 == "fault" && found[0].1.contains(word), "{found:?}");
    }
}

#[test]
fn a_folder_of_tables_that_does_not_exist_is_a_fault() {
    let (code, checks) = doctor(&["--game", "chess", "--option", "SyzygyPath=/no/tables"]);
    let found = about(&checks, "tables");
    assert_eq!((code, found.len()), (1, 1), "{found:?}");
    assert!(found[0].0 == "fault" && found[0].1.contains("cannot use Syzygy tables in '/no/tables'"), "{found:?}");
}

#[test]
fn every_child_engine_is_started_once() {
    let folder = TempDir::new().unwrap();
    let file = children_file(folder.path(), &[mock(""), mock("--bogus"), "/no/such/engine".to_owned()]);
    let (code, checks) = doctor(&["--game", "chess", "--children", file.to_str().unwrap()]);
    let found = about(&checks, "child");
    let states: Vec<&str> = found.iter().map(|(state, _)| state.as_str()).collect();
    assert_eq!((code, states), (1, vec!["ok", "fault", "fault"]), "{found:?}");
    assert!(found[0].1.contains(" answers after ") && found[2].1.contains("/no/such/engine"), "{found:?}");
    let (code, checks) = doctor(&["--children", "/no/file.toml"]);
    let found = about(&checks, "children");
    assert!(code == 1 && found[0].1.starts_with("/no/file.toml: cannot read the TOML file"), "{found:?}");
}

#[test]
fn a_cluster_is_reported_as_reachable_or_not() {
    let Some(server) = Server::start(&["--user", "me", "--pass", "x"]) else { return };
    let known = format!("nats://me:x@127.0.0.1:{}", server.port);
    for (url, code, state) in [(known.as_str(), 0, "ok"), (server.url().as_str(), 1, "fault")] {
        let (found, checks) = doctor(&["--connect", url]);
        let cluster = about(&checks, "cluster");
        assert_eq!((found, cluster.len(), cluster[0].0.as_str()), (code, 1, state), "{cluster:?}");
        assert!(!cluster[0].1.contains("me:x"), "a password is shown: {cluster:?}");
    }
}
