//! Tests that moves are understood as people type them.
#![allow(clippy::unwrap_used)]
use hasami_api::Line;
use hasami_catalog::typed_words as words;

fn read(game: &str, moves: &str) -> Result<String, String> {
    let line = crate::find(game).unwrap().typed_line(&Line::default(), moves)?;
    Ok(line.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

#[test]
fn moves_may_be_typed_in_any_notation() {
    let castled = Ok("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1".to_owned());
    assert_eq!(read("chess", "e4 e5 Nf3 Nc6 Bc4! g8f6 0-0"), castled);
    let rook = read("chess", "e4 d5 exd5 Qxd5 Nc3 Qe5+ Be2");
    assert_eq!(rook, Ok("e2e4 d7d5 e4d5 d8d5 b1c3 d5e5 f1e2".to_owned()));
    let expected = Ok("7g7f 3c3d 8h2b+ 3a2b B*4e".to_owned());
    assert_eq!(read("shogi", "▲７六歩 △３四歩 ▲２二角成 △同銀 ▲４五角"), expected);
    assert_eq!(read("shogi", "76歩 34歩 22角成 3a2b B*4e"), expected);
    assert_eq!(read("shogi", "P-7f P-3d Bx2b+ Sx2b B*4e"), expected);
}

#[test]
fn texts_that_are_not_moves_are_named() {
    assert!(read("chess", "e4 e5 Nd5").unwrap_err().contains("'Nd5'"));
    assert!(read("chess", "e2e5").is_err());
    assert!(read("shogi", "☗５五玉").unwrap_err().contains("５五玉"));
}

#[test]
fn sequences_of_moves_are_split_as_people_write_them() {
    let expected = ["e4", "e5", "Nf3", "Nc6", "Bb5"].map(str::to_owned);
    assert_eq!(words("1. e4 e5 2.Nf3 2... Nc6  3…Bb5"), expected);
    let shogi = ["▲７六歩", "△３四歩", "▲２二角成", "△同銀"].map(str::to_owned);
    for text in
        ["▲７六歩△３四歩▲２二角成△同　銀", "▲７六歩、△３四歩、▲２二角成、△同銀", "▲ ７六歩 △３四歩 ▲２二角成 △同 銀"]
    {
        assert_eq!(words(text), shogi, "{text}");
    }
    assert_eq!(words("7g7f P*5e 26歩(27) +7776FU"), ["7g7f", "P*5e", "26歩(27)", "+7776FU"]);
    for end in ["resign", "投了", "△投了", "まで3手詰", "*", "1-0"] {
        assert_eq!(words(&format!("7g7f 3c3d {end}")), ["7g7f", "3c3d"], "{end}");
    }
    assert!(words(" \t、").is_empty());
    assert!(read("chess", &"x".repeat(100_000)).unwrap_err().len() < 100, "the message is short");
}

#[test]
fn both_readings_of_an_ambiguous_move_are_named() {
    let error = read("shogi", "７六歩 ３四歩 ２二角").unwrap_err();
    assert!(error.starts_with("move 3: ") && error.contains("8h2b") && error.contains("8h2b+"), "{error}");
}
