//! Draws the scenario of a simulated world from a seed: its settings, its workers, and the script of its GUI.

use super::behaviour::Behaviour;
use super::gui::{GuiAction, ScriptStep, Wait};
use hasami_protocol::settings::TreeModel;
use hasami_protocol::{Clock, Go, MateLimit, Settings};
use hasami_toy::mix;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;

/// Values of the option `TreeRules`; each scenario draws one of them. Several of the values switch on all or most
/// rules, so that the rules interact.
const RULES: [&str; 9] = [
    "",
    "all=on",
    "mate-probes=1",
    "all=on,pv-inference=off",
    "all=on,affinity=off,speed=off",
    "all=off,pv-inference=on",
    "groups=off",
    "groups=off,anticipation=off",
    "all=on,groups=on",
];

/// Mixed with the seed, so that machines are drawn independently of everything else.
const MACHINES: u64 = 0x6E65_7477_6F72_6B73;

/// Everything that determines a run. Two runs of the same scenario are identical.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    pub seed: u64,
    /// The number that identifies the graph of the toy game.
    pub graph: u64,
    pub settings: Settings,
    pub workers: Vec<Behaviour>,
    pub script: Vec<ScriptStep>,
}

impl Scenario {
    pub fn new(seed: u64) -> Self {
        let mut rng = SmallRng::seed_from_u64(seed);
        let graph = rng.random_range(0..64);
        let mut settings = Settings::default();
        change(&mut settings, &mut rng);
        let mut workers = draw_workers(&mut rng);
        let mut script = Vec::new();
        for _ in 0..rng.random_range(1..6) {
            episode(&mut script, &settings, &mut rng);
        }
        let drawn = mix(seed ^ MACHINES);
        if drawn.is_multiple_of(4) {
            lend(&mut workers, drawn);
        }
        Self { seed, graph, settings, workers, script }
    }

    /// Returns whether no worker sends false or stray reports.
    pub fn is_honest(&self) -> bool {
        self.workers.iter().all(|behaviour| behaviour.lie + behaviour.stray + behaviour.praise == 0)
    }

    /// Returns whether a trusted worker (on the manager's own machine) sends false or stray reports.
    pub fn is_deceived(&self) -> bool {
        self.workers.iter().any(|worker| worker.machine.is_none() && worker.lie + worker.stray > 0)
    }

    /// Returns whether no worker ever misbehaves.
    pub fn is_healthy(&self) -> bool {
        let is_good = |behaviour: &Behaviour| behaviour.is_healthy() || *behaviour == Behaviour::solver();
        self.workers.iter().all(is_good)
    }
}

/// Assigns all workers except the first few to three untrusted machines. In a third of the scenarios that have
/// untrusted machines, the first machine reports that bad moves are good.
fn lend(workers: &mut [Behaviour], drawn: u64) {
    let ours = [0, 0, 1, 4][(drawn >> 8) as usize % 4];
    let liar = mix(drawn);
    for (index, worker) in workers.iter_mut().enumerate().skip(ours) {
        let machine = index as u64 % 3;
        worker.machine = Some(machine);
        if machine == 0 && liar.is_multiple_of(3) {
            worker.praise = if liar.is_multiple_of(2) { 1000 } else { 300 };
        }
    }
}

fn draw_workers(rng: &mut SmallRng) -> Vec<Behaviour> {
    let count = match rng.random_range(0..200) {
        0..120 => rng.random_range(1..=4),
        120..184 => rng.random_range(5..=16),
        184..199 => rng.random_range(17..=64),
        _ => rng.random_range(65..=256),
    };
    let faulty = [0, 0, 10, 50, 100][rng.random_range(0..5)];
    let draw = |_| if rng.random_ratio(faulty, 100) { Behaviour::faulty(rng) } else { Behaviour::able(rng) };
    let mut workers: Vec<Behaviour> = (0..count).map(draw).collect();
    if rng.random_ratio(1, 2) {
        workers.push(Behaviour::solver());
    }
    workers
}

/// Adds a typical or an unusual sequence of commands to the script.
fn episode(script: &mut Vec<ScriptStep>, settings: &Settings, rng: &mut SmallRng) {
    let mut push = |wait, what| script.push(ScriptStep { wait, what });
    match rng.random_range(0..8) {
        0..3 => game(script, rng),
        3 => ponder(script, rng),
        4 => {
            push(pause(rng), jump(rng));
            push(pause(rng), go(Go { infinite: true, ..Go::default() }, rng));
            push(pause(rng), GuiAction::Stop);
        }
        5 => {
            let mut other = settings.clone();
            change(&mut other, rng);
            push(pause(rng), GuiAction::Settings(Box::new(other)));
            push(pause(rng), GuiAction::NewGame);
        }
        6 => {
            push(pause(rng), go(any_limits(rng), rng));
            push(pause(rng), GuiAction::Stop);
            push(Wait::For(Duration::ZERO), GuiAction::GameOver);
            push(Wait::For(Duration::ZERO), GuiAction::NewGame);
        }
        _ => {
            for _ in 0..rng.random_range(1..8) {
                let what = anything(settings, rng);
                script.push(ScriptStep { wait: pause(rng), what });
            }
        }
    }
}

