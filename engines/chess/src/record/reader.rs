//! Reads the tags and main lines of PGN files as people and programs actually write them, and finds the place of each
//! move in the text. The reader never skips a word that may be a move, since the moves after it would then belong to a
//! different game.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::{Chess, Move, typed};
use hasami_api::{Game, Line, RecordError};
use shakmaty::san::SanPlus;

/// The words that end a game.
const RESULTS: [&str; 6] = ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "*"];

/// A game that was read from a file.
#[derive(Default)]
pub struct PgnGame {
    pub line: Line,
    /// The names of White and Black; a name is empty if it is missing.
    pub players: [String; 2],
    pub moves: Vec<MovePlace>,
}

/// The place of a move in the text of a file, as byte offsets.
pub struct MovePlace {
    /// End of the move itself in the text.
    pub end: usize,
    /// End of the NAGs and comments that follow the move.
    pub after: usize,
    /// Whether the move ends with `!` or `?`.
    pub has_opinion: bool,
    /// Whether the next move in the text lacks a move number.
    pub next_is_bare: bool,
}

/// Returns the games of a file, or an error at the first word that is not a legal move.
pub fn read(text: &str) -> Result<Vec<PgnGame>, RecordError> {
    let mut reader = Reader { text, at: 0 };
    let mut games = Vec::new();
    loop {
        match reader.next_game() {
            Ok(Some(game)) => games.push(game),
            Ok(None) => return Ok(games),
            Err(why) => return Err(RecordError::Game(games.len() + 1, Box::new(why.at_line(reader.line())))),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Byte offset of the unread text.
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Returns the number of the current line, counted from 1.
    fn line(&self) -> usize {
        self.text.get(..self.at).unwrap_or_default().matches('\n').count() + 1
    }

    /// Takes the text up to, but not including, the first character for which `is_end` returns true.
    fn until(&mut self, is_end: impl FnMut(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn next_game(&mut self) -> Result<Option<PgnGame>, RecordError> {
        self.skip_remarks()?;
        if self.rest().is_empty() {
            return Ok(None);
        }
        let mut found = self.tags()?;
        let mut game = Chess::new(&found.line.start).map_err(RecordError::Position)?;
        // `is_attached`: comments and signs at the current offset belong to the last move. `is_numbered`: a move number
        // has followed the last move.
        let (mut is_attached, mut is_numbered) = (false, false);
        loop {
            let end_of_comment = self.skip_remarks()?;
            let last = found.moves.last_mut().filter(|_| is_attached);
            if let Some(last) = last {
                last.after = end_of_comment;
            }
            match self.next() {
                None | Some('[') => break,
                Some('(') => {
                    self.skip_variation()?;
                    is_attached = false;
                }
                Some(_) => {
                    let word = self.word();
                    if RESULTS.contains(&word) {
                        break;
                    }
                    if let Some(text) = move_of(word) {
                        let m = find(&game, text, found.moves.len() + 1)?;
                        found.line.moves.push(game.format_move(m));
                        game.make(m);
                        if let Some(last) = found.moves.last_mut() {
                            last.next_is_bare = text.len() == word.len() && !is_numbered;
                        }
                        let has_opinion = word.ends_with(['!', '?']);
                        found.moves.push(MovePlace { end: self.at, after: self.at, has_opinion, next_is_bare: false });
                        (is_attached, is_numbered) = (true, false);
                    } else if word.starts_with(|c: char| c.is_ascii_digit()) {
                        (is_attached, is_numbered) = (false, true);
                    }
                }
            }
        }
        Ok(Some(found))
    }

    /// Skips white space, comments, and lines that begin with `%`. Returns the end of the last comment, or the offset
    /// where skipping began if there was no comment.
    fn skip_remarks(&mut self) -> Result<usize, RecordError> {
        let mut end = self.at;
        loop {
            self.until(|c| !(c.is_whitespace() || c == '\u{1a}' || c == '\u{feff}'));
            let begins_line = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
            match self.next() {
                Some('{') => {
                    self.skip_behind('}')?;
                    end = self.at;
                }
                Some(';') => {
                    self.until(|c| c == '\n');
                    end = self.text.len().min(self.at + 1);
                }
                Some('<') => self.skip_behind('>')?,
                Some('%') if begins_line => _ = self.until(|c| c == '\n'),
                _ => return Ok(end),
            }
        }
    }

    fn skip_behind(&mut self, end: char) -> Result<(), RecordError> {
        match self.rest().find(end) {
            Some(at) => self.at += at + end.len_utf8(),
            None => return Err(unclosed(end)),
        }
        Ok(())
    }

    /// Skips a variation, in which other variations and comments may be nested.
    fn skip_variation(&mut self) -> Result<(), RecordError> {
        let (begin, mut depth) = (self.at, 0);
        loop {
            self.skip_remarks()?;
            match self.next() {
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some(_) => {
                    self.word();
                    continue;
                }
                None => {
                    self.at = begin;
                    return Err(unclosed(')'));
                }
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Takes a word, which ends before white space or a bracket. `a8(Q)` is one word, and a lone bracket is a word.
    fn word(&mut self) -> &'a str {
        let (begin, rest) = (self.at, self.rest());
        let word = self.until(|c| c.is_whitespace() || "{}();".contains(c));
        let is_promotion = |tail: &[u8]| matches!(tail, [b'(', piece, b')', ..] if b"QRBNqrbn".contains(piece));
        match rest.as_bytes().get(word.len()..) {
            Some(tail) if !word.is_empty() && is_promotion(tail) => self.at += 3,
            _ if word.is_empty() => self.at += rest.chars().next().map_or(0, char::len_utf8),
            _ => {}
        }
        self.text.get(begin..self.at).unwrap_or_default()
    }

    /// Reads the consecutive tags of one game, each of the form `[Name "value"]`.
    fn tags(&mut self) -> Result<PgnGame, RecordError> {
        let (mut game, mut has_event) = (PgnGame::default(), false);
        while self.next() == Some('[') {
            let rest = self.rest();
            let line = rest.lines().next().unwrap_or_default();
            let (name, value, length) = tag(line).ok_or_else(|| RecordError::line(line))?;
            match name.to_ascii_lowercase().as_str() {
                // A second tag `Event` begins another game; the current game then has neither moves nor a result.
                "event" if has_event => break,
                "event" => has_event = true,
                "white" if value != "?" => game.players[0] = value,
                "black" if value != "?" => game.players[1] = value,
                "fen" => game.line.start.text = Some(value.as_str().into()),
                "variant" => {
                    let variant = value.to_ascii_lowercase().replace([' ', '-', '_'], "");
                    game.line.start.rules.chess960 |=
                        ["chess960", "fischerandom", "fischerrandom"].contains(&variant.as_str());
                }
                _ => {}
            }
            self.at += length;
            self.skip_remarks()?;
        }
        Ok(game)
    }
}

fn unclosed(end: char) -> RecordError {
    RecordError::Other(format!("expected '{end}', found the end of the file"))
}

/// Returns the name, the value and the length in bytes of the tag with which `line` begins. Quotes within the value
/// need no backslash.
fn tag(line: &str) -> Option<(&str, String, usize)> {
    let inside = line.strip_prefix('[')?.trim_start();
    let (name, rest) = inside.split_at(inside.find(|c: char| c.is_whitespace() || "\"]".contains(c))?);
    let before = line.len() - rest.trim_start().len();
    let value = match rest.trim_start().strip_prefix('"') {
        Some(quoted) => {
            let is_end = |&(at, _): &(usize, &str)| {
                quoted[at + 1..].trim_start().starts_with(']') && !quoted[..at].ends_with('\\')
            };
            let (end, _) = quoted.match_indices('"').find(is_end)?;
            let close = end + 1 + quoted[end + 1..].find(']')?;
            return Some((name, quoted[..end].replace("\\\"", "\"").replace("\\\\", "\\"), before + 1 + close + 1));
        }
        None => rest.trim_start().split(']').next()?,
    };
    line[before..].contains(']').then(|| (name, value.trim().to_owned(), before + value.len() + 1))
}

/// Returns the word without a leading move number, or `None` if the word is only a number or an annotation (`$1`, `!?`,
/// `+-`).
fn move_of(word: &str) -> Option<&str> {
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = behind.trim_start_matches(['.', '…']);
    let word = match word.len() - behind.len() {
        0 => word,
        _ if behind.is_empty() && word.starts_with('0') => word,
        _ if behind.is_empty() => "",
        _ if dots.len() < behind.len() => dots,
        _ => word,
    };
    let is_annotation = word.starts_with('$') || !word.chars().any(char::is_alphanumeric);
    let is_bracket = ["--", ")", "}"].contains(&word);
    (!(is_annotation && !is_bracket || ["e.p.", "ep"].contains(&word))).then_some(word)
}

/// Returns the move that `word` describes in SAN or in any other notation that people and programs use.
fn find(game: &Chess, word: &str, ply: usize) -> Result<Move, RecordError> {
    if let Ok(san) = SanPlus::from_ascii(word.as_bytes())
        && let Ok(m) = san.san.to_move(game.position())
    {
        return Ok(m);
    }
    if let Ok(m) = game.parse_move(word) {
        return Ok(m);
    }
    match typed::moves(game, word).as_deref() {
        None => Err(RecordError::no_move(ply, word)),
        Some([]) => Err(RecordError::illegal(ply, word)),
        Some([m]) => Ok(*m),
        Some([one, other, ..]) => {
            let moves = [one, other].map(|m| game.format_move(*m));
            Err(RecordError::Ambiguous { ply, found: word.to_owned(), moves })
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Returns the moves of each game, preceded by the start position if the tags specify one.
    fn games(text: &str) -> Vec<String> {
        let shown = |PgnGame { line, .. }: PgnGame| {
            let start = line.start.text.iter().map(ToString::to_string);
            start.chain(line.moves.iter().map(ToString::to_string)).collect::<Vec<_>>().join(" ")
        };
        read(text).unwrap().into_iter().map(shown).collect()
    }

    fn refused(text: &str) -> String {
        read(text).err().unwrap().to_string()
    }

    #[test]
    fn words_that_are_not_legal_moves_are_refused() {
        for (moves, found) in [
            ("1. e4 e5 2. Sf3 Sc6 3. d4 exd4", "game 1: line 1: ply 3: expected a move, found 'Sf3'"),
            ("1. e4 e5\n2. Ke3", "game 1: line 2: ply 3: expected a legal move, found 'Ke3'"),
            ("1. e4 -- 2. d4", "game 1: line 1: ply 2: expected a move, found '--'"),
            ("1. e4 0000", "game 1: line 1: ply 2: expected a move, found '0000'"),
            ("1. e4 Z0", "game 1: line 1: ply 2: expected a move, found 'Z0'"),
            ("1. e4 e5 *\n\n1. d4 d5 2. c4\nNd7 3. Qd7", "game 2: line 4: ply 5: expected a legal move, found 'Qd7'"),
            ("1. e4 e5) 2. d4", "game 1: line 1: ply 3: expected a move, found ')'"),
            ("1. e4 (1. d4", "game 1: line 1: expected ')', found the end of the file"),
            ("1. e4 {no end", "game 1: line 1: expected '}', found the end of the file"),
            ("[Event \"x\"\n\n1. e4 *", "game 1: line 1: expected a line of a record, found '[Event \"x\"'"),
        ] {
            assert!(refused(moves).starts_with(found), "{moves}: {}", refused(moves));
        }
        let both = refused("[FEN \"4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1\"]\n\n1. Nd2 *\n");
        assert_eq!(both, "game 1: line 3: ply 1: expected one move, found 'Nd2', which may be b1d2 or f1d2");
    }

    #[test]
    fn moves_are_read_in_all_usual_notations() {
        for (moves, found) in [
            ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6", "e2e4 e7e5 g1f3 b8c6"),
            ("1.e2e4 e7e5 2.g1f3 b8c6 *", "e2e4 e7e5 g1f3 b8c6"),
            ("1 e4 e5 2 Nf3++ Nc6!? $14 +- 3...", "e2e4 e7e5 g1f3 b8c6"),
            (
                "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. o-o Nf6 5. d3 0-0",
                "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 e8g8",
            ),
            ("1. e4 a6 2. e5 d5 3. exd6e.p. *", "e2e4 a7a6 e4e5 d7d5 e5d6"),
            ("1. e4 a6 2. e5 d5 3. exd6 e.p. c7xd6", "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6"),
            ("1. ♘f3 ♞f6 1-0", "g1f3 g8f6"),
        ] {
            assert_eq!(games(moves), [found], "{moves}");
        }
        let pawn = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        for text in ["a8Q", "a8=Q+", "a8(Q)", "a8/Q", "a7-a8=Q+", "a7a8q"] {
            assert_eq!(games(&format!("[FEN \"{pawn}\"]\n1. {text} Kf7 *")), [format!("{pawn} a7a8q e8f7")], "{text}");
        }
    }

    #[test]
    fn comments_variations_and_escapes_are_skipped() {
        let text = "% a line of another program 1. d4\n1. e4 {a comment; (with} ( 1. d4 {or)} (1. c4 c5) d5 ) 1... e5(1... c5)\n\
                    ; 2. Nc3 up to the end of the line\n2. Nf3 {[%clk 0:15:20]} <reserved> Nc6 50%\n";
        assert!(refused(text).ends_with("found '50%'"));
        assert_eq!(games(&text.replace(" 50%", "")), ["e2e4 e7e5 g1f3 b8c6"]);
    }

    #[test]
    fn games_are_separated_by_results_or_tags() {
        let tags = "[Event \"a \"quoted\" name\"]\r\n[White \"A \\\"b\\\" \\\\c\"][Black \"]\"]\r\n\r\n\r\n";
        let text = format!("\u{feff}{tags}1. e4 e5\r\n{tags}1. d4 *\r\n\r\n1. c4 1/2-1/2\r\n{tags}{tags}*\r\n");
        assert_eq!(games(&text), ["e2e4 e7e5", "d2d4", "c2c4", "", ""]);
        assert_eq!(games("\r\n\u{1a}"), [""; 0]);
        assert!(read("[Variant \"Chess 960\"]\n*").unwrap()[0].line.start.rules.chess960);
    }
}
