#![allow(clippy::unwrap_used)]

use crate::EnteringKingRule;
use crate::Shogi;
use crate::walk::{game, random_games};
use hasami_api::{Game, MateGame, Moves, Rules, SearchGame, Start, Verdict};

fn with_rules(text: &str, rules: Rules) -> Shogi {
    Shogi::new(&Start { text: Some(text.into()), rules }).unwrap()
}

fn play(game: &mut Shogi, moves: &str) {
    for text in moves.split_whitespace() {
        let m = game.parse_move(text).unwrap_or_else(|error| panic!("{error} in {}", game.to_text()));
        game.make(m);
    }
}

fn sorted(moves: &Moves<crate::Move>) -> Vec<u16> {
    let mut packed: Vec<u16> = moves.iter().map(|&m| Shogi::pack(m)).collect();
    packed.sort_unstable();
    packed
}

#[test]
fn text_key_and_ply_are_kept_by_printing_and_parsing() {
    let mut start = Shogi::new(&Start::default()).unwrap();
    assert_eq!(start.to_text(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    play(&mut start, "7g7f 3c3d 8h2b+");
    assert_eq!(start.ply(), 3);
    assert_eq!(start.to_text(), "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4");
    assert_eq!(game(&start.to_text()).key(), start.key());
}

#[test]
fn the_fourth_occurrence_draws_also_in_a_clone() {
    let mut shuffle = Shogi::new(&Start::default()).unwrap();
    for round in 0..3 {
        assert_eq!(shuffle.verdict(), Verdict::Open, "round {round}");
        play(&mut shuffle, "2h3h 8b7b 3h2h 7b8b");
        assert_eq!(shuffle.verdict_in_search(4), Verdict::Draw);
        shuffle = shuffle.clone();
    }
    assert_eq!(shuffle.verdict(), Verdict::Draw);
    shuffle.unmake();
    assert_eq!(shuffle.verdict(), Verdict::Open);
}

#[test]
fn repetition_is_found_although_the_board_recurs_with_other_hands() {
    // In each round, Black loses a pawn and wins it back, so the board recurs with different hands and then with the
    // same hands.
    let mut game = game("4k4/9/9/9/r8/8R/9/9/4K4 b 2P2p 1");
    let start = game.key();
    for round in 1..=3 {
        assert_eq!(game.verdict(), Verdict::Open);
        play(&mut game, "P*8e 9e8e 5i5h 8e7e 5h5i 7e9e");
        assert_ne!(game.key(), start);
        play(&mut game, "5i5h P*2f 1f2f 9e8e 2f1f 8e7e 5h5i 7e9e");
        assert_eq!(game.key(), start);
        assert_eq!(game.verdict_in_search(14), Verdict::Draw, "round {round}");
        assert_eq!(game.verdict_in_search(13) == Verdict::Draw, round == 3);
    }
    assert_eq!(game.verdict(), Verdict::Draw);
}

#[test]
fn perpetual_check_is_lost_by_the_checker() {
    let mut game = game("7k1/9/9/9/9/9/9/4R4/K8 b - 1");
    play(&mut game, "5h2h 2a1a 2h1h 1a2a");
    let mut rounds = 0;
    while game.verdict() == Verdict::Open {
        play(&mut game, "1h2h 2a1a 2h1h 1a2a");
        rounds += 1;
    }
    // The position after `1h2h` recurs earlier than the examined position, in which the checking side is to move.
    assert_eq!(rounds, 3);
    assert_eq!(game.verdict(), Verdict::Loss);
    game.unmake();
    play(&mut game, "1a2a");
    assert_eq!(game.verdict_in_search(4), Verdict::Loss);
    let check = game.parse_move("1h2h").unwrap();
    game.make(check);
    assert_eq!(game.verdict_in_search(4), Verdict::Win);
}

#[test]
fn repetition_without_checks_is_a_draw() {
    let mut game = game("7k1/9/9/9/9/9/9/7R1/K8 w - 1");
    for _ in 0..3 {
        play(&mut game, "2a1a 2h3h 1a2a 3h2h");
    }
    assert_eq!(game.verdict(), Verdict::Draw);
}

#[test]
fn positions_before_a_pass_do_not_count_as_repetitions() {
    let mut game = Shogi::new(&Start::default()).unwrap();
    play(&mut game, "2h3h 8b7b 3h2h");
    game.make_null();
    play(&mut game, "2h3h");
    game.make_null();
    assert_eq!(game.verdict_in_search(10), Verdict::Open);
    let key = game.key();
    let copy = game.clone();
    for _ in 0..6 {
        game.unmake();
    }
    assert_eq!(game.ply(), 0);
    assert_eq!(copy.key(), key);
}

#[test]
fn a_win_is_declared_by_points_pieces_and_without_check() {
    // Black's ten pieces in the enemy camp, besides the king, count 10 points, and the two rooks and two bishops in
    // hand count 20.
    let text = "+N+N+N1K4/+P+P+P+P+P+P+P2/9/9/9/9/9/9/4k4 b 2R2B4g4s4lnp 1";
    let verdict = |text: &str, entering_king: EnteringKingRule| {
        with_rules(text, Rules { own: entering_king.number(), ..Rules::default() }).verdict()
    };
    assert_eq!(verdict(text, EnteringKingRule::CsaRule27), Verdict::Win);
    assert_eq!(verdict(text, EnteringKingRule::CsaRule24), Verdict::Open);
    assert_eq!(verdict(text, EnteringKingRule::None), Verdict::Open);
    assert_eq!(verdict(&text.replace("2R2B", "2R2BG").replace("4g", "3g"), EnteringKingRule::CsaRule24), Verdict::Win);
    // A declaration with 27 points suffices for White, but not for Black.
    let black = text.replace("2R2B4g4s4lnp", "2RB2Gb2g4s4lnp");
    assert_eq!(verdict(&black, EnteringKingRule::CsaRule27), Verdict::Open);
    let white = "4K4/9/9/9/9/9/9/2+p+p+p+p+p+p+p/4k1+n+n+n w B2G4S4LNP2rb2g 1";
    assert_eq!(verdict(white, EnteringKingRule::CsaRule27), Verdict::Win);
    // Nine pieces in the enemy camp are too few, and a side in check may not declare.
    assert_eq!(verdict(&text.replace("+N1K", "2K").replace("lnp", "l2np"), EnteringKingRule::CsaRule27), Verdict::Open);
    let checked = "+N+N+N1K2r1/+P+P+P+P+P+P+P2/9/9/9/9/9/9/4k4 b R2B4g4s4lnp 1";
    assert_eq!(verdict(checked, EnteringKingRule::CsaRule27), Verdict::Open);
}

#[test]
fn the_giver_of_a_handicap_needs_fewer_points() {
    let declares = |hands: &str, side: &str, entering_king: EnteringKingRule| {
        let board = match side {
            "w" => "4K4/9/9/9/9/9/1n5n1/l1sg1gs1l/3gkg3",
            _ => "3GKG3/L1SG1GS1L/1N5N1/9/9/9/9/9/4k4",
        };
        with_rules(&format!("{board} {side} {hands} 1"), Rules { own: entering_king.number(), ..Rules::default() })
            .may_declare_win()
    };
    use EnteringKingRule::{CsaRule24, CsaRule24H, CsaRule27, CsaRule27H};
    // Without a rook and a bishop, only 46 of the 56 points remain: the second player needs 17 instead of 27, or 21
    // instead of 31.
    for (hands, can) in [("2S2N2L18Prb", [false, true]), ("2S2N2L17Prbp", [true, true]), ("RB2S2N2L18P", [false; 2])] {
        assert_eq!([CsaRule24H, CsaRule27H].map(|rule| declares(hands, "w", rule)), can, "{hands}");
        assert_eq!([CsaRule24, CsaRule27].map(|rule| declares(hands, "w", rule)), [false; 2], "{hands}");
    }
    assert!(!declares("RB7P2s2n2l11p", "b", CsaRule27H), "27 of the 28 points that the first player needs");
    assert!(declares("RB8P2s2n2l10p", "b", CsaRule27H));
}

#[test]
fn the_try_wins_without_a_declaration() {
    let rules = Rules { own: EnteringKingRule::TryRule.number(), ..Rules::default() };
    let mut game = with_rules("9/4K4/9/9/9/9/9/k8/9 b - 1", rules);
    assert_eq!(game.verdict(), Verdict::Open);
    assert!(!game.may_declare_win());
    play(&mut game, "5b5a");
    assert_eq!(game.verdict(), Verdict::Loss);
}

#[test]
fn a_mate_by_the_last_move_counts() {
    let rules = Rules { max_moves: 10, ..Rules::default() };
    let mut game = with_rules("4k4/9/4P4/9/9/9/9/9/4K4 b G 10", rules);
    assert_eq!(game.draw_clock(), (9, 10));
    play(&mut game, "G*5b");
    assert_eq!((game.ply(), game.count_moves(), game.verdict()), (10, 0, Verdict::Open));
    game.unmake();
    play(&mut game, "G*4b");
    assert_eq!(game.verdict(), Verdict::Draw);
}

#[test]
fn pawn_drop_mate_and_double_pawn_are_illegal() {
    let double = game("4k4/9/9/9/9/9/P8/9/4K4 b P 1");
    assert!(double.parse_move("P*9e").is_err());
    assert!(double.parse_move("P*8e").is_ok());
    // The knight and the enemy gold shut in the king on 1a, and nothing can capture on 1b.
    let shut = game("6snk/9/7G1/9/9/9/9/9/4K4 b P 1");
    assert!(shut.parse_move("P*1b").is_err());
    // If the gold is one file further away, the king can capture the pawn.
    assert!(game("6snk/9/6G2/9/9/9/9/9/4K4 b P 1").parse_move("P*1b").is_ok());
}

#[test]
fn illegal_moves_are_distinguished_from_other_texts() {
    use hasami_api::ParseMoveError::{Illegal, Notation};
    let game = Shogi::new(&Start::default()).unwrap();
    assert_eq!(game.parse_move("7g7e"), Err(Illegal("7g7e".into())));
    for text in ["resign", "win", "e2e4", "", "7g7f++", "p*5e", "０", "none", "null"] {
        assert!(matches!(game.parse_move(text), Err(Notation(_) | Illegal(_))), "{text}");
    }
    assert!(matches!(game.parse_move("resign"), Err(Notation(_))));
}

#[test]
fn move_lists_keys_and_checks_are_consistent_in_random_games() {
    random_games(7, 64, 120, |game, moves| {
        let before = (game.to_text(), game.key(), game.feature_keys());
        assert_eq!(moves.len(), game.count_moves(), "{}", before.0);
        let mut all = Moves::new();
        all.extend(moves.iter().copied());
        let mut checks = Moves::new();
        game.checking_moves(&mut checks);
        let mut expected = Moves::new();
        for &m in moves {
            let (gives_check, key_after) = (game.gives_check(m), game.key_after(m));
            assert_eq!(game.parse_move(&game.format_move(m)).unwrap(), m);
            game.make(m);
            assert_eq!((game.in_check(), game.key()), (gives_check, key_after), "{m} in {}", before.0);
            if gives_check {
                expected.push(m);
            }
            game.unmake();
        }
        assert_eq!(sorted(&checks), sorted(&expected), "{}", before.0);
        assert_eq!((game.to_text(), game.key(), game.feature_keys()), before);
        assert_eq!(crate::walk::game(&before.0).key(), before.1);
        let packed = sorted(&all);
        assert!(packed.windows(2).all(|pair| pair[0] < pair[1]) && packed.first() != Some(&0));
        assert_useful_and_noisy_moves_are_legal(game, &packed);
    });
}

fn assert_useful_and_noisy_moves_are_legal(game: &Shogi, all: &[u16]) {
    let mut useful = Moves::new();
    game.search_moves(&mut useful);
    let useful = sorted(&useful);
    assert!(useful.iter().all(|m| all.binary_search(m).is_ok()));
    assert_eq!(useful.is_empty(), all.is_empty());
    if game.in_check() {
        return;
    }
    let mut noisy = Moves::new();
    game.noisy_moves(&mut noisy);
    let packed = sorted(&noisy);
    assert!(packed.windows(2).all(|pair| pair[0] < pair[1]), "{}", game.to_text());
    assert!(packed.iter().all(|m| all.binary_search(m).is_ok()), "{}", game.to_text());
    let captures = useful.iter().filter(|m| packed.binary_search(m).is_ok()).count();
    assert_eq!(captures, packed.len());
}
