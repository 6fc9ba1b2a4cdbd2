//! Building blocks of the algorithms. No module in this folder depends on an algorithm.
//!
//! - `value`, `hands`: the value of a position, and its proof and disproof pieces
//! - `table`, `within_table`, `fact`: the transposition table, its entries for mates within a number of plies, and
//!   their conversion to facts for other cells
//! - `path`, `mix`: the detection of cycles, and hashing
//! - [`dfpn`]: depth-first proof-number search
//! - `frame`, `numbers`, `style`: a node on the path of a proof-number search, the combination of its children's
//!   numbers, and the options of the search
//! - `sample`, `step_book`: a proof to be tried against other answers, and a mate claimed by another engine
//! - `attack_rules`: the moves that a proof-number search considers, in stages
//! - `within`, `deepening`: depth-first search for a mate within a number of moves, and its iterative deepening
//! - `machine`, `presence`: the processors of a parallel search, and the number of searches below each node
//! - `replay`, `notation`, `reports`: lines checked by the rules, as text, and as progress reports
//! - `interrupt`: the early end of a search

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
