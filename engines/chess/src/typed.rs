//! Reads moves as people type them: SAN and its usual variants (`Nf3`, `nf3`, `Ng1-f3`, `e:d5`, `0-0`, `e8Q`, `♘f3`).

use crate::{Chess, Move};
use hasami_api::{Game, Moves};
use shakmaty::{CastlingSide, File, Rank, Role, Square};

/// The properties of a move that a typed text determines.
struct MovePattern {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

/// Returns the legal moves that match the text, or `None` if the text is not a move.
pub fn moves(game: &Chess, text: &str) -> Option<Vec<Move>> {
    let text = text.trim_end_matches("e.p.").trim_end_matches(['+', '#', '!', '?', '†', '‡']);
    let mut legal = Moves::new();
    game.legal_moves(&mut legal);
    if let Some(side) = castling(text) {
        return Some(legal.iter().copied().filter(|m| m.castling_side() == Some(side)).collect());
    }
    let kept = text.chars().filter(|c| !"xX×:-–=()/".contains(*c)).map(letter).collect::<String>();
    let fitting = |pattern: &MovePattern| -> Vec<Move> { legal.iter().copied().filter(|m| pattern.fits(m)).collect() };
    let strict = parse(&kept).map(|pattern| fitting(&pattern));
    match strict {
        Some(found) if !found.is_empty() => Some(found),
        // A lower-case first letter is read as a file; if no legal move matches, it is read as a piece.
        strict => {
            let (first, rest) = kept.split_at_checked(1)?;
            let piece = parse(&(first.to_ascii_uppercase() + rest)).map(|pattern| fitting(&pattern));
            piece.filter(|found| !found.is_empty() || strict.is_none()).or(strict)
        }
    }
}

impl MovePattern {
    fn fits(&self, m: &Move) -> bool {
        let from = m.from();
        m.castling_side().is_none()
            && m.role() == self.role
            && m.to() == self.to
            && m.promotion() == self.promotion
            && self.file.is_none_or(|file| from.is_some_and(|from| from.file() == file))
            && self.rank.is_none_or(|rank| from.is_some_and(|from| from.rank() == rank))
    }
}

fn castling(text: &str) -> Option<CastlingSide> {
    let kept = text.chars().filter(|c| !"-–".contains(*c)).map(|c| if "oO0".contains(c) { 'O' } else { c });
    match kept.collect::<String>().as_str() {
        "OO" => Some(CastlingSide::KingSide),
        "OOO" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// Replaces a figurine by the letter that stands for its piece.
fn letter(c: char) -> char {
    match c {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '♙' | '♟' => 'P',
        c => c,
    }
}

/// Reads an optional piece, an optional file and rank of origin, the destination, and an optional promotion.
fn parse(text: &str) -> Option<MovePattern> {
    let mut chars: Vec<char> = text.chars().collect();
    let role = match chars.first().filter(|c| c.is_ascii_uppercase()) {
        Some(&c) => {
            chars.remove(0);
            Role::from_char(c)?
        }
        None => Role::Pawn,
    };
    let becomes = |c: char| Role::from_char(c).filter(|role| !matches!(role, Role::Pawn | Role::King));
    let promotion = match chars.last().filter(|c| !c.is_ascii_digit()) {
        Some(&c) => {
            chars.pop();
            Some(becomes(c)?)
        }
        None => None,
    };
    let (rank, file) = (Rank::from_char(chars.pop()?)?, File::from_char(chars.pop()?)?);
    let (from_file, from_rank) = match chars[..] {
        [] => (None, None),
        [file, rank] => (Some(File::from_char(file)?), Some(Rank::from_char(rank)?)),
        [one] => (File::from_char(one), Rank::from_char(one)),
        _ => return None,
    };
    if chars.len() == 1 && from_file.is_none() && from_rank.is_none() {
        return None;
    }
    Some(MovePattern { role, file: from_file, rank: from_rank, to: Square::from_coords(file, rank), promotion })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::walk::STARTS;
    use hasami_api::{Render, Start};

    fn read(fen: &str, text: &str) -> Option<String> {
        let start = Start { text: (!fen.is_empty()).then(|| fen.into()), ..Start::default() };
        let game = Chess::new(&start).unwrap();
        let found = moves(&game, text)?;
        Some(found.iter().map(|&m| game.format_move(m).to_string()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn moves_are_read_in_all_usual_notations() {
        for text in ["Nf3", "nf3", "Ng1-f3", "Ngf3", "N1f3", "♘f3", "Nf3!?"] {
            assert_eq!(read("", text).as_deref(), Some("g1f3"), "{text}");
        }
        for text in ["e4", "e2-e4", "Pe4", "e4+", "e2e4"] {
            assert_eq!(read("", text).as_deref(), Some("e2e4"), "{text}");
        }
        for text in ["Nd4", "e5", "O-O", "exd3", "e8=Q"] {
            assert_eq!(read("", text).as_deref(), Some(""), "{text}");
        }
        for text in ["", "e", "e9", "Je4", "go", "7g7f", "４五角", "e4e4e4", "Nf3d", "e8=K"] {
            assert_eq!(read("", text), None, "{text}");
        }
        let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (text, found) in [("0-0", "e1g1"), ("O-O-O", "e1c1"), ("o-o+", "e1g1"), ("Kf1", "e1f1")] {
            assert_eq!(read(castles, text).as_deref(), Some(found), "{text}");
        }
        let pawns = "3rk3/2P5/8/3pP3/8/b7/1P6/2B1K3 w - d6 0 1";
        for (text, found) in [
            ("cxd8=Q", "c7d8q"),
            ("cd8n", "c7d8n"),
            ("c8(R)", "c7c8r"),
            ("exd6", "e5d6"),
            ("exd6e.p.", "e5d6"),
            ("bxa3", "b2a3"),
            ("b3", "b2b3"),
            ("bd2", "c1d2"),
        ] {
            assert_eq!(read(pawns, text).as_deref(), Some(found), "{text}");
        }
        assert_eq!(read(pawns, "c8").as_deref(), Some(""), "a pawn on the last rank must promote");
        let knights = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
        assert_eq!(read(knights, "Nd2").unwrap().split(' ').count(), 2);
    }

    #[test]
    fn printed_moves_can_be_read() {
        let mut count = 0;
        for text in STARTS {
            let game = Chess::new(&Start { text: Some((*text).into()), ..Start::default() }).unwrap();
            let mut legal = Moves::new();
            game.legal_moves(&mut legal);
            for &m in legal.iter() {
                assert_eq!(moves(&game, &game.notation(m)), Some(vec![m]), "{} in {text}", game.notation(m));
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
    }
}
