//! Tests that encoded messages are decoded to the same value, that invalid messages are refused, and that typical
//! messages are small.

use super::*;
use crate::cluster::wire::{
    DiscoveryReply, DiscoveryRequest, LONGEST, LostNodeSummary, MasterBeat, SlotReport, SlotSummary, TeamNews, VERSION,
    check_task, plain, task_end,
};
use hasami_api::{Bound, Goal, Limits, RankedMove, Rules, Start};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Uses the same cases in every run, and prints a failing case in full.
fn fixed() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, cases: 256, ..ProptestConfig::default() }
}

fn a_move() -> impl Strategy<Value = MoveText> {
    "([a-h][1-8][a-h][1-8][qrbn]?)|([1-9][a-i][1-9][a-i]\\+?)|([PLNSGBR]\\*[1-9][a-i])|0000"
        .prop_map(|text| text.parse().unwrap())
}

const GOALS: [Goal; 5] = [Goal::Best, Goal::Mate, Goal::MateWithin, Goal::MateByAnyMoves, Goal::Mated];

fn some_moves(most: usize) -> impl Strategy<Value = Vec<MoveText>> {
    prop::collection::vec(a_move(), 0..=most)
}

fn a_task() -> impl Strategy<Value = Task> {
    let rules = (any::<bool>(), any::<u8>(), any::<u32>());
    let rules = rules.prop_map(|(chess960, own, max_moves)| Rules { chess960, own, max_moves });
    let text = prop::option::of("[0-9a-zA-Z/+]{1,80} [wb] [a-zA-Z0-9-]{1,8} [0-9]{1,3}");
    let line = (text, rules, some_moves(200))
        .prop_map(|(text, rules, moves)| Line { start: Start { text: text.map(Into::into), rules }, moves });
    let limits = (prop::option::of(any::<u16>()), prop::option::of(any::<u64>()), prop::option::of(any::<u16>()))
        .prop_map(|(depth, nodes, mate)| Limits { depth, nodes, mate });
    let goal = (0..GOALS.len()).prop_map(|goal| GOALS[goal]);
    let numbers = (0..=600u16, any::<u16>(), any::<u64>(), any::<u32>());
    (line, goal, some_moves(30), some_moves(30), limits, numbers).prop_map(
        |(line, goal, only, except, limits, (multipv, variant, team, news))| Task {
            line,
            goal,
            only,
            except,
            multipv,
            limits,
            variant,
            team,
            news,
        },
    )
}

fn a_report() -> impl Strategy<Value = Report> {
    let counts = (any::<u16>(), any::<u16>(), any::<u16>(), any::<u64>(), any::<u16>());
    let ranking = prop::collection::vec((a_move(), any::<u64>()), 0..=8);
    let value = (any::<i32>(), 0..3usize, any::<bool>());
    (counts, value, some_moves(16), ranking).prop_map(|(counts, (score, bound, of_move), pv, ranking)| {
        let (depth, seldepth, multipv, nodes, hashfull) = counts;
        let bound = [Bound::Exact, Bound::Lower, Bound::Upper][bound];
        let ranking = ranking.into_iter().map(|(text, nodes)| RankedMove { text, nodes }).collect();
        let score = Score::from_raw(score);
        Report { depth, seldepth, multipv, score, bound, of_move, nodes, hashfull, pv, ranking, ..Report::new(score) }
    })
}

fn an_end() -> impl Strategy<Value = (Goal, TaskEnd)> {
    let best = (prop::option::of(a_move()), prop::option::of(a_move()))
        .prop_map(|(best, ponder)| Answer::Best { best, ponder });
    let mate = prop_oneof![
        prop::collection::vec(a_move(), 1..99).prop_map(MateAnswer::Mate),
        Just(MateAnswer::NoMate),
        Just(MateAnswer::Unknown)
    ];
    prop_oneof![
        best.prop_map(|answer| (Goal::Best, TaskEnd::Answer(answer))),
        mate.prop_map(|answer| (Goal::Mate, TaskEnd::Answer(Answer::Mate(answer)))),
        "[ -~]{0,80}".prop_map(|why| (Goal::MateWithin, TaskEnd::Failed(why))),
    ]
}

