#![allow(clippy::unwrap_used)]

use super::*;
use crate::spec::EngineDraft;
use hasami_api::{Score, Start};

/// A game in which each player has 10 s, from a given position or the initial position.
struct Table {
    game: MatchGame,
}

impl Table {
    fn new(name: &str, position: Option<&str>, rules: AdjudicationRules) -> Self {
        Self::with(name, position, rules, (false, false))
    }

    fn with(
        name: &str,
        position: Option<&str>,
        rules: AdjudicationRules,
        (ponder, virtual_clock): (bool, bool),
    ) -> Self {
        let catalog = hasami_games::find(name).unwrap();
        let start = Start { text: position.map(Into::into), ..Start::default() };
        let seat = |name: &str| {
            let mut draft = EngineDraft::default();
            draft.read(&[format!("name={name} cmd=x tc=10")]).unwrap();
            EngineSpec { ponder, virtual_clock, ..draft.finish().unwrap() }
        };
        let pairing = Pairing { game: 0, round: 1, group: 0, engines: [0, 1], opening: None };
        let terms = Arc::new(Terms { catalog, rules, oracle: None, variations: true });
        let game = MatchGame::new(pairing, [seat("A"), seat("B")], &Line { start, moves: Vec::new() }, terms).unwrap();
        Self { game }
    }

    fn chess() -> Self {
        Self::new("chess", None, AdjudicationRules::default())
    }

    fn play(&mut self, text: &str) -> bool {
        self.answer(text, 10, &[])
    }

    fn answer(&mut self, text: &str, millis: u64, infos: &[ChildInfo]) -> bool {
        let best = match text {
            "resign" => BestMove::Resign,
            "win" => BestMove::Win,
            "none" => BestMove::None,
            text => BestMove::Move { best: text.parse().unwrap(), ponder: None },
        };
        self.game.answer(Ok(best), Duration::from_millis(millis), infos)
    }

    /// Plays moves; the last one, and no earlier one, must end the game.
    fn ends(&mut self, moves: &str) -> (Outcome, Ending, String) {
        let moves: Vec<_> = moves.split_whitespace().collect();
        for (index, text) in moves.iter().enumerate() {
            assert_eq!(self.play(text), index + 1 == moves.len(), "{text}");
        }
        self.end()
    }

    fn end(&mut self) -> (Outcome, Ending, String) {
        let record = self.game.record();
        (record.outcome, record.ending, record.remark.clone())
    }
}

fn info(cp: i32, pv: &str) -> ChildInfo {
    let pv = pv.split_whitespace().map(|m| m.parse().unwrap()).collect();
    ChildInfo { score: Some(Score::cp(cp)), depth: Some(5), pv, ..ChildInfo::default() }
}

const WHITE: Outcome = Outcome::Win(Side::First);
const BLACK: Outcome = Outcome::Win(Side::Second);

