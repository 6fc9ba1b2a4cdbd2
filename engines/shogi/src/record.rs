//! Reads and writes games as CSA and KIF. rsshogi writes the files; the submodules read the many forms of files that
//! programs and people produce.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod annotate;
mod board;
mod comment;
mod csa;
mod kif;
mod men;
mod notation;
mod reading;
mod side_lines;

use crate::{EnteringKingRule, Shogi};
use hasami_api::{
    Ending, Format, Game, GameRecord, GameReview, Judging, Outcome, OwnEnding, ReadGame, RecordError, Records, Rules,
    Side, Verdict,
};
use notation::{Notation, failed};
use rsshogi::board::{generate_sfen_with_ply, hirate_position};
use rsshogi::records::csa::export_csa_with_options;
use rsshogi::records::formats::common::{CsaVersion, ExportOptions};
use rsshogi::records::kif::export_kif;
use rsshogi::records::{MoveEntry, Record, RecordInitialPosition, RecordMetadata, SpecialMove, SpecialMoveEntry};
use rsshogi::types::{GameResult, Move};

/// CSA's file format for games, V3 (computer-shogi.org).
pub const CSA: Format = Format { separator: "/\n", has_variations: true, ..Format::new("csa") };
/// KIF, the file format of the program Kifu for Windows. Files named `.kifu` are in UTF-8.
pub const KIF: Format = Format { others: &["kifu"], has_variations: true, is_shift_jis: true, ..Format::new("kif") };

/// A repetition that one side loses because each of its moves gave check.
pub const PERPETUAL_CHECK: Ending = Ending::Own(&OwnEnding { word: "perpetual check", is_known_to_engines: true });
/// A win by the try rule: the winner's king has reached the start square of the other king.
pub const TRY: Ending = Ending::Own(&OwnEnding { word: "try", is_known_to_engines: true });

fn notation(format: Format) -> Result<Notation, RecordError> {
    match format {
        CSA => Ok(Notation::Csa),
        KIF => Ok(Notation::Kif),
        _ => Err(not_ours(format)),
    }
}

