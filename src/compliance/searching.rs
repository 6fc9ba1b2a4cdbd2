//! Checks that each search is answered by one legal move in time, with legal variations.

use super::answer::SearchAnswer;
use super::conversation::{millis, shown};
use super::positions::legal;
use super::subject::Subject;
use super::{Check, Verdict, verdict};
use hasami_api::{Line, Score, ScoreKind};
use hasami_catalog::GameError;
use hasami_protocol::client::{keeps_depth, keeps_nodes};
use hasami_protocol::{Command, Protocol};
use hasami_words::text::counted;
use std::time::Duration;

const MOVE_TIME: &str = "go movetime 100";

/// Thinking time per move under [`MOVE_TIME`] and under the clocks that the checks send.
const SHORT: Duration = Duration::from_millis(100);

/// Duration of searches without a limit.
const A_WHILE: Duration = Duration::from_millis(300);

/// Time limit for the answer to `stop`; a healthy engine takes a few milliseconds.
const STOP: Duration = Duration::from_secs(1);

pub const CHECKS: &[Check] = &[
    Check::must("answers go with a legal move", |subject| {
        let line = subject.positions.start.clone();
        verdict(subject.new_game().and_then(|()| answers(subject, &line, MOVE_TIME, SHORT)))
    }),
    Check::must("gives one answer only", |subject| {
        let line = subject.positions.start.clone();
        verdict(subject.search(&line, MOVE_TIME, SHORT).and_then(|_| nothing_more(subject)))
    }),
    Check::must("reports a score before its move", |subject| {
        last_line(subject, |answer| answer.verdict().is_some(), "info line with a score")
    }),
    Check::should("reports depth, nodes, time and variation with the score", |subject| {
        let is_whole = |answer: &SearchAnswer| {
            let whole = |info: &hasami_protocol::client::ChildInfo| {
                info.depth.is_some() && info.nodes.is_some() && info.time.is_some() && !info.pv.is_empty()
            };
            answer.verdict().is_some_and(whole)
        };
        last_line(subject, is_whole, "final info line with depth, nodes, time and pv")
    }),
    Check::should("plays the first move of its last variation", |subject| {
        let begins_with_move = |answer: &SearchAnswer, best: hasami_api::MoveText| {
            answer.verdict().is_some_and(|info| info.pv.first().is_none_or(|first| *first == best))
        };
        let line = subject.positions.middle.clone();
        let catalog = subject.examination.catalog;
        let checked = subject.search(&line, MOVE_TIME, SHORT).and_then(|answer| {
            let best = answer.legal_move(catalog)?;
            let other = || format!("{best} is not the first move of the last variation");
            if begins_with_move(&answer, best) { Ok(()) } else { Err(other()) }
        });
        verdict(checked)
    }),
    Check::must("reports variations that can be played", |subject| {
        let catalog = subject.examination.catalog;
        let lines = [Some(subject.positions.middle.clone()), subject.positions.long.clone()];
        let mut checked =
            lines.into_iter().flatten().map(|line| subject.search(&line, MOVE_TIME, SHORT)?.legal_variations(catalog));
        verdict(checked.find(Result::is_err).unwrap_or(Ok(())))
    }),
    Check::must("expects a legal reply (bestmove ... ponder)", legal_ponder_move),
    Check::must("takes a position as text", |subject| {
        let middle = subject.positions.middle.clone();
        verdict(as_text(subject, &middle).and_then(|line| answers(subject, &line, MOVE_TIME, SHORT)))
    }),
    Check::must("takes a position as text without its move number", |subject| {
        let middle = subject.positions.middle.clone();
        verdict(as_text(subject, &middle).and_then(|line| {
            let text = line.start.text.as_deref().unwrap_or_default();
            let short = text.rsplit_once(' ').map_or(text, |(start, _)| start).to_owned();
            subject.up()?;
            subject.engine().tell(&format!("position sfen {short}"));
            subject.engine().tell(MOVE_TIME);
            let answer = subject.answer(&line, MOVE_TIME, SHORT)?;
            answer.legal_move(subject.examination.catalog).map(drop)
        }))
    })
    .only(Protocol::Usi),
    Check::must("takes a position of 160 moves", |subject| match subject.positions.long.clone() {
        None => skipped("no random game was so long"),
        Some(line) => verdict(answers(subject, &line, MOVE_TIME, SHORT)),
    }),
    Check::must("plays the only legal move", |subject| match subject.positions.single.clone() {
        None => skipped("no random game had such a position"),
        Some(line) => verdict(answers(subject, &line, MOVE_TIME, SHORT)),
    }),
    Check::should("answers where it is mated", mated),
    Check::must("keeps to a clock of one side: go wtime 100", |subject| with_clock(subject, "go wtime 100", 100))
        .only(Protocol::Uci),
    Check::must("keeps to a clock of the other side: go btime 100", |subject| with_clock(subject, "go btime 100", 100))
        .only(Protocol::Uci),
    Check::must("keeps to clocks with increments", |subject| match subject.protocol() {
        Protocol::Uci => with_clock(subject, "go wtime 100 btime 100 winc 100 binc 100", 200),
        Protocol::Usi => with_clock(subject, "go btime 100 wtime 100 binc 100 winc 100", 200),
    }),
    Check::must("keeps to clocks with moves to go", |subject| {
        with_clock(subject, "go wtime 500 btime 500 movestogo 2", 500)
    })
    .only(Protocol::Uci),
    Check::must("keeps to clocks with byoyomi", |subject| with_clock(subject, "go btime 0 wtime 0 byoyomi 500", 500))
        .only(Protocol::Usi),
    Check::should("keeps to byoyomi alone", |subject| with_clock(subject, "go byoyomi 500", 500)).only(Protocol::Usi),
    Check::must("ends a search with a node limit", |subject| limited(subject, "go nodes 1000")),
    Check::must("ends a search with a depth limit", |subject| limited(subject, "go depth 2")),
    Check::should("searches only the moves of searchmoves", searches_only),
    Check::must("searches without an end until stop", |subject| {
        let line = subject.positions.start.clone();
        verdict(until_stop(subject, &line, "go infinite"))
    }),
    Check::must("waits for stop with one legal move, too", |subject| match subject.positions.single.clone() {
        None => skipped("no random game had such a position"),
        Some(line) => verdict(until_stop(subject, &line, "go infinite")),
    }),
    Check::must("answers isready while it searches", ready_in_a_search).only(Protocol::Uci),
    Check::must("hears a stop right behind go", |subject| {
        let line = subject.positions.start.clone();
        verdict(subject.up().and_then(|()| {
            subject.say(&Command::Position(line.clone()));
            subject.engine().tell("go infinite");
            stopped(subject, &line, "go infinite")
        }))
    }),
    Check::must("takes no notice of stop between searches", |subject| {
        verdict(subject.up().and_then(|()| {
            subject.say(&Command::Stop);
            nothing_more(subject)
        }))
    }),
    Check::must("ponders until ponderhit", ponders_until_hit),
    Check::must("ponders until stop", ponders_until_stop),
    Check::should("reports as many lines as MultiPV says", several_lines),
];

