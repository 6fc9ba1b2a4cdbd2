//! Proof-number search for other solvers, with attacks and answers of any kind.

use crate::algorithms::parallel::begin_parallel;
use crate::core::attack_rules::AttackRules;
use crate::core::dfpn::Dfpn;
use crate::core::interrupt::Interrupted;
use crate::core::path::KeyFilter;
use crate::core::style::Style;
use crate::core::table::{self, LazyTable};
use crate::core::value::{ProofNumbers, UNCONDITIONAL};
use crate::interface::options::{ProcessorUsage, SearchMachine, SolverOptions};
use hasami_api::{MateGame, Report, Side, Stop};
use std::marker::PhantomData;
use std::sync::Arc;

/// Divisor of the number of nodes that one processor searches alone. Other processors join earlier than in a search for
/// a mate by checks, because two processors are seldom slower than one when attacks need not be checks.
const ALONE_PART: u64 = 2;

/// Minimum number of nodes that a search makes on one processor before it starts threads.
const LEAST_ALONE: u64 = 1 << 12;

/// The known result for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownProof {
    /// The attacker wins. The value is the length of the proof found, in plies.
    Proved(u16),
    /// The defender prevents the attacker's win.
    Disproved,
    /// A limit ended the search.
    Open,
}

/// The result of a search.
pub struct Searched {
    /// The result for the position.
    pub known: KnownProof,
    /// Number of moves made.
    pub nodes: u64,
    /// Statistics of the processors, if more than one of them searched.
    pub usage: Option<ProcessorUsage>,
}

/// A search with its table, for the positions of one problem. The parameter `R` determines the moves that are
/// considered.
pub struct Prover<G, R> {
    table: LazyTable,
    /// Refuted boards; see [`Dfpn::refuted_twins`].
    refuted_twins: Arc<KeyFilter>,
    machine: SearchMachine,
    /// Number of nodes of a problem that one processor searches before the others join. `alone_left` is the remaining
    /// part of `alone`.
    alone: u64,
    alone_left: u64,
    game: PhantomData<fn() -> (G, R)>,
}

impl<G: MateGame, R: AttackRules<G>> Prover<G, R> {
    /// Creates a search with a table of `options.hash_mb` MiB, on the processors that `options` specifies.
    pub fn new(options: &SolverOptions) -> Self {
        let alone = options.alone() / ALONE_PART;
        let bytes = options.hash_mb.max(1).saturating_mul(1 << 20);
        let (table, machine) = (LazyTable::new(bytes), options.machine);
        Self { table, refuted_twins: Arc::default(), machine, alone, alone_left: alone, game: PhantomData }
    }

    /// Begins another problem and forgets the previous one.
    pub fn begin(&mut self, nodes: u64) {
        self.table.for_nodes(nodes).next_task();
        self.refuted_twins = Arc::default();
        self.alone_left = self.alone;
    }

    /// Allocates the memory that every search needs.
    pub fn prepare(&mut self) {
        self.table.prepare();
    }

    /// Decides a position in which the attacker is to move, on all processors.
    pub fn search(&mut self, game: &G, nodes: u64, stop: &Stop, tell: &mut dyn FnMut(Report)) -> Searched {
        let table = self.table.for_nodes(nodes);
        let mut search: Dfpn<G, R> = Dfpn::new(Style::BRINKMATE, game.clone(), table, stop, nodes, usize::MAX);
        search.tell = Some(tell);
        search.refuted_twins = Some(Arc::clone(&self.refuted_twins));
        let has_others = self.machine.processors() > 1;
        let alone = self.alone_left.max(LEAST_ALONE.min(self.alone));
        let usage = has_others.then(|| begin_parallel(&mut search, &self.machine, alone)).flatten();
        let known = known_of(search.solve().map(|(value, _)| value));
        let nodes = search.nodes;
        self.alone_left = self.alone_left.saturating_sub(nodes);
        Searched { known, nodes, usage }
    }

    /// Returns the table's final result for a position of the current problem.
    pub fn known(&self, game: &G, attacker: Side) -> KnownProof {
        let hand = game.hand(attacker);
        match self.table.get().map(|table| table.get(game.board_key(), hand)) {
            Some(table::KnownMate::Decided(value)) if value.is_proved() => {
                KnownProof::Proved(value.note.unsigned_abs())
            }
            Some(table::KnownMate::Decided(value)) if value.note == UNCONDITIONAL => KnownProof::Disproved,
            _ => KnownProof::Open,
        }
    }
}

fn known_of(found: Result<ProofNumbers, Interrupted>) -> KnownProof {
    match found {
        Ok(value) if value.is_proved() => KnownProof::Proved(value.note.unsigned_abs()),
        Ok(_) => KnownProof::Disproved,
        Err(Interrupted) => KnownProof::Open,
    }
}
