//! Reads the start position and the moves of CSA files (computer-shogi.org), V1 to V3.

use super::men::{KINDS, Men};
use super::reading::Reading;
use crate::typed::CSA_KINDS;
use hasami_api::{ReadGame, RecordError};

/// Returns the games of a file. A line `/` separates games, and so does a position, a version or a name that follows
/// the moves of a game.
pub(super) fn read(text: &str) -> Result<Vec<ReadGame>, RecordError> {
    let mut file = CsaFile::default();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        // Commas separate statements, except within comments and headers.
        let parts: Vec<&str> = if line.starts_with('\'') { Vec::new() } else { line.split(',').collect() };
        let is_header = line.starts_with(['N', '$', 'V']);
        for part in if is_header { vec![line] } else { parts } {
            file.statement(part.trim_end(), number)?;
        }
    }
    file.end_game();
    Ok(file.games)
}

#[derive(Default)]
struct CsaFile {
    games: Vec<ReadGame>,
    men: Option<Men>,
    /// The game whose moves are being read; `None` before the first move.
    reading: Option<Reading>,
}

impl CsaFile {
    fn statement(&mut self, text: &str, number: usize) -> Result<(), RecordError> {
        let bad = || RecordError::line(text).at_line(number);
        match text.as_bytes() {
            [] => {}
            [b'/'] => self.end_game(),
            [b'V' | b'N', ..] | [b'P', b'I' | b'1', ..] if self.reading.is_some() => {
                self.end_game();
                self.statement(text, number)?;
            }
            [b'V' | b'N' | b'$' | b'T' | b'%', ..] => {
                let is_end = text.starts_with('%');
                self.open(is_end);
            }
            [b'P', rest @ ..] => position(self.men.get_or_insert_default(), rest).ok_or_else(bad)?,
            [turn @ (b'+' | b'-')] => self.men.get_or_insert_default().white_first = Some(*turn == b'-'),
            [b'+' | b'-', ..] => {
                self.open(true);
                if let Some(reading) = &mut self.reading {
                    reading.play(text.trim(), number);
                }
            }
            _ if text.trim().is_empty() => {}
            _ => return Err(bad()),
        }
        Ok(())
    }

    fn open(&mut self, is_begun: bool) {
        if is_begun && self.reading.is_none() {
            self.reading = Some(Reading::from(&self.men.take().unwrap_or_default()));
        }
    }

    fn end_game(&mut self) {
        self.open(self.men.is_some());
        if let Some(reading) = self.reading.take() {
            self.games.push(reading.finish(self.games.len() + 1));
        }
    }
}

/// Reads a line about the start position, without the initial `P`. Returns `None` if the line is malformed.
fn position(men: &mut Men, text: &[u8]) -> Option<()> {
    let text = std::str::from_utf8(text).ok()?;
    match *text.as_bytes().first()? {
        b'I' => {
            let white_first = men.white_first;
            *men = Men::of_handicap("平手")?;
            men.white_first = white_first;
            pieces(&text[1..], |file, rank, _| (file > 0).then(|| men.set(file, rank, None)))
        }
        digit @ b'1'..=b'9' => {
            men.set_rank(usize::from(digit - b'1'), rank(&text[1..])?);
            Some(())
        }
        sign @ (b'+' | b'-') => {
            let side = usize::from(sign == b'-');
            if !men.has_board() {
                men.clear_board();
            }
            pieces(&text[1..], |file, rank, name| {
                if (file, rank) == (0, 0) && name == "AL" {
                    men.give_the_rest(side);
                } else if (file, rank) == (0, 0) {
                    let kind =
                        KINDS.iter().position(|kind| sfen(name).is_some_and(|piece| piece == kind.to_string()))?;
                    men.add_to_hand(side, kind, 1);
                } else {
                    men.set(file, rank, Some(man(name, side)?));
                }
                Some(())
            })
        }
        _ => None,
    }
}

/// Returns the SFEN letters for a piece's name in CSA.
fn sfen(name: &str) -> Option<String> {
    CSA_KINDS.iter().find(|(csa, _)| *csa == name).map(|(_, kind)| kind.to_string())
}

fn man(name: &str, side: usize) -> Option<String> {
    let piece = sfen(name)?;
    Some(if side == 0 { piece } else { piece.to_ascii_lowercase() })
}

/// Calls `each` with the file, rank and name of every piece in a text such as `82HI22KA`.
fn pieces(text: &str, mut each: impl FnMut(usize, usize, &str) -> Option<()>) -> Option<()> {
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at_checked(4)?;
        let mut digits = piece.bytes().take(2).map(|digit| char::from(digit).to_digit(10));
        let (file, rank) = (digits.next()?? as usize, digits.next()?? as usize);
        // `00` stands for the hand, so a zero file requires a zero rank, and vice versa.
        if (file == 0) != (rank == 0) {
            return None;
        }
        each(file, rank, piece.get(2..)?)?;
        rest = behind;
    }
    Some(())
}

