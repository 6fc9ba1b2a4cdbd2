//! Tests that human-readable output is in the language of the locale, and that output for programs is not.

use std::process::{Command, Output};

/// A position with a mate in one, and a position without a mate.
const PROBLEMS: [&str; 2] = ["4k4/9/4P4/9/9/9/9/9/9 b G 1", "6R+P1/8k/7sp/9/9/9/9/9/9 b r2b4g3s4n4l16p 1"];

fn solve(locale: &[(&str, &str)], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasami"));
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(variable);
    }
    command.args(["solve", "--hash", "1"]).envs(locale.iter().copied()).args(more);
    for problem in PROBLEMS {
        command.args(["--sfen", problem]);
    }
    command.output().unwrap()
}

/// Returns the lines with answers, without their times, and the lines that begin with `#`.
fn parts(output: &Output) -> (Vec<String>, String) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let (remarks, rows): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
    let without_time = |row: &&str| {
        let fields: Vec<&str> = row.split('\t').collect();
        [&fields[..4], &fields[5..]].concat().join(" ")
    };
    (rows.iter().map(without_time).collect(), remarks.join("\n"))
}

#[test]
fn remarks_follow_the_locale_and_answers_do_not() {
    let (english, japanese) =
        (solve(&[("LC_ALL", "C"), ("LANG", "ja_JP.UTF-8")], &[]), solve(&[("LANG", "ja_JP.UTF-8")], &[]));
    assert_eq!((english.status.code(), japanese.status.code()), (Some(0), Some(0)), "{english:?} {japanese:?}");
    let [(rows, sum), (other_rows, other_sum)] = [&english, &japanese].map(parts);
    assert_eq!(rows, other_rows);
    assert!(sum.contains("2 problems: 1 with a mate, 1 without a mate, 0 unknown"), "{sum}");
    assert!(other_sum.contains("全2問：詰み1、不詰1、不明0"), "{other_sum}");
}

