//! What the command line answers to mistakes, in both languages.
#![allow(clippy::unwrap_used)]

use hasami_games::GAMES;
use hasami_terminal::arguments::complaint;
use hasami_words::{Language, Words};
use std::ffi::OsString;

/// What is said in English and in Japanese of these arguments.
fn said(arguments: impl IntoIterator<Item = OsString>) -> [String; 2] {
    let error = super::command(GAMES).try_get_matches_from(arguments).unwrap_err();
    let message = complaint(&error, &super::command(GAMES));
    Language::ALL.map(|language| message.said(Words::of(language)))
}

#[test]
fn every_kind_of_mistake_is_told_in_both_languages() {
    let cases = [
        ("fly", "expected a subcommand (", "「fly」というサブコマンドはありません"),
        ("sovle", ": did you mean solve?", "もしかして：solve"),
        ("solve --fly", "expected a known argument, found '--fly'", "「--fly」という引数はありません"),
        ("solve --nodse", "known argument such as --nodes, found", "という引数はありません。もしかして：--nodes"),
        ("solve --time", "--time: expected a value, found nothing", "--time：値を指定してください"),
        ("solve --time x", "expected seconds above 0", "--time：0より大きく10000000以下の秒数を指定してください"),
        ("match --games x", "--games: expected a whole number, found 'x'", "--games：整数を指定してください"),
        ("match --games 0", "--games: expected a number from 1 to 10000000, found '0'", "--games：1から10000000までの"),
        ("results --record 0", "--record: expected a number from 1 to 4294967295, found '0'", "--record：1から"),
        ("solve --nodes -1", "expected a number of nodes from 1", "--nodes：局面数は1から"),
        ("verify --rules x a b", "--rules: expected one of strict", "--rules：strict, tsume のいずれか"),
        ("solve --json=5", "unexpected value '5' for '--json'", "--json に余分な値「5」があります"),
        ("solve --json --json", "--json: expected once, found again", "--json は一度だけ指定してください"),
        ("brinkmate --taco-h --proof", "exclude each other", "は同時に指定できません"),
        ("solve --resume", "expected --results, found nothing", "--results を指定してください"),
        ("perft", "expected DEPTH, found nothing", "DEPTH を指定してください"),
    ];
    for (line, english, japanese) in cases {
        let told = said(["hasami"].into_iter().chain(line.split(' ')).map(OsString::from));
        assert!(told[0].contains(english) && told[0].ends_with(" (see `hasami help`)"), "{line}: {told:?}");
        assert!(told[1].contains(japanese) && told[1].ends_with("（使い方：hasami help）"), "{line}: {told:?}");
    }
}

#[test]
fn what_was_found_is_told_once() {
    for (line, wanted) in [
        ("tune --rate x", "--rate: expected a number above 0, at most 1000, found 'x' (see `hasami help`)"),
        ("selfplay --win 1:b", "--win: expected two numbers as in 1500:6, found '1:b' (see `hasami help`)"),
    ] {
        assert_eq!(said(["hasami"].into_iter().chain(line.split(' ')).map(OsString::from))[0], wanted);
    }
}

#[test]
fn a_missing_subcommand_is_told_in_both_languages() {
    let told = said(["hasami", "data"].map(OsString::from));
    assert!(told[0].starts_with("expected a subcommand, found nothing"), "{told:?}");
    assert!(told[1].starts_with("サブコマンドを指定してください"), "{told:?}");
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_told_in_both_languages() {
    let word = <OsString as std::os::unix::ffi::OsStringExt>::from_vec(b"\xff".to_vec());
    let told = said(["hasami".into(), "solve".into(), "--sfen".into(), word]);
    assert!(told[0].contains("UTF-8") && told[1].contains("UTF-8 ではない引数があります"), "{told:?}");
}