fn skipped(why: &'static str) -> Verdict {
    Verdict::Skipped(why.to_string())
}

/// Checks that a search is answered with a legal move in time.
fn answers(subject: &mut Subject<'_>, line: &Line, go: &str, limit: Duration) -> Result<(), String> {
    answer_in_time(subject, line, go, limit).map(drop)
}

fn answer_in_time(subject: &mut Subject<'_>, line: &Line, go: &str, limit: Duration) -> Result<SearchAnswer, String> {
    let answer = subject.search(line, go, limit)?;
    answer.legal_move(subject.examination.catalog)?;
    let (took, allowed) = (answer.took, limit + subject.margin());
    if took <= allowed {
        return Ok(answer);
    }
    Err(late(go, allowed, took))
}

/// Returns the message about a move that came too late.
fn late(after: &str, allowed: Duration, took: Duration) -> String {
    format!("the move came {} ms after '{after}', later than {} ms", millis(took), millis(allowed))
}

fn nothing_more(subject: &mut Subject<'_>) -> Result<(), String> {
    let lines = subject.listen()?;
    let second = lines.iter().find(|line| line.starts_with("bestmove") || line.starts_with("checkmate"));
    second.map_or(Ok(()), |line| Err(format!("a further answer: '{}'", shown(line))))
}

