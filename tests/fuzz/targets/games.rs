//! Fuzzes self-play files of chess and shogi: reading never panics. A game is unchanged after being written and read
//! again, except for the reason it ended, because Hasami's formats know fewer reasons than other programs write.

use hasami_games::GAMES;

pub fn check(bytes: &[u8]) {
    for formats in GAMES.iter().filter_map(|game| game.training()) {
        let mut rest = bytes;
        while let Ok(Some((game, used))) = (formats.read_game)(rest) {
            assert!(used > 0 && used <= rest.len());
            let mut written = Vec::new();
            if (formats.write_game)(&game, &mut written).is_ok() {
                let (again, length) = (formats.read_game)(&written).expect("what was written").expect("all of it");
                assert_eq!((again.start, again.moves, again.outcome), (game.start, game.moves, game.outcome));
                assert_eq!(length, written.len());
            }
            rest = &rest[used..];
        }
        if let Err(why) = (formats.read_game)(rest) {
            assert_eq!(why.to_string().lines().count(), 1, "{why}");
        }
    }
}
