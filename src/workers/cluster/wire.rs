//! What travels between masters and stations, as bytes: docs/cluster.md describes it.
//!
//! A message is its version, and a value in the form of postcard: whole numbers of variable length, texts with their
//! length. Positions and moves are text. Nothing here trusts what it reads: sizes are bounded, and what does not fit is
//! refused as a whole.

use super::names::{Lease, Owner, StationId};
use super::stream::Piece;
use super::teams::BUDGET;
use crate::event::{End, Profile, TaskId};
use hasami_api::{
    Answer, Bound, EnteringKingRule, Goal, Limits, Line, MateAnswer, MoveText, News, RankedMove, Report, Rules, Score,
    Start, Task,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Of the protocol: the first byte of every message, and a word of every subject.
pub const VERSION: u8 = 1;

/// Bytes of a message.
pub const LONGEST: usize = 64 << 10;
/// Moves of a line, and of what else has moves.
const MOST_MOVES: usize = 4_096;
/// Bytes of a position, a name, a reason.
const LONGEST_TEXT: usize = 400;
/// Moves of a principal variation that are told, and root moves with their effort.
const TOLD_MOVES: usize = 10;
const BRIEF_MOVES: usize = 4;
const TOLD_RANKS: usize = 4;
/// Seats of a station.
pub const MOST_SEATS: usize = 1_024;
/// News of one message.
pub const MOST_NEWS: usize = 256;

/// What every master tells all stations, a few times a second.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MasterBeat {
    pub owner: Owner,
    /// Counts the beats of this epoch.
    pub serial: u64,
    /// `chess`, `shogi`.
    pub game: String,
    pub name: String,
    /// Its share where there are several masters.
    pub weight: u16,
    /// Seats that it wants of each station at most.
    pub wants: u32,
    pub role: Role,
    /// It ends: nothing more is heard of it.
    pub leaves: bool,
}

/// What the seats of a master do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Role {
    /// They search leaves of a tree: tasks.
    Leaves,
    /// They are cells of a mate search (docs/cells.md): letters.
    Cells,
    /// They solve brinkmates: letters.
    Brinkmates,
}

/// From a master to one station.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Order {
    pub owner: Owner,
    pub lease: Lease,
    pub what: What,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum What {
    /// Begin this task; `game` counts the games of the master.
    Start {
        task: u64,
        game: u32,
        work: WireTask,
    },
    Cancel {
        task: u64,
    },
    /// The end of this task has been heard; 0: that the seat is there has.
    Heard {
        task: u64,
    },
    /// The seat is not wanted any more.
    Return,
    /// Part of a letter.
    Piece(Piece),
}

/// From a station to a master.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Word {
    /// Of the master.
    pub epoch: u32,
    pub station: StationId,
    /// Counts the words of a station, so that what was overtaken is known by it.
    pub serial: u64,
    pub say: Say,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Say {
    /// All seats that this master has.
    Beat {
        name: String,
        seats: Vec<Seen>,
    },
    /// The seat is ready for tasks.
    Joined {
        lease: Lease,
        name: String,
        profile: WireProfile,
    },
    Reports {
        lease: Lease,
        task: u64,
        reports: Vec<WireReport>,
    },
    Ended {
        lease: Lease,
        task: u64,
        reports: Vec<WireReport>,
        end: WireEnd,
    },
    /// Part of a letter.
    Piece {
        lease: Lease,
        piece: Piece,
    },
    /// The seat is gone.
    Left {
        lease: Lease,
        why: String,
    },
}

/// What a seat does, as its station sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seen {
    pub lease: Lease,
    /// 0: nothing.
    pub task: u64,
    /// The master has answered to its `Joined`.
    pub is_known: bool,
}

/// Asks everybody who is there; answered with [`Card`]s.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Roll;

