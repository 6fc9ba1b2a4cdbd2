//! Compares lengths by composers' rules with a literal implementation of the rules in docs/guide/solve.md: a recursion
//! without a table, shortcuts or proof numbers.
//!
//! By default, a run examines a few hundred positions. To examine more positions, run `COMPOSERS_POSITIONS=10000
//! COMPOSERS_SEED=4 COMPOSERS_NODES=200000 cargo test --profile fast -p hasami-mate --test composers -- --ignored
//! --nocapture`, which prints the number of positions compared. The run ends at the first wrong answer.
#![allow(clippy::unwrap_used)]

#[path = "oracle/positions.rs"]
mod positions;

use hasami_api::{Game, Goal, Limits, Line, MateAnswer, MateGame, Moves, Start, Stop, Task, is_mated_for_composers};
use hasami_mate::{MateEngine, MateRequest, MateRules, MateSolver};
use hasami_shogi::{Move, Shogi};
use rand::SeedableRng;
use rand::rngs::SmallRng;

struct OutOfNodes;

/// Counts the plies of a mate by composers' rules, up to `most` plies.
struct Counter {
    nodes_left: u64,
}

impl Counter {
    fn attack(&mut self, game: &mut Shogi, most: usize) -> Result<Option<usize>, OutOfNodes> {
        let mut checks = Moves::new();
        game.checking_moves(&mut checks);
        let mut best: Option<usize> = None;
        for &m in checks.iter() {
            let limit = best.map_or(most, |best| best - 1);
            if limit > 0 {
                let found = self.after(game, m, |counter, game| counter.defend(game, limit - 1))?;
                best = found.map(|plies| plies + 1).or(best);
            }
        }
        Ok(best)
    }

    fn defend(&mut self, game: &mut Shogi, most: usize) -> Result<Option<usize>, OutOfNodes> {
        let mut answers = Moves::new();
        game.legal_moves(&mut answers);
        let target = |m: Move| game.dropped(m).map(|(_, square)| square);
        let others: Vec<Move> = answers.iter().copied().filter(|&m| target(m).is_none()).collect();
        let drops: Vec<(u8, Move)> = answers.iter().filter_map(|&m| Some((target(m)?, m))).collect();
        let mut longest = 0;
        for m in others {
            let Some(plies) = self.answered(game, m, most)? else { return Ok(None) };
            longest = longest.max(plies);
        }
        for square in game.squares_between() {
            let here: Vec<Move> = drops.iter().filter(|&&(to, _)| to == square).map(|&(_, m)| m).collect();
            let mut is_futile = here.is_empty();
            for mut nearer in if is_futile { Vec::new() } else { game.nearer(square) } {
                is_futile |= self.defend(&mut nearer, longest)?.is_some();
            }
            for m in if is_futile { Vec::new() } else { here } {
                let Some(plies) = self.answered(game, m, most)? else { return Ok(None) };
                longest = longest.max(plies);
            }
        }
        Ok(Some(longest))
    }

    fn answered(&mut self, game: &mut Shogi, m: Move, most: usize) -> Result<Option<usize>, OutOfNodes> {
        if most == 0 {
            return Ok(None);
        }
        let found = self.after(game, m, |counter, game| counter.attack(game, most - 1))?;
        Ok(found.map(|plies| plies + 1))
    }

    fn after<T>(
        &mut self,
        game: &mut Shogi,
        m: Move,
        look: impl FnOnce(&mut Self, &mut Shogi) -> Result<T, OutOfNodes>,
    ) -> Result<T, OutOfNodes> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(OutOfNodes)?;
        game.make(m);
        let found = look(self, game);
        game.unmake();
        found
    }
}

fn solve(text: &str, request: MateRequest, nodes: u64, table: usize) -> MateAnswer {
    let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task { line, goal: Goal::Mate, limits, ..Task::default() };
    let found = MateEngine::<Shogi>::with_bytes(table).examine(&task, request, &Stop::new()).unwrap();
    // A reported mate may be too long if a limit ended the search for a shorter one, so it is not compared.
    if found.open.is_some() { MateAnswer::Unknown } else { found.answer }
}

/// Checks that every move of the attacker is a check, and that only futile drops are possible after the last move.
fn assert_ends_as_composers_say(text: &str, line: &[hasami_api::MoveText]) {
    let mut game = Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap();
    for (index, m) in line.iter().enumerate() {
        let m = game.parse_move(m).unwrap();
        game.make(m);
        assert!(index % 2 == 1 || game.in_check(), "{text}: {line:?}");
        let is_end = index % 2 == 0 && is_mated_for_composers(&game);
        assert_eq!(is_end, index + 1 == line.len(), "{text}: {line:?}");
    }
}

/// Numbers of examined positions, by result.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    /// Positions in which the solver and the recursion found mates of equal length.
    compared: usize,
    /// Positions in which the recursion found no mate within its depth, and the solver found a longer mate or proved
    /// that there is none.
    without: usize,
    /// Positions that the solver or the recursion left open because of a limit.
    open: usize,
    /// Compared positions whose mate is shorter by composers' rules than by strict rules. `in_the_middle` counts the
    /// positions in which futile drops in the middle of the line make the difference.
    shorter: usize,
    in_the_middle: usize,
}