impl Records for Shogi {
    const FORMATS: &'static [Format] = &[CSA, KIF];
    const ENDINGS: &'static [Ending] = &[PERPETUAL_CHECK, TRY];
    const SIDES: [&'static str; 2] = ["Black", "White"];
    const PLIES_PER_MOVE: u32 = 1;
    const JUDGING: Judging = Judging::SHOGI;

    fn own_rule(rules: Rules) -> Option<(&'static str, String)> {
        Some(("entering_king", format!("{:?}", EnteringKingRule::of(rules))))
    }

    fn write_record(record: &GameRecord, format: Format) -> Result<String, RecordError> {
        let notation = notation(format)?;
        let text = match notation {
            Notation::Csa => {
                let options = ExportOptions::default().with_csa_version(CsaVersion::V3_0);
                let text = export_csa_with_options(&convert(record, notation)?, options).map_err(failed)?;
                board::with_even_rows(&text)
            }
            Notation::Kif => {
                let text = export_kif(&convert(record, notation)?).map_err(failed)?;
                side_lines::with_side_lines(&(board::with_kanji_hands(&text) + "\n"), record)?
            }
        };
        Ok(text)
    }

    fn read_records(text: &str, format: Format) -> Result<Vec<ReadGame>, RecordError> {
        match notation(format)? {
            Notation::Csa => csa::read(text),
            Notation::Kif => kif::read(text),
        }
    }

    fn players(text: &str, format: Format) -> Vec<[String; 2]> {
        notation(format).map_or_else(|_| Vec::new(), |notation| annotate::players(text, notation))
    }

    fn annotate(text: &str, format: Format, reviews: &[GameReview]) -> Result<String, RecordError> {
        annotate::annotate(text, notation(format)?, reviews)
    }

    fn ending(&self) -> Ending {
        if self.count_moves() == 0 {
            return Ending::Checkmate;
        }
        let max = self.max_moves();
        match self.verdict() {
            Verdict::Win if self.may_declare_win() => Ending::Declaration,
            Verdict::Loss if self.opponent_tried() => TRY,
            Verdict::Win | Verdict::Loss => PERPETUAL_CHECK,
            _ if max != 0 && self.ply() >= max => Ending::MaxMoves,
            _ => Ending::Repetition,
        }
    }
}

fn not_ours(format: Format) -> RecordError {
    RecordError::Other(format!("{} is not a format of shogi records (csa, kif)", format.word))
}

fn convert(game: &GameRecord, notation: Notation) -> Result<Record, RecordError> {
    let start = match &game.start.text {
        Some(text) => with_number(text),
        None => generate_sfen_with_ply(&hirate_position(), Some(1)),
    };
    let moves = game.moves.iter().map(|played| Move::from_usi(&played.text).map(MoveEntry::new));
    let moves =
        moves.collect::<Option<Vec<_>>>().ok_or_else(|| RecordError::Other("expected moves in USI".to_owned()))?;
    let initial = RecordInitialPosition::from(start.as_str());
    let mut record = Record::from_main_line(initial, moves, Some(terminal(game, notation))).map_err(failed)?;
    record.set_metadata(metadata(game, notation));
    let opening = game.moves.iter().take_while(|played| played.book).count();
    if opening > 0 {
        let comment = match notation {
            Notation::Csa => format!("opening: {opening} plies"),
            Notation::Kif => format!("開始局面集：{opening}手"),
        };
        record.set_initial_comment(Some(comment));
    }
    let mut position = Shogi::new(&game.start).map_err(failed)?;
    for (id, played) in record.main_line_ids().into_iter().zip(&game.moves) {
        let node = record.node_mut(id).map_err(failed)?;
        node.set_time_ms(played.time.map(|time| u32::try_from(time.as_millis()).unwrap_or(u32::MAX)));
        let side = position.side();
        let m = position.parse_move(&played.text).map_err(failed)?;
        position.make(m);
        node.set_comment(comment::comment(played, &position, side, notation));
    }
    if !game.remark.is_empty()
        && let Some(id) = record.main_terminal_node()
    {
        record.node_mut(id).map_err(failed)?.set_comment(Some(one_line(&game.remark)));
    }
    Ok(record)
}

/// Adds the move number 1, which record files require, to an SFEN that has no move number.
fn with_number(sfen: &str) -> String {
    if sfen.split_whitespace().count() < 4 { format!("{} 1", sfen.trim()) } else { sfen.to_owned() }
}

fn metadata(game: &GameRecord, notation: Notation) -> RecordMetadata {
    let known = |text: &str| (!text.is_empty()).then(|| one_line(text));
    let mut builder = RecordMetadata::builder();
    builder.black_player(known(&game.players[0])).white_player(known(&game.players[1]));
    builder.event(known(&game.event)).site(known(&game.site));
    builder.start_date(known(&game.began.replace('-', "/"))).end_date(known(&game.ended.replace('-', "/")));
    let [black, white] = &game.clocks;
    let clocks = if black == white { black.clone() } else { format!("{black} - {white}") };
    builder.comment(known(&clocks).map(|clocks| match notation {
        Notation::Csa => format!("time control: {clocks}"),
        Notation::Kif => format!("持ち時間：{}", comment::clock(&clocks)),
    }));
    builder.build()
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The special move that states how the game ended. If CSA or KIF has no word for an ending, the nearest word with the
/// right winner is written, and a comment after the word gives the reason. Perpetual check counts as a foul by the
/// loser, whichever side moved last.
fn terminal(game: &GameRecord, notation: Notation) -> SpecialMoveEntry {
    let mover_won = match game.outcome {
        Outcome::Win(winner) => winner == mover_after(game),
        Outcome::Draw => return drawn(game.ending),
        Outcome::Unfinished => return SpecialMoveEntry::new(SpecialMove::Interrupt, GameResult::Paused),
    };
    let black = game.outcome == Outcome::Win(Side::First);
    let pick = |first, second| if black { first } else { second };
    let plain = pick(GameResult::BlackWin, GameResult::WhiteWin);
    let fouled = pick(GameResult::BlackWinByIllegalMove, GameResult::WhiteWinByIllegalMove);
    let illegal = |mark: &str| {
        let kind = if mover_won { SpecialMove::WinByIllegalMove } else { SpecialMove::LoseByIllegalMove };
        SpecialMoveEntry::new(kind, fouled).with_raw((notation == Notation::Csa).then(|| mark.to_owned()))
    };
    // In CSA, `%+ILLEGAL_ACTION` stands for a foul by Black.
    let action = if black { "%-ILLEGAL_ACTION" } else { "%+ILLEGAL_ACTION" };
    match game.ending {
        Ending::Checkmate if !mover_won => SpecialMoveEntry::new(SpecialMove::Mate, plain),
        Ending::TimeLoss if !mover_won => {
            let result = pick(GameResult::BlackWinByTimeout, GameResult::WhiteWinByTimeout);
            SpecialMoveEntry::new(SpecialMove::Timeout, result)
        }
        Ending::Declaration if mover_won => {
            let result = pick(GameResult::BlackWinByDeclaration, GameResult::WhiteWinByDeclaration);
            SpecialMoveEntry::new(SpecialMove::WinByDeclaration, result)
        }
        Ending::IllegalMove if !mover_won => illegal("%ILLEGAL_MOVE"),
        PERPETUAL_CHECK => illegal(action),
        _ if mover_won => illegal(action),
        _ => SpecialMoveEntry::new(SpecialMove::Resign, plain),
    }
}

/// Returns the side to move at the end of a game.
fn mover_after(game: &GameRecord) -> Side {
    let first = Shogi::new(&game.start).map_or(Side::First, |start| start.side());
    if game.moves.len().is_multiple_of(2) { first } else { first.other() }
}

fn drawn(ending: Ending) -> SpecialMoveEntry {
    match ending {
        Ending::Repetition => SpecialMoveEntry::new(SpecialMove::RepetitionDraw, GameResult::DrawByRepetition),
        Ending::MaxMoves => SpecialMoveEntry::new(SpecialMove::MaxMoves, GameResult::DrawByMaxPlies),
        _ => SpecialMoveEntry::new(SpecialMove::Draw, GameResult::DrawByAdjudication),
    }
}

impl Shogi {
    /// Returns whether the side that is not to move has won by the try rule.
    fn opponent_tried(&self) -> bool {
        self.entering_king() == EnteringKingRule::TryRule && self.opponent_has_tried()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::walk::STARTS;
    use hasami_api::{Line, Moves, PlayedMove, Score, Start};
    use std::time::Duration;

    fn record(moves: &str, outcome: Outcome, ending: Ending) -> GameRecord {
        let played = |text: &str| PlayedMove {
            time: Some(Duration::from_millis(1_250)),
            score: Some(Score::cp(40)),
            depth: Some(9),
            nodes: Some(777),
            ..PlayedMove::new(text.parse().unwrap())
        };
        GameRecord {
            players: ["alpha".into(), "beta".into()],
            began: "2026-11-21 14:05:09".into(),
            moves: moves.split_whitespace().map(played).collect(),
            outcome,
            ending,
            remark: "the reason".into(),
            ..GameRecord::default()
        }
    }

    fn read(text: &str, format: Format) -> Vec<Line> {
        let games = Shogi::read_records(text, format).unwrap();
        games.into_iter().map(|game| game.into_line().unwrap().0).collect()
    }

    #[test]
    fn csa_has_clocks_scores_and_the_result() {
        let game = record("7g7f 3c3d 8h2b+", Outcome::Win(Side::First), Ending::Resignation);
        let text = Shogi::write_record(&game, CSA).unwrap();
        for line in ["N+alpha", "N-beta", "PI", "+7776FU", "T1.250", "'** 40 #777", "'** -40 #777", "+8822UM", "%TORYO"]
        {
            assert!(text.lines().any(|other| other == line), "{line}: {text}");
        }
        let two = format!("{text}{}{text}", CSA.separator);
        assert_eq!(read(&two, CSA), [game.line(), game.line()]);
    }

    #[test]
    fn kif_has_clocks_scores_and_the_result() {
        let game = record("7g7f 3c3d 8h2b+", Outcome::Win(Side::First), Ending::Resignation);
        let text = Shogi::write_record(&game, KIF).unwrap();
        for part in ["先手：alpha", "▲".trim_start_matches('▲'), "７六歩(77)", "２二角成(88)", "投了", "評価値=40"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(read(&(text.clone() + &text), KIF), [game.line(), game.line()]);
    }

    #[test]
    fn bookmarks_and_remarks_of_programs_are_skipped() {
        let game = record("7g7f 3c3d", Outcome::Win(Side::First), Ending::Resignation);
        let text = Shogi::write_record(&game, KIF).unwrap();
        let marked = text.replace("   2 ", "&bookmark\n# remark\n   2 ");
        assert_ne!(marked, text);
        assert_eq!(read(&marked, KIF), [game.line()]);
    }

    #[test]
    fn every_ending_has_its_word_in_both_formats() {
        let black = Outcome::Win(Side::First);
        let white = Outcome::Win(Side::Second);
        // After one move White is to move, and after two moves Black.
        for (ending, outcome, moves, kif, csa) in [
            (Ending::Checkmate, black, 1, "詰み", "%TSUMI"),
            (Ending::Resignation, black, 1, "投了", "%TORYO"),
            (Ending::Repetition, Outcome::Draw, 1, "千日手", "%SENNICHITE"),
            (PERPETUAL_CHECK, black, 1, "反則負け", "%-ILLEGAL_ACTION"),
            (PERPETUAL_CHECK, white, 1, "反則勝ち", "%+ILLEGAL_ACTION"),
            (PERPETUAL_CHECK, black, 2, "反則勝ち", "%-ILLEGAL_ACTION"),
            (PERPETUAL_CHECK, white, 2, "反則負け", "%+ILLEGAL_ACTION"),
            (Ending::Declaration, white, 1, "入玉勝ち", "%KACHI"),
            (Ending::Declaration, black, 2, "入玉勝ち", "%KACHI"),
            (Ending::IllegalMove, black, 1, "反則負け", "%ILLEGAL_MOVE"),
            (Ending::IllegalMove, white, 2, "反則負け", "%ILLEGAL_MOVE"),
            (Ending::TimeLoss, black, 1, "切れ負け", "%TIME_UP"),
            (Ending::TimeLoss, white, 2, "切れ負け", "%TIME_UP"),
            (Ending::MaxMoves, Outcome::Draw, 1, "最大手数", "%MAX_MOVES"),
            (Ending::Adjudication, Outcome::Draw, 1, "裁定引分", "%HIKIWAKE"),
            (Ending::Interruption, Outcome::Unfinished, 1, "中断", "%CHUDAN"),
            // CSA and KIF have no words for a try or a crash: resignation is written instead, and the comment gives the
            // reason.
            (TRY, black, 1, "投了", "%TORYO"),
            (Ending::Crash, black, 1, "投了", "%TORYO"),
        ] {
            let game = record(["7g7f", "7g7f 3c3d"][moves - 1], outcome, ending);
            let [in_kif, in_csa] = [KIF, CSA].map(|format| Shogi::write_record(&game, format).unwrap());
            let entry = format!("{:>4} {kif}", moves + 1);
            assert!(in_kif.lines().any(|line| line.starts_with(&entry)), "{ending} {outcome:?} {kif}: {in_kif}");
            assert!(in_csa.lines().any(|line| line == csa), "{ending} {outcome:?} {csa}: {in_csa}");
        }
    }

    #[test]
    fn every_ending_can_be_written() {
        let own = Shogi::ENDINGS.iter().copied();
        for ending in Ending::COMMON.into_iter().chain(own) {
            for outcome in [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw, Outcome::Unfinished] {
                for moves in ["7g7f", "7g7f 3c3d"] {
                    for format in [CSA, KIF] {
                        let game = record(moves, outcome, ending);
                        let text = Shogi::write_record(&game, format);
                        assert!(text.is_ok(), "{ending} {outcome:?} {moves} {format:?}: {text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn start_positions_are_written_and_read() {
        let start = Start { text: Some("4k4/9/4P4/9/9/9/9/9/4K4 b G".into()), ..Start::default() };
        let game = GameRecord { start, ..record("G*5b", Outcome::Win(Side::First), Ending::Checkmate) };
        for format in [CSA, KIF] {
            let text = Shogi::write_record(&game, format).unwrap();
            let read = read(&text, format);
            assert_eq!(read[0].moves, game.line().moves, "{text}");
            assert!(read[0].start.text.as_deref().unwrap().starts_with("4k4/9/4P4/9/9/9/9/9/4K4 b G"), "{text}");
        }
    }

    #[test]
    fn positions_with_more_pieces_than_a_set_are_written_and_read() {
        for (number, text) in (0..).zip(&STARTS[8..]) {
            let mut game = crate::walk::game(text);
            let start = Start { text: Some((*text).into()), ..Start::default() };
            let mut played = Vec::new();
            for ply in 0..40 {
                let mut moves = Moves::new();
                game.legal_moves(&mut moves);
                let Some(&m) = moves.get((7 * ply + number) % moves.len().max(1)) else { break };
                played.push(game.format_move(m).to_string());
                game.make(m);
            }
            let record =
                GameRecord { start, ..record(&played.join(" "), Outcome::Win(Side::First), Ending::Resignation) };
            for format in [CSA, KIF] {
                let written = Shogi::write_record(&record, format).unwrap();
                let all = read(&written, format);
                assert_eq!(all.len(), 1, "{written}");
                let read = &all[0];
                assert_eq!(read.moves, record.line().moves, "{written}");
                assert_eq!(Shogi::new(&read.start).unwrap().to_text(), *text, "{written}");
            }
        }
    }

    #[test]
    fn an_impossible_hand_is_refused() {
        let game = record("7g7f", Outcome::Win(Side::First), Ending::Resignation);
        let start = Start { text: Some("4k4/9/9/9/9/9/9/9/4K4 b 31P 1".into()), ..Start::default() };
        let kif = Shogi::write_record(&GameRecord { start, moves: Vec::new(), ..game }, KIF).unwrap();
        assert!(kif.contains("歩三十一"), "{kif}");
        let games = Shogi::read_records(&kif.replace("三十一", "三十二"), KIF).unwrap();
        let error = games[0].clone().into_line().unwrap_err().to_string();
        assert!(error.contains("32") && !error.contains('\n'), "{error}");
    }

    #[test]
    fn a_position_without_moves_ends_by_checkmate() {
        let mut game =
            Shogi::new(&Start { text: Some("4k4/9/4P4/9/9/9/9/9/4K4 b G 1".into()), ..Start::default() }).unwrap();
        let m = game.parse_move("G*5b").unwrap();
        game.make(m);
        let mut moves = Moves::new();
        game.legal_moves(&mut moves);
        assert!(moves.is_empty());
        assert_eq!(game.ending(), Ending::Checkmate);
    }
}
