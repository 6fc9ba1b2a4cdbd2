//! Input that never ends, and files that are none: one clear line and bounded memory, wherever a file can be named.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1\tgold\t1\n";
const GAME: &str = "[Result \"*\"]\n\n1. e4 e5 *\n";

/// Command lines with `@` for the file; `@.viri`: with this ending. Files are tried before anything is played or connected to.
const NAMED: &[&str] = &[
    "solve @",
    "solve --kif @",
    "solve list.tsv --any-set --results @ --resume",
    "brinkmate @",
    "verify @ list.tsv",
    "verify list.tsv @",
    "eval --fen startpos --net @",
    "net @",
    "analyse --nodes 10 --children @",
    "analyse --nodes 10 --connect nats://localhost:1 --creds @",
    "analyse --nodes 10 --connect tls://localhost:1 --tls-ca @",
    "match --engine name=a cmd=x nodes=9 --engine name=b cmd=y nodes=9 --openings file=@ format=pgn",
    "match --engine name=a cmd=x nodes=9 --engine name=b cmd=y nodes=9 --journal @",
    "match --engine name=a cmd=x nodes=9 --engine name=b cmd=y nodes=9 --journal @ --resume",
    "match --journal @ --resume",
    "match --engine name=a cmd=x nodes=9 --engine name=b cmd=y nodes=9 --tb @",
    "learn --games @.pgn --engine hasami --nodes 10",
    "learn --games game.pgn --engine hasami --nodes 10 --journal @",
    "learn --games game.pgn --engine hasami --nodes 10 --judge @",
    "worth --games game.pgn --journal @",
    "speedup @.epd --depth 2",
    "waste @",
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
    "engines add --connect nats://localhost:1 x @",
];

/// Options of engines, which a GUI may set to anything: the program says so and goes on.
const OPTIONS: &[&str] = &["BookFile", "EvalFile", "SyzygyPath", "Children", "DebugLogFile"];

/// A folder with a device that never ends, a pipe that nobody writes to and a folder, under every ending that a command looks at.
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

/// With at most so much address space, so that a reader without a bound fails.
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
fn a_device_and_a_folder_are_no_files_and_stay_what_they_are() {
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

/// What is gone on with or proves something is read twice, or may never come: a pipe is refused at once.
#[test]
fn a_pipe_that_nobody_writes_to_is_no_journal_and_no_certificate() {
    let folder = folder();
    for line in ["match --resume @", "results @", "verify --certificate @"] {
        let output = run(folder.path(), line, "pipe");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains("expected a regular file, found a pipe"), "{line}: {text}");
    }
}

#[test]
fn an_option_that_names_no_file_leaves_an_engine_that_plays() {
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
        // Only of a folder may Syzygy tables and a log of the GUI's be expected, and there are none.
        let told = said.lines().filter(|line| line.starts_with("info string") && line.contains("expected")).count();
        assert!(told >= 3, "{file}: {said}");
    }
}

/// A list on a pipe that never ends is refused when it is larger than any list.
#[test]
fn a_list_without_an_end_is_refused() {
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
        assert!(text.contains("expected a file of at most 268435456 bytes, found more"), "{words:?}: {text}");
    }
}
