//! Moves as people write them, and as people type them.

use super::Catalog;
use crate::words::Message;
use hasami_api::{Line, MoveText, ParseMoveError, Start};

/// How moves are written for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// As players of the game do: SAN, Japanese notation.
    #[default]
    Players,
    /// As Western players of the game do, where that is another way.
    Western,
    /// As the game's protocol does.
    Protocol,
}

/// Writes lines that begin at one position.
pub struct Speaker {
    catalog: Option<&'static dyn Catalog>,
    notation: Notation,
    start: Start,
}

impl Speaker {
    /// For lines that begin at the end of `root`.
    pub fn at(catalog: &'static dyn Catalog, root: &Line, notation: Notation) -> Self {
        // A position is shorter than its history, which would be replayed for every line.
        let text = catalog.position(root).ok().map(Into::into);
        let start = Start { text: text.or_else(|| root.start.text.clone()), ..root.start.clone() };
        Self { catalog: Some(catalog), notation, start }
    }

    /// Writes what the protocol says, whatever the position.
    pub fn of_protocol() -> Self {
        Self { catalog: None, notation: Notation::Protocol, start: Start::default() }
    }

    /// A line from its position on.
    pub fn line(&self, moves: &[MoveText]) -> Line {
        Line { start: self.start.clone(), moves: moves.to_vec() }
    }

    /// The moves of a line; those that the game refuses as the protocol writes them.
    pub fn moves(&self, moves: &[MoveText]) -> Vec<String> {
        let spoken = match (self.catalog, self.notation) {
            (Some(catalog), Notation::Players) => catalog.notation(&self.line(moves)).ok(),
            (Some(catalog), Notation::Western) => catalog.western(&self.line(moves)).ok(),
            (None, _) | (_, Notation::Protocol) => None,
        };
        spoken.unwrap_or_else(|| moves.iter().map(ToString::to_string).collect())
    }

    /// The same in one text.
    pub fn text(&self, moves: &[MoveText]) -> String {
        self.moves(moves).join(" ")
    }

    /// The last move of a line.
    pub fn last(&self, path: &[MoveText]) -> String {
        self.moves(path).pop().unwrap_or_default()
    }
}

/// What is typed for a move: signs of the side, checks and praise, and blanks do not matter.
fn typed(text: &str) -> String {
    let kept = text.chars().filter(|c| !"+#!?▲△☗☖▽▼=-xX×".contains(*c) && !c.is_whitespace());
    kept.map(|c| if c == '0' { 'O' } else { c })
        .map(|c| match c {
            '１'..='９' => char::from(b'1' + (u32::from(c) - u32::from('１')) as u8),
            '一' => '1',
            '二' => '2',
            '三' => '3',
            '四' => '4',
            '五' => '5',
            '六' => '6',
            '七' => '7',
            '八' => '8',
            '九' => '9',
            '王' => '玉',
            '竜' => '龍',
            c => c,
        })
        .collect()
}

/// The move that a person has typed after `line`: in the protocol's notation, or as players write it.
pub fn read_move(catalog: &dyn Catalog, line: &Line, text: &str) -> Result<MoveText, Message> {
    let follow = |mv: MoveText| {
        let mut after = line.clone();
        after.moves.push(mv);
        after
    };
    if let Ok(mv) = text.parse::<MoveText>()
        && catalog.check(&follow(mv)).is_ok()
    {
        return Ok(mv);
    }
    let position = catalog.position(line)?;
    let start = Start { text: Some(position.into()), ..line.start.clone() };
    let legal = catalog.perft(&start, 1)?;
    let wanted = typed(text);
    // In full, with the origin in front of which Japanese notation has none.
    let says = |written: Result<Vec<String>, String>| {
        written.ok().and_then(|mut moves| moves.pop()).is_some_and(|written| typed(&written) == wanted)
    };
    let mut found: Vec<MoveText> = legal.iter().map(|&(mv, _)| mv).collect();
    found.retain(|&mv| {
        let after = follow(mv);
        says(catalog.notation(&after)) || says(catalog.western(&after))
    });
    // A plus at the end is a check in one game and a promotion in another.
    if found.len() > 1 {
        let is_exact = |mv: &MoveText| {
            catalog.western(&follow(*mv)).is_ok_and(|written| written.last().is_some_and(|w| w == text.trim()))
        };
        if let Some(exact) = found.iter().copied().find(is_exact) {
            found = vec![exact];
        }
    }
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(mv), Some(other)) => {
            let why = Message::new("expected-one-move").with("found", text);
            Err(why.with("move", mv.to_string()).with("other", other.to_string()))
        }
        (None, _) => Err(ParseMoveError::Illegal(text.to_owned()).into()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::games;

    fn read(game: &str, moves: &str) -> Result<String, String> {
        let catalog = games::find(game).unwrap();
        let mut line = Line::default();
        for word in moves.split_whitespace() {
            line.moves.push(read_move(catalog, &line, word)?);
        }
        Ok(line.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn people_type_moves_as_they_like() {
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
    fn what_is_no_move_is_told() {
        assert!(read("chess", "e4 e5 Nd5").unwrap_err().contains("'Nd5'"));
        assert!(read("chess", "e2e5").is_err());
        assert!(read("shogi", "☗５五玉").unwrap_err().contains("５五玉"));
    }

    #[test]
    fn lines_are_written_in_each_notation() {
        let chess = games::find("chess").unwrap();
        let moves: Vec<MoveText> = ["e2e4", "e7e5", "g1f3"].map(|m| m.parse().unwrap()).to_vec();
        let speaker = |notation| Speaker::at(chess, &Line::default(), notation);
        assert_eq!(speaker(Notation::Players).text(&moves), "e4 e5 Nf3");
        assert_eq!(speaker(Notation::Protocol).text(&moves), "e2e4 e7e5 g1f3");
        assert_eq!(speaker(Notation::Players).last(&moves), "Nf3");
        let shogi = games::find("shogi").unwrap();
        let moves: Vec<MoveText> = ["7g7f", "3c3d", "8h2b+"].map(|m| m.parse().unwrap()).to_vec();
        assert_eq!(Speaker::at(shogi, &Line::default(), Notation::Western).text(&moves), "P-7f P-3d Bx2b+");
        assert_eq!(Speaker::of_protocol().text(&moves), "7g7f 3c3d 8h2b+");
    }
}
