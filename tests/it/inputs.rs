//! Tests every command and option that takes a file name with endless inputs and with paths that are not files: the
//! program must print one clear error line and use bounded memory.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1\tgold\t1\n";
const GAME: &str = "[Result \"*\"]\n\n1. e4 e5 *\n";

/// Command lines in which `@` stands for the tested file, and `@.viri` for one with the extension `.viri`. The program
/// must check files before it plays or connects.
const NAMED: &[&str] = &[
    "solve @",
    "brinkmate @",
    "verify @ list.tsv",
    "verify list.tsv @",
    "net @ --fen startpos",
    "net @",
    "analyse --nodes 10 --children @",
    "analyse --nodes 10 --connect nats://localhost:1 --creds @",
    "analyse --nodes 10 --connect tls://localhost:1 --tls-ca @",
    "match --engine name=a cmd=x nodes=9 --engine name=b cmd=y nodes=9 --openings file=@ format=pgn",
    "match --engine name=a cmd=x nodes=9 --engine name=b cmd=y nodes=9 --journal @",
    "match --engine name=a cmd=x nodes=9 --engine name=b cmd=y nodes=9 --journal @ --resume",
    "match --journal @ --resume",
    "match --engine name=a cmd=x nodes=9 --engine name=b cmd=y nodes=9 --tb @",
    "tune --parameter Hash=16,1,32 --iterations 2 --journal @ --engine cmd=x name=a nodes=10",
    "data count @.viri",
    "data count @.bullet",
    "data extract --out new.bullet @.viri",
    "data import --out new.bullet @",
    "train --out new.nn --game chess @.bullet",
    "selfplay --game chess --games 1 --nodes 10 --out @.viri",
    "worker --connect nats://localhost:1 --creds @",
    "worker --connect nats://localhost:1 --game chess --children @",
    "worker --connect nats://localhost:1 --games 1 --engines @",
    "workers --connect nats://localhost:1 --add-engine x=@",
];

/// Engine options whose value is a path. After a GUI has set an invalid path, the program must report an error and
/// continue.
const OPTIONS: &[&str] = &["BookFile", "EvalFile", "SyzygyPath", "Children", "DebugLogFile"];

/// Creates a folder with an endless device, a pipe without a writer, and a subfolder, under names with every extension
/// that commands distinguish.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("list.tsv"), GOLD).unwrap();
    fs::write(folder.path().join("game.pgn"), GAME).unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    for ending in ["", ".pgn", ".epd", ".viri", ".bullet"] {
        symlink("/dev/zero", folder.path().join(format!("device{ending}"))).unwrap();
        if !ending.is_empty() {
            symlink("folder", folder.path().join(format!("folder{ending}"))).unwrap();
        }
    }
    folder
}

/// Returns a command that runs the program with a limited address space, so that unbounded reading fails.
fn hasami(folder: &Path, words: &[String]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 4000000 && exec \"$@\"", "sh", env!("CARGO_BIN_EXE_hasami")]).args(words);
    command.env("XDG_STATE_HOME", folder).current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, line: &str, file: &str) -> Output {
    let words: Vec<String> = line.split(' ').map(|word| word.replace('@', file)).collect();
    hasami(folder, &words).output().unwrap()
}

#[test]
fn devices_and_folders_are_rejected_and_left_unchanged() {
    let folder = folder();
    for file in ["device", "folder"] {
        for line in NAMED {
            let output = run(folder.path(), line, file);
            let text = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code();
            assert!(matches!(code, Some(1 | 2)), "{line}, {file}: {output:?}");
            assert!(text.lines().count() == 1 && text.contains(file), "{line}, {file}: {text}");
        }
    }
    for file in ["device", "device.viri", "folder", "pipe"] {
        assert!(folder.path().join(file).symlink_metadata().is_ok_and(|found| !found.is_file()), "{file}");
    }
}

/// Pipes must be rejected at once, because journals and certificates are read twice, and a pipe may never deliver data.
#[test]
fn pipes_are_rejected_as_journals_and_certificates() {
    let folder = folder();
    for line in ["match --resume @", "results @", "verify --certificate @"] {
        let output = run(folder.path(), line, "pipe");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains("cannot use a pipe, only a regular file"), "{line}: {text}");
    }
}

#[test]
fn an_engine_plays_on_after_an_option_with_a_bad_path() {
    let folder = folder();
    for file in ["device", "folder", "pipe"] {
        let mut engine = hasami(folder.path(), &[]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = String::from("uci\n");
        for option in OPTIONS {
            lines += &format!("setoption name {option} value {}\n", folder.path().join(file).display());
        }
        lines += "setoption name Threads value 1\nisready\ngo nodes 10\n";
        let mut stdin = engine.stdin.take().unwrap();
        stdin.write_all(lines.as_bytes()).unwrap();
        let (mut said, mut stdout) = (Vec::new(), engine.stdout.take().unwrap());
        while !String::from_utf8_lossy(&said).contains("\nbestmove ") {
            let mut some = [0; 4096];
            let count = stdout.read(&mut some).unwrap();
            assert!(count > 0, "{file}: {}", String::from_utf8_lossy(&said));
            said.extend(&some[..count]);
        }
        stdin.write_all(b"quit\n").unwrap();
        assert!(engine.wait().unwrap().success());
        let said = String::from_utf8(said).unwrap();
        // All options except `SyzygyPath` and `DebugLogFile`, which accept a folder, must report an error.
        let is_error = |line: &&str| line.starts_with("info string") && line.contains(file) && line.contains("cannot");
        let printed = said.lines().filter(is_error).count();
        assert!(printed >= 3, "{file}: {said}");
    }
}

/// A list from an endless pipe must be rejected once it is larger than any real list.
#[test]
fn an_endless_list_is_rejected() {
    let folder = folder();
    for words in [["solve", "-"], ["verify", "--certificate"]] {
        let mut words: Vec<String> = words.map(str::to_owned).into();
        if words[0] == "verify" {
            words.push("-".into());
        }
        let zero = File::open("/dev/zero").unwrap();
        let output = hasami(folder.path(), &words).stdin(zero).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains("cannot read the file: it is larger than 268435456 bytes"), "{words:?}: {text}");
    }
}