fn last_line(subject: &mut Subject<'_>, is_right: impl Fn(&SearchAnswer) -> bool, what: &'static str) -> Verdict {
    let line = subject.positions.middle.clone();
    let checked = subject.search(&line, MOVE_TIME, SHORT).and_then(|answer| {
        if is_right(&answer) { Ok(()) } else { Err(format!("no {} before '{}'", what, answer.last_line())) }
    });
    verdict(checked)
}

fn legal_ponder_move(subject: &mut Subject<'_>) -> Verdict {
    let (line, catalog) = (subject.positions.middle.clone(), subject.examination.catalog);
    let found = subject.search(&line, MOVE_TIME, SHORT).and_then(|answer| {
        let best = answer.legal_move(catalog)?;
        Ok(answer.ponder_move().map(|ponder| (best, ponder)))
    });
    match found {
        Err(why) => Verdict::Failed(why),
        Ok(None) => skipped("it names no reply"),
        Ok(Some((best, ponder))) => {
            let illegal = |why: GameError| format!("{ponder} is not a legal reply to {best} ({why})");
            verdict(catalog.check(&line.with(best).with(ponder)).map_err(illegal))
        }
    }
}

/// Returns the position at the end of a line, without the moves that led to it.
fn as_text(subject: &Subject<'_>, line: &Line) -> Result<Line, String> {
    let mut start = line.start.clone();
    start.text = Some(subject.examination.catalog.position(line)?.into());
    Ok(Line { start, moves: Vec::new() })
}

fn mated(subject: &mut Subject<'_>) -> Verdict {
    let Some(line) = subject.positions.mated.clone() else {
        return skipped("no random game had such a position");
    };
    let wanted = match subject.protocol() {
        Protocol::Uci => "bestmove (none)",
        Protocol::Usi => "bestmove resign",
    };
    verdict(subject.search(&line, MOVE_TIME, SHORT).and_then(|answer| {
        let other = || format!("'{}' where no move is legal, not '{wanted}'", answer.last_line());
        if answer.is_without_a_move() { Ok(()) } else { Err(other()) }
    }))
}

fn with_clock(subject: &mut Subject<'_>, go: &str, millis: u64) -> Verdict {
    let line = subject.positions.start.clone();
    verdict(answers(subject, &line, go, Duration::from_millis(millis)))
}

/// Checks a search without a clock, which may take any time but must end.
fn limited(subject: &mut Subject<'_>, go: &str) -> Verdict {
    let (line, limit) = (subject.positions.middle.clone(), subject.limit());
    verdict(answer_in_time(subject, &line, go, limit).and_then(|answer| {
        let Some(info) = answer.verdict().filter(|info| !info.score.is_some_and(is_mate)) else { return Ok(()) };
        let number = go.split(' ').next_back().and_then(|word| word.parse::<u64>().ok()).unwrap_or_default();
        let nodes = info
            .nodes
            .filter(|_| go.contains("nodes"))
            .map(|found| (keeps_nodes(number, found), counted(found, "node")));
        let plies = || info.depth.map(|found| (keeps_depth(number as u16, found), counted(found, "ply")));
        match nodes.or_else(|| plies().filter(|_| go.contains("depth"))) {
            Some((false, found)) => Err(format!("searched {found} after '{go}'")),
            _ => Ok(()),
        }
    }))
}

fn is_mate(score: Score) -> bool {
    matches!(score.kind(), ScoreKind::Mate(_))
}

fn searches_only(subject: &mut Subject<'_>) -> Verdict {
    let (line, catalog) = (subject.positions.start.clone(), subject.examination.catalog);
    let moves = legal(catalog, &line);
    // The last moves in the list are rarely the best, so an engine that ignores `searchmoves` is detected.
    let only: Vec<_> = moves.iter().rev().take(2).copied().collect();
    let words = only.iter().map(|m| &**m).collect::<Vec<_>>().join(" ");
    verdict(subject.search(&line, &format!("{MOVE_TIME} searchmoves {words}"), SHORT).and_then(|answer| {
        let best = answer.legal_move(catalog)?;
        let other = || format!("{best} is not one of {words}");
        if only.contains(&best) { Ok(()) } else { Err(other()) }
    }))
}

/// Checks that the engine answers after `stop`, and not before.
fn until_stop(subject: &mut Subject<'_>, line: &Line, go: &str) -> Result<(), String> {
    subject.up()?;
    subject.say(&Command::Position(line.clone()));
    subject.engine().tell(go);
    silent_search(subject, go)?;
    stopped(subject, line, go)
}

