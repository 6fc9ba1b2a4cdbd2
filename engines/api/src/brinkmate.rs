//! What a search asks of a game where attacks need not be checks, and what a solver of brinkmates is asked.

use crate::{MateGame, MoveText, Proof, Report, Side, Stop, Task, TaskError, Usage};

/// When a stage of moves begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveStage {
    /// The number that the side to move wants small has become so large in all moves looked at so far; without limit: all of
    /// them have failed.
    pub from: u32,
    /// What the moves of the stage are expected to add to the other number.
    pub adds: u32,
}

/// Squares that matter to a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zone {
    /// A piece that stands there matters.
    pub on: u128,
    /// A piece that could go there matters.
    pub reach: u128,
}

impl Zone {
    pub const EVERYWHERE: Self = Self { on: u128::MAX, reach: u128::MAX };

    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self { on: self.on | other.on, reach: self.reach | other.reach }
    }
}

/// A position in the table under another key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twin {
    pub key: u64,
    /// What is proved there is proved here; otherwise, what is disproved.
    pub by_proof: bool,
}

/// What a search for brinkmates asks beyond that for mates.
pub trait BrinkmateGame: MateGame {
    /// The side to move, which is not in check, makes no move. Taken back as a move is.
    fn pass(&mut self);

    /// What this quiet move does is far from the king of that side, so that it is not likely to threaten or to save it. Only
    /// for the order in which moves are tried.
    fn is_far(&self, m: Self::Move, king: Side) -> bool;

    /// As [`MateGame::zone_of_attack`], of a check.
    fn check_zone(&self, _m: Self::Move) -> Zone {
        Zone::EVERYWHERE
    }

    /// As [`MateGame::zone_of_answers`].
    fn evasion_zone(&self) -> Zone {
        Zone::EVERYWHERE
    }

    /// As [`MateGame::is_within`].
    fn meets(&self, _answer: Self::Move, _zone: Zone) -> bool {
        true
    }

    /// Both moves end on one square, so that the second takes what the first has put there.
    fn is_on_one_square(a: Self::Move, b: Self::Move) -> bool;
}

/// How brinkmates are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BrinkmateSearch {
    /// By proof numbers, with a proof.
    #[default]
    Proof,
    /// As in Hashimoto et al. 2001, with mate searches inside.
    TacoH(InnerLimit),
}

/// The mate searches inside TACO-H.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InnerLimit {
    /// Iterative deepening of at most so many plies.
    Id { plies: u16 },
    /// PDS of so many nodes.
    Pds { nodes: u64 },
}

impl InnerLimit {
    /// The paper's depth (section 6).
    pub const ID: Self = Self::Id { plies: 5 };
    /// What the paper's machine did in a millisecond: 174,257 positions in 677 ms (Table 1).
    pub const PDS: Self = Self::Pds { nodes: Self::MILLISECOND };
    /// In nodes.
    pub const MILLISECOND: u64 = 257;
}

/// What is wanted of a brinkmate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BrinkmateWish {
    /// A shortest one, which is proved. Until it is, there is no answer.
    pub shortest: bool,
    /// Of at most so many plies.
    pub within: Option<u16>,
    /// The proof, for whoever wants to replay it.
    pub certificate: bool,
    /// Of a shortest one also the proof that there is no shorter one, which may take far longer than the search.
    pub below: bool,
    /// The main line of a brinkmate shall go on to a mate.
    pub to_the_mate: bool,
    /// How many of the attacker's moves of the proof are to be told; 0: no proof.
    pub proof: usize,
}

/// What there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrinkmateAnswer {
    /// With the main line, up to the attacker's last move before the mates.
    Brinkmate(Vec<MoveText>),
    /// There is a mate by checks already, with its main line.
    Mate(Vec<MoveText>),
    /// Neither; of at most so many plies, if there was such a limit.
    None { within: Option<u16> },
    /// A limit ended the search.
    Unknown,
}

/// Mate searches within a search for a brinkmate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InnerSearches {
    pub calls: u64,
    /// Those that found nothing out before their limit.
    pub cut: u64,
    pub nodes: u64,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrinkmateFound {
    pub answer: BrinkmateAnswer,
    /// The answer follows from the rules alone, whatever was searched.
    pub is_proved: bool,
    /// A brinkmate: it was asked whether there is a shorter one, and there is none. A limit may have left that open.
    pub is_shortest: bool,
    /// Moves made.
    pub nodes: u64,
    /// Written down (docs/design/certificate.md), if it was asked for.
    pub certificate: Option<Vec<u8>>,
    /// And that there is no shorter one, if that was asked for.
    pub below: Option<Vec<u8>>,
    pub proof: Option<Proof>,
    /// Of the processors, where several have searched.
    pub usage: Option<Usage>,
    /// Of a search that has them.
    pub inner: Option<InnerSearches>,
}

/// A solver of brinkmates. One thread owns it.
pub trait BrinkmateSolver: Send {
    /// Works on the position of a task until it is done or stopped; its limit of nodes is heeded.
    fn solve(
        &mut self,
        task: &Task,
        wish: BrinkmateWish,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFound, TaskError>;

    /// Gets the memory that searches would otherwise have to wait for.
    fn prepare(&mut self);
}
