//! Searches for mates by checks inside another search, which asks about thousands of positions of one problem, each
//! with a separate limit. Each search reuses the stored results of earlier searches.
//!
//! In all positions of a problem the same side attacks, and the pieces are the same. Stored results hold for all later
//! positions, as within one search ([`crate::core::dfpn`], [`crate::core::within`]).

use crate::core::dfpn::Dfpn;
use crate::core::interrupt::Interrupted;
use crate::core::style::Style;
use crate::core::table::MateTable;
use crate::core::value::CUT;
use crate::core::within::{Refutations, Within};
use hasami_api::{MateGame, Moves, Side, Stop};
use std::mem;

/// The kinds of mate search that TACO-H can use, each with its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InnerLimit {
    /// Iterative deepening.
    Id {
        /// Maximum depth in plies.
        plies: u16,
    },
    /// PDS.
    Pds {
        /// Maximum number of nodes per position.
        nodes: u64,
    },
}

impl InnerLimit {
    /// The depth limit used by Hashimoto et al. 2001 (section 6).
    pub const ID: Self = Self::Id { plies: 5 };
    /// The node limit used by Hashimoto et al. 2001: the number of nodes that their machine searched in a millisecond,
    /// computed from 174,257 positions in 677 ms (Table 1).
    pub const PDS: Self = Self::Pds { nodes: Self::MILLISECOND };
    /// Number of nodes that the machine of Hashimoto et al. 2001 searched in a millisecond.
    pub const MILLISECOND: u64 = 257;
}

/// The result of a search for a mate by checks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InnerMate {
    /// There is a mate.
    Yes,
    /// It is proved that no line of checks mates.
    No,
    /// A limit ended the search.
    Unknown,
}

/// Memory that the inner searches for one problem use.
pub struct InnerMemory {
    table: MateTable,
    refutations: Refutations,
}

impl InnerMemory {
    /// Creates a memory of at most `bytes` bytes, and 16 MiB more for [`InnerLimit::Id`].
    pub fn with_bytes(bytes: usize) -> Self {
        Self { table: MateTable::for_nodes(u64::MAX, bytes), refutations: Refutations::default() }
    }

    /// Begins the searches for another problem, in which the side to move in `root` attacks.
    pub fn begin<'a, G: MateGame>(&'a mut self, root: &G, by: InnerLimit, stop: &'a Stop) -> InnerMates<'a, G> {
        self.table.next_task();
        self.refutations = Refutations::default();
        let search = match by {
            InnerLimit::Pds { nodes } => {
                let search: Dfpn<_> = Dfpn::new(Style::PDS, root.clone(), &self.table, stop, 0, usize::MAX);
                InnerSearch::Pds(Box::new(search), nodes)
            }
            InnerLimit::Id { plies } => {
                let search = Within::new(root.clone(), Vec::new(), true, &mut self.refutations, stop, 0);
                InnerSearch::Id(Box::new(search), usize::from(plies).div_ceil(2))
            }
        };
        InnerMates { search, attacker: root.side() }
    }
}

/// The inner searches for one problem.
pub struct InnerMates<'a, G: MateGame> {
    search: InnerSearch<'a, G>,
    attacker: Side,
}

/// A search with its limit: nodes for PDS, moves for iterative deepening.
enum InnerSearch<'a, G: MateGame> {
    Pds(Box<Dfpn<'a, G>>, u64),
    Id(Box<Within<'a, G>>, usize),
}

impl<G: MateGame> InnerMates<'_, G> {
    /// Number of moves made so far in all searches.
    pub fn nodes(&self) -> u64 {
        match &self.search {
            InnerSearch::Pds(search, _) => search.nodes,
            InnerSearch::Id(search, _) => search.nodes,
        }
    }

    /// Decides whether the attacker, who is to move, mates by checks. The search ends after `nodes` nodes, or at the
    /// limit given to [`InnerMemory::begin`]. The game is unchanged afterwards.
    pub fn ask(&mut self, game: &mut G, nodes: u64) -> InnerMate {
        debug_assert_eq!(game.side(), self.attacker, "the attacker is to move");
        match &mut self.search {
            InnerSearch::Pds(search, limit) => {
                search.node_limit = search.nodes.saturating_add(nodes.min(*limit));
                mem::swap(&mut search.game, game);
                let found = search.solve();
                mem::swap(&mut search.game, game);
                match found {
                    Ok((value, _)) if value.is_proved() => InnerMate::Yes,
                    Ok((value, _)) if value.note != CUT => InnerMate::No,
                    _ => InnerMate::Unknown,
                }
            }
            InnerSearch::Id(search, moves) => {
                search.node_limit = search.nodes.saturating_add(nodes);
                mem::swap(&mut search.game, game);
                let found = deepen(search, *moves);
                mem::swap(&mut search.game, game);
                found.unwrap_or(InnerMate::Unknown)
            }
        }
    }
}

/// Searches by iterative deepening, with one more move in each iteration.
fn deepen<G: MateGame>(search: &mut Within<G>, most: usize) -> Result<InnerMate, Interrupted> {
    let mut checks = Moves::new();
    search.game.checking_moves(&mut checks);
    search.roots = checks.to_vec();
    for moves in 1..=most {
        if search.mate_in(moves)?.is_some() {
            return Ok(InnerMate::Yes);
        }
        if search.is_final {
            return Ok(InnerMate::No);
        }
    }
    Ok(InnerMate::Unknown)
}
