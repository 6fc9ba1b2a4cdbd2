#![allow(clippy::unwrap_used)]

use crate::record::{LINES, PERPETUAL_CHECK, REPETITION_LOST};
use crate::{Minishogi, REPETITION_DRAWS};
use hasami_api::perft::divide;
use hasami_api::{Ending, Game, GameRecord, MateGame, Moves, PlayedMove, Records, Rules, SearchGame, Start, Verdict};

fn at(text: &str) -> Minishogi {
    Minishogi::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap()
}

fn play(game: &mut Minishogi, moves: &str) {
    for text in moves.split_whitespace() {
        let m = game.parse_move(text).unwrap();
        game.make(m);
    }
}

/// The expected perft counts were computed with Fairy-Stockfish.
#[test]
fn perft_agrees_with_fairy_stockfish() {
    let mut game = Minishogi::new(&Start::default()).unwrap();
    for (depth, leaves) in [(1, 14), (2, 181), (3, 2_512), (4, 35_401)] {
        assert_eq!(divide(&mut game, depth).iter().map(|(_, count)| count).sum::<u64>(), leaves, "{depth}");
    }
}

#[test]
fn positions_survive_writing() {
    for text in ["rbsgk/4p/5/P4/KGSBR b - 1", "4k/2+R2/5/5/K4 w BG2Pbg2s 12"] {
        assert_eq!(at(text).to_text(), text);
    }
    for text in
        ["", "rbsgk/4p/5/P4/KGSB b - 1", "rbsgk/4p/5/P4/KGSBR x - 1", "k4/R4/5/5/K4 b - 1", "+k4/5/5/5/K4 b - 1"]
    {
        assert!(Minishogi::new(&Start { text: Some(text.into()), ..Start::default() }).is_err(), "{text}");
    }
}

#[test]
fn pawn_drops_obey_the_rules() {
    let game = at("4k/5/4G/5/K4 b P 1");
    assert!(game.parse_move("P*1b").is_ok(), "the king goes to 2a");
    let game = at("3pk/3b1/4G/5/K4 b P 1");
    assert!(game.parse_move("P*1b").is_err(), "mate");
    assert!(at("4k/5/5/4P/K4 b P 1").parse_move("P*1c").is_err(), "two pawns on a file");
    assert!(at("4k/5/5/5/K4 b P 1").parse_move("P*3a").is_err(), "it could not move");
}

#[test]
fn packed_moves_are_unique_and_predictions_agree_with_the_rules() {
    let game = at("4k/2+R2/5/1P3/K3S w BGSPs 12");
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let names: std::collections::BTreeSet<u16> = moves.iter().map(|&m| Minishogi::pack(m)).collect();
    assert!(names.len() == moves.len() && !names.contains(&0));
    for &m in moves.iter() {
        let mut next = game.clone();
        next.make(m);
        assert_eq!((next.key(), next.in_check()), (game.key_after(m), game.gives_check(m)));
        next.unmake();
        assert_eq!(next.to_text(), game.to_text());
    }
    let mut checks = Moves::new();
    game.checking_moves(&mut checks);
    assert!(checks.iter().all(|&m| game.gives_check(m)));
}

#[test]
fn repetition_loses_for_the_first_player_unless_it_is_a_draw() {
    let shuffle = "4e4d 2a2b 4d4e 2b2a ".repeat(3);
    for (own, verdict, ending) in
        [(Rules::USUAL, Verdict::Loss, REPETITION_LOST), (REPETITION_DRAWS, Verdict::Draw, Ending::Repetition)]
    {
        let rules = Rules { own, ..Rules::default() };
        let mut game = Minishogi::new(&Start { text: None, rules }).unwrap();
        play(&mut game, &shuffle);
        assert_eq!((game.verdict(), game.ending()), (verdict, ending));
        game.unmake();
        assert_eq!(game.verdict(), Verdict::Open);
        assert_ne!(game.verdict_in_search(8), Verdict::Open, "a repetition within the search counts");
    }
}

#[test]
fn perpetual_check_loses() {
    let mut game = at("1k3/5/5/5/R3K b - 1");
    play(&mut game, &"5e4e 4a5a 4e5e 5a4a ".repeat(3));
    assert_eq!((game.verdict(), game.ending()), (Verdict::Loss, PERPETUAL_CHECK));
}

#[test]
fn records_survive_writing() {
    let moves = ["3e3d", "3a3b"].map(|text| PlayedMove::new(text.parse().unwrap())).to_vec();
    let game = GameRecord { moves, ending: Ending::Resignation, ..GameRecord::default() };
    let text = Minishogi::write_record(&game, LINES).unwrap();
    assert_eq!(text, "startpos moves 3e3d 3a3b : * resignation\n");
    assert_eq!(Minishogi::read_records(&text, LINES).unwrap(), [game.line().into()]);
    assert!(Minishogi::read_records("rubbish\n", LINES).is_err());
}
