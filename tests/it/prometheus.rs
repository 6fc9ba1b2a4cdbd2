//! Checks the metrics of running programs with the Python library of Prometheus.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Stdio};

/// Parses the metrics that are served at `addresses`, each of the form `127.0.0.1:PORT`; fails if they are invalid.
pub fn check(addresses: &[&str]) {
    let mut library = Command::new("python3");
    library.args(["-c", "import prometheus_client"]).stderr(Stdio::null());
    if !library.status().is_ok_and(|status| status.success()) {
        println!("prometheus_client is not installed: not tested");
        return;
    }
    let mut script = Command::new("python3");
    script.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check_metrics.py"));
    let output = script.args(addresses.iter().map(|address| format!("http://{address}/metrics"))).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout.split(|&byte| byte == b'\n').count(), addresses.len() + 1, "{output:?}");
}
