//! Tests that parsing a written command or output returns the original.

use super::*;
use crate::client::{ChildInfo, Reply, go_for, parse, write};
use hasami_api::{Bound, Goal, Limits, MateAnswer, Score, Task};

fn a_move(protocol: Protocol) -> BoxedStrategy<MoveText> {
    let text = match protocol {
        Protocol::Uci => "[a-h][1-8][a-h][1-8][qrbn]?",
        Protocol::Usi => "([1-9][a-i][1-9][a-i]\\+?)|([PLNSGBR]\\*[1-9][a-i])",
    };
    text.prop_map(|text| text.parse().unwrap()).boxed()
}

fn some_moves(protocol: Protocol, most: usize) -> BoxedStrategy<Vec<MoveText>> {
    prop::collection::vec(a_move(protocol), 0..=most).boxed()
}

fn time() -> impl Strategy<Value = Duration> {
    prop_oneof![Just(0), 0..100_000u64, 0..=i64::MAX as u64].prop_map(Duration::from_millis)
}

fn clock(protocol: Protocol) -> impl Strategy<Value = Clock> {
    let times = (prop::option::of(time()), prop::option::of(time()));
    let moves = prop::option::of(1..=u32::MAX);
    (times, (time(), time()), time(), moves).prop_map(move |(time, increment, byoyomi, moves_to_go)| Clock {
        time: time.into(),
        increment: increment.into(),
        adds_first: protocol == Protocol::Usi && increment != Default::default(),
        byoyomi,
        moves_to_go,
    })
}

fn mate_limit(protocol: Protocol) -> BoxedStrategy<MateLimit> {
    match protocol {
        Protocol::Uci => any::<u32>().prop_map(MateLimit::Moves).boxed(),
        Protocol::Usi => prop_oneof![Just(MateLimit::Infinite), time().prop_map(MateLimit::Time)].boxed(),
    }
}

fn any_go(protocol: Protocol) -> impl Strategy<Value = Go> {
    let numbers =
        (prop::option::of(any::<u16>()), prop::option::of(0..=i64::MAX as u64), prop::option::of(any::<u32>()));
    let times = (prop::option::of(time()), prop::option::of(time()));
    let limits = (times, numbers, prop::option::of(mate_limit(protocol)));
    (clock(protocol), limits, any::<[bool; 2]>(), some_moves(protocol, 5)).prop_map(
        |(clock, limits, flags, search_moves)| {
            let ((move_time, random_time), (depth, nodes, perft), mate) = limits;
            let (infinite, ponder) = (flags[0], flags[1]);
            Go {
                clock,
                move_time,
                random_time,
                depth,
                nodes,
                mate,
                infinite,
                ponder,
                search_moves,
                perft,
                ..Go::default()
            }
        },
    )
}

fn any_line(protocol: Protocol) -> impl Strategy<Value = Line> {
    let text = prop::option::of("[0-9kqrbnpKQRBNP/]{3,70} [wb] (-|[KQkq]{1,4}) (-|[a-h][36])( [0-9]{1,3})?");
    (text, some_moves(protocol, 40))
        .prop_map(|(text, moves)| Line { start: Start { text: text.map(Into::into), ..Start::default() }, moves })
}

fn any_option() -> impl Strategy<Value = Command> {
    let name = "[A-Za-z_0-9]{1,12}( [A-Z][a-z0-9]{1,6})?"
        .prop_filter("a keyword", |name| !name.split(' ').any(|w| w == "value"));
    let value = prop::option::of("[!-~]{1,8}(  ?[!-~]{1,8}){0,3}");
    (name, value).prop_map(|(name, value)| Command::SetOption { name, value })
}

fn any_command(protocol: Protocol) -> BoxedStrategy<Command> {
    let hit = match protocol {
        Protocol::Uci => Just(None).boxed(),
        Protocol::Usi => clock(protocol).prop_map(|clock| Some(clock).filter(|clock| !clock.is_empty())).boxed(),
    };
    let plain =
        [Command::Hello, Command::IsReady, Command::NewGame, Command::Stop, Command::Quit, Command::Debug(true)];
    prop_oneof![
        prop::sample::select(plain.to_vec()),
        any_line(protocol).prop_map(Command::Position),
        any_go(protocol).prop_map(Command::Go),
        hit.prop_map(Command::PonderHit),
        any_option(),
    ]
    .boxed()
}

fn either<T: std::fmt::Debug + 'static>(of: fn(Protocol) -> BoxedStrategy<T>) -> impl Strategy<Value = (Protocol, T)> {
    prop::sample::select(&PROTOCOLS[..]).prop_flat_map(move |protocol| (Just(protocol), of(protocol)))
}

/// Generates scores that the protocol can express. In UCI, a mate score counts an odd number of plies for the winner
/// and an even number for the loser.
fn score(protocol: Protocol) -> impl Strategy<Value = Score> {
    let step = if protocol == Protocol::Uci { 2 } else { 1 };
    prop_oneof![
        any::<i32>().prop_map(Score::cp),
        (0..500i32).prop_map(move |n| Score::win_in(1 + n * step)),
        (0..500i32).prop_map(move |n| Score::loss_in(n * step)),
    ]
}

