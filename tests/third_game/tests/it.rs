//! Tests the program with minishogi, for which the crates of Hasami contain no code: options, play, mates and matches.
#![allow(clippy::unwrap_used)]

use hasami_api::{Game, Line, Records, Start, Verdict};
use minishogi::{LINES, Minishogi};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_third-game");

struct Talk {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Talk {
    fn begin() -> Self {
        let mut child =
            Command::new(PROGRAM).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Reads lines up to and including the first whose first word is `word`.
    fn hear(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "expected {word}, found {lines:?}");
            lines.push(line.trim_end().to_owned());
            if line.split_whitespace().next() == Some(word) {
                return lines;
            }
        }
    }

    fn choose_minishogi(&mut self) {
        for line in ["usi", "setoption name USI_Variant value minishogi", "setoption name Threads value 1"] {
            self.say(line);
        }
        self.say("isready");
        self.hear("readyok");
    }

    fn best_move(&mut self, moves: &[String]) -> String {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.say(&format!("position startpos{moves}"));
        self.say("go nodes 300");
        let line = self.hear("bestmove").pop().unwrap();
        line.split_whitespace().nth(1).unwrap().to_owned()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.input.write_all(b"quit\n");
        let _ = self.child.wait();
    }
}

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

fn stdout_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{arguments:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn variant_option_selects_a_game_of_the_protocol() {
    let mut talk = Talk::begin();
    talk.say("usi");
    let options = talk.hear("usiok").join("\n");
    assert!(
        options.contains("\noption name USI_Variant type combo default shogi var shogi var minishogi\n"),
        "{options}"
    );
    assert!(options.contains("EnteringKingRule") && !options.contains("RepetitionDraws"), "{options}");
    talk.say("setoption name USI_Variant value chess");
    let refused = talk.hear("info").pop().unwrap();
    assert!(refused.ends_with("USI_Variant: expected one of shogi, minishogi, found 'chess'; ignored"), "{refused}");
    talk.say("setoption name USI_Hash value 32");
    talk.say("setoption name USI_Variant value minishogi");
    talk.say("usi");
    let options = talk.hear("usiok").join("\n");
    assert!(options.contains("default minishogi var shogi var minishogi"), "{options}");
    assert!(!options.contains("EnteringKingRule") && options.contains("RepetitionDraws type check default false"));
    assert!(options.contains("USI_Hash type spin default 32 "), "options that are not rules are kept: {options}");
}

#[test]
fn protocol_with_one_game_has_no_variant_option() {
    let mut talk = Talk::begin();
    talk.say("uci");
    let options = talk.hear("uciok").join("\n");
    assert!(!options.contains("UCI_Variant") && options.contains("UCI_Chess960"), "{options}");
}

#[test]
fn engine_plays_legal_moves() {
    let mut talk = Talk::begin();
    talk.choose_minishogi();
    let mut game = Minishogi::new(&Start::default()).unwrap();
    let mut moves = Vec::new();
    while moves.len() < 40 && game.verdict() == Verdict::Open && game.count_moves() > 0 {
        let text = talk.best_move(&moves);
        let m = game.parse_move(&text).unwrap_or_else(|error| panic!("{moves:?}: {error}"));
        game.make(m);
        moves.push(text);
    }
    assert!(moves.len() > 8, "{moves:?}");
}

#[test]
fn mates_are_solved_and_perft_counts_leaves() {
    let mate = stdout_of(&["solve", "--game", "minishogi", "--sfen", "4k/5/4G/5/K4 b G 1"]);
    assert!(mate.starts_with("sfen\tmate\t1\t"), "{mate}");
    let longer = stdout_of(&["solve", "--game", "minishogi", "--sfen", "4k/5/3G1/5/K4 b RG 1"]);
    assert!(longer.starts_with("sfen\tmate\t"), "{longer}");
    let none = stdout_of(&["solve", "--game", "minishogi", "--sfen", "4k/5/5/5/K4 b S 1"]);
    assert!(none.starts_with("sfen\tnomate\t"), "{none}");
    assert_eq!(stdout_of(&["perft", "--game", "minishogi", "3"]).lines().last(), Some("2512"));
    let refused = run(&["solve", "--game", "minishogi", "--sfen", "9/9/9 b - 1"]);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("expected a minishogi position in SFEN"));
}

#[test]
fn matches_are_written_in_the_format_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let engine = |name: &str| format!("name={name} cmd={PROGRAM} option.Threads=1");
    let (a, b) = (engine("a"), engine("b"));
    let (record, journal, json) = (format!("mini={}", path("x.mini")), path("x.jsonl"), path("x.json"));
    let file = path("match.toml");
    std::fs::write(&file, "rule = 'RepetitionDraws=true'\n").unwrap();
    let common =
        ["match", "--game", "minishogi", "--engine", &a, "--engine", &b, "--each", "nodes=200", "--games", "2"];
    let files = ["--maxmoves", "30", "--file", &file, "--record", &record, "--journal", &journal];
    stdout_of(&[&common[..], &files[..], &["--json", &json]].concat());
    let text = std::fs::read_to_string(path("x.mini")).unwrap();
    let games = Minishogi::read_records(&text, LINES).unwrap();
    assert_eq!(games.len(), 2, "{text}");
    for line in games {
        let Line { start, moves } = line.into_line().unwrap().0;
        let mut game = Minishogi::new(&start).unwrap();
        for text in &moves {
            let m = game.parse_move(text).unwrap();
            game.make(m);
        }
        assert!(moves.len() > 4, "{text}");
    }
    let kept = std::fs::read_to_string(path("x.jsonl")).unwrap();
    assert!(kept.contains("\"repetition_draws\":\"true\""), "{kept}");
    let refused = run(&[&common[..], &["--record", "x.kif", "--journal", &journal]].concat());
    assert!(
        String::from_utf8(refused.stderr).unwrap().contains("a minishogi format (mini), or FORMAT=FILE, found 'x.kif'")
    );
}
