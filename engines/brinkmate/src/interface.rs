//! What a solver of brinkmates is asked, and what it finds.

use hasami_api::{MoveText, Report, Stop, Task, TaskError};
use hasami_mate::{InnerLimit, OpenReason, ProcessorUsage, ProofTree};

/// How brinkmates are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BrinkmateSearch {
    /// By proof numbers, with a proof.
    #[default]
    ProofTree,
    /// As in Hashimoto et al. 2001, with mate searches inside.
    TacoH(InnerLimit),
}

/// A request about a brinkmate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BrinkmateRequest {
    /// A shortest one, which is proved. Until it is, there is no answer.
    pub shortest: bool,
    /// The longest length asked for, in plies.
    pub within: Option<u16>,
    /// The longest mates that count, in plies: of those behind it, and of one that there is already. A brinkmate that is found
    /// is one in any case; that there is none holds for such mates only, and is told without a certificate.
    pub mates: Option<u16>,
    /// The proof, for whoever wants to replay it.
    pub certificate: bool,
    /// Also prove that there is no shorter one, which may take far longer than the search.
    pub below: bool,
    /// The main line of a brinkmate shall go on to a mate.
    pub to_the_mate: bool,
    /// How many of the attacker's moves of the proof are to be told; 0: no proof.
    pub proof: usize,
}

/// Everything there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrinkmateAnswer {
    /// With the main line, up to the attacker's last move before the mates.
    Brinkmate(Vec<MoveText>),
    /// There is a mate by checks already, with its main line.
    Mate(Vec<MoveText>),
    /// Neither; of at most so many plies, if there was such a limit.
    None {
        /// The limit in plies; `None`: there was none.
        within: Option<u16>,
    },
    /// A limit ended the search.
    Unknown,
}

/// Mate searches within a search for a brinkmate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InnerSearches {
    /// How many there were.
    pub calls: u64,
    /// Those that found nothing out before their limit.
    pub cut: u64,
    /// Moves made in all of them.
    pub nodes: u64,
}

/// The finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrinkmateFindings {
    /// The answer.
    pub answer: BrinkmateAnswer,
    /// The answer follows from the rules alone, whatever was searched.
    pub is_proved: bool,
    /// A brinkmate: it was asked whether there is a shorter one, and there is none. A limit may have left that open.
    pub is_shortest: bool,
    /// Why there is no answer, if it was neither the limit of nodes nor the stop.
    pub open: Option<OpenReason>,
    /// Moves made.
    pub nodes: u64,
    /// Written down (docs/design/certificate.md), if it was asked for.
    pub certificate: Option<Vec<u8>>,
    /// And that there is no shorter one, if that was asked for.
    pub below: Option<Vec<u8>>,
    /// The proof as a tree of moves, if it was asked for.
    pub proof: Option<ProofTree>,
    /// Use of the processors, where several have searched.
    pub usage: Option<ProcessorUsage>,
    /// Counts of the inner searches, if there are any.
    pub inner: Option<InnerSearches>,
}

/// A solver of brinkmates. One thread owns it.
pub trait BrinkmateSolver: Send {
    /// Works on the position of a task until it is done or stopped; its limit of nodes is heeded.
    fn solve(
        &mut self,
        task: &Task,
        request: BrinkmateRequest,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<BrinkmateFindings, TaskError>;

    /// Gets the memory that searches would otherwise have to wait for.
    fn prepare(&mut self);
}