/// Encodes and decodes a message, and checks that the encoded message is refused if a byte is added or removed.
fn sent<M: Serialize + DeserializeOwned>(message: &M) -> M {
    let mut bytes = encode(message);
    assert!(decode::<M>(&bytes[..bytes.len() - 1]).is_err(), "cut short");
    let read = decode(&bytes).unwrap();
    bytes.push(0);
    assert!(decode::<M>(&bytes).is_err_and(|why| why.contains("1 bytes more")), "with an extra byte");
    read
}

proptest! {
    #![proptest_config(fixed())]

    #[test]
    fn tasks_survive_encoding(task in a_task(), number in 1..=u64::MAX, game: u32) {
        let order = MasterOrder {
            lease: Lease(number),
            what: OrderKind::Start { task: TaskId(number), game, work: Box::new(task.clone()) },
        };
        prop_assert_eq!(sent(&order), order);
        prop_assert_eq!(check_task(&task), Ok(()));
    }

    #[test]
    fn reports_and_ends_survive_encoding(
        reports in prop::collection::vec(a_report(), 0..5),
        (goal, end) in an_end(),
        task in 1..=u64::MAX,
        serial: u64,
    ) {
        let say = NodeEvent::Ended { lease: Lease(1), task: TaskId(task), reports, end: Some(end.clone()) };
        let word = NodeMessage { serial, say };
        prop_assert_eq!(sent(&word), word);
        prop_assert_eq!(task_end(Some(end.clone()), goal), end);
    }

    #[test]
    fn arbitrary_bytes_never_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), is_ours: bool) {
        let mut bytes = bytes;
        if let Some(first) = bytes.first_mut().filter(|_| is_ours) {
            *first = VERSION;
        }
        if let Ok(order) = decode::<MasterOrder>(&bytes) && let OrderKind::Start { work, .. } = order.what {
            _ = check_task(&work);
        }
        _ = decode::<NodeMessage>(&bytes);
        _ = decode::<MasterBeat>(&bytes);
        _ = decode::<DiscoveryReply>(&bytes);
        _ = decode::<TeamNews>(&bytes);
    }
}

#[test]
fn all_other_messages_survive_encoding() {
    let all = [OrderKind::Cancel { task: TaskId(5) }, OrderKind::Heard { task: TaskId(0) }, OrderKind::Return];
    for what in all {
        let order = MasterOrder { lease: Lease(9), what };
        assert_eq!(sent(&order), order);
    }
    let profile = Profile { name: "a/1".into(), weight: 1.5, can_vary: false, can_mate: true, ..Profile::thread(0) };
    let seen = |task| SlotReport { lease: Lease(u64::MAX), task: TaskId(task), is_known: task > 0 };
    for say in [
        NodeEvent::Beat { name: "a".into(), slots: vec![seen(0), seen(7)] },
        NodeEvent::Joined { lease: Lease(1), profile },
        NodeEvent::Reports { lease: Lease(1), task: TaskId(1), reports: vec![report(3, "e2e4")] },
        NodeEvent::Left { lease: Lease(1), why: "crash".into() },
    ] {
        let word = NodeMessage { serial: 9, say };
        assert_eq!(sent(&word), word);
    }
    let (name, game) = ("desk".to_owned(), "shogi".to_owned());
    let beat = MasterBeat {
        serial: 3,
        game: game.clone(),
        name: name.clone(),
        weight: 2,
        wants: 64,
        role: SlotRole::Cells,
        network: None,
        leaves: true,
    };
    assert_eq!(sent(&beat), beat);
    assert_eq!(sent(&DiscoveryRequest), DiscoveryRequest);
    let owner = Some((name.clone(), game.clone()));
    let slot = SlotSummary { engine: "thread".into(), speed: Some(1_000_000), network: None, owner, busy_ms: Some(5) };
    let (slots, version) = (vec![slot], "1".to_owned());
    let card = DiscoveryReply::WorkerNode { name: name.clone(), version: version.clone(), seconds: 5, slots };
    assert_eq!(sent(&card), card);
    let lost = vec![LostNodeSummary { name: name.clone(), seconds_ago: 3, why: "silent".into() }];
    let card = DiscoveryReply::Master { name, version, game, slots: 4, lost };
    assert_eq!(sent(&card), card);
    let news = TeamNews(vec![[[1; 8], [2; 8]], [[0; 8], [255; 8]]]);
    assert_eq!(sent(&news), news);
}

