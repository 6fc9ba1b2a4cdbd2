//! Encoding and decoding of tasks, reports and results.

use super::{moves, plain, words};
use hasami_api::{
    Answer, Bound, Goal, Limits, Line, MateAnswer, MoveText, ProofQuestion, RankedMove, Report, Rules, Score, Start,
    Task,
};
use hasami_tree::event::{Profile, TaskEnd};
use hasami_workers::message::MOST_MOVES;
use hasami_workers::outside::NEWS_BUDGET;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Longest position, name or reason, in bytes.
const LONGEST_TEXT: usize = 400;
/// Largest number of moves of a principal variation that are sent: in full reports, and in brief reports. The last
/// constant is the largest number of root moves whose effort is sent.
const TOLD_MOVES: usize = 10;
const BRIEF_MOVES: usize = 4;
const TOLD_RANKS: usize = 4;

/// The encoding of a [`Profile`], without its name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WireProfile {
    can_except: bool,
    can_only: bool,
    can_vary: bool,
    can_best: bool,
    can_mate: bool,
    weight: f32,
}

/// The encoding of a [`Task`]. Moves are words separated by single blanks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WireTask {
    /// The initial position as FEN or SFEN; `None` for the initial position of the game.
    start: Option<String>,
    moves: String,
    chess960: bool,
    /// The number of the game's optional rule.
    own: u8,
    max_moves: u32,
    goal: u8,
    only: String,
    except: String,
    multipv: u16,
    depth: Option<u16>,
    nodes: Option<u64>,
    mate: Option<u16>,
    variant: u16,
    team: u64,
    news: u32,
}

/// The encoding of a [`Report`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WireReport {
    depth: u16,
    seldepth: u16,
    multipv: u16,
    score: i32,
    bound: u8,
    of_move: bool,
    nodes: u64,
    hashfull: u16,
    pv: String,
    /// Root moves, each with its share of the nodes in permille.
    ranking: Vec<(String, u16)>,
}

/// The encoding of a [`TaskEnd`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum WireEnd {
    Best {
        best: String,
        ponder: String,
    },
    Mate {
        moves: String,
    },
    NoMate,
    Unknown,
    Failed(String),
    /// The task was cancelled before it was started.
    Never,
}

fn bounded(text: &str, what: &str) -> Result<(), String> {
    match text.len() {
        0..=LONGEST_TEXT => Ok(()),
        long => Err(format!("expected {what} of at most {LONGEST_TEXT} bytes, found {long}")),
    }
}

fn one_move(word: &str, what: &str) -> Result<Option<MoveText>, String> {
    if word.is_empty() {
        Ok(None)
    } else {
        word.parse().map(Some).map_err(|_| format!("expected {what}, found '{}'", plain(word)))
    }
}

/// New goals must be appended, since the index of a goal is sent and machines of other versions read it.
const GOALS: [Goal; 5] = [Goal::Best, Goal::Mate, Goal::MateWithin, Goal::MateByAnyMoves, Goal::Mated];
const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

/// The index of a value in a table.
fn place<T: PartialEq>(table: &[T], value: &T) -> u8 {
    table.iter().position(|entry| entry == value).unwrap_or_default() as u8
}

fn entry<T: Copy>(table: &[T], place: u8, what: &str) -> Result<T, String> {
    table
        .get(usize::from(place))
        .copied()
        .ok_or_else(|| format!("expected {what} below {}, found {place}", table.len()))
}

impl From<&Task> for WireTask {
    fn from(task: &Task) -> Self {
        let Rules { chess960, own, max_moves } = task.line.start.rules;
        Self {
            start: task.line.start.text.as_deref().map(str::to_owned),
            moves: words(&task.line.moves),
            chess960,
            own,
            max_moves,
            goal: place(&GOALS, &task.goal),
            only: words(&task.only),
            except: words(&task.except),
            multipv: task.multipv,
            depth: task.limits.depth,
            nodes: task.limits.nodes,
            mate: task.limits.mate,
            variant: task.variant,
            team: task.team,
            news: task.news,
        }
    }
}

impl WireTask {
    /// Limits the number of news entries of the task's team, since the members may be on several machines.
    pub fn with_budget(self) -> Self {
        let news = if self.team != 0 && self.news == 0 { NEWS_BUDGET } else { self.news };
        Self { news, ..self }
    }

    /// Decodes the task. Everything is checked except that the moves are legal.
    pub fn read(&self) -> Result<Task, String> {
        if let Some(text) = &self.start {
            bounded(text, "a position")?;
            if text.chars().any(char::is_control) {
                return Err(format!("expected a position in one line, found '{}'", plain(text)));
            }
        }
        let rules = Rules { chess960: self.chess960, own: self.own, max_moves: self.max_moves };
        let start = Start { text: self.start.as_deref().map(Arc::from), rules };
        Ok(Task {
            line: Line { start, moves: moves(&self.moves, "moves of a line")? },
            goal: entry(&GOALS, self.goal, "a goal")?,
            only: moves(&self.only, "moves to search")?,
            except: moves(&self.except, "moves to leave out")?,
            multipv: self.multipv.min(600),
            limits: Limits { depth: self.depth, nodes: self.nodes, mate: self.mate },
            variant: self.variant,
            team: self.team,
            news: self.news,
        })
    }
}

