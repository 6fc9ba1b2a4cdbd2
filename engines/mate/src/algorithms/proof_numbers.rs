//! Code that turns a decided position into an answer, shared by all proof-number algorithms with one table.

use crate::algorithm::{MateJob, answered};
use crate::core::dfpn::{Dfpn, FirstFound, LONGEST, LengthNews};
use crate::core::interrupt::Interrupted;
use crate::core::notation::texts;
use crate::core::replay::{is_mate_line, without_cycles};
use crate::core::reports::{at_the_end, no_shorter_than, other_line, with_mate};
use crate::core::style::Style;
use crate::core::table::LazyTable;
use crate::core::value::CUT;
use crate::interface::findings::{MateFindings, OpenReason};
use crate::interface::options::ProcessorUsage;
use crate::interface::request::MateRules;
use hasami_api::{MateAnswer, MateGame, Report, Stop};

/// Node budget for counting a mate's length by composers' rules, as a multiple of the nodes spent on finding the mate.
/// The budget is at least `LEAST_COUNTING` nodes.
const COUNTING: u64 = 4;
const LEAST_COUNTING: u64 = 1_000_000;

/// Solves a problem by checks or, if the request allows it, by any moves. `begin` may run a parallel search first,
/// which leaves its results in the table.
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
    search.lengths = job.request.rules;
    search.tell = Some(&mut *tell);
    let usage = begin(&mut search);
    let mut found = answered(Err(Interrupted), 0);
    let answer = conclude(&mut search, job, &mut found);
    let lines = first_lines(&mut search, job, answer.as_ref().ok());
    found.lines = lines.iter().map(|line| texts(job.game, line)).collect();
    (found.nodes, found.usage) = (search.nodes, usage);
    if let Some(usage) = &mut found.usage {
        // Nodes that `usage` does not include were searched by the first processor alone.
        usage.alone(found.nodes - usage.nodes());
    }
    for (place, line) in (2..).zip(&found.lines) {
        tell(other_line(place, line, found.nodes));
    }
    tell(at_the_end(answer.as_ref().ok(), found.nodes));
    found.answer = answer.unwrap_or(MateAnswer::Unknown);
    found
}

/// Returns the answer, and stores the other requested results in `found`.
fn conclude<G: MateGame>(
    search: &mut Dfpn<G>,
    job: &MateJob<G>,
    found: &mut MateFindings,
) -> Result<MateAnswer, Interrupted> {
    let request = job.request;
    let mut least = 1;
    let first = if request.shortest {
        let mut note = |search: &mut Dfpn<G>, news: LengthNews<G::Move>| {
            if let LengthNews::AtLeast(plies) = news {
                search.report(no_shorter_than(plies, search.nodes));
            }
        };
        let first = search.any_or_shortest(&mut least, &mut note);
        found.at_least = (first.is_err() && least > 1).then_some(least);
        first?
    } else {
        FirstFound::Any(search.solve()?.0)
    };
    let value = match first {
        FirstFound::Any(value) => value,
        FirstFound::Shortest(plies) => {
            let line = shortest(search, job, (least, plies), None, found)?;
            return complete(search, job, &line, found);
        }
    };
    if value.is_disproved() {
        found.open = (value.note == CUT).then_some(OpenReason::Plies(search.depth_limit));
        return Ok(if value.note == CUT { MateAnswer::Unknown } else { MateAnswer::NoMate });
    }
    let plies = usize::from(value.note.unsigned_abs());
    // The line may be incomplete if the table has overwritten entries.
    let line = match search.main_line()? {
        line if request.shortest => shortest(search, job, (least, plies), line, found)?,
        Some(line) => line,
        None => search.line_within(plies)?,
    };
    let line = match request.rules {
        MateRules::Tsume if !request.shortest => {
            counted(search, line.len()).filter(|line| is_right(job, line, &search.stop)).unwrap_or(line)
        }
        _ => line,
    };
    complete(search, job, &line, found)
}