#[test]
fn variations_are_truncated() {
    let mut pair = Pair::with_slots(1);
    pair.start(100, 1, &task(&[]));
    pair.deliver();
    let (worker, _) = pair.slot(0);
    for (nodes, expected) in [(1_000, (10, 4)), (2_000, (4, 0))] {
        let ranking = vec![RankedMove { text: "e2e4".parse().unwrap(), nodes: 5 }; 60];
        let long = Report { nodes, pv: texts(&["e2e4"; 60]), ranking, ..report(20, "e2e4") };
        pair.worker(WorkerEvent::Report { worker, task: TaskId(1), report: long });
        pair.news();
        pair.now += ms(500);
        pair.look(true);
        pair.deliver();
        let lengths = pair.news().into_iter().find_map(|effect| match effect {
            node_pool::PoolEffect::Reports { reports, .. } => Some((reports[0].pv.len(), reports[0].ranking.len())),
            _ => None,
        });
        assert_eq!(lengths, Some(expected), "the second report has the same depth");
    }
}

/// Returns the error for a task to which `change` was applied.
fn refused(change: impl FnOnce(&mut Task)) -> String {
    let mut task = task(&["e2e4"]);
    change(&mut task);
    check_task(&task).expect_err("more than fits")
}

#[test]
fn oversized_and_invalid_messages_are_refused_with_a_reason() {
    let start = |text: &str| Start { text: Some(text.into()), ..Start::default() };
    assert!(refused(|task| task.line.moves = texts(&["e2e4"; 4_097])).contains("at most 4096"));
    assert!(refused(|task| task.line.start = start(&"8".repeat(401))).contains("at most 400"));
    assert!(refused(|task| task.line.start = start("8/8\nquit")).contains("in one line"));
    assert!(decode::<NodeMessage>(&[VERSION; LONGEST + 1]).unwrap_err().contains("at most 65536 bytes"));
    assert!(decode::<NodeMessage>(&[]).unwrap_err().contains("found nothing"));
    for version in (0..=255).filter(|&version| version != VERSION) {
        assert!(decode::<DiscoveryRequest>(&[version]).unwrap_err().contains(&format!("found version {version}")));
    }
    // The encoded list claims to be longer than its message.
    assert!(decode::<TeamNews>(&[VERSION, 255, 255, 255, 255, 15]).is_err());
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut pair = Pair::new(1);
        let joined = NodeEvent::Joined { lease: Lease(1), profile: Profile { weight, ..Profile::thread(0) } };
        pair.tell_master(Subject::Member(OWNER), &word(1, joined));
        assert_eq!(pair.pool.size(), (0, 0), "{weight}");
    }
}

#[test]
fn an_answer_must_fit_the_goal_of_its_task() {
    let mate = TaskEnd::Answer(Answer::Mate(MateAnswer::Mate(texts(&["e2e4"]))));
    let is_failure = |end: &TaskEnd, goal| matches!(task_end(Some(end.clone()), goal), TaskEnd::Failed(_));
    assert!(is_failure(&mate, Goal::Best) && is_failure(&best("e2e4"), Goal::Mate));
    assert!(!is_failure(&mate, Goal::MateWithin) && !is_failure(&best("e2e4"), Goal::Best));
    assert!(GOALS.into_iter().all(|goal| matches!(task_end(None, goal), TaskEnd::Answer(_))), "not started");
}

