#![allow(clippy::unwrap_used)]

use hasami_api::{Line, MoveText, Side};
use hasami_catalog::{PvFault, Referee};

fn referee(game: &str, position: Option<&str>) -> Box<dyn Referee> {
    let start = hasami_api::Start { text: position.map(Into::into), ..hasami_api::Start::default() };
    crate::find(game).unwrap().referee(&Line { start, moves: Vec::new() }).unwrap()
}

fn pv(text: &str) -> Vec<MoveText> {
    text.split_whitespace().map(|m| m.parse().unwrap()).collect()
}

#[test]
fn checking_variations_does_not_change_the_game() {
    let mut referee = referee("chess", None);
    let before = referee.to_text();
    assert_eq!(referee.check_pv(&pv("e2e4 e7e5 g1f3")), None);
    assert_eq!((referee.side(), referee.ply()), (Side::First, 0));
    assert_eq!(referee.check_pv(&pv("e2e4 c7c5 g1f3")), None);
    assert_eq!(referee.check_pv(&pv("e2e4 c7c5 g1f3 e8e1")), Some(PvFault::Illegal(3)));
    assert_eq!(referee.to_text(), before);
    assert_eq!(&*referee.play("e2e4").unwrap(), "e2e4");
    assert_eq!((referee.side(), referee.ply()), (Side::Second, 1));
    assert!(referee.play("e2e4").is_err());
    assert_eq!(referee.check_pv(&pv("e7e5")), None);
}

#[test]
fn variations_must_end_at_a_mate_or_repetition() {
    let mut game = referee("chess", Some("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"));
    assert_eq!(game.check_pv(&pv("d1d8 g8f8")), Some(PvFault::PastEnd(1)));
    assert_eq!(game.check_pv(&pv("d1d8")), None);
    let dance = "g1h1 g8h8 h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1";
    assert_eq!(game.check_pv(&pv(dance)), Some(PvFault::PastEnd(8)));
}

#[test]
fn an_error_names_the_illegal_move() {
    let line = Line { moves: pv("e2e4 e2e4"), ..Line::default() };
    let error = crate::find("chess").unwrap().referee(&line).err().unwrap().to_string();
    assert!(error.starts_with("move 2: "), "{error}");
}