impl From<&Report> for WireReport {
    fn from(report: &Report) -> Self {
        let share = |nodes: u64| (u128::from(nodes) * 1_000 / u128::from(report.nodes.max(1))).min(1_000) as u16;
        let told = |ranked: &RankedMove| (ranked.text.to_string(), share(ranked.nodes));
        Self {
            depth: report.depth,
            seldepth: report.seldepth,
            multipv: report.multipv,
            score: report.score.raw(),
            bound: place(&BOUNDS, &report.bound),
            of_move: report.of_move,
            nodes: report.nodes,
            hashfull: report.hashfull,
            pv: words(&report.pv[..report.pv.len().min(TOLD_MOVES)]),
            ranking: report.ranking.iter().take(TOLD_RANKS).map(told).collect(),
        }
    }
}

impl WireReport {
    /// Encodes the report in fewer bytes.
    pub fn brief(report: &Report) -> Self {
        let pv = words(&report.pv[..report.pv.len().min(BRIEF_MOVES)]);
        Self { pv, ranking: Vec::new(), ..Self::from(report) }
    }

    pub fn read(&self) -> Result<Report, String> {
        let ranked = |(text, share): &(String, u16)| {
            let text = text.parse().map_err(|_| format!("expected a move, found '{}'", plain(text)))?;
            let nodes = (u128::from(self.nodes) * u128::from(*share).min(1_000) / 1_000) as u64;
            Ok(RankedMove { text, nodes })
        };
        Ok(Report {
            depth: self.depth,
            seldepth: self.seldepth,
            multipv: self.multipv,
            score: Score::from_raw(self.score),
            bound: entry(&BOUNDS, self.bound, "a bound")?,
            of_move: self.of_move,
            nodes: self.nodes,
            hashfull: self.hashfull,
            // Hits are counted only in the endgame tables of this machine; other machines use their own tables, if any.
            table_hits: 0,
            proof_numbers: None,
            question: ProofQuestion::Task,
            pv: moves(&self.pv, "moves of a principal variation")?,
            ranking: self.ranking.iter().take(MOST_MOVES).map(ranked).collect::<Result<_, String>>()?,
        })
    }
}

impl From<&TaskEnd> for WireEnd {
    fn from(end: &TaskEnd) -> Self {
        let text = |text: &Option<MoveText>| text.as_ref().map(MoveText::to_string).unwrap_or_default();
        match end {
            TaskEnd::Answer(Answer::Best { best, ponder }) => Self::Best { best: text(best), ponder: text(ponder) },
            TaskEnd::Answer(Answer::Mate(MateAnswer::Mate(moves))) => Self::Mate { moves: words(moves) },
            TaskEnd::Answer(Answer::Mate(MateAnswer::NoMate)) => Self::NoMate,
            TaskEnd::Answer(Answer::Mate(MateAnswer::Unknown)) => Self::Unknown,
            TaskEnd::Failed(why) => Self::Failed(plain(why)),
        }
    }
}

impl WireEnd {
    /// Decodes the end of a task. `goal` is the goal of that task.
    pub fn read(&self, goal: Goal) -> Result<TaskEnd, String> {
        let answer = match self {
            Self::Best { best, ponder } => {
                Answer::Best { best: one_move(best, "a best move")?, ponder: one_move(ponder, "an expected move")? }
            }
            Self::Mate { moves: words } => Answer::Mate(MateAnswer::Mate(moves(words, "moves of a mate")?)),
            Self::NoMate => Answer::Mate(MateAnswer::NoMate),
            Self::Unknown => Answer::Mate(MateAnswer::Unknown),
            Self::Failed(why) => return Ok(TaskEnd::Failed(plain(why))),
            Self::Never if goal == Goal::Best => Answer::Best { best: None, ponder: None },
            Self::Never => Answer::Mate(MateAnswer::Unknown),
        };
        let suits = matches!(answer, Answer::Best { .. }) == (goal == Goal::Best);
        if suits {
            Ok(TaskEnd::Answer(answer))
        } else {
            Err("expected an answer to what was asked, found another".into())
        }
    }
}

impl From<&Profile> for WireProfile {
    fn from(profile: &Profile) -> Self {
        let &Profile { can_except, can_only, can_vary, can_best, can_mate, weight, .. } = profile;
        Self { can_except, can_only, can_vary, can_best, can_mate, weight: weight as f32 }
    }
}

impl WireProfile {
    pub fn read(&self, name: String) -> Result<Profile, String> {
        let &Self { can_except, can_only, can_vary, can_best, can_mate, weight } = self;
        if !(weight.is_finite() && weight > 0.0) {
            return Err(format!("expected a weight above 0, found {weight}"));
        }
        // The machine is known from the subject of the message.
        let (weight, machine) = (weight.into(), None);
        Ok(Profile { name, can_except, can_only, can_vary, can_best, can_mate, weight, machine })
    }
}