#[test]
fn a_limit_is_reported_in_japanese_with_the_same_exit_code() {
    let output = solve(&[("LC_MESSAGES", "ja_JP.UTF-8")], &["--nodes", "1"]);
    let (rows, printed) = parts(&output);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(rows.iter().any(|row| row.contains(" unknown ")), "{rows:?}");
    assert!(printed.contains("不明：局面数の上限（1）に達しました"), "{printed}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("が不明です"), "{output:?}");
}

/// Returns the exit code and the error message of a run with invalid arguments.
fn complaint(language: &[&str], arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasami"));
    for variable in ["LC_ALL", "LC_MESSAGES"] {
        command.env_remove(variable);
    }
    let output = command.env("LANG", "ja_JP.UTF-8").args(arguments).args(language).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
    (output.status.code(), text)
}

#[test]
fn invalid_input_is_reported_in_english() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let list = file("list.tsv", "4k4/9/4P4/9/9/9/9/9/9 b G 1\tgold\tmany\n");
    let kif = file("game.kif", "手合割：平手\nhello\n");
    let claims = file("claims.txt", "silver G*5b\n");
    let right = file("right.tsv", "4k4/9/4P4/9/9/9/9/9/9 b G 1\tgold\t1\n");
    let children = file("children.toml", "[[engine]]\n");
    let unknown = file("unknown.toml", "games = 2\nopening = 'x'\n");
    let (switch, broken) = (file("switch.toml", "quiet = 1\n"), file("broken.toml", "games\n"));
    let wrong = file("wrong.toml", "[[engine]]\ncmd = 'a'\ntc = 'abc'\n");
    let (no_pawns, two) = ("4k4/9/4P4/4P4/9/9/9/9/9 b G 1", "k3k4/9/9/9/9/9/9/9/9 b - 1");
    let cases: &[(&[&str], &str)] = &[
        (&["solve", "--fly"], "unexpected argument '--fly' found"),
        (&["solve", "/no/list"], "/no/list: cannot read the file: "),
        (&["solve", "/"], "cannot read the file: it is a folder"),
        (&["solve"], "name FILE, -, --sfen"),
        (&["solve", &list], "expected a length in plies, or - for none"),
        (&["solve", "--sfen", no_pawns], "(two pawns of one side on file 5"),
        (&["solve", "--sfen", two], "(two kings of one side)"),
        (&["solve", "--fen", "x w - - 0 1"], "expected a chess position in FEN, found"),
        (&["solve", "--sfen", PROBLEMS[0], "--set", "proof-moves=5"], "needs --svg"),
        (&["brinkmate", "--set", "inner=id", "--sfen", PROBLEMS[0]], "--set inner needs --set taco-h"),
        (&["verify", &right, &claims], "expected the name of a problem, found"),
        (&["analyse", "--moves", "e2e5"], "move 1: expected a legal move"),
        (&["analyse", "--child", "'x"], "expected a command line with closed"),
        (&["analyse", "--children", &children], "children.toml:1: missing field `command`"),
        (&["analyse", "--option", "Hash=x"], "--option: Hash: expected an integer from 1 to "),
        (&["analyse", "--option", "Hsah=1"], "--option: no option 'Hsah' here"),
        (&["analyse", "--svg", "/no/x.svg"], "--svg: cannot write "),
        (&["analyse", "--connect", "http://pc2"], "expected nats://HOST or tls://HOST"),
        (&["analyse", "--connect", "nats://pc2"], "a server beyond this machine needs credentials"),
        (&["analyse", "--web", "no host"], "expected an address to listen on"),
        (&["match", "--engine", "cmd=x"], "a match needs at least two engines, not 1"),
        (&["match", "--engine", "x"], "--engine: expected words like name=a"),
        (&["match", "--engine", "cmd=x tc=a"], "--engine: tc: expected a time control"),
        (&["match", "--sprt", "elo2=5"], "--sprt: expected one of elo0, elo1, alpha, beta, model, found"),
        (&["solve", &kif], ": line 2: expected a line of a record, found 'hello'"),
        (&["match", "stockfish", "x"], "engines are named with --engine"),
        (&["results", "/no"], "/no: cannot read a journal or a folder of journals: "),
        (&["perft", "--game", "shogi", "x"], "expected a number of plies from 0 to 100"),
        (
            &["match", "--file", &unknown],
            "line 2: expected an option of hasami match without its dashes, found 'opening'",
        ),
        (&["match", "--file", &switch], "line 1: expected true or false, found"),
        (&["match", "--file", &broken], "line 1: "),
        (&["match", "--file", &wrong], "--engine: tc: expected a time control"),
        (&["match", "--resume", &wrong], "expected the journal of a match, found another file"),
    ];
    for (arguments, english) in cases {
        let (code, text) = complaint(&[], arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {text}");
        assert!(text.contains(english) && text.is_ascii(), "{arguments:?}: {text}");
    }
}

#[test]
fn invalid_tunings_and_self_play_are_reported_in_english() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, journal) = (path("games.viri"), path("journal.jsonl"));
    std::fs::write(&games, "games").unwrap();
    std::fs::write(&journal, "{}\n").unwrap();
    let engine = format!("cmd={} nodes=1", env!("CARGO_BIN_EXE_hasami"));
    let tune = |parameter: &'static str, more: &[&'static str]| {
        let words = ["tune", "--engine", "ENGINE", "--games", "2", "--journal", "JOURNAL", "--parameter", parameter];
        words.into_iter().chain(more.iter().copied()).collect::<Vec<_>>()
    };
    let cases = [
        (tune("A", &[]), "expected NAME=START,LOW,HIGH"),
        (tune("A=9,0,5", &[]), "expected a start in the range"),
        (tune("Hash=1,1,9", &[]), "expected the journal of a tuning, found "),
        (vec!["selfplay", "--game", "chess", "--out", "GAMES", "--win", "1"], "two numbers as in"),
        (vec!["selfplay", "--game", "go", "--out", "GAMES"], "invalid value 'go' for '--game <GAME>'"),
        (vec!["selfplay", "--game", "chess", "--out", "GAMES"], ".json, are missing"),
    ];
    for (words, english) in cases {
        let put = |word: &&'static str| match *word {
            "ENGINE" => engine.clone(),
            "JOURNAL" => journal.clone(),
            "GAMES" => games.clone(),
            "--resume=NONE" => format!("--resume={}", path("none.jsonl")),
            word => word.to_owned(),
        };
        let words: Vec<String> = words.iter().map(put).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (_, text) = complaint(&[], &words);
        assert!(text.contains(english) && text.is_ascii(), "{words:?}: {text}");
    }
}