#[test]
fn texts_for_users_are_short_and_without_control_characters() {
    let shown = plain("a\u{1b}[2J\nb\u{202e}");
    assert!(!shown.chars().any(char::is_control), "{shown:?}");
    assert!(plain(&"x".repeat(4_000)).len() <= 83);
    let mut pair = Pair::new(1);
    let say = NodeEvent::Joined {
        lease: Lease(1),
        profile: Profile { name: "evil\r\nbestmove e2e4".into(), ..Profile::thread(0) },
    };
    pair.tell_master(Subject::Member(OWNER), &word(1, say));
    pair.bind();
    let names: Vec<String> = pair
        .news()
        .into_iter()
        .filter_map(
            |effect| if let node_pool::PoolEffect::Joined { profile, .. } = effect { Some(profile.name) } else { None },
        )
        .collect();
    assert!(names.len() == 1 && !names[0].chars().any(char::is_control), "{names:?}");
}

#[test]
fn printed_subjects_parse_to_the_same_value() {
    for subject in [Subject::Masters, Subject::Discovery, Subject::Member(NODE), Subject::News(OWNER, u64::MAX)] {
        for from in [NODE, Member { user: User::named("attic"), number: 0 }] {
            assert_eq!(Subject::read(&subject.of(from)), Some((from, subject)));
        }
        assert_eq!(Subject::read(&subject.of_all()), None, "no sender");
    }
    let me = "hasami.2.attic.0123456789abcdef";
    for end in
        ["", ".", ".beats", ".beat.a", ".to.attic", ".to.attic.1", ".to.attic.0123456789abcdef.1", ".to.*.*", ".news.1"]
    {
        assert_eq!(Subject::read(&format!("{me}{end}")), None, "{end}");
    }
    for text in ["", "hasami.2.", "hasami.2.beat", "hasami.2.a.b.beat", "hasami.1.attic.0123456789abcdef.beat"] {
        assert_eq!(Subject::read(text), None, "{text}");
    }
}

#[test]
fn every_login_has_a_user_that_is_a_word_of_a_subject() {
    for (login, user) in
        [("attic", "attic"), ("a.b *>", "a-b---"), ("机", "-"), ("", "anybody"), (&"x".repeat(99), &"x".repeat(32))]
    {
        assert_eq!(User::named(login).to_string(), user);
    }
}

#[test]
fn typical_messages_are_small() {
    let moves = texts(&["g1f3", "g8f6", "f3g1", "f6g8"].repeat(20));
    let work = Task { line: Line { moves, ..Line::default() }, team: u64::MAX, news: 1_024, ..task(&[]) };
    let start = OrderKind::Start { task: TaskId(40_000), game: 9, work: Box::new(work) };
    let mut typical = report(24, "e2e4");
    (typical.pv, typical.nodes) = (texts(&["e2e4"; 10]), 12_345_678);
    typical.ranking = vec![RankedMove { text: "e2e4".parse().unwrap(), nodes: 3_000_000 }; 4];
    let lease = Lease(u64::MAX / 3);
    let slots = vec![SlotReport { lease, task: TaskId(40_000), is_known: true }; 8];
    let reports = NodeEvent::Reports { lease, task: TaskId(40_000), reports: vec![typical] };
    let (name, game) = ("desk-under-the-roof".to_owned(), "shogi".to_owned());
    let beat = MasterBeat {
        serial: 9_999,
        game,
        name: name.clone(),
        weight: 1,
        wants: 4_096,
        role: SlotRole::Leaves,
        network: None,
        leaves: false,
    };
    let sizes = [
        ("start after 80 plies", order(lease, start).len(), 470),
        ("cancel", order(lease, OrderKind::Cancel { task: TaskId(40_000) }).len(), 14),
        ("report", word(99_999, reports).len(), 120),
        ("beat of a node with 8 slots", word(99_999, NodeEvent::Beat { name, slots }).len(), 130),
        ("beat of a master", encode(&beat).len(), 38),
    ];
    let is_wrong = |&(_, size, most): &(&str, usize, usize)| size > most || size * 10 < most * 9;
    let wrong: Vec<_> = sizes.into_iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "size and expected maximum: {wrong:?}");
}
