//! The building blocks of the algorithms. No module here depends on an algorithm.
//!
//! - positions: `value` is what is known about a position; `hands` computes proof and disproof pieces; `table` is the
//!   transposition table; `within_table` stores questions about a number of plies in it; `fact` converts table entries
//!   to facts for other cells and back; `path` detects cycles; `mix` hashes keys
//! - [`dfpn`]: depth-first proof-number search and everything that reads its table. `frame` is a node on its path,
//!   `numbers` adds up the numbers of its children, `style` holds the options of such a search, `sample` is a proof
//!   tried against other answers, `step_book` holds a mate that another engine claims
//! - `attack_rules`: which moves a proof-number search considers, and when
//! - `within`: depth-first search for a mate within a number of moves; `deepening`: its iterative deepening
//! - `machine`: the processors of a parallel search; `presence`: where in the tree each search is
//! - `replay`, `notation`, `reports`: lines checked by the rules, as text, and as progress reports; `interrupt`: the
//!   early end of a search

pub(crate) mod attack_rules;
pub(crate) mod deepening;
pub(crate) mod dfpn;
pub(crate) mod fact;
pub(crate) mod frame;
pub(crate) mod hands;
pub(crate) mod interrupt;
pub(crate) mod machine;
pub(crate) mod mix;
pub(crate) mod notation;
pub(crate) mod numbers;
pub(crate) mod path;
pub(crate) mod presence;
pub(crate) mod replay;
pub(crate) mod reports;
pub(crate) mod sample;
pub(crate) mod step_book;
pub(crate) mod style;
pub(crate) mod table;
pub(crate) mod value;
pub(crate) mod within;
pub(crate) mod within_table;
