//! Fuzzes SFENs: parsing never panics. All moves of a valid position can be made and unmade, and the position is
//! unchanged after being written and read again.

use hasami_api::{Game, Moves, Start};
use hasami_shogi::Shogi;

fn read(text: &str) -> Option<Shogi> {
    Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).ok()
}

pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(mut game) = read(text) else { return };
    let (written, key) = (game.to_text(), game.key());
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    for &m in moves.iter() {
        assert_eq!(game.parse_move(&game.format_move(m)), Ok(m));
        game.make(m);
        game.verdict();
        game.unmake();
    }
    assert_eq!((game.to_text(), game.key()), (written.clone(), key));
    assert_eq!(read(&written).map(|game| (game.to_text(), game.key())), Some((written, key)));
}
