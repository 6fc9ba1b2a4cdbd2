//! Hasami: a parallel chess and shogi engine that plays from a master game tree. This is the map.
//!
//! # The way of a move
//! ```text
//!   stdin line -> Dialect::parse -> Command -> Manager -> Tree -> Action::Start -> Worker -> Searcher
//!   `bestmove` <- Dialect::format <- Action::Say <- Manager <- Tree <- WorkerEvent <- Report <- Searcher
//! ```
//! A GUI or a tournament runner starts the program; its first line (`uci` or `usi`) picks the game. The search manager
//! keeps a master tree whose nodes are searched by workers (threads of ours, child processes) and answers from it.
//!
//! # Where things are
//! - [`event`]: everything that can happen and everything that can be done. Read it first.
//! - [`catalog`]: what a game offers to the program; [`games`]: THE table, the only file that names games; `games/entry`,
//!   `games/solvers`: the only ones that name searches and solvers
//! - [`protocol`]: commands, outputs, options, and the two dialects in which they are written; `protocol/client`: the one
//!   state machine that drives other engines, children of the tree and opponents of a match alike
//! - [`manager`], [`tree`]: pure; what to search, what to answer, and when
//! - [`workers`], `child`: who searches: threads, child processes, and workers of other machines (`workers/cluster`);
//!   `workers/bus.rs` carries news among threads of a team
//! - [`driver`]: a manager with its workers and its alarm; [`session`]: a driver on stdin and stdout, served by two
//!   threads in turns
//! - `book`: opening books; `bench`: figures; [`sim`]: the manager under a virtual clock,
//!   among virtual workers, near and behind a virtual network (to find faults), or as a virtual cluster of real engines
//!   (to measure)
//! - [`arena`]: matches between engines: schedule, games, adjudication, statistics, records
//! - [`learn`]: transition probabilities from game records; [`worth`]: what workers are worth, by the moves they play
//! - [`solve`]: mate and brinkmate problems, one after another, and whether solutions mate
//! - [`cli`]: the command line; [`text`]: how messages show what came from outside; `files`: what a GUI may name as one
//!
//! `engines/api` holds what they all agree on (`Game`, `Searcher`, `Task`, `Line`, `Report`, `Score`); the games
//! (`chess`, `shogi`) and the searches (`alphabeta`, `mate`) know nothing but it, and not each other; `brinkmate` is
//! built on `mate`; `certificate` replays its proofs by the rules alone; `memory` is that of the searches' tables.
//!
//! # Who may import whom (kept true by `tests/it/imports.rs`)
//! ```text
//!   main -> games -> manager -> tree -> engines/api      main -> cli -> catalog
//!   cli -> session -> driver -> manager        driver -> workers -> event, catalog -> protocol
//!   workers -> child, protocol::client         sim -> manager, catalog, event, workers
//!   cli -> arena -> child, protocol::client, catalog
//!   cli -> learn -> arena, catalog, protocol, tree     cli -> worth -> learn, catalog
//!   cli -> solve -> arena, catalog, child
//! ```
//!
//! # Decisions that carry it
//! 1. The manager is a function: events in, actions out. No thread, channel, clock or stdout in `manager` and `tree`.
//! 2. Every task has an id and its own stop flag; late answers are dropped by id. No stop can hit the next search.
//! 3. A task is a line (start position and moves), so repetition survives every transport.
//! 4. Static `G: Game` inside, text only at the edge.
//! 5. The manager can answer at any instant from the tree: `bestmove` never waits for a worker. Where the tree
//!    knows nothing yet, an emergency search (`manager::EmergencySearch`, handed in like the book) takes a millisecond or two.
//! 6. Mate solvers see only `MateGame`.
//! 7. The loop is crossbeam-channel's `select!`; the thread that reads a line also serves it (`session/turns.rs`).
//!
//! # Deliberately absent
//! Asynchronous code outside of `workers/cluster/nats.rs`; a shared search tree among threads (workers share positions and news, threads a table); clocks inside
//! searches; globals other than tables; game names outside [`games`]; printing outside [`session`] and [`cli`].

pub mod arena;
pub mod bench;
pub mod book;
pub mod catalog;
pub mod child;
pub mod cli;
pub mod driver;
pub mod event;
mod files;
pub mod games;
#[cfg(feature = "lab")]
pub mod learn;
pub mod manager;
pub mod protocol;
pub mod session;
#[cfg(any(feature = "lab", test))]
pub mod sim;
pub mod solve;
pub mod text;
pub mod tree;
pub mod workers;
#[cfg(feature = "lab")]
pub mod worth;
