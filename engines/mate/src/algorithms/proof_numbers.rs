//! The common part of algorithms by proof numbers on one table: from a decided position to its answer.

use crate::algorithm::{MateJob, answered};
use crate::core::dfpn::Dfpn;
use crate::core::interrupt::Interrupted;
use crate::core::notation::texts;
use crate::core::replay::is_mate_line;
use crate::core::reports::at_the_end;
use crate::core::style::Style;
use crate::core::table::LazyTable;
use crate::core::value::CUT;
use crate::interface::findings::MateFindings;
use crate::interface::options::ProcessorUsage;
use crate::interface::request::MateRules;
use hasami_api::{MateAnswer, MateGame, Report};

/// All lines of checks (or of any moves, if that was wished for). `begin` may let several processors search first: what they
/// find is in the table.
pub(super) fn solve<G: MateGame>(
    job: &MateJob<G>,
    style: Style,
    memory: &mut LazyTable,
    tell: &mut dyn FnMut(Report),
    begin: impl FnOnce(&mut Dfpn<G>) -> Option<ProcessorUsage>,
) -> MateFindings {
    let nodes = job.node_limit();
    let table = memory.for_nodes(nodes);
    table.next_task();
    let style = Style { any_moves: job.request.any_moves, ..style };
    let mut search: Dfpn<_> = Dfpn::new(style, job.game.clone(), table, job.stop, nodes, job.longest());
    search.tell = Some(&mut *tell);
    let usage = begin(&mut search);
    let mut found = answered(Err(Interrupted), 0);
    let answer = conclude(&mut search, job, &mut found);
    (found.nodes, found.usage) = (search.nodes, usage);
    if let Some(usage) = &mut found.usage {
        // What one processor did before, and the line.
        usage.alone(found.nodes - usage.nodes());
    }
    tell(at_the_end(answer.as_ref().ok(), found.nodes));
    found.answer = answer.unwrap_or(MateAnswer::Unknown);
    found
}

/// The answer, and into `found` what else is wished for.
fn conclude<G: MateGame>(
    search: &mut Dfpn<G>,
    job: &MateJob<G>,
    found: &mut MateFindings,
) -> Result<MateAnswer, Interrupted> {
    let (request, root) = (job.request, job.game);
    let (value, _) = search.solve()?;
    if value.is_disproved() {
        return Ok(if value.note == CUT { MateAnswer::Unknown } else { MateAnswer::NoMate });
    }
    let plies = usize::from(value.note.unsigned_abs());
    // A line may be lost where the table has forgotten too much.
    let mut line = match search.main_line()? {
        Some(line) if !request.shortest => line,
        None if !request.shortest => search.line_within(plies)?,
        line => search.shortest(line.map_or(plies, |line| plies.max(line.len())))?,
    };
    let is_right =
        |line: &[G::Move], rules, search: &Dfpn<G>| is_mate_line(root, line, rules, !request.any_moves, &search.stop);
    if request.rules == MateRules::Tsume {
        if request.shortest {
            line = search.shortest_for_composers(line.len())?;
        } else if let Some(found) = search.line_for_composers()?.filter(|found| is_right(found, request.rules, search))
        {
            line = found;
        }
    }
    // A line to the bitter end is one for composers, too.
    let is_right = is_right(&line, request.rules, search) || is_right(&line, MateRules::Strict, search);
    if !is_right {
        return Ok(MateAnswer::Unknown);
    }
    if request.others {
        let is_shortest = request.shortest && request.rules == MateRules::Strict;
        found.others = search.others(&line, is_shortest);
    }
    if request.proof > 0 {
        found.proof = search.proof(&line, request);
    }
    Ok(MateAnswer::Mate(texts(root, &line)))
}
