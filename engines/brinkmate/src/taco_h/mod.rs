//! TACO-H (Hashimoto et al. 2001, appendix), a search for brinkmates by depth-first iterative deepening with inner
//! searches for mates.
//!
//! The algorithm is implemented for comparison, as described in the paper. The inner searches have a limit, so they may
//! miss a mate, and a missed mate counts as a longer brinkmate. A brinkmate found by TACO-H is correct, because every
//! defence was answered by mate, but may be reported as too long. TACO-H reports that there is no brinkmate only if no
//! threat was left undecided.
//!
//! `attack` and `defend` are the two functions in the appendix of the paper, `table` is the table of positions, `mates`
//! the inner search with a cache, `sacrifice` the extension, `order` the move ordering, and `line` the main line.
//! Comments state the choices made where the paper leaves details open.

mod attack;
mod defend;
mod interrupt;
mod line;
mod mates;
mod order;
mod sacrifice;
mod search;
mod table;

use crate::interface::InnerSearches;
use hasami_api::{BrinkmateGame, Limits, Stop};
use hasami_mate::{InnerLimit, InnerMemory, OpenReason};
use interrupt::Interrupted;
use search::{SearchResult, TacoSearch};
use std::marker::PhantomData;

/// Length in plies of the longest brinkmate that is searched for, which bounds the recursion.
const LONGEST: u16 = 99;

/// Options of TACO-H (Hashimoto et al. 2001).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TacoOptions {
    /// The limit of each inner search for a mate.
    pub inner: InnerLimit,
    /// Maximum number of useless sacrifices on a line that extend the search, each by two plies.
    pub extensions: u8,
    /// Total memory in MiB.
    pub hash_mb: usize,
}

impl Default for TacoOptions {
    fn default() -> Self {
        Self { inner: InnerLimit::PDS, extensions: 2, hash_mb: 64 }
    }
}

/// The result of TACO-H, where `M` is the type of a move of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TacoFound<M> {
    /// The side to move mates by checks.
    Mate,
    /// The side to move has a brinkmate.
    Brinkmate {
        /// Length of the brinkmate found, in plies.
        plies: u16,
        /// The main line, which may be shorter than `plies` if the table has forgotten a position or knows it only with
        /// fewer pieces in hand.
        line: Vec<M>,
    },
    /// The side to move has neither a mate nor a brinkmate of any length.
    None,
    /// A limit ended the search without a result. [`OpenReason::Inner`] means that all moves were refuted, but some
    /// move may threaten a mate that an inner search missed. [`OpenReason::Nodes`] means that the search reached its
    /// node limit or was stopped.
    Unknown(OpenReason),
}

/// The result of TACO-H, without a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TacoAnswer<M> {
    /// The brinkmate found, or why none was found.
    pub found: TacoFound<M>,
    /// Number of moves made, including those of the inner searches.
    pub nodes: u64,
    /// Counts of the inner searches.
    pub inner: InnerSearches,
}

/// A TACO-H solver with its memory.
pub struct TacoH<G> {
    options: TacoOptions,
    memory: InnerMemory,
    game: PhantomData<fn() -> G>,
}

impl<G: BrinkmateGame> TacoH<G> {
    /// Creates a solver with empty memory. Half of `options.hash_mb` is used for the inner searches.
    pub fn new(options: TacoOptions) -> Self {
        let memory = InnerMemory::with_bytes(options.hash_mb.saturating_mul(1 << 20) / 2);
        Self { options, memory, game: PhantomData }
    }

    /// Searches for a brinkmate by the side to move. Only the fields `nodes`, `mate` and `depth` of `limits` are used;
    /// `mate` and `depth` limit the length of a line in plies.
    pub fn solve(&mut self, game: &G, limits: &Limits, stop: &Stop) -> TacoAnswer<G::Move> {
        let inner = self.memory.begin(game, self.options.inner, stop);
        let bytes = self.options.hash_mb.saturating_mul(1 << 20) / 2;
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let mut search = TacoSearch::new(game.clone(), inner, bytes, nodes, stop);
        let longest = [limits.mate, limits.depth].into_iter().flatten().fold(LONGEST, u16::min);
        let found = deepen(&mut search, longest, self.options.extensions);
        let found = found.unwrap_or(TacoFound::Unknown(OpenReason::Nodes));
        TacoAnswer { found, nodes: search.nodes(), inner: search.mates.counts() }
    }
}

/// Deepens the search iteratively, like the function `search` in the appendix of Hashimoto et al. 2001. First, an inner
/// search looks for a mate at the root, a case that the paper does not mention.
fn deepen<G: BrinkmateGame>(
    search: &mut TacoSearch<G>,
    longest: u16,
    extensions: u8,
) -> Result<TacoFound<G::Move>, Interrupted> {
    if search.is_mate()? {
        return Ok(TacoFound::Mate);
    }
    for left in (1..=longest).step_by(2) {
        search.table.next_iteration();
        match search.attack(left, 0, extensions)? {
            SearchResult::Brinkmate(plies) => {
                return Ok(TacoFound::Brinkmate { plies, line: search.main_line(plies) });
            }
            SearchResult::Refuted(why) if why.cut => return Ok(TacoFound::Unknown(OpenReason::Inner)),
            SearchResult::Refuted(_) => return Ok(TacoFound::None),
            SearchResult::Unknown(_) => {}
        }
    }
    Ok(TacoFound::Unknown(OpenReason::Plies(longest.into())))
}