fn any_info(protocol: Protocol) -> BoxedStrategy<Info> {
    let bound = prop::sample::select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    let wdl = if protocol == Protocol::Uci { prop::option::of(any::<[u16; 3]>()).boxed() } else { Just(None).boxed() };
    let numbers = (any::<[u16; 3]>(), prop::option::of(any::<u16>()), 0..=i64::MAX as u64, 0..=i64::MAX as u64, time());
    (score(protocol), bound, wdl, numbers, some_moves(protocol, 30))
        .prop_map(|(score, bound, wdl, ([depth, seldepth, hashfull], multipv, nodes, nps, time), pv)| Info {
            depth,
            seldepth,
            multipv,
            score,
            bound,
            wdl,
            nodes,
            nps,
            hashfull,
            table_hits: nodes % 3,
            time,
            pv,
        })
        .boxed()
}

fn as_read(info: &Info) -> ChildInfo {
    ChildInfo {
        depth: Some(info.depth),
        seldepth: Some(info.seldepth),
        multipv: info.multipv,
        score: Some(info.score),
        bound: info.bound,
        wdl: info.wdl,
        nodes: Some(info.nodes),
        nps: Some(info.nps).filter(|_| info.time >= Duration::from_millis(2)),
        hashfull: Some(info.hashfull),
        table_hits: Some(info.table_hits).filter(|&hits| hits > 0),
        time: Some(info.time.max(Duration::from_millis(1))),
        pv: info.pv.clone(),
        ..ChildInfo::default()
    }
}

proptest! {
    #![proptest_config(fixed())]

    #[test]
    fn commands((protocol, command) in either(any_command)) {
        let line = write(protocol, &command).unwrap();
        prop_assert!(line.is_ascii());
        prop_assert_eq!(protocol.parse(&line), command);
    }

    #[test]
    fn infos((protocol, info) in either(any_info)) {
        let line = protocol.format(&Output::Info(info.clone()));
        prop_assert_eq!(parse(protocol, &line), Reply::Info(as_read(&info)));
    }

    #[test]
    fn best_moves((protocol, (best, ponder)) in either(|p| (a_move(p), prop::option::of(a_move(p))).boxed())) {
        let best = BestMove::Move { best, ponder };
        let line = protocol.format(&Output::Best(best.clone()));
        prop_assert_eq!(parse(protocol, &line), Reply::Best(best));
    }

    #[test]
    fn mates(line in some_moves(Protocol::Usi, 40)) {
        prop_assume!(!line.is_empty());
        let answer = MateAnswer::Mate(line);
        let text = Protocol::Usi.format(&Output::Checkmate(answer.clone()));
        prop_assert_eq!(parse(Protocol::Usi, &text), Reply::Checkmate(answer));
    }

    #[test]
    fn messages(text in "[!-~]([ -~]{0,60}[!-~])?") {
        for protocol in PROTOCOLS {
            let line = protocol.format(&Output::Message(text.clone()));
            prop_assert_eq!(parse(protocol, &line), Reply::Message(text.clone()));
        }
    }
}

#[test]
fn answers_without_a_move() {
    for (protocol, best) in
        [(Protocol::Uci, BestMove::None), (Protocol::Usi, BestMove::Resign), (Protocol::Usi, BestMove::Win)]
    {
        let line = protocol.format(&Output::Best(best.clone()));
        assert_eq!(parse(protocol, &line), Reply::Best(best));
    }
    for answer in [MateAnswer::NoMate, MateAnswer::Unknown] {
        let line = Protocol::Usi.format(&Output::Checkmate(answer.clone()));
        assert_eq!(parse(Protocol::Usi, &line), Reply::Checkmate(answer));
    }
}

#[test]
fn introductions_are_parsed_back() {
    for protocol in PROTOCOLS {
        let text = protocol.introduce(&options(protocol).declare(&Settings::default()));
        let replies: Vec<_> = text.lines().map(|line| parse(protocol, line)).collect();
        let options = replies.iter().filter(|reply| matches!(reply, Reply::Option(_))).count();
        assert_eq!(options, text.matches("option name ").count());
        assert_eq!(replies.last(), Some(&Reply::HelloOk));
        assert_eq!(replies.len(), options + 3);
    }
}

#[test]
fn tasks_become_go_lines() {
    let task = |goal, depth, nodes, mate, only: &str| Task {
        goal,
        limits: Limits { depth, nodes, mate },
        only: moves(only),
        ..Task::default()
    };
    for (protocol, task, line) in [
        (Protocol::Uci, task(Goal::Best, None, None, None, ""), "go infinite"),
        (
            Protocol::Uci,
            task(Goal::Best, Some(9), Some(1000), None, "e2e4 d2d4"),
            "go depth 9 nodes 1000 searchmoves e2e4 d2d4",
        ),
        (Protocol::Uci, task(Goal::Best, None, None, Some(5), ""), "go mate 3"),
        (Protocol::Usi, task(Goal::Best, None, None, Some(5), ""), "go infinite"),
        (Protocol::Usi, task(Goal::Best, None, Some(5000), None, "7g7f"), "go nodes 5000 searchmoves 7g7f"),
        (Protocol::Usi, task(Goal::Mate, None, None, None, ""), "go mate infinite"),
        (Protocol::Uci, task(Goal::Mate, None, None, Some(7), ""), "go mate 4"),
    ] {
        assert_eq!(write(protocol, &Command::Go(go_for(protocol, &task))).unwrap(), line);
    }
}
