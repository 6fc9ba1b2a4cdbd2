//! Replays dialogues of real GUIs and match runners (`tests/data/dialogues/*.txt`) with the executable. Instead of
//! sleeping, every step waits for a line, or for the end of the output, with a deadline.

#![allow(clippy::unwrap_used)]

mod judge;
mod player;
mod script;

use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/dialogues")
}

fn replay(name: &str) {
    let text = fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
    let steps = script::parse(&text).unwrap_or_else(|error| panic!("{name}.txt: {error}"));
    if let Err(error) = player::play(&steps) {
        panic!("{name}.txt:{error}");
    }
}

macro_rules! dialogues {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                replay(stringify!($name));
            }
        )*

        #[test]
        fn every_file_is_replayed() {
            let mut files: Vec<String> = fs::read_dir(folder())
                .unwrap()
                .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
                .filter(|name| name != "README")
                .collect();
            files.sort();
            let mut tests = vec![$(stringify!($name)),*];
            tests.sort_unstable();
            assert_eq!(files, tests);
        }
    };
}

dialogues! {
    uci_bad_positions
    uci_chess960
    uci_cutechess
    uci_cutechess_ponder
    uci_eof_before_greeting
    uci_eof_idle
    uci_eof_in_infinite
    uci_eof_in_ponder
    uci_eof_in_search
    uci_fastchess
    uci_go_mate
    uci_interruptions
    uci_no_moves
    uci_noise
    uci_options
    uci_own_book
    uci_python_chess
    uci_quit_in_search
    uci_xboard
    usi_bad_positions
    usi_cshogi
    usi_early_ponder
    usi_eof_in_ponder
    usi_eof_in_search
    usi_gameover
    usi_mate
    usi_noise
    usi_options
    usi_own_book
    usi_quit_in_ponder
    usi_shogidokoro
    usi_win_and_resign
}