fn examine(seed: u64, positions: usize, most: usize, nodes: u64) -> Tally {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut tally = Tally::default();
    for _ in 0..positions {
        let (text, game) = positions::position(&mut rng);
        let request = |shortest, rules| MateRequest { shortest, rules, ..MateRequest::default() };
        // The size of the table must not affect the result.
        let table = if text.len().is_multiple_of(2) { 1 << 16 } else { 1 << 20 };
        let strict = solve(&text, request(true, MateRules::Strict), nodes, 1 << 20);
        let counted = solve(&text, request(true, MateRules::Tsume), nodes, table);
        tally.positions += 1;
        let any = solve(&text, request(false, MateRules::Tsume), nodes, 1 << 20);
        let MateAnswer::Mate(counted) = counted else {
            let is_same = strict == counted || strict == MateAnswer::Unknown || counted == MateAnswer::Unknown;
            assert!(is_same, "{text}: {strict:?} {counted:?}");
            let truth = Counter { nodes_left: nodes }.attack(&mut game.clone(), most);
            let is_none = counted == MateAnswer::NoMate;
            assert!(!is_none || !matches!(truth, Ok(Some(_))), "{text}: a mate in {:?} plies", truth.ok());
            tally.without += usize::from(is_none && truth.is_ok());
            tally.open += usize::from(!is_none || truth.is_err());
            continue;
        };
        assert_ends_as_composers_say(&text, &counted);
        let MateAnswer::Mate(any) = any else { panic!("{text}: {any:?}") };
        assert!(any.len() >= counted.len(), "{text}: {any:?} is shorter than {counted:?}");
        let truth = Counter { nodes_left: nodes }.attack(&mut game.clone(), most);
        let Ok(truth) = truth else {
            tally.open += 1;
            continue;
        };
        let found = Some(counted.len()).filter(|&plies| plies <= most);
        assert_eq!(found, truth, "{text}: {counted:?}");
        tally.compared += usize::from(truth.is_some());
        tally.without += usize::from(truth.is_none());
        let MateAnswer::Mate(strict) = strict else { continue };
        assert!(counted.len() <= strict.len(), "{text}");
        if truth.is_some() && counted.len() < strict.len() {
            tally.shorter += 1;
            let mut at_end = Shogi::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap();
            for m in &strict[..counted.len()] {
                let m = at_end.parse_move(m).unwrap();
                at_end.make(m);
            }
            tally.in_the_middle += usize::from(!is_mated_for_composers(&at_end));
        }
    }
    tally
}

#[test]
fn lengths_agree_with_a_literal_implementation_of_the_rules() {
    let tally = examine(3, 300, 5, 10_000);
    println!("{tally:?}");
    assert!(tally.compared > 50 && tally.without > 50 && tally.shorter > 2, "too few of some kind: {tally:?}");
    assert_eq!(tally.compared + tally.without + tally.open, tally.positions, "{tally:?}");
}

/// Regression test for lines that were reported with 13 and 5 plies when the shortest mate was not requested. The
/// correct lengths are 19 and 7.
#[test]
fn a_length_is_never_too_short() {
    for (text, plies) in [
        ("5+P1nl/5G1k1/4R2pp/4N1r2/9/6N2/9/9/9 b 2S2b3g2sn3l15p 1", 19),
        ("2k1p4/9/5+S3/B1s6/9/6+R2/9/9/9 b Rb4g2s4n4l17p 1", 7),
    ] {
        for shortest in [false, true] {
            let request = MateRequest { shortest, rules: MateRules::Tsume, ..MateRequest::default() };
            let MateAnswer::Mate(line) = solve(text, request, 3_000_000, 16 << 20) else {
                panic!("not solved: {text}")
            };
            assert_eq!(line.len(), plies, "{text}: {line:?}");
            assert_ends_as_composers_say(text, &line);
        }
    }
}

/// If a limit ends the search, the shortest known line must not be shorter than the mate. A line of 11 plies was once
/// reported at 30,000 nodes for a mate in 13, because its defence was not the longest.
#[test]
fn a_line_that_a_limit_leaves_is_not_too_short() {
    let text = "9/9/2+R+B5/N8/k2sp4/2s6/1p+RP5/9/3+pP4 b Pb4g2s3n4l12p 1";
    let line = Line { start: Start { text: Some(text.into()), ..Start::default() }, moves: Vec::new() };
    let request = MateRequest { shortest: true, rules: MateRules::Tsume, ..MateRequest::default() };
    let mut open = 0;
    for nodes in (2_000..60_000).step_by(2_000) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let task = Task { line: line.clone(), goal: Goal::Mate, limits, ..Task::default() };
        let found = MateEngine::<Shogi>::with_bytes(16 << 20).examine(&task, request, &Stop::new()).unwrap();
        let MateAnswer::Mate(moves) = found.answer else { continue };
        assert!(moves.len() >= 13, "{nodes} nodes: {moves:?}");
        open += usize::from(found.open.is_some());
    }
    assert!(open > 5, "{open}");
}

#[test]
#[ignore = "minutes"]
fn many_lengths() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let positions = number("COMPOSERS_POSITIONS", 3_000) as usize;
    println!("{:?}", examine(number("COMPOSERS_SEED", 4), positions, 7, number("COMPOSERS_NODES", 200_000)));
}
