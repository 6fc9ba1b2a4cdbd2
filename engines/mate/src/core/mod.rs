//! The parts of the algorithms. Nothing here knows an algorithm.
//!
//! - positions: `value`, what is known of one; `hands`, what of the attacker's hand that needs; `table`, the memory of
//!   values, `within_table` of those about so many plies; `fact`, a value to be told to others; `path`, the detection of cycles; `mix`, keys
//! - [`dfpn`]: depth-first proof-number search and all that reads its table. `frame` is a node on its path, `numbers` adds up
//!   its children's, `style` is what tells one such search from another, `sample` a proof tried against other answers,
//!   `step_book` what somebody says is played
//! - `attack_rules`: which moves it looks at, and when
//! - `within`: depth-first search within so many moves, `deepening`: of one more at a time
//! - `machine`: the processors of a parallel search, `crowd`: where each of them is
//! - `replay`, `notation`, `reports`: lines by the rules, as text, and as they are told; `interrupt`: how a search ends early

pub(crate) mod attack_rules;
pub(crate) mod crowd;
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
pub(crate) mod replay;
pub(crate) mod reports;
pub(crate) mod sample;
pub(crate) mod step_book;
pub(crate) mod style;
pub(crate) mod table;
pub(crate) mod value;
pub(crate) mod within;
pub(crate) mod within_table;