#[test]
fn invalid_training_machines_and_measurements_are_reported_in_english() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (text, games) = (file("text.txt", b"text\n"), file("games.viri", &[0; 64]));
    let (odd, few, new) = (file("odd.bullet", &[0; 33]), file("few.bullet", &[0; 64]), file("new.nn", b""));
    std::fs::remove_file(&new).unwrap();
    let good = file("good.bullet", b"");
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 10 | 0.5\n";
    let imported = stdout_of("ja", &["data", "import", &file("lines", line.repeat(2).as_bytes()), "--out", &good]);
    assert_eq!(imported, format!("2 positions in {good}\n"));
    let server = "nats://127.0.0.1:1";
    let cases: &[(&[&str], &str)] = &[
        (&["data", "count", &text], "text.txt: expected a file of .viri, "),
        (&["data", "count", &games], "game 1: expected a chess game in viriformat"),
        (&["data", "count", &odd], "expected a multiple of 32 bytes, found 33"),
        (&["data", "import", &text, "--out", &few], "text.txt, line 1: expected POSITION"),
        (
            &["train", "--game", "chess", &few, "--out", &new, "--held-out", "1"],
            "at least 16385 positions are needed (--held-out and --batch), not 2",
        ),
        (&["train", "--game", "chess", &few, "--out", &new, "--width", "100"], "expected a multiple of 128 up to 2048"),
        (
            &["train", "--game", "chess", &good, "--out", &new, "--batch", "1", "--held-out", "1", "--start", &text],
            "text.txt: expected 8 bytes of the word HASAMINN at byte 0, found 5",
        ),
        (&["net", &text], "text.txt: expected "),
        (&["workers", "--add-engine", &format!("a b={text}"), "--connect", server], "expected a name of letters"),
        (&["worker", "--games", "1", "--engine", "x", "--connect", server], "--engine: expected NAME=CMD, found 'x'"),
        (
            &["worker", "--games", "1", "--engine", "x=/no/x", "--connect", server],
            "engine x (/no/x): cannot start '/no/x': ",
        ),
        (&["workers", "--connect", server], "cannot connect to a NATS server at nats://127.0.0.1:1: "),
    ];
    for (arguments, english) in cases {
        let (_, text) = complaint(&[], arguments);
        assert!(text.contains(english) && text.is_ascii(), "{arguments:?}: {text}");
    }
}

fn stdout_of(language: &str, arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_hasami")).args(arguments).args(["--lang", language]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_tree_is_shown_in_the_user_s_language_and_warnings_in_english() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad");
    std::fs::write(&path, "x").unwrap();
    let bad = path.to_str().unwrap();
    let options =
        [format!("EvalFile={bad}"), "SyzygyPath=/no".to_owned(), format!("BookFile={bad}"), "OwnBook=true".to_owned()];
    let search = ["analyse", "--workers", "1", "--nodes", "500", "--tree", "--option", "Hash=1"];
    let options = options.iter().flat_map(|option| ["--option", option.as_str()]);
    let arguments: Vec<&str> = search.into_iter().chain(options).collect();
    let [english, japanese] = ["en", "ja"].map(|language| stdout_of(language, &arguments));
    for text in [&english, &japanese] {
        assert!(text.contains("; the built-in evaluation is used\n"), "{text}");
        assert!(text.contains("SyzygyPath: cannot use Syzygy tables in '/no': "), "{text}");
        assert!(text.contains(": expected a Polyglot book (entries of 16 bytes), found 1 bytes\n"), "{text}");
    }
    assert!(english.contains("\nroot ") && japanese.contains("\n根 "), "{english}{japanese}");
    assert!(!japanese.contains("thread 1"), "{japanese}");
    let judged = stdout_of("ja", &["verify", "--certificate", bad]);
    assert!(judged.starts_with("bad\twrong\t証明書に誤りがあります（"), "{judged}");
}

#[test]
fn lang_takes_precedence_over_the_locale() {
    for arguments in [["--lang", "ja"], ["--lang=ja", "--json"]] {
        let output = solve(&[("LC_ALL", "C")], &arguments);
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{printed}");
        assert_eq!(printed.contains("全2問：詰み1"), arguments[1] == "ja", "{printed}");
    }
    let (code, message) = complaint(&["--lang", "fr"], &["solve", "--sfen", PROBLEMS[0]]);
    assert!(
        code == Some(2) && message.contains("invalid value 'fr' for '--lang <LANGUAGE>' [possible values: en, ja]"),
        "{message}"
    );
}
