//! Openings in the words of USI, one a line: `startpos moves 7g7f`, `sfen ... moves ...`, a bare SFEN, or bare moves; with or without
//! the word `position` before it.

use super::numbered;
use crate::protocol::{Protocol, pasted};
use hasami_api::Line;

pub fn parse(text: &str) -> Result<Vec<Line>, String> {
    numbered(text).map(|(number, line)| read(line).map_err(|why| format!("line {number}: {why}"))).collect()
}

fn read(line: &str) -> Result<Line, String> {
    Ok(pasted::read(Protocol::Usi, line)?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_way_of_writing_is_read() {
        let wanted = read("startpos moves 7g7f 3c3d").unwrap();
        for line in ["position startpos moves 7g7f 3c3d", "moves 7g7f 3c3d", "7g7f 3c3d"] {
            assert_eq!(read(line).unwrap(), wanted, "{line}");
        }
        let board = "4k4/9/9/9/9/9/9/9/4K4 b G 1";
        let position = read(&format!("sfen {board}")).unwrap();
        assert_eq!(position.start.text.as_deref(), Some(board));
        assert_eq!(read(board).unwrap(), position);
        assert_eq!(read(&format!("{board} moves G*5b")).unwrap().moves.len(), 1);
    }

    #[test]
    fn rubbish_is_named_with_its_line() {
        let error = parse("startpos\n\nstartpos moves much-too-long").unwrap_err();
        assert!(error.starts_with("line 3: ") && error.contains("much-too-long"), "{error}");
    }
}
