//! Computes the static value of a position, and the contribution of each piece.

use hasami_api::{Evaluator, Game, Line, Side, Start};
use hasami_catalog::{PieceValue, StaticEvaluation};

/// Evaluates the position at the end of a line. The value of a piece is the difference that its absence makes. Kings,
/// and pieces whose absence makes the position illegal, have no value.
pub fn evaluate<G: Game, E: Evaluator<G>>(line: &Line, evaluator: &mut E) -> Result<StaticEvaluation, String> {
    let mut game = G::new(&line.start).map_err(|error| error.to_string())?;
    super::entry::play(&mut game, line, |_, _| {}).map_err(|e| e.to_string())?;
    let text = game.to_text();
    let mut value = |game: &G| {
        evaluator.refresh(game);
        let value = evaluator.evaluate(game);
        if game.side() == Side::First { value } else { -value }
    };
    let total = value(&game);
    let without = |text: String| {
        let start = Start { text: Some(text.into()), ..line.start.clone() };
        G::new(&start).ok().map(|game| total - value(&game))
    };
    Ok(StaticEvaluation { pieces: pieces(&text, without), total, text })
}

/// Lists the pieces of a FEN or SFEN, rank by rank, followed by those in hand.
fn pieces(text: &str, mut value: impl FnMut(String) -> Option<i32>) -> Vec<PieceValue> {
    let mut found = Vec::new();
    let (board, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (mut rank, mut file) = (0, 0);
    let mut chars = board.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '/' => (rank, file) = (rank + 1, 0),
            '0'..='9' => file += c.to_digit(10).unwrap_or(0),
            _ => {
                let last = if c == '+' { chars.next().map_or(c, |(_, letter)| letter) } else { c };
                let end = at + c.len_utf8() + if c == '+' { last.len_utf8() } else { 0 };
                let name = &board[at..end];
                let left = format!("{} {rest}", filled(&[&board[..at], "1", &board[end..]].concat()));
                let value = if last.eq_ignore_ascii_case(&'k') { None } else { value(left) };
                found.push(PieceValue { name: name.to_owned(), place: Some([rank, file]), value });
                file += 1;
            }
        }
    }
    let fields: Vec<&str> = rest.split(' ').collect();
    if let [side, hands, count] = fields[..] {
        for (kind, fewer) in fewer_in_hand(hands) {
            let value = value(format!("{board} {side} {fewer} {count}"));
            found.push(PieceValue { name: kind.to_string(), place: None, value });
        }
    }
    found
}

/// Merges adjacent numbers of empty squares: `2` `1` `3` becomes `6`.
fn filled(board: &str) -> String {
    let mut out = String::new();
    let mut empty = 0;
    for c in board.chars() {
        match c.to_digit(10) {
            Some(digit) => empty += digit,
            None => {
                if empty > 0 {
                    out += &std::mem::take(&mut empty).to_string();
                }
                out.push(c);
            }
        }
    }
    if empty > 0 { out + &empty.to_string() } else { out }
}

/// Returns for each kind in hand its letter, and the hands with one piece of that kind less. `2P3p` gives (P, `P3p`)
/// and (p, `2P2p`).
fn fewer_in_hand(hands: &str) -> Vec<(char, String)> {
    let mut kinds = Vec::new();
    let mut count = None;
    for c in hands.chars() {
        match c.to_digit(10) {
            Some(digit) => count = Some(count.unwrap_or(0) * 10 + digit),
            None if c == '-' => {}
            None => kinds.push((count.take().unwrap_or(1), c)),
        }
    }
    let written = |skipped: usize| {
        let one = |(i, &(count, c)): (usize, &(u32, char))| match count - u32::from(i == skipped) {
            0 => String::new(),
            1 => c.to_string(),
            left => format!("{left}{c}"),
        };
        let text: String = kinds.iter().enumerate().map(one).collect();
        if text.is_empty() { "-".to_owned() } else { text }
    };
    kinds.iter().enumerate().map(|(i, &(_, c))| (c, written(i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_with_one_piece_less_are_written_correctly() {
        let mut told = Vec::new();
        let found = pieces("1k1+p/P3 b 2P3p 1", |text| {
            told.push(text);
            Some(1)
        });
        assert_eq!(told, ["1k2/P3 b 2P3p 1", "1k1+p/4 b 2P3p 1", "1k1+p/P3 b P3p 1", "1k1+p/P3 b 2P2p 1"]);
        let names: Vec<_> = found.iter().map(|piece| (piece.name.as_str(), piece.place)).collect();
        assert_eq!(names, [("k", Some([0, 1])), ("+p", Some([0, 3])), ("P", Some([1, 0])), ("P", None), ("p", None)]);
        assert_eq!(fewer_in_hand("-"), []);
        assert_eq!(fewer_in_hand("R"), [('R', "-".to_owned())]);
    }
}
