//! Progress reports of a search.

use hasami_api::{Bound, MateAnswer, MoveText, Report, Score};

pub(crate) fn with_mate(pv: &[MoveText], nodes: u64) -> Report {
    let depth = u16::try_from(pv.len()).unwrap_or(u16::MAX);
    Report { depth, seldepth: depth, nodes, pv: pv.to_vec(), ..Report::new(Score::win_in(pv.len() as i32)) }
}

/// Returns the report of a lower bound: every mate takes at least `plies` plies.
pub(crate) fn no_shorter_than(plies: usize, nodes: u64) -> Report {
    Report { bound: Bound::Upper, nodes, ..Report::new(Score::win_in(plies as i32)) }
}

/// Returns the report of a line other than the main line: a mate, or a check and an answer to it.
pub(crate) fn other_line(place: u16, line: &[MoveText], nodes: u64) -> Report {
    let report = if line.len() % 2 == 1 { with_mate(line, nodes) } else { without_mate(1, nodes) };
    Report { multipv: place, pv: line.to_vec(), ..report }
}

/// Returns the last report of a search, which may have no answer.
pub(crate) fn at_the_end(answer: Option<&MateAnswer>, nodes: u64) -> Report {
    match answer {
        Some(MateAnswer::Mate(pv)) => with_mate(pv, nodes),
        _ => without_mate(0, nodes),
    }
}

/// Returns a report without a mate, which has the score of a draw, because a mate solver does not evaluate positions.
pub(crate) fn without_mate(depth: u16, nodes: u64) -> Report {
    Report { depth, nodes, ..Report::new(Score::DRAW) }
}
