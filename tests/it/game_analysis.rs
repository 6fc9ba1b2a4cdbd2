//! Tests the output of `hasami analyse game.pgn`: human-readable, for other programs, and in files.

use hasami_games::GAMES;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const FOOLS_MATE: &str = "[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"0-1\"]\n\n1. f3 {slow} e5 2. g4 Qh4# 0-1\n";
const KIF: &str = "手合割：平手\n先手：羽生\n後手：谷川\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n\
                   \x20  2 ３四歩(33)\n   3 ６八銀(79)\n   4 ８八角成(22)\n   5 投了\nまで4手で後手の勝ち\n";

fn analyse(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hasami"));
    command.current_dir(folder).arg("analyse").args(arguments).args(["--workers", "1"]).env("LC_ALL", "C");
    command.stdin(Stdio::null()).output().unwrap()
}

fn stdout_of(folder: &Path, arguments: &[&str]) -> String {
    let output = analyse(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = analyse(folder, arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{arguments:?}: {text}");
    text
}

fn folder_with(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn every_move_is_judged_and_both_players_have_a_summary() {
    let (folder, _) = folder_with("game.pgn", FOOLS_MATE);
    let files = ["--annotate", "out.pgn", "--svg", "curve.svg"];
    let text = stdout_of(folder.path(), &[&["game.pgn", "--nodes", "3000"], &files[..]].concat());
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("White (Anna) - Black (Bert), 4 plies; values for White"), "{text}");
    let row = |start: &str| text.lines().find(|line| line.trim_start().starts_with(start)).unwrap_or_default();
    assert!(row("2. g4??").contains("-#1"), "{text}");
    assert!(row("2... Qh4#").ends_with("mate"), "{text}");
    let account = text.lines().rev().find(|line| line.starts_with("White (Anna)")).unwrap_or_default();
    let white = account.split_whitespace().rev().take(3).collect::<Vec<_>>();
    assert_eq!(white[0], "1", "exactly one blunder: {text}");
    // The annotated files must contain the same judgements as the output on the terminal.
    let annotated = fs::read_to_string(folder.path().join("out.pgn")).unwrap();
    assert!(annotated.contains(" {slow} {[%eval ") && annotated.contains("g4 $4 {[%eval #-1"), "{annotated}");
    assert!(
        annotated.contains("Blunder. ") && annotated.contains("was best") && annotated.contains(" (2. "),
        "{annotated}"
    );
    let svg = fs::read_to_string(folder.path().join("curve.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("White (Anna)"), "{svg}");
}

#[test]
fn a_kif_file_is_annotated_in_place() {
    let (folder, path) = folder_with("game.kifu", KIF);
    let text = stdout_of(folder.path(), &["game.kifu", "--depth", "3", "--annotate", "game.kifu", "--lang", "ja"]);
    assert!(text.contains("先手（羽生） - 後手（谷川）") && text.contains("▲６八銀"), "{text}");
    let annotated = fs::read_to_string(&path).unwrap();
    assert!(annotated.contains("*#評価値=") && annotated.contains("】最善は"), "{annotated}");
    let (game, better) = annotated.split_once("\n変化：").unwrap();
    let lines: Vec<&str> = game.lines().filter(|line| !line.starts_with('*')).collect();
    assert_eq!(lines.join("\n") + "\n", KIF, "the original lines are kept");
    assert!(better.contains("*最善（評価値"), "{annotated}");
    let shogi = GAMES.find("shogi").unwrap();
    let format = shogi.format("kif").unwrap();
    assert_eq!(shogi.read_records(&annotated, format).unwrap(), shogi.read_records(KIF, format).unwrap());
}

#[test]
fn one_game_of_several_can_be_chosen() {
    let two = format!("{FOOLS_MATE}\n[White \"Carl\"]\n\n1. d4 *\n");
    let (folder, _) = folder_with("two.pgn", &two);
    let second = stdout_of(folder.path(), &["two.pgn", "--record", "2", "--depth", "1"]);
    assert!(second.contains("2/2: White (Carl) - Black, 1 ply") && !second.contains("Anna"), "{second}");
    let both = stdout_of(folder.path(), &["two.pgn", "--depth", "1"]);
    assert!(both.contains("1/2: White (Anna)") && both.contains("2/2: White (Carl)"), "{both}");
}

#[test]
fn invalid_requests_are_rejected_before_the_search() {
    let (folder, path) = folder_with("two.pgn", &format!("{FOOLS_MATE}\n{FOOLS_MATE}"));
    fs::write(path.with_file_name("lines.sfen"), "startpos moves 7g7f\n").unwrap();
    fs::write(path.with_file_name("empty.pgn"), "[White \"A\"]\n\n*\n").unwrap();
    fs::write(path.with_file_name("ki2.kif"), "手合割：平手\n▲７六歩 △３四歩\n").unwrap();
    for (arguments, why) in [
        (&["two.pgn", "--svg", "c.svg"][..], "--svg: the file has several games; choose one, --record 1 to --record 2"),
        (&["two.pgn", "--record", "3"], "--record: the file has no game 3, only 2 games"),
        (&["two.pgn", "--annotate", "no/such/folder/x.pgn"], "--annotate: cannot write "),
        (
            &["lines.sfen", "--annotate", "x.sfen"],
            "--annotate: positions cannot be annotated, only a record in PGN, KIF or CSA",
        ),
        (&["ki2.kif", "--annotate", "x.kif"], "--annotate: game 1: 0 of 2 moves can be annotated"),
        (&["empty.pgn"], "empty.pgn: the file has no games with moves"),
        (&["missing.pgn"], "missing.pgn: cannot read the file"),
        (&["game.txt"], "game.txt: the format is unclear; known extensions are epd, pgn, sfen, csa, kif"),
        (&["two.pgn", "--tree"], "cannot be used with"),
        (&["--annotate", "x.pgn"], "the following required arguments were not provided: <RECORD>"),
    ] {
        assert!(
            refused(folder.path(), arguments).contains(why),
            "{arguments:?}: {}",
            refused(folder.path(), arguments)
        );
    }
}