/// Checks that the engine does not answer an infinite search before `stop`.
fn silent_search(subject: &mut Subject<'_>, go: &str) -> Result<(), String> {
    let lines = subject.engine().listen(A_WHILE)?;
    match lines.iter().find(|line| line.starts_with("bestmove")) {
        None => Ok(()),
        Some(line) => {
            subject.restart();
            Err(format!("'{go}' was answered before it was stopped: '{}'", shown(line)))
        }
    }
}

fn stopped(subject: &mut Subject<'_>, line: &Line, go: &str) -> Result<(), String> {
    subject.say(&Command::Stop);
    let answer = subject.answer(line, &format!("{go}, stop"), STOP)?;
    answer.legal_move(subject.examination.catalog)?;
    if answer.took > STOP.max(subject.margin()) {
        return Err(late("stop", STOP, answer.took));
    }
    nothing_more(subject)
}

fn ready_in_a_search(subject: &mut Subject<'_>) -> Verdict {
    let line = subject.positions.start.clone();
    verdict(subject.up().and_then(|()| {
        subject.say(&Command::Position(line.clone()));
        subject.engine().tell("go infinite");
        let answered = subject.ready();
        if answered.is_err() {
            subject.restart();
        }
        answered?;
        silent_search(subject, "go infinite")?;
        stopped(subject, &line, "go infinite")
    }))
}

/// Passes if the engine declares the option for pondering; otherwise, the check is skipped.
fn ponders(subject: &Subject<'_>) -> Result<(), Verdict> {
    let name = match subject.protocol() {
        Protocol::Uci => "Ponder",
        Protocol::Usi => "USI_Ponder",
    };
    match subject.option(name) {
        Some(_) => Ok(()),
        None => Err(undeclared(name)),
    }
}

fn undeclared(name: &str) -> Verdict {
    Verdict::Skipped(format!("it declares no option {name}"))
}

/// Starts `go ponder` with clocks for both sides.
fn ponder(subject: &mut Subject<'_>) -> Result<(Line, &'static str), String> {
    let line = subject.positions.middle.clone();
    let go = match subject.protocol() {
        Protocol::Uci => "go ponder wtime 1000 btime 1000",
        Protocol::Usi => "go ponder btime 0 wtime 0 byoyomi 1000",
    };
    subject.up()?;
    subject.say(&Command::Position(line.clone()));
    subject.engine().tell(go);
    silent_search(subject, go)?;
    Ok((line, go))
}

fn ponders_until_hit(subject: &mut Subject<'_>) -> Verdict {
    if let Err(skipped) = ponders(subject) {
        return skipped;
    }
    verdict(ponder(subject).and_then(|(line, go)| {
        subject.engine().tell("ponderhit");
        let answer = subject.answer(&line, &format!("{go}, ponderhit"), Duration::from_secs(1))?;
        answer.legal_move(subject.examination.catalog)?;
        nothing_more(subject)
    }))
}

fn ponders_until_stop(subject: &mut Subject<'_>) -> Verdict {
    if let Err(skipped) = ponders(subject) {
        return skipped;
    }
    verdict(ponder(subject).and_then(|(line, go)| stopped(subject, &line, go)))
}

fn several_lines(subject: &mut Subject<'_>) -> Verdict {
    const LINES: usize = 3;
    let names = ["MultiPV", "USI_MultiPV"];
    let Some(name) = names.into_iter().find_map(|name| subject.option(name)).map(|option| option.name.clone()) else {
        return undeclared("MultiPV");
    };
    let line = subject.positions.start.clone();
    let checked = subject.up().and_then(|()| {
        subject.set_option(&name, Some(&LINES.to_string()));
        let answer = subject.search(&line, "go movetime 300", 3 * SHORT)?;
        let moves =
            answer.lines(LINES).ok_or_else(|| format!("some of the lines multipv 1 to {} are missing", LINES))?;
        let differ = moves.iter().enumerate().all(|(index, m)| !moves[..index].contains(m));
        let found = || moves.iter().map(|m| &**m).collect::<Vec<_>>().join(" ");
        let same = || format!("not {} different first moves: {}", LINES, found());
        if differ { Ok(()) } else { Err(same()) }
    });
    subject.set_option(&name, Some("1"));
    verdict(checked)
}
