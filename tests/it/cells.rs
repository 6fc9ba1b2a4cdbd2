//! Tests that options for mate searches with cells are rejected if they do not fit the other options.

use std::process::Command;
use tempfile::TempDir;

const NONE: &str = "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1";
const PROGRAM: &str = env!("CARGO_BIN_EXE_hasami");

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}

#[test]
fn options_for_cells_require_the_cells_algorithm() {
    let folder = TempDir::new().unwrap();
    let complaint = |arguments: &[&str]| {
        let output =
            Command::new(PROGRAM).args(["solve", "--sfen", NONE]).args(arguments).current_dir(folder.path()).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        lines(&output.stderr)[0].clone()
    };
    let expect = |arguments: &[&str], line: &str| assert_eq!(complaint(arguments), format!("hasami: {line}"));
    expect(&["--set", "ns=5", "--algorithm", "dfpn"], "--set ns needs --algorithm cells, not dfpn");
    for option in [&["--set", "delay=5"][..], &["--set", "trace=file"]] {
        for algorithm in ["parallel", "aohpas", "levels"] {
            let arguments = [&["--virtual", "2", "--algorithm", algorithm], option].concat();
            let expected =
                format!("--set {} needs --algorithm cells, not {algorithm}", option[1].split('=').next().unwrap());
            expect(&arguments, &expected);
        }
    }
    expect(&["--virtual", "2", "--set", "delay=5"], "--set delay needs --algorithm cells, not parallel");
    for option in [["--set", "delay=5"], ["--set", "trace=file"]] {
        let expected = format!("--set {} needs --virtual", option[1].split('=').next().unwrap());
        expect(&[&["--algorithm", "cells"], &option[..]].concat(), &expected);
        expect(&[&["--algorithm", "cells", "--threads", "3"], &option[..]].concat(), &expected);
    }
    assert!(!folder.path().join("file").exists(), "no trace is written if the options are rejected");
    expect(
        &["--set", "ns=5", "--shortest"],
        "--shortest needs --algorithm dfpn, parallel, aohpas, pds, id or levels, not cells",
    );
}
