//! The solver as the program sees it.

use crate::algorithm::Algorithm;
use crate::cells::{Commission, Outcome};
use crate::dfpn::{Dfpn, Interrupted};
use crate::levels;
use crate::line::{add_moves, is_mate_line};
use crate::style::Style;
use crate::table::Table;
use crate::value::CUT;
use crate::within::{Refutations, Within};
use hasami_api::{
    Answer, CellOptions, Core, Examined, Examiner, Goal, Levels, Line, Machine, MateAnswer, MateGame, MateRules,
    MateWish, MoveText, Moves, OtherMove, Post, Proof, Report, Score, Searcher, SolverOptions, Stop, Task, TaskError,
    Usage,
};
use std::marker::PhantomData;
use std::mem;
use std::num::NonZeroU32;

/// Answers [`Goal::Mate`] and [`Goal::MateWithin`] soundly: a mate is replayed before it is reported, "no mate" is proved.
pub struct MateSolver<G> {
    algorithm: Algorithm,
    machine: Machine,
    /// Nodes that one processor makes before the others join it.
    alone: u64,
    /// Where nodes are limited, others need the processors.
    is_guest: bool,
    /// Of `aohpas`.
    core: Core,
    step: NonZeroU32,
    cells: CellOptions,
    /// To cells that are not of this program.
    post: Option<Box<dyn Post>>,
    /// Problems given to cells.
    problems: u32,
    wish: MateWish,
    extras: Extras,
    table_bytes: usize,
    /// As large as the tasks so far could fill.
    table: Option<Table>,
    /// By all moves.
    refutations: Refutations,
    /// By checks, of one task.
    refuted_checks: Refutations,
    game: PhantomData<fn() -> G>,
}

/// What the last task has found beside its answer, as it was wished for.
#[derive(Default)]
struct Extras {
    others: Vec<OtherMove>,
    proof: Option<Proof>,
    /// Of all processors, where there were several.
    usage: Option<Usage>,
    levels: Option<Levels>,
}

/// Bytes that a search takes beside its table, as long as its lines are short.
const BESIDE: usize = 208 << 10;

impl<G: MateGame> MateSolver<G> {
    /// A solver that takes at most `hash_mb` MiB, one at least.
    pub fn new(hash_mb: usize) -> Self {
        Self::with_bytes(hash_mb.max(1).saturating_mul(1 << 20) - BESIDE)
    }

    /// A solver with a table of at most so many bytes; below half a KiB it takes that.
    pub fn with_bytes(table_bytes: usize) -> Self {
        let (refutations, refuted_checks) = (Refutations::default(), Refutations::default());
        Self {
            algorithm: Algorithm::default(),
            machine: Machine::default(),
            alone: 0,
            is_guest: false,
            core: Core::default(),
            step: SolverOptions::STEP,
            cells: CellOptions::default(),
            post: None,
            problems: 0,
            wish: MateWish::default(),
            extras: Extras::default(),
            table_bytes,
            table: None,
            refutations,
            refuted_checks,
            game: PhantomData,
        }
    }

    /// Searches mates by checks in this way.
    pub fn with_options(algorithm: Algorithm, options: &SolverOptions) -> Self {
        let &SolverOptions { hash_mb, machine, is_guest, core, step, cells, .. } = options;
        Self { algorithm, machine, alone: options.alone(), is_guest, core, step, cells, ..Self::new(hash_mb) }
    }