/// Adds a new game with several moves to the script.
fn game(script: &mut Vec<ScriptStep>, rng: &mut SmallRng) {
    script.push(ScriptStep { wait: pause(rng), what: GuiAction::NewGame });
    script.push(ScriptStep { wait: pause(rng), what: jump(rng) });
    let limits = any_limits(rng);
    for _ in 0..rng.random_range(1..6) {
        script.push(ScriptStep { wait: pause(rng), what: GuiAction::Go { go: limits.clone(), search_moves: 0 } });
        let wait = Wait::Answered(Duration::from_millis(rng.random_range(0..300)));
        let what = GuiAction::Reply { expected: rng.random(), salt: rng.random() };
        script.push(ScriptStep { wait, what });
    }
}

/// Adds pondering to the script: a move, then `go ponder` with or without a clock, then a hit or a miss.
fn ponder(script: &mut Vec<ScriptStep>, rng: &mut SmallRng) {
    let clock = clock(rng);
    let early = rng.random();
    let mut push = |wait, what| script.push(ScriptStep { wait, what });
    push(pause(rng), jump(rng));
    push(pause(rng), GuiAction::Go { go: Go { clock, ..Go::default() }, search_moves: 0 });
    push(Wait::Answered(Duration::from_millis(1)), GuiAction::Expect);
    let shown = if early { Clock::default() } else { clock };
    push(
        Wait::For(Duration::ZERO),
        GuiAction::Go { go: Go { ponder: true, clock: shown, ..Go::default() }, search_moves: 0 },
    );
    let end = if rng.random() { GuiAction::PonderHit(early.then_some(clock)) } else { GuiAction::Stop };
    push(pause(rng), end);
    push(Wait::Answered(Duration::from_millis(1)), GuiAction::Reply { expected: rng.random(), salt: rng.random() });
}

fn anything(settings: &Settings, rng: &mut SmallRng) -> GuiAction {
    match rng.random_range(0..12) {
        0..4 => go(any_limits(rng), rng),
        4 => GuiAction::Stop,
        5 => GuiAction::PonderHit(rng.random_ratio(1, 2).then(|| clock(rng))),
        6 => GuiAction::GameOver,
        7 => GuiAction::NewGame,
        8 => GuiAction::Nonsense,
        9 => GuiAction::Reply { expected: rng.random(), salt: rng.random() },
        10 => {
            let mut other = settings.clone();
            change(&mut other, rng);
            GuiAction::Settings(Box::new(other))
        }
        _ => jump(rng),
    }
}

fn jump(rng: &mut SmallRng) -> GuiAction {
    GuiAction::Jump { node: rng.random_range(0..4096), plies: rng.random_range(0..20), salt: rng.random() }
}

fn go(go: Go, rng: &mut SmallRng) -> GuiAction {
    GuiAction::Go { go, search_moves: if rng.random_ratio(1, 6) { rng.random_range(1..4) } else { 0 } }
}

fn pause(rng: &mut SmallRng) -> Wait {
    let most = [1, 10, 100, 1_000, 5_000][rng.random_range(0..5)];
    let pause = Duration::from_micros(rng.random_range(0..most * 1_000));
    if rng.random_ratio(1, 3) { Wait::Answered(pause) } else { Wait::For(pause) }
}

fn some_ms(rng: &mut SmallRng) -> Duration {
    Duration::from_millis([0, 5, 50, 300, 1_000, 10_000, 60_000][rng.random_range(0..7)])
}

fn clock(rng: &mut SmallRng) -> Clock {
    let mut clock = Clock { time: [Some(some_ms(rng)), Some(some_ms(rng))], ..Clock::default() };
    match rng.random_range(0..6) {
        0 => clock.increment = [some_ms(rng) / 50; 2],
        1 => clock.byoyomi = some_ms(rng).min(Duration::from_secs(1)),
        2 => clock = Clock { byoyomi: some_ms(rng).min(Duration::from_secs(1)), ..Clock::default() },
        3 => clock.moves_to_go = Some(rng.random_range(1..40)),
        4 => clock.time[rng.random_range(0..2)] = None,
        _ => {}
    }
    clock
}

fn any_limits(rng: &mut SmallRng) -> Go {
    let mut go = Go::default();
    match rng.random_range(0..12) {
        0..5 => go.clock = clock(rng),
        5 => go.move_time = Some(some_ms(rng)),
        6 => go.depth = Some(rng.random_range(1..9)),
        7 => go.nodes = Some([1, 100, 10_000][rng.random_range(0..3)]),
        8 => go.infinite = true,
        9 => go.mate = Some(mate_limit(rng)),
        10 => {
            go.ponder = true;
            go.clock = clock(rng);
        }
        _ => {
            go.clock = clock(rng);
            go.depth = Some(rng.random_range(1..9));
        }
    }
    go
}

fn mate_limit(rng: &mut SmallRng) -> MateLimit {
    match rng.random_range(0..3) {
        0 => MateLimit::Moves(rng.random_range(0..5)),
        1 => MateLimit::Time(some_ms(rng)),
        _ => MateLimit::Infinite,
    }
}

fn change(settings: &mut Settings, rng: &mut SmallRng) {
    settings.ponder = rng.random_ratio(1, 3);
    settings.multi_pv = if rng.random_ratio(1, 3) { rng.random_range(1..6) } else { 1 };
    settings.tree_model = [TreeModel::Rank, TreeModel::Gap, TreeModel::Hasami][rng.random_range(0..3)];
    settings.tree_rules = RULES[rng.random_range(0..RULES.len())].into();
    settings.show_wdl = rng.random_ratio(1, 8);
    settings.tree_log = rng.random_ratio(1, 8);
    settings.analyse_mode = rng.random_ratio(1, 8);
    settings.resign_value = rng.random_ratio(1, 8).then(|| rng.random_range(1..3_000));
}
