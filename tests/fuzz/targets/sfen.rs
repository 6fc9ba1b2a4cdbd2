#![no_main]
//! No SFEN panics; what is accepted has moves that can be made and taken back, and reads back as itself.

use hasami_api::{Game, Moves, Start};
use hasami_shogi::Shogi;

fn read(text: &str) -> Option<Shogi> {
    Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).ok()
}

libfuzzer_sys::fuzz_target!(|text: &str| {
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
});
