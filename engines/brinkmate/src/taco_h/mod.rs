//! TACO-H (Hashimoto et al. 2001, appendix) searches for brinkmates by depth-first iterative deepening, with an inner
//! search for mates.
//!
//! The algorithm is implemented as the paper describes it, for comparison. The inner searches of TACO-H have a limit,
//! so they may miss a mate. A brinkmate that TACO-H finds is correct nevertheless, because every defence was answered
//! by mate, but it may be too long: a mate that an inner search missed counts as a longer brinkmate. TACO-H answers
//! that there is no brinkmate only if no threat was left undecided.
//!
//! `attack` and `defend` are the two functions of the appendix, `table` is its table of positions, `mates` the inner
//! search with a cache, `sacrifice` the extension, `order` the order of moves, `line` the main line. Where the paper
//! leaves a choice, a comment states the choice made here.

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

/// Length of the longest brinkmate that is searched for, in plies. This length bounds the recursion.
const LONGEST: u16 = 99;

/// Options of TACO-H (Hashimoto et al. 2001).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TacoOptions {
    /// The limit of each inner search for a mate.
    pub inner: InnerLimit,
    /// Number of useless sacrifices on one line that extend the search, by two plies each.
    pub extensions: u8,
    /// Total memory in MiB.
    pub hash_mb: usize,
}

impl Default for TacoOptions {
    fn default() -> Self {
        Self { inner: InnerLimit::PDS, extensions: 2, hash_mb: 64 }
    }
}

/// The result of TACO-H. `M` is a move of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TacoFound<M> {
    /// The side to move mates by checks.
    Mate,
    /// The side to move has a brinkmate.
    Brinkmate {
        /// Length of the brinkmate found, in plies.
        plies: u16,
        /// The main line. The line may be shorter than `plies` if the table contained a position with fewer pieces in
        /// hand, or has lost a position.
        line: Vec<M>,
    },
    /// There is neither a brinkmate of any length nor a mate.
    None,
    /// A limit ended the search. [`OpenReason::Inner`] means that everything was refuted, but some move may threaten a
    /// mate that an inner search missed. [`OpenReason::Nodes`] means that the search reached its node limit or was
    /// stopped.
    Unknown(OpenReason),
}

/// The result of TACO-H, without a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TacoAnswer<M> {
    /// What was found.
    pub found: TacoFound<M>,
    /// Number of moves made, including those of the inner searches.
    pub nodes: u64,
    /// Counts of the inner searches.
    pub inner: InnerSearches,
}

/// TACO-H with its memory.
pub struct TacoH<G> {
    options: TacoOptions,
    memory: InnerMemory,
    game: PhantomData<fn() -> G>,
}

impl<G: BrinkmateGame> TacoH<G> {
    /// Creates a solver with empty memory. The inner searches get half of `options.hash_mb`.
    pub fn new(options: TacoOptions) -> Self {
        let memory = InnerMemory::with_bytes(options.hash_mb.saturating_mul(1 << 20) / 2);
        Self { options, memory, game: PhantomData }
    }

    /// Does the side to move have a brinkmate? Of `limits`, only `nodes`, `mate` and `depth` are used; the latter two
    /// limit the length of a line in plies.
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

/// Deepens the search iteratively: the function `search` of the appendix. The paper does not mention a root that
/// already has a mate; here the inner search tests it.
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
