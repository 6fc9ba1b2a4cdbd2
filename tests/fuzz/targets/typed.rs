//! Fuzzes moves as people type them: parsing never panics. The parsed moves are legal, and are unchanged after being
//! written in either notation and read again.

use hasami_api::Line;
use hasami_games::GAMES;

pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for game in GAMES.iter() {
        let Ok(line) = game.typed_line(&Line::default(), text) else { continue };
        assert_eq!(game.check(&line), Ok(()));
        let written = line.moves.iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(game.typed_line(&Line::default(), &written), Ok(line.clone()), "{text}");
        let spoken = game.notation(&line).expect("a legal line").join(" ");
        assert_eq!(game.typed_line(&Line::default(), &spoken), Ok(line), "{spoken}");
    }
}