    /// All lines of checks (or of any moves, if that was wished for), by proof numbers.
    fn by_proof_numbers(
        &mut self,
        style: Style,
        game: &G,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateAnswer, Interrupted> {
        let nodes = node_limit(task);
        let table = table_for(&mut self.table, nodes, self.table_bytes);
        table.next_task();
        let style = Style { any_moves: self.wish.any_moves, ..style };
        let mut search = Dfpn::new(style, game.clone(), table, stop, nodes, longest(task));
        search.tell = Some(&mut *tell);
        let has_others = self.machine.processors() > 1 && !(self.is_guest && task.limits.nodes.is_some());
        self.extras.usage = match self.algorithm {
            Algorithm::Parallel if has_others => begin_together(&mut search, &self.machine, self.alone),
            Algorithm::Aohpas => Some(search.search_by_pincers(&self.machine, self.step).1),
            _ => None,
        };
        let answer = conclude(&mut search, game, self.wish, &mut self.extras);
        let nodes = search.nodes;
        if let Some(usage) = &mut self.extras.usage {
            // What one processor did before, and the line.
            usage.alone(nodes - usage.nodes());
        }
        tell(at_the_end(answer.as_ref().ok(), nodes));
        answer
    }

    /// By a host and its cells.
    fn by_cells(
        &mut self,
        game: &G,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateAnswer, Interrupted> {
        self.problems = self.problems.wrapping_add(1);
        let commission = Commission {
            options: self.cells,
            bytes: self.table_bytes,
            number: self.problems,
            game,
            task,
            any_moves: self.wish.any_moves,
            longest: longest(task),
            nodes: node_limit(task),
        };
        let Outcome { answer, nodes, usage } = match &mut self.post {
            Some(post) => commission.by_post(post.as_mut(), stop),
            None => commission.on_machine(&self.machine, stop),
        };
        self.extras.usage = usage;
        tell(at_the_end(answer.as_ref().ok(), nodes));
        answer
    }

    /// The same, one more move at a time.
    fn by_deepening(
        &mut self,
        game: &G,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateAnswer, Interrupted> {
        let most = longest(task).div_ceil(2);
        // A refutation may rest on the rules of the line before it.
        self.refuted_checks = Refutations::default();
        let mut roots = Moves::new();
        let checks = !self.wish.any_moves;
        add_moves(game, checks, &mut roots);
        let search =
            Within::new(game.clone(), roots.to_vec(), checks, &mut self.refuted_checks, stop, node_limit(task));
        deepen(search, game, most, tell)
    }

    /// All positions of a level at once.
    fn by_levels(&mut self, game: &G, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> MateAnswer {
        // The memory is that of the levels now.
        self.table = None;
        let limits = levels::Limits { nodes: node_limit(task), plies: longest(task), bytes: self.table_bytes };
        let checks = !self.wish.any_moves;
        let solved = levels::solve(game, checks, &limits, &self.machine, stop);
        let nodes = solved.usage.worked.iter().sum();
        let answer = match solved.main_line() {
            Some(line) if is_mate_line(game, line, MateRules::Strict, checks, stop) => {
                MateAnswer::Mate(texts(game, line))
            }
            Some(_) => MateAnswer::Unknown,
            None if solved.end == levels::End::NoMate => MateAnswer::NoMate,
            None => MateAnswer::Unknown,
        };
        if self.wish.others {
            self.extras.others = solved.others(game);
        }
        self.extras.levels = Some(solved.levels(|line| texts(game, line)));
        self.extras.usage = Some(solved.usage).filter(|usage| usage.clocks.len() > 1);
        tell(at_the_end(Some(&answer), nodes));
        answer
    }

    /// All moves, one more at a time, as far as `limits.mate` says.
    fn within(
        &mut self,
        game: &G,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateAnswer, Interrupted> {
        let most = task.limits.mate.map_or(usize::MAX, |plies| usize::from(plies).div_ceil(2));
        let roots = roots(game, task);
        let search = Within::new(game.clone(), roots, false, &mut self.refutations, stop, node_limit(task));
        match deepen(search, game, most, tell)? {
            MateAnswer::Unknown => Ok(MateAnswer::NoMate),
            answer => Ok(answer),
        }
    }
}

/// One more move at a time. `Unknown`: no mate within `most` moves.
fn deepen<G: MateGame>(
    mut search: Within<G>,
    game: &G,
    most: usize,
    tell: &mut dyn FnMut(Report),
) -> Result<MateAnswer, Interrupted> {
    for moves in 1..=most {
        let line = search.mate_in(moves);
        let done = if line.is_ok() { moves } else { moves - 1 };
        let depth = u16::try_from((2 * done).saturating_sub(1)).unwrap_or(u16::MAX);
        if let Some(line) = line.inspect_err(|_| tell(without_mate(depth, search.nodes)))? {
            let pv = texts(game, &line);
            tell(found(&pv, search.nodes));
            return Ok(MateAnswer::Mate(pv));
        }
        tell(without_mate(depth, search.nodes));
        if search.is_final {
            return Ok(MateAnswer::NoMate);
        }
    }
    Ok(MateAnswer::Unknown)
}

fn node_limit(task: &Task) -> u64 {
    task.limits.nodes.unwrap_or(u64::MAX)
}

/// The longest line by checks that the task allows, in plies.
fn longest(task: &Task) -> usize {
    [task.limits.mate, task.limits.depth].into_iter().flatten().min().map_or(usize::MAX, usize::from)
}

impl<G: MateGame> Searcher for MateSolver<G> {
    /// The last report counts the nodes, whatever the answer.
    ///
    /// Heeds `limits.nodes`, and `limits.mate` (by checks `limits.depth` too) as the longest line looked at, in plies.
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError> {
        if task.goal == Goal::Best {
            return Err(TaskError("expected a search for a mate, found one for the best move".into()));
        }
        let game: G = play_line(&task.line)?;
        let answer = match task.goal {
            Goal::MateWithin => self.within(&game, task, stop, tell),
            _ if self.algorithm == Algorithm::Levels => Ok(self.by_levels(&game, task, stop, tell)),
            _ => match self.algorithm.style(self.core) {
                Some(style) => self.by_proof_numbers(style, &game, task, stop, tell),
                None if self.algorithm == Algorithm::Cells => self.by_cells(&game, task, stop, tell),
                None => self.by_deepening(&game, task, stop, tell),
            },
        };
        Ok(Answer::Mate(answer.unwrap_or(MateAnswer::Unknown)))
    }

    /// What every task needs; a table grows later.
    fn prepare(&mut self, _enough: &dyn Fn() -> bool) {
        if self.algorithm == Algorithm::Levels {
            return;
        }
        table_for(&mut self.table, u64::MAX, self.table_bytes).touch();
    }

    /// Every task of [`Goal::Mate`] begins anew, and refutations hold in all games. A large table is given back: most
    /// games ask for no mate.
    fn new_game(&mut self) {
        self.table = None;
    }
}

/// A look of some thousand nodes beside a game does not make the large table that an unlimited search needs: to write it
/// would take longer than the look.
pub(crate) fn table_for(table: &mut Option<Table>, nodes: u64, most_bytes: usize) -> &mut Table {
    let old = table.take().filter(|table| table.suffices(nodes, most_bytes));
    table.insert(old.unwrap_or_else(|| Table::for_nodes(nodes, most_bytes)))
}

/// One processor begins; where that is not enough, all search until the table has the answer, or the nodes are spent.
pub(crate) fn begin_together<G: MateGame>(search: &mut Dfpn<G>, machine: &Machine, alone: u64) -> Option<Usage> {
    let is_enough = search.solve_alone(alone).unwrap_or(true);
    (!is_enough).then(|| search.search_together(machine))
}

fn conclude<G: MateGame>(
    search: &mut Dfpn<G>,
    root: &G,
    wish: MateWish,
    extras: &mut Extras,
) -> Result<MateAnswer, Interrupted> {
    let (value, _) = search.solve()?;
    if value.is_disproved() {
        return Ok(if value.note == CUT { MateAnswer::Unknown } else { MateAnswer::NoMate });
    }
    let plies = usize::from(value.note.unsigned_abs());
    // A line may be lost where the table has forgotten too much.
    let mut line = match search.main_line()? {
        Some(line) if !wish.shortest => line,
        None if !wish.shortest => search.line_within(plies)?,
        line => search.shortest(line.map_or(plies, |line| plies.max(line.len())))?,
    };
    let is_right =
        |line: &[G::Move], rules, search: &Dfpn<G>| is_mate_line(root, line, rules, !wish.any_moves, &search.stop);
    if wish.rules == MateRules::Tsume {
        if wish.shortest {
            line = search.shortest_for_composers(line.len())?;
        } else if let Some(found) = search.line_for_composers()?.filter(|found| is_right(found, wish.rules, search)) {
            line = found;
        }
    }
    // A line to the bitter end is one for composers, too.
    let is_right = is_right(&line, wish.rules, search) || is_right(&line, MateRules::Strict, search);
    if !is_right {
        return Ok(MateAnswer::Unknown);
    }
    if wish.others {
        let is_shortest = wish.shortest && wish.rules == MateRules::Strict;
        extras.others = search.others(&line, is_shortest);
    }
    if wish.proof > 0 {
        extras.proof = search.proof(&line, wish);
    }
    Ok(MateAnswer::Mate(texts(root, &line)))
}

/// The root moves that the task allows.
fn roots<G: MateGame>(game: &G, task: &Task) -> Vec<G::Move> {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let named = |m: &G::Move| task.only.contains(&game.format_move(*m));
    moves.iter().copied().filter(|m| task.only.is_empty() || named(m)).collect()
}

impl<G: MateGame> Examiner for MateSolver<G> {
    /// `id` and `levels` know nothing of composers, and find a shortest mate in any case.
    fn examine(&mut self, task: &Task, wish: MateWish, stop: &Stop) -> Result<Examined, TaskError> {
        let usual = mem::replace(&mut self.wish, wish);
        let mut nodes = 0;
        let answer = self.search(task, stop, &mut |report| nodes = report.nodes);
        self.wish = usual;
        let Extras { others, proof, usage, levels } = mem::take(&mut self.extras);
        Ok(Examined { answer: mate_of(answer?), nodes, others, proof, usage, levels })
    }

    fn employ(&mut self, post: Box<dyn Post>) {
        self.post = Some(post);
    }
}

fn mate_of(answer: Answer) -> MateAnswer {
    match answer {
        Answer::Mate(answer) => answer,
        Answer::Best { .. } => MateAnswer::Unknown,
    }
}

fn found(pv: &[MoveText], nodes: u64) -> Report {
    let depth = u16::try_from(pv.len()).unwrap_or(u16::MAX);
    Report { depth, seldepth: depth, nodes, pv: pv.to_vec(), ..Report::new(Score::win_in(pv.len() as i32)) }
}

/// The last report of a search; it may have no answer.
fn at_the_end(answer: Option<&MateAnswer>, nodes: u64) -> Report {
    match answer {
        Some(MateAnswer::Mate(pv)) => found(pv, nodes),
        _ => without_mate(0, nodes),
    }
}

/// Nothing is said of the score, which a solver does not know.
pub(crate) fn without_mate(depth: u16, nodes: u64) -> Report {
    Report { depth, nodes, ..Report::new(Score::DRAW) }
}

/// The position at the end of a task's line.
pub fn play_line<G: MateGame>(line: &Line) -> Result<G, TaskError> {
    let mut game = G::new(&line.start).map_err(|error| TaskError(error.to_string()))?;
    for (i, text) in line.moves.iter().enumerate() {
        let m = game.parse_move(text).map_err(|error| TaskError(format!("move {} of the line: {error}", i + 1)))?;
        game.make(m);
    }
    Ok(game)
}

pub(crate) fn texts<G: MateGame>(root: &G, line: &[G::Move]) -> Vec<MoveText> {
    let mut game = root.clone();
    line.iter()
        .map(|&m| {
            let text = game.format_move(m);
            game.make(m);
            text
        })
        .collect()
}