#[test]
fn mates_and_repetitions_end_games_of_chess() {
    let end = Table::chess().ends("f2f3 e7e5 g2g4 d8h4");
    assert_eq!(end, (BLACK, Ending::Checkmate, "Black mates".into()));
    let end = Table::chess().ends("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(end, (Outcome::Draw, Ending::Repetition, "draw by repetition".into()));
    let end = Table::new("chess", Some("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), AdjudicationRules::default()).ends("g5g6");
    assert_eq!((end.0, end.1), (Outcome::Draw, Ending::Stalemate));
    let end = Table::new("chess", Some("7k/8/8/8/8/8/R7/K7 w - - 99 80"), AdjudicationRules::default()).ends("a2a3");
    assert_eq!((end.0, end.1), (Outcome::Draw, hasami_chess::NO_PROGRESS));
    let end = Table::new("chess", Some("8/8/8/3k4/8/8/4p3/4K3 w - - 0 1"), AdjudicationRules::default()).ends("e1e2");
    assert_eq!((end.0, end.1), (Outcome::Draw, hasami_chess::MATERIAL));
}

#[test]
fn repetitions_and_perpetual_checks_end_games_of_shogi() {
    let quiet = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let end = Table::new("shogi", None, AdjudicationRules::default()).ends(&quiet);
    assert_eq!((end.0, end.1), (Outcome::Draw, Ending::Repetition));
    // Black's rook gives perpetual check, so Black loses at the fourth occurrence of the position.
    let position = "4k4/9/9/9/9/9/9/4R4/K8 w - 1";
    let checks = "5a4a 5h4h 4a5a 4h5h ".repeat(3);
    let end = Table::new("shogi", Some(position), AdjudicationRules::default()).ends(&checks);
    assert_eq!((end.0, end.1, end.2.as_str()), (BLACK, hasami_shogi::PERPETUAL_CHECK, "White wins by perpetual check"));
}

#[test]
fn a_declaration_must_be_made_and_must_be_right() {
    let entered = "K1+R1+R4/+P+P+P+P+P+P+P+P1/B1B6/9/9/9/9/9/4k4 b - 1";
    let mut table = Table::new("shogi", Some(entered), AdjudicationRules::default());
    assert!(!table.game.begin(), "the right to declare a win does not end the game");
    assert_eq!(table.ends("win"), (WHITE, Ending::Declaration, "Black declares a win".into()));
    let end = Table::new("shogi", None, AdjudicationRules::default()).ends("win");
    assert_eq!((end.0, end.1), (BLACK, Ending::IllegalMove));
}

#[test]
fn illegal_moves_and_resignations_lose() {
    assert_eq!(
        Table::chess().ends("e2e4 e2e4"),
        (WHITE, Ending::IllegalMove, "Black makes an illegal move: e2e4".into())
    );
    assert_eq!(Table::chess().ends("none").1, Ending::IllegalMove);
    assert_eq!(Table::chess().ends("e2e4 resign"), (WHITE, Ending::Resignation, "Black resigns".into()));
    let mut table = Table::chess();
    assert!(table.game.answer(Err("expected a move, found 'x'".into()), Duration::ZERO, &[]));
    assert_eq!(table.end().1, Ending::IllegalMove);
}

#[test]
fn overruns_lose_and_are_remarked() {
    let mut table = Table::chess();
    assert!(!table.answer("e2e4", 9_000, &[]));
    assert!(!table.answer("e7e5", 10, &[]));
    assert_eq!(table.game.question().limit, Some(Duration::from_millis(1_000)));
    assert!(table.answer("g1f3", 1_005, &[]));
    assert_eq!(table.end(), (BLACK, Ending::TimeLoss, "White loses on time (by 5 ms)".into()));
    let mut table = Table::chess();
    assert!(table.game.flag(Duration::from_millis(10_100)));
    assert_eq!(table.end().2, "White loses on time (by more than 100 ms)");
}

#[test]
fn failures_lose() {
    let mut table = Table::chess();
    assert!(table.game.forfeit(Side::Second, Ending::Crash, "ended with signal 11"));
    assert_eq!(table.end(), (WHITE, Ending::Crash, "Black's engine crashes (ended with signal 11)".into()));
}

#[test]
fn scores_and_clocks_are_recorded() {
    let mut table = Table::chess();
    table.answer("e2e4", 1_500, &[info(10, "d2d4"), info(35, "e2e4 e7e5")]);
    let played = table.game.record().moves[0].clone();
    assert_eq!((played.score, played.depth), (Some(Score::cp(35)), Some(5)));
    assert_eq!((played.time, played.left), (Some(Duration::from_millis(1_500)), Some(Duration::from_millis(8_500))));
    assert_eq!(played.pv.len(), 2);
}

#[test]
fn bad_variations_are_reported_once_per_move() {
    let mut table = Table::chess();
    table.answer("e2e4", 1, &[info(1, "e2e4 e7e5 e1e3"), info(1, "e2e5"), info(1, "e2e4 e7e5")]);
    let warnings = table.game.take_warnings();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].0 == Side::First && warnings[0].1.contains("illegal move e1e3 at ply 3"), "{warnings:?}");
    table.answer("e7e5", 1, &[info(1, "d7d5")]);
    assert!(table.game.take_warnings()[0].1.contains("d7d5, but it plays e7e5"));
    table.answer("g1f3", 1, &[info(1, "g1f3 b8c6 f1c4"), info(2, "g1f3 b8c6 f1b5")]);
    assert!(table.game.take_warnings().is_empty());
    assert_eq!(table.game.question().line.moves.len(), 3);
}

#[test]
fn variations_end_with_the_game() {
    let mut table = Table::chess();
    for text in ["f2f3", "e7e5", "g2g4"] {
        table.play(text);
    }
    table.answer("d8h4", 1, &[info(900, "d8h4 e1f2")]);
    assert!(table.game.take_warnings()[0].1.contains("goes on after the end of the game"));
}

#[test]
fn scores_decide_if_the_rules_say_so() {
    let resign = Some(super::super::adjudicate::ResignRule { move_count: 1, score: 400, two_sided: false });
    let mut table = Table::new("chess", None, AdjudicationRules { resign, ..AdjudicationRules::default() });
    assert!(table.answer("e2e4", 1, &[info(-500, "e2e4")]));
    assert_eq!(table.end(), (BLACK, Ending::Adjudication, "Black wins by adjudication".into()));
    let mut table = Table::new("shogi", None, AdjudicationRules { max_plies: 2, ..AdjudicationRules::default() });
    assert_eq!(table.ends("7g7f 3c3d").1, Ending::MaxMoves);
}

#[test]
fn a_table_decides() {
    struct Lost;
    impl Oracle for Lost {
        fn probe(&self, _: &str) -> Option<Verdict> {
            Some(Verdict::Loss)
        }
    }
    let mut table = Table::chess();
    table.game.terms = Arc::new(Terms {
        catalog: hasami_games::find("chess").unwrap(),
        rules: AdjudicationRules::default(),
        oracle: Some(Arc::new(Lost)),
        variations: false,
    });
    assert_eq!(table.ends("e2e4"), (WHITE, Ending::Table, "White wins by tablebase".into()));
}

#[test]
fn players_ponder_on_the_expected_move() {
    let mut table = Table::with("chess", None, AdjudicationRules::default(), (true, false));
    let best = |best: &str, ponder: &str| {
        Ok(BestMove::Move { best: best.parse().unwrap(), ponder: Some(ponder.parse().unwrap()) })
    };
    assert!(!table.game.answer(best("e2e4", "e7e5"), Duration::ZERO, &[]));
    let question = table.game.ponder_question().unwrap();
    assert!(question.go.ponder && question.line.moves.len() == 2);
    assert!(!table.game.is_hit());
    assert!(!table.game.answer(best("e7e5", "g1f3"), Duration::ZERO, &[]));
    assert!(table.game.is_hit());
    assert!(!table.game.answer(best("d2d4", "e5d4"), Duration::ZERO, &[]));
    assert!(!table.game.is_hit());
}

#[test]
fn a_virtual_clock_counts_the_time_that_the_engine_reports() {
    let mut table = Table::with("chess", None, AdjudicationRules::default(), (false, true));
    assert_eq!(table.game.question().limit, None, "real time does not count");
    let after = |millis| ChildInfo { time: Some(Duration::from_millis(millis)), ..info(0, "") };
    assert!(!table.answer("e2e4", 60_000, &[after(400), after(9_000)]));
    assert!(!table.answer("e7e5", 60_000, &[]));
    assert!(table.answer("d2d4", 1, &[after(1_001)]));
    let (outcome, ending, _) = table.end();
    assert_eq!((outcome, ending), (BLACK, Ending::TimeLoss));
}