/// Reads nine squares, each ` * ` or a piece such as `+FU`. Some programs put different white space around the stars.
fn rank(text: &str) -> Option<Vec<Option<String>>> {
    let (mut men, mut rest) = (Vec::with_capacity(9), text.trim());
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix('*') {
            men.push(None);
            rest = behind.trim_start();
            continue;
        }
        let side = usize::from(rest.strip_prefix('+').is_none());
        let behind = rest.strip_prefix(['+', '-'])?;
        let (name, behind) = behind.split_at_checked(2)?;
        men.push(Some(man(name, side)?));
        rest = behind.trim_start();
    }
    (men.len() == 9).then_some(men)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<String> {
        let shown = |game: ReadGame| {
            let (line, fault) = game.into_line().unwrap();
            let start = line.start.text.map_or_else(|| "startpos".into(), |text| text.to_string());
            let moves: String = line.moves.iter().map(|text| format!(" {text}")).collect();
            format!("{start}{moves}{}", fault.map(|fault| format!(" | {fault}")).unwrap_or_default())
        };
        read(text).unwrap().into_iter().map(shown).collect()
    }

    #[test]
    fn the_rest_of_the_set_goes_to_one_hand() {
        // Three golds are on the board and one is in Black's hand, so `P-00AL` gives White no gold.
        let text = "P-51OU41KI\nP+53KI54KI\nP+00KI00FU\nP-00AL\n+\n%CHUDAN\n";
        assert_eq!(games(text), ["4kg3/9/4G4/4G4/9/9/9/9/9 b GP2r2b4s4n4l17p 1"]);
        let other = "P-51OU\nP-00FU\nP+00AL\n+\n%CHUDAN\n";
        assert_eq!(games(other), ["4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L17Pp 1"]);
    }

    #[test]
    fn start_positions_are_read_in_all_three_forms() {
        let usual = [
            "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY",
            "P2 * -HI *  *  *  *  * -KA * ",
            "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU",
            "P4 *  *  *  *  *  *  *  *  * ",
            "P5*  *  *  *  *  *  *  *  *",
            "P6 *  *  *  *  *  *  *  *  *",
            "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU",
            "P8 * +KA *  *  *  *  * +HI * ",
            "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY",
        ];
        let text = format!(
            "V2.2\nN+a,b\nN-\n{}\n+\n'a comment, with a comma\n+7776FU,T3\n-3334FU\nT1\n%TORYO\n",
            usual.join("\n")
        );
        assert_eq!(games(&text), ["startpos 7g7f 3c3d"]);
        assert_eq!(games("PI\n+\n+7776FU\n"), ["startpos 7g7f"]);
        let two = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 7a6b";
        assert_eq!(games("PI82HI22KA\n-\n-7162GI\n%CHUDAN\n"), [two]);
    }

    #[test]
    fn games_are_separated_by_a_line_or_by_headers() {
        let game = "V2.2\nN+a\nPI\n+\n+7776FU\n%TORYO\n";
        for text in [format!("{game}/\n{game}"), format!("{game}{game}"), format!("'x\n{game}/\n{game}/\n'the end\n")] {
            assert_eq!(games(&text), ["startpos 7g7f", "startpos 7g7f"], "{text}");
        }
    }

    #[test]
    fn an_illegal_move_is_accepted_only_at_the_end() {
        let foul = "PI\n+\n+7776FU\n-3334FU\n+2826FU\n%ILLEGAL_MOVE\n";
        let expected = "startpos 7g7f 3c3d | game 1: line 5: ply 3: expected a legal move, found '+2826FU'";
        assert_eq!(games(foul), [expected]);
        let refused = |text: &str| match read(text) {
            Ok(games) => games.into_iter().find_map(|game| game.into_line().err()).unwrap().to_string(),
            Err(why) => why.to_string(),
        };
        let middle = refused("PI\n+\n+7776FU\n-2826FU\n+2726FU\n%TORYO\n");
        assert_eq!(middle, "game 1: line 4: ply 2: expected a legal move, found '-2826FU'");
        let turn = refused("PI\n+\n-3334FU\n+7776FU\n");
        assert_eq!(turn, "game 1: line 3: ply 1: expected a legal move, found '-3334FU'");
        for text in ["PI\nhello\n", "P1-KY\n", "P+00XX\n", "P+05FU\n", "PI82\n", "P*\n", "P+00OU\n"] {
            assert!(refused(text).starts_with("line "), "{text}");
        }
    }
}
