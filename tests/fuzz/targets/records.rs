//! Fuzzes game records in all formats (PGN, KIF, CSA): reading never panics, and every error message is a single line.

use hasami_games::GAMES;

pub fn check(bytes: &[u8]) {
    let text = hasami_words::text::decoded(bytes.to_vec(), hasami_words::text::SHIFT_JIS);
    for game in GAMES.iter() {
        for &format in game.formats() {
            match game.read_records(&text, format) {
                Ok(games) => {
                    for read in games {
                        if game.check(&read.line).is_ok()
                            && let Some(fault) = read.fault
                        {
                            assert_eq!(fault.why.to_string().lines().count(), 1, "{}", fault.why);
                        }
                    }
                }
                Err(why) => assert_eq!(why.to_string().lines().count(), 1, "{why}"),
            }
        }
    }
}
