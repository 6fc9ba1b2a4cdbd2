//! The solver as the program sees it.

use crate::dfpn::{Dfpn, Interrupted};
use crate::line::is_mate_line;
use crate::table::Table;
use crate::value::CUT;
use crate::within::{self, Refutations, Within};
use hasami_api::{
    Answer, Goal, Line, MateAnswer, MateGame, MoveText, Moves, Report, Score, Searcher, Stop, Task, TaskError,
};
use std::marker::PhantomData;

/// Answers [`Goal::Mate`] and [`Goal::MateWithin`] soundly: a mate is replayed before it is reported, "no mate" is proved.
pub struct MateSolver<G> {
    hash_mb: usize,
    /// As large as the tasks so far could fill.
    table: Option<Table>,
    refutations: Refutations,
    game: PhantomData<fn() -> G>,
}

impl<G: MateGame> MateSolver<G> {
    /// A solver with a table of about `hash_mb` MiB.
    pub fn new(hash_mb: usize) -> Self {
        Self { hash_mb, table: None, refutations: Refutations::default(), game: PhantomData }
    }

    /// All lines of checks.
    fn by_checks(
        &mut self,
        game: &G,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateAnswer, Interrupted> {
        let nodes = task.limits.nodes.unwrap_or(u64::MAX);
        let table = table_for(&mut self.table, nodes, self.hash_mb);
        table.next_task();
        let depth = [task.limits.mate, task.limits.depth].into_iter().flatten().min().map_or(usize::MAX, usize::from);
        let mut search = Dfpn::new(game.clone(), table, stop, nodes, depth);
        let answer = conclude(&mut search, game)?;
        if let MateAnswer::Mate(pv) = &answer {
            tell(found(pv, search.nodes));
        }
        Ok(answer)
    }

    /// All moves, one more at a time, as far as `limits.mate` says.
    fn within(
        &mut self,
        game: &G,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<MateAnswer, within::Interrupted> {
        let most = task.limits.mate.map_or(usize::MAX, |plies| usize::from(plies).div_ceil(2));
        let nodes = task.limits.nodes.unwrap_or(u64::MAX);
        let mut search = Within::new(game.clone(), roots(game, task), &mut self.refutations, stop, nodes);
        for moves in 1..=most {
            if let Some(line) = search.mate_in(moves)? {
                let pv = texts(game, &line);
                tell(found(&pv, search.nodes));
                return Ok(MateAnswer::Mate(pv));
            }
            tell(Report { depth: (2 * moves - 1) as u16, nodes: search.nodes, ..Report::new(Score::DRAW) });
        }
        Ok(MateAnswer::NoMate)
    }
}

impl<G: MateGame> Searcher for MateSolver<G> {
    /// Heeds `limits.nodes`, and `limits.mate` (by checks `limits.depth` too) as the longest line looked at, in plies.
    fn search(&mut self, task: &Task, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Result<Answer, TaskError> {
        if task.goal == Goal::Best {
            return Err(TaskError("expected a search for a mate, found one for the best move".into()));
        }
        let game: G = play_line(&task.line)?;
        let answer = match task.goal {
            Goal::MateWithin => self.within(&game, task, stop, tell).unwrap_or(MateAnswer::Unknown),
            _ => self.by_checks(&game, task, stop, tell).unwrap_or(MateAnswer::Unknown),
        };
        Ok(Answer::Mate(answer))
    }

    /// Every task of [`Goal::Mate`] begins anew, and refutations hold in all games. A large table is given back: most
    /// games ask for no mate.
    fn new_game(&mut self) {
        self.table = None;
    }
}

/// A look of some thousand nodes beside a game does not make the large table that an unlimited search needs: to write it
/// would take longer than the look.
fn table_for(table: &mut Option<Table>, nodes: u64, most_mb: usize) -> &mut Table {
    let old = table.take().filter(|table| table.suffices(nodes, most_mb));
    table.insert(old.unwrap_or_else(|| Table::for_nodes(nodes, most_mb)))
}

fn conclude<G: MateGame>(search: &mut Dfpn<G>, root: &G) -> Result<MateAnswer, Interrupted> {
    let (value, _) = search.solve()?;
    if value.is_disproved() {
        return Ok(if value.note == CUT { MateAnswer::Unknown } else { MateAnswer::NoMate });
    }
    let line = search.main_line()?;
    Ok(match line.filter(|line| is_mate_line(root, line)) {
        Some(line) => MateAnswer::Mate(texts(root, &line)),
        None => MateAnswer::Unknown,
    })
}

/// The root moves that the task allows.
fn roots<G: MateGame>(game: &G, task: &Task) -> Vec<G::Move> {
    let mut moves = Moves::new();
    game.legal_moves(&mut moves);
    let named = |m: &G::Move| task.only.contains(&game.format_move(*m));
    moves.iter().copied().filter(|m| task.only.is_empty() || named(m)).collect()
}

fn found(pv: &[MoveText], nodes: u64) -> Report {
    let depth = u16::try_from(pv.len()).unwrap_or(u16::MAX);
    Report { depth, seldepth: depth, nodes, pv: pv.to_vec(), ..Report::new(Score::win_in(pv.len() as i32)) }
}

fn play_line<G: MateGame>(line: &Line) -> Result<G, TaskError> {
    let mut game = G::new(&line.start).map_err(|error| TaskError(error.to_string()))?;
    for (i, text) in line.moves.iter().enumerate() {
        let m = game.parse_move(text).map_err(|error| TaskError(format!("move {} of the line: {error}", i + 1)))?;
        game.make(m);
    }
    Ok(game)
}

fn texts<G: MateGame>(root: &G, line: &[G::Move]) -> Vec<MoveText> {
    let mut game = root.clone();
    line.iter()
        .map(|&m| {
            let text = game.format_move(m);
            game.make(m);
            text
        })
        .collect()
}
