//! Reads and writes shogi games in the format that rsshogi calls PACK: a start position, four bytes for each move, and
//! an end mark.

use crate::game::{FormatError, LabelledGame, LabelledMove, SelfPlayGame, begin, replay};
use crate::label::Label;
use hasami_api::{Ending, Game, Moves, Outcome, ParseMoveError, Side};
use hasami_shogi::Shogi;
use rsshogi::board::{Position, STARTPOS_SFEN};
use rsshogi::records::pack::{
    PackEndReason, PackError, PackGame, PackGameResult, PackPly, PackStartPosition, decode_game, encode_game,
};

impl LabelledGame for Shogi {
    const POSITION_BYTES: usize = crate::shogi::BYTES;
    const ENDINGS_OF_FILES: [&'static str; 2] = ["pack", "psv"];
    const TELLS_ENDINGS: bool = true;

    fn write_position(&self, label: &Label, out: &mut Vec<u8>) -> bool {
        let packed = crate::shogi::pack(self, label);
        out.extend(packed.iter().flatten());
        packed.is_some()
    }

    fn write_game(played: &SelfPlayGame, out: &mut Vec<u8>) -> Result<(), FormatError> {
        let result = match played.outcome {
            Outcome::Draw => PackGameResult::Draw,
            Outcome::Win(Side::First) => PackGameResult::BlackWin,
            Outcome::Win(Side::Second) => PackGameResult::WhiteWin,
            Outcome::Unfinished => {
                return Err(FormatError("the game has no result".into()));
            }
        };
        let start = begin::<Shogi>(played)?;
        let start_position = if start.to_text() == STARTPOS_SFEN {
            PackStartPosition::Startpos
        } else {
            let hcp = start.position().try_to_huffman_coded_pos();
            let hcp = hcp.map_err(|error| FormatError(error.to_string()))?;
            // The move number comes from `start`, because rsshogi's position counts plies only from its own start.
            let game_ply = u16::try_from(start.ply().saturating_add(1)).unwrap_or(u16::MAX);
            PackStartPosition::Hcp { hcp, game_ply }
        };
        let mut plies = Vec::with_capacity(played.moves.len());
        replay::<Shogi>(played, |_, m, step| {
            plies.push(PackPly { mv: m.to_move().to_apery(), eval: step.score });
            Ok(())
        })?;
        let end_reason = reason(played.outcome, played.ending);
        out.extend(encode_game(&PackGame { start_position, plies, result, end_reason }));
        Ok(())
    }

    fn read_game(bytes: &[u8]) -> Result<Option<(SelfPlayGame, usize)>, FormatError> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let (packed, used) = match decode_game(bytes) {
            Ok(decoded) => decoded,
            Err(PackError::Truncated | PackError::MissingTerminal | PackError::MissingEval(_)) => return Ok(None),
            Err(error) => return Err(FormatError(format!("expected a shogi game in the format PACK, found {error}"))),
        };
        let start = match packed.start_position {
            PackStartPosition::Startpos => STARTPOS_SFEN.to_string(),
            PackStartPosition::Hcp { hcp, game_ply } => {
                let mut position = Position::empty();
                position.set_huffman_coded_pos(&hcp, game_ply).map_err(|error| FormatError(error.to_string()))?;
                position.to_sfen(None)
            }
        };
        let outcome = match packed.result {
            PackGameResult::Draw => Outcome::Draw,
            PackGameResult::BlackWin => Outcome::Win(Side::First),
            PackGameResult::WhiteWin => Outcome::Win(Side::Second),
        };
        let mut played = SelfPlayGame { start, moves: Vec::new(), outcome, ending: ending(packed.end_reason) };
        let mut game = begin::<Shogi>(&played)?;
        played.start = game.to_text();
        for (number, ply) in packed.plies.iter().enumerate() {
            // Comparing the move with the legal moves is faster than formatting it and parsing the text.
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            let m = moves.iter().copied().find(|m| m.to_move() == ply.mv.to_move()).ok_or_else(|| {
                let error = ParseMoveError::Illegal(ply.mv.to_usi());
                FormatError(format!("move {}: {error}", number + 1))
            })?;
            played.moves.push(LabelledMove { text: game.format_move(m), score: ply.eval });
            game.make(m);
        }
        if played.ending == Ending::Adjudication && game.count_moves() == 0 {
            played.ending = Ending::Checkmate;
        }
        Ok(Some((played, used)))
    }
}

fn reason(outcome: Outcome, ending: Ending) -> PackEndReason {
    match (outcome, ending) {
        (Outcome::Draw, Ending::Repetition) => PackEndReason::RepetitionDraw,
        (Outcome::Draw, _) => PackEndReason::MaxMoves,
        (_, Ending::Declaration) => PackEndReason::WinCsa27,
        (_, Ending::Repetition) => PackEndReason::RepetitionCheck,
        _ => PackEndReason::Resign,
    }
}

fn ending(reason: PackEndReason) -> Ending {
    match reason {
        // In files of self-play games, `Resign` stands for all other wins, because an engine does not resign in
        // self-play.
        PackEndReason::Resign => Ending::Adjudication,
        PackEndReason::RepetitionDraw | PackEndReason::RepetitionCheck => Ending::Repetition,
        PackEndReason::MaxMoves | PackEndReason::DrawCsa24 => Ending::MaxMoves,
        PackEndReason::WinCsa24 | PackEndReason::WinCsa27 | PackEndReason::WinTryRule => Ending::Declaration,
        PackEndReason::TimeUp => Ending::TimeLoss,
        PackEndReason::IllegalMove => Ending::IllegalMove,
        PackEndReason::Interrupt | PackEndReason::Reserved(_) => Ending::Interruption,
    }
}