/// Replays the line of a mate and returns it as the answer. Other requested results are stored in `found`.
fn complete<G: MateGame>(
    search: &mut Dfpn<G>,
    job: &MateJob<G>,
    line: &[G::Move],
    found: &mut MateFindings,
) -> Result<MateAnswer, Interrupted> {
    let (request, root) = (job.request, job.game);
    let line = without_cycles(root, line);
    // If the length is open, `line` is a known line that has already been replayed.
    if found.open.is_none() && !is_right(job, &line, &search.stop) {
        return Ok(MateAnswer::Unknown);
    }
    if request.others {
        found.others = search.others(&line, request.shortest);
    }
    if request.variations {
        found.variations = search.variations(&line, request);
    }
    if request.proof > 0 {
        // A line with futile drops may be longer than the main line.
        let is_shortest = request.shortest && request.rules == MateRules::Strict && found.open.is_none();
        found.proof = search.proof(&line, request, is_shortest);
    }
    Ok(MateAnswer::Mate(texts(root, &line)))
}

/// Returns the requested lines that begin with other first moves.
fn first_lines<G: MateGame>(search: &mut Dfpn<G>, job: &MateJob<G>, answer: Option<&MateAnswer>) -> Vec<Vec<G::Move>> {
    let lines = usize::from(job.request.lines);
    match answer {
        Some(MateAnswer::Mate(line)) if lines > 1 => {
            // The main line is reported before the search for other lines.
            let report = with_mate(line, search.nodes);
            if let Some(tell) = &mut search.tell {
                tell(report);
            }
            search.other_lines(&line[0], lines - 1)
        }
        Some(MateAnswer::NoMate) if lines > 0 => search.refutations(lines),
        _ => Vec::new(),
    }
}

/// Returns true if the line is correct. A line that mates by strict rules is also correct by composers' rules.
fn is_right<G: MateGame>(job: &MateJob<G>, line: &[G::Move], stop: &Stop) -> bool {
    let replays = |rules| is_mate_line(job.game, line, rules, !job.request.any_moves, stop);
    replays(job.request.rules) || replays(MateRules::Strict)
}

/// Returns the intended line of a mate within `plies`, if it is found within the node budget for counting.
fn counted<G: MateGame>(search: &mut Dfpn<G>, plies: usize) -> Option<Vec<G::Move>> {
    let all = search.node_limit;
    search.node_limit = all.min(search.nodes.saturating_add(search.nodes.saturating_mul(COUNTING).max(LEAST_COUNTING)));
    let line = search.shortest(plies, 1, &mut |_, _| {}).ok();
    search.node_limit = all;
    line
}

/// Returns the line of a shortest mate. There must be a mate in `plies` plies and none shorter than `begin`; `line` is
/// a known line, if any. If a limit ends the search, returns the shortest known line and records in `found` why the
/// length is open.
fn shortest<G: MateGame>(
    search: &mut Dfpn<G>,
    job: &MateJob<G>,
    (begin, plies): (usize, usize),
    line: Option<Vec<G::Move>>,
    found: &mut MateFindings,
) -> Result<Vec<G::Move>, Interrupted> {
    let most = line.as_ref().map_or(plies, |line| plies.max(line.len()));
    let (mut known, mut least) = (None, (begin > 1).then_some(begin));
    // The replay ignores the limits, which may already be exceeded, because a replay is fast.
    let stop = Stop::new();
    let mut note = |search: &mut Dfpn<G>, news: LengthNews<G::Move>| {
        let line = match news {
            LengthNews::Line(line) => line,
            LengthNews::AtLeast(plies) => {
                least = Some(plies);
                search.report(no_shorter_than(plies, search.nodes));
                return;
            }
        };
        if known.as_ref().is_none_or(|known: &Vec<G::Move>| line.len() < known.len()) && is_right(job, &line, &stop) {
            search.report(with_mate(&texts(job.game, &line), search.nodes));
            known = Some(line);
        }
    };
    if let Some(line) = line {
        note(search, LengthNews::Line(line));
    }
    let result = search.shortest(most, begin, &mut note);
    if known.is_some() && result.is_err() {
        let is_out = search.nodes >= search.node_limit || job.stop.is_stopped();
        let is_too_long = most > LONGEST && !is_out;
        found.at_least = least;
        found.open = Some(if is_too_long { OpenReason::Plies(LONGEST) } else { job.open_reason(search.nodes) });
    }
    result.or_else(|_| known.ok_or(Interrupted))
}