/// Who is there, for people.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Card {
    Station { station: StationId, name: String, version: String, seconds: u64, seats: Vec<SeatCard> },
    Master { owner: Owner, name: String, version: String, game: String, seats: u32, lost: Vec<LostCard> },
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatCard {
    pub engine: String,
    /// Nodes a second of its last long task; 0: not known.
    pub speed: u64,
    /// The master that has it, and its game.
    pub owner: Option<(String, String)>,
    /// For so many milliseconds it has been at its task.
    pub busy_ms: Option<u64>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LostCard {
    pub name: String,
    pub seconds_ago: u64,
    pub why: String,
}

/// News of a team, for everybody who works for this master.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Letter {
    /// Who tells them; a master calls itself 0.
    pub from: StationId,
    #[serde(with = "postcard::fixint::le")]
    pub team: u64,
    pub news: Vec<WireNews>,
}

/// [`News`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WireNews {
    #[serde(with = "postcard::fixint::le")]
    key: u64,
    #[serde(with = "postcard::fixint::le")]
    word: u64,
}

/// [`Profile`] without its name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WireProfile {
    can_except: bool,
    can_only: bool,
    can_vary: bool,
    can_best: bool,
    can_mate: bool,
    weight: f32,
}

/// [`Task`]: moves are words with single blanks between them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WireTask {
    /// FEN or SFEN; `None`: where games begin.
    start: Option<String>,
    moves: String,
    chess960: bool,
    entering_king: u8,
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

/// [`Report`].
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
    /// Root moves with their shares of the nodes, permille.
    ranking: Vec<(String, u16)>,
}

/// [`End`].
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
    /// It was told to end before it was told to begin.
    Never,
}

/// A message as bytes.
pub fn encode(message: &impl Serialize) -> Vec<u8> {
    // Only a writer can fail, and a vector does not.
    postcard::to_extend(message, vec![VERSION]).unwrap_or_default()
}

/// A message out of bytes, or what was expected and what was found.
pub fn decode<M: DeserializeOwned>(bytes: &[u8]) -> Result<M, String> {
    if bytes.len() > LONGEST {
        return Err(format!("expected a message of at most {LONGEST} bytes, found {}", bytes.len()));
    }
    let (&version, rest) = bytes.split_first().ok_or("expected a message, found nothing")?;
    if version != VERSION {
        return Err(format!("expected a message of version {VERSION}, found version {version}"));
    }
    match postcard::take_from_bytes::<M>(rest) {
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(format!("expected the end of a message, found {} bytes more", rest.len())),
        Err(error) => Err(format!("expected a message, found {} bytes that are none: {error}", bytes.len())),
    }
}

/// A text that people will see, or that goes into a log.
pub fn plain(text: &str) -> String {
    let shown = crate::text::visible(text);
    match shown.char_indices().nth(80) {
        Some((end, _)) => format!("{}...", &shown[..end]),
        None => shown,
    }
}

fn bounded(text: &str, what: &str) -> Result<(), String> {
    match text.len() {
        0..=LONGEST_TEXT => Ok(()),
        long => Err(format!("expected {what} of at most {LONGEST_TEXT} bytes, found {long}")),
    }
}

/// Moves with single blanks between them.
pub fn words(moves: &[MoveText]) -> String {
    moves.iter().map(|text| &**text).collect::<Vec<_>>().join(" ")
}

/// The moves of such words; `what` they are.
pub fn moves(words: &str, what: &str) -> Result<Vec<MoveText>, String> {
    let read = |word: &str| word.parse().map_err(|_| format!("expected {what}, found '{}'", plain(word)));
    let found = words.split(' ').filter(|word| !word.is_empty()).take(MOST_MOVES + 1).map(read);
    let found = found.collect::<Result<Vec<_>, String>>()?;
    if found.len() > MOST_MOVES {
        return Err(format!("expected {what}, at most {MOST_MOVES}, found more"));
    }
    Ok(found)
}

fn one_move(word: &str, what: &str) -> Result<Option<MoveText>, String> {
    if word.is_empty() {
        Ok(None)
    } else {
        word.parse().map(Some).map_err(|_| format!("expected {what}, found '{}'", plain(word)))
    }
}

