//! Inference along the principal variation: an engine that cannot exclude moves searches a whole position even if only
//! the remaining moves are to be searched, and usually reports a move that has its own node. A report on a move with
//! its own node is useless for the remaining moves, but gives a value for the node that its variation leads to, at a
//! depth reduced by the number of plies to that node.

use hasami_api::Report;

/// Converts a report to a report about the position `plies` further along its variation; `None` if the variation or the
/// depth does not reach that far.
pub fn along(report: &Report, plies: u16) -> Option<Report> {
    let depth = report.depth.checked_sub(plies).filter(|&depth| depth > 0)?;
    let score = (0..plies).fold(report.score, |score, _| score.for_child());
    let bound = (0..plies).fold(report.bound, |bound, _| bound.flipped());
    let seldepth = report.seldepth.saturating_sub(plies);
    let pv = report.pv.get(usize::from(plies)..)?.to_vec();
    Some(Report { depth, seldepth, multipv: 1, score, bound, pv, ranking: Vec::new(), ..*report })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hasami_api::{Bound, MoveText, Score};

    #[test]
    fn each_ply_changes_sides_and_reduces_the_depth() {
        let pv: Vec<MoveText> = ["e2e4", "e7e5", "g1f3"].map(|text| text.parse().unwrap()).to_vec();
        let bound = Bound::Lower;
        let report = Report { depth: 9, seldepth: 12, bound, pv: pv.clone(), nodes: 7, ..Report::new(Score::cp(30)) };
        let one = along(&report, 1).unwrap();
        assert_eq!((one.score, one.bound, one.depth, one.seldepth), (Score::cp(-30), Bound::Upper, 8, 11));
        assert_eq!((&one.pv[..], one.nodes), (&pv[1..], 7));
        let two = along(&report, 2).unwrap();
        assert_eq!((two.score, two.bound, two.depth), (Score::cp(30), Bound::Lower, 7));
        assert_eq!(along(&report, 4), None, "the variation is shorter");
        assert_eq!(along(&Report { depth: 2, ..report }, 2), None, "nothing was searched there");
        let mate = Report { depth: 9, pv, ..Report::new(Score::win_in(5)) };
        assert_eq!(along(&mate, 1).unwrap().score, Score::loss_in(4));
    }
}
