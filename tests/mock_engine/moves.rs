//! Generates the legal moves in the position of a `position` line, restricted to the `searchmoves` of a `go`.

use hasami_api::{Game, Line, Moves};
use hasami_chess::Chess;
use hasami_protocol::{Command, Protocol};
use hasami_shogi::Shogi;

/// Returns the legal moves in the protocol's notation, in generation order. If the position cannot be parsed, the list
/// is empty.
pub fn legal(shogi: bool, position: &str, go: &str) -> Vec<String> {
    let moves =
        if shogi { of_line::<Shogi>(Protocol::Usi, position) } else { of_line::<Chess>(Protocol::Uci, position) };
    let Some((_, only)) = go.split_once("searchmoves") else { return moves };
    let only: Vec<_> = only.split_whitespace().collect();
    moves.into_iter().filter(|text| only.contains(&text.as_str())).collect()
}

fn of_line<G: Game>(protocol: Protocol, position: &str) -> Vec<String> {
    let Command::Position(line) = protocol.parse(position) else { return Vec::new() };
    texts::<G>(&line).unwrap_or_default()
}

fn texts<G: Game>(line: &Line) -> Option<Vec<String>> {
    let mut game = G::new(&line.start).ok()?;
    for text in &line.moves {
        let m = game.parse_move(text).ok()?;
        game.make(m);
    }
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    Some(moves.iter().map(|&m| game.format_move(m).to_string()).collect())
}
