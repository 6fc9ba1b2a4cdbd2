//! Parses openings in USI syntax, one per line: `startpos moves 7g7f`, `sfen ... moves ...`, a bare SFEN, or bare
//! moves, optionally after the word `position`. Moves may also be in the players' notation.

use super::numbered;
use hasami_api::{Line, Rules};
use hasami_catalog::GameRules;
use hasami_words::text::At;

pub fn parse(text: &str, game: &dyn GameRules) -> Result<Vec<Line>, String> {
    let at_line = |number: usize, why: String| why.at(format!("line {number}"));
    numbered(text).map(|(number, line)| read(line, game).map_err(|why| at_line(number, why))).collect()
}

fn read(line: &str, game: &dyn GameRules) -> Result<Line, String> {
    Ok(game.posted(line, Rules::default())?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Line, String> {
        super::read(line, hasami_games::find("shogi").unwrap())
    }

    #[test]
    fn every_common_notation_is_parsed() {
        let wanted = read("startpos moves 7g7f 3c3d").unwrap();
        for line in
            ["position startpos moves 7g7f 3c3d", "moves 7g7f 3c3d", "7g7f 3c3d", "startpos moves ▲７六歩△３四歩"]
        {
            assert_eq!(read(line).unwrap(), wanted, "{line}");
        }
        let board = "4k4/9/9/9/9/9/9/9/4K4 b G 1";
        let position = read(&format!("sfen {board}")).unwrap();
        assert_eq!(position.start.text.as_deref(), Some(board));
        assert_eq!(read(board).unwrap(), position);
        assert_eq!(read(&format!("{board} moves G*5b")).unwrap().moves.len(), 1);
    }

    #[test]
    fn bad_lines_are_named() {
        let error =
            parse("startpos\n\nstartpos moves much-too-long", hasami_games::find("shogi").unwrap()).unwrap_err();
        let error = error.to_string();
        assert!(error.starts_with("line 3: ") && error.contains("much-too-long"), "{error}");
    }
}