const RULES: [EnteringKingRule; 4] =
    [EnteringKingRule::None, EnteringKingRule::CsaRule24, EnteringKingRule::CsaRule27, EnteringKingRule::TryRule];
const GOALS: [Goal; 3] = [Goal::Best, Goal::Mate, Goal::MateWithin];
const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

/// The place of a value in its table.
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
        let Rules { chess960, entering_king, max_moves } = task.line.start.rules;
        Self {
            start: task.line.start.text.as_deref().map(str::to_owned),
            moves: words(&task.line.moves),
            chess960,
            entering_king: place(&RULES, &entering_king),
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
    /// For members on several machines: with the number that the team has on the wire, and a limit of news.
    pub fn in_team(self, team: Option<u64>) -> Self {
        let Some(team) = team else { return self };
        let news = if self.news == 0 { BUDGET } else { self.news };
        Self { team, news, ..self }
    }

    /// What is asked, checked in all but the rules of the game.
    pub fn read(&self) -> Result<Task, String> {
        if let Some(text) = &self.start {
            bounded(text, "a position")?;
            if text.chars().any(char::is_control) {
                return Err(format!("expected a position in one line, found '{}'", plain(text)));
            }
        }
        let rules = Rules {
            chess960: self.chess960,
            entering_king: entry(&RULES, self.entering_king, "a rule of entering kings")?,
            max_moves: self.max_moves,
        };
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
    /// The same in fewer bytes.
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
            pv: moves(&self.pv, "moves of a principal variation")?,
            ranking: self.ranking.iter().take(MOST_MOVES).map(ranked).collect::<Result<_, String>>()?,
        })
    }
}

impl From<&End> for WireEnd {
    fn from(end: &End) -> Self {
        let text = |text: &Option<MoveText>| text.as_ref().map(MoveText::to_string).unwrap_or_default();
        match end {
            End::Answer(Answer::Best { best, ponder }) => Self::Best { best: text(best), ponder: text(ponder) },
            End::Answer(Answer::Mate(MateAnswer::Mate(moves))) => Self::Mate { moves: words(moves) },
            End::Answer(Answer::Mate(MateAnswer::NoMate)) => Self::NoMate,
            End::Answer(Answer::Mate(MateAnswer::Unknown)) => Self::Unknown,
            End::Failed(why) => Self::Failed(plain(why)),
        }
    }
}

impl WireEnd {
    /// `goal` is that of the task.
    pub fn read(&self, goal: Goal) -> Result<End, String> {
        let answer = match self {
            Self::Best { best, ponder } => {
                Answer::Best { best: one_move(best, "a best move")?, ponder: one_move(ponder, "an expected move")? }
            }
            Self::Mate { moves: words } => Answer::Mate(MateAnswer::Mate(moves(words, "moves of a mate")?)),
            Self::NoMate => Answer::Mate(MateAnswer::NoMate),
            Self::Unknown => Answer::Mate(MateAnswer::Unknown),
            Self::Failed(why) => return Ok(End::Failed(plain(why))),
            Self::Never if goal == Goal::Best => Answer::Best { best: None, ponder: None },
            Self::Never => Answer::Mate(MateAnswer::Unknown),
        };
        let suits = matches!(answer, Answer::Best { .. }) == (goal == Goal::Best);
        if suits { Ok(End::Answer(answer)) } else { Err("expected an answer to what was asked, found another".into()) }
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
        Ok(Profile { name, can_except, can_only, can_vary, can_best, can_mate, weight: weight.into() })
    }
}

impl From<&News> for WireNews {
    fn from(&News { key, word }: &News) -> Self {
        Self { key, word }
    }
}

impl Letter {
    pub fn news(&self) -> Vec<News> {
        self.news.iter().take(MOST_NEWS).map(|&WireNews { key, word }| News { key, word }).collect()
    }
}

/// The task of a message.
pub fn task(number: u64) -> Result<TaskId, String> {
    if number == 0 { Err("expected a task, found 0".into()) } else { Ok(TaskId(number)) }
}
