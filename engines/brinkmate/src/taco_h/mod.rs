//! TACO-H (Hashimoto et al. 2001, appendix): brinkmates by depth-first iterative deepening, with a mate search inside.
//!
//! It is the algorithm of the paper as it stands, to compare with: its inner searches have a limit, so that what it
//! says is right only as far as they see. A brinkmate is right even so, because every defence was mated, but for its
//! length: a mate that an inner search did not see counts as a longer brinkmate. That there is none is said only where no
//! threat was left open.
//!
//! `attack` and `defend` are the two functions of the appendix, `table` is its table of positions, `mates` the inner search
//! with what it found before, `sacrifice` the extension, `order` the order of moves, `line` the main line. Where the paper
//! leaves a choice, the comment says which was made.

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
use hasami_mate::{InnerLimit, InnerMemory};
use interrupt::Interrupted;
use search::{SearchResult, TacoSearch};
use std::marker::PhantomData;

/// The longest brinkmate looked for, in plies: it bounds the recursion.
const LONGEST: u16 = 99;

/// How TACO-H (Hashimoto et al. 2001) searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TacoOptions {
    /// The limit of each mate search inside it.
    pub inner: InnerLimit,
    /// Useless sacrifices on one line for which it is searched two plies deeper.
    pub extensions: u8,
    /// All memory, in MiB.
    pub hash_mb: usize,
}

impl Default for TacoOptions {
    fn default() -> Self {
        Self { inner: InnerLimit::PDS, extensions: 2, hash_mb: 64 }
    }
}

/// The reason why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TacoLimit {
    /// Nodes, or the stop.
    Nodes,
    /// The length of the brinkmate.
    Plies,
    /// The inner search: everything was refuted, but some move threatens a mate that it did not see.
    Inner,
}

/// What TACO-H has found; `M` is a move of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TacoFound<M> {
    /// The side to move mates by checks.
    Mate,
    /// The length of the proof found, and its main line: the line may be shorter, where a position was known with fewer
    /// pieces in hand, or was forgotten.
    Brinkmate {
        /// Length of the proof, plies.
        plies: u16,
        /// The main line.
        line: Vec<M>,
    },
    /// There is none of any length, nor a mate.
    None,
    /// A limit ended the search.
    Unknown(TacoLimit),
}

/// Result of TACO-H, without a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TacoAnswer<M> {
    /// The finding.
    pub found: TacoFound<M>,
    /// Moves made, those of the inner searches included.
    pub nodes: u64,
    /// Counts of the mate searches inside.
    pub inner: InnerSearches,
}

/// TACO-H with its memory.
pub struct TacoH<G> {
    options: TacoOptions,
    memory: InnerMemory,
    game: PhantomData<fn() -> G>,
}

impl<G: BrinkmateGame> TacoH<G> {
    /// A search with an empty memory; half of `options.hash_mb` is that of the mate searches.
    pub fn new(options: TacoOptions) -> Self {
        let memory = InnerMemory::with_bytes(options.hash_mb.saturating_mul(1 << 20) / 2);
        Self { options, memory, game: PhantomData }
    }

    /// The longest line that it looks at, in plies.
    pub fn longest(limits: &Limits) -> u16 {
        [limits.mate, limits.depth, Some(LONGEST)].into_iter().flatten().min().unwrap_or(LONGEST)
    }

    /// Whether the side to move has a brinkmate. Heeds `limits.nodes`, and `limits.mate` and `limits.depth` as the longest
    /// line looked at, in plies.
    pub fn solve(&mut self, game: &G, limits: &Limits, stop: &Stop) -> TacoAnswer<G::Move> {
        let inner = self.memory.begin(game, self.options.inner, stop);
        let bytes = self.options.hash_mb.saturating_mul(1 << 20) / 2;
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let mut search = TacoSearch::new(game.clone(), inner, bytes, nodes, stop);
        let found = deepen(&mut search, Self::longest(limits), self.options.extensions);
        let found = found.unwrap_or(TacoFound::Unknown(TacoLimit::Nodes));
        TacoAnswer { found, nodes: search.nodes(), inner: search.mates.counts() }
    }
}

/// The function `search` of the appendix. The paper says nothing of a root that is a mate already: the inner search is
/// asked.
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
            SearchResult::Refuted(why) if why.cut => return Ok(TacoFound::Unknown(TacoLimit::Inner)),
            SearchResult::Refuted(_) => return Ok(TacoFound::None),
            SearchResult::Unknown(_) => {}
        }
    }
    Ok(TacoFound::Unknown(TacoLimit::Plies))
}
