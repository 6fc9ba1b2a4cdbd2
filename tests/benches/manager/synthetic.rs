//! Synthetic workers derive their reports from a hash of the position instead of searching it, so all runs are the
//! same.

use hasami_api::{Answer, Bound, Game, Goal, MateAnswer, MoveText, RankedMove, Report, Score, Task};
use hasami_chess::Chess;
use hasami_tree::legal_moves;

/// Length of a variation in plies.
const LENGTH: usize = 10;
/// Number of root moves in the ranking by nodes that a report contains.
const RANKED: usize = 12;
/// Largest absolute score in centipawns, before each iteration adds its own noise below [`NOISE`].
const SPREAD: u64 = 60;
const NOISE: u64 = 16;

/// A worker's task, with the data for its reports.
pub struct Search {
    goal: Goal,
    key: u64,
    depth: u16,
    nodes: u64,
    /// The variation of the best move, and the variation of another move that some iterations prefer.
    lines: Vec<Vec<MoveText>>,
    ranking: Vec<MoveText>,
}

/// Mixes the bits of a number (the finalizer of SplitMix64).
pub fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Search {
    pub fn begin(task: &Task) -> Self {
        let mut game = Chess::new(&task.line.start).expect("the manager's lines begin where games do");
        for text in &task.line.moves {
            let m = game.parse_move(text).expect("the manager's lines are legal");
            game.make(m);
        }
        let mut ranking = by_worth(&game);
        ranking.retain(|text| !task.except.contains(text) && (task.only.is_empty() || task.only.contains(text)));
        let lines = ranking.iter().take(2).map(|&first| line(&mut game, first)).collect();
        ranking.truncate(RANKED);
        Self { goal: task.goal, key: game.key(), depth: 5, nodes: 0, lines, ranking }
    }

    /// Returns the report about the next iteration; `None` if the position has no legal moves.
    pub fn report(&mut self) -> Option<Report> {
        self.depth += 1;
        self.nodes += 10_000 + mix(self.key ^ u64::from(self.depth)) % 5_000;
        let draw = mix(self.key.rotate_left(7) ^ u64::from(self.depth));
        let second = usize::from(draw.is_multiple_of(6)).min(self.lines.len().saturating_sub(1));
        let value = (mix(self.key) % (2 * SPREAD)) as i32 - SPREAD as i32 + (draw % NOISE) as i32;
        let bound = if draw.is_multiple_of(5) { Bound::Lower } else { Bound::Exact };
        let share = |rank: usize| self.nodes >> (rank + 1).min(20);
        let ranked = self.ranking.iter().enumerate().map(|(rank, &text)| RankedMove { text, nodes: share(rank) });
        Some(Report {
            depth: self.depth,
            seldepth: self.depth + 6,
            bound,
            nodes: self.nodes,
            pv: self.lines.get(second)?.clone(),
            ranking: ranked.collect(),
            ..Report::new(Score::cp(value))
        })
    }

    /// Returns the answer that ends the task. Synthetic mate solvers never find a mate.
    pub fn answer(&self) -> Answer {
        match self.goal {
            Goal::Best => Answer::Best { best: self.ranking.first().copied(), ponder: None },
            _ => Answer::Mate(MateAnswer::Unknown),
        }
    }
}

/// Returns the legal moves of a position in a pseudo-random order that is the same in every run.
fn by_worth(game: &Chess) -> Vec<MoveText> {
    let mut moves: Vec<MoveText> = legal_moves(game).iter().map(|&m| game.format_move(m)).collect();
    let worth = |text: &MoveText| text.bytes().fold(game.key(), |hash, byte| mix(hash ^ u64::from(byte)));
    moves.sort_by_cached_key(worth);
    moves
}

/// Returns a variation that begins with the move `first`.
fn line(game: &mut Chess, first: MoveText) -> Vec<MoveText> {
    let mut line = Vec::with_capacity(LENGTH);
    let mut next = Some(first);
    while let Some(text) = next.filter(|_| line.len() < LENGTH) {
        let m = game.parse_move(&text).expect("it was generated here");
        game.make(m);
        line.push(text);
        next = by_worth(game).first().copied();
    }
    line.iter().for_each(|_| game.unmake());
    line
}
