//! Hasami: a parallel chess and shogi engine that plays from a master game tree. This page describes the structure of
//! the code.
//!
//! # The way of a move
//! ```text
//!   stdin line -> Protocol::parse -> Command -> Manager -> Tree -> Action::Start -> Worker -> Searcher
//!   `bestmove` <- Protocol::format <- Action::Say <- Manager <- Tree <- WorkerEvent <- Report <- Searcher
//! ```
//! A GUI or a tournament runner starts the program; the first line of its input (`uci` or `usi`) chooses the game. The
//! search manager keeps a master tree, whose nodes are searched by workers (threads and child processes), and takes its
//! answers from the tree.
//!
//! # Where things are
//!
//! Every folder of `src` except `bench`, `cli` and `session` is a crate named `hasami-` and the folder; this package is
//! the program itself, with its commands.
//!
//! - `src/tree`: the master tree; `tree/event.rs`: all events and actions, to be read first; `tree/manage.rs`: the
//!   interface of the search manager
//! - `src/manager`: decides what to search, what to answer, and when; like the tree, a pure function of events
//! - `src/protocol`: commands, outputs, options, and the two protocols (UCI and USI); `protocol/client`: the state
//!   machine that drives all other engines, both children of the tree and opponents in matches
//! - `src/catalog`: the interface of a game: `catalog/rules.rs`: its rules; `catalog/engines.rs`: its searches and
//!   solvers, which matches, compliance and the web page do not use; `catalog/evaluation.rs`: the network file that the
//!   options name
//! - `src/games`: the table of games, with one file per game; `games/entry.rs`, `games/solvers.rs`: the only files that
//!   name searches and solvers; `games/book`: opening books; `tests/third_game` adds a game
//! - `src/workers`: threads and child processes that search; `workers/outside.rs`: the interface for other workers;
//!   `workers/bus.rs` carries table entries between threads of a search group, `workers/cells` the messages of a mate
//!   search between machines; `workers/driver.rs`: a manager with its workers and its alarm
//! - `src/child`: child processes
//! - `src/matches`: matches between engines: schedule, games, adjudication, statistics, records; `matches/tuning`:
//!   tunes options of engines by games
//! - `src/remote`: uses other machines: their slots for the master tree and as cells of a mate search
//!   (`remote/cluster`), and their time for games of matches and tunings, by a reliable queue
//!   (`remote/games`)
//! - `src/selfplay`: games of the engine against itself as training data; `engines/training` contains the formats and
//!   the trainer
//! - `src/solve`: lists of mate and brinkmate problems, and the verification of solutions
//! - `src/compliance`: checks whether an engine follows UCI or USI
//! - `src/web`: the page for the browser that shows what is running; it has its own thread
//! - `src/pictures`: boards and curves as SVG
//! - `src/words`: texts in English and in Japanese (`words/en.ftl`, `words/ja.ftl`); `words/text.rs`: formats text from
//!   outside; `words/files.rs`: reads and writes files that a GUI may name
//! - `tests/toy`: a game made of hashes, which the tests play; `manager/tests/simulator` runs the manager under a virtual
//!   clock, with virtual workers, to find faults
//! - `src/lab`: `hasami-lab`, a separate program that measures this one: transition probabilities from game records
//!   (`learn`), the strength of workers and variants by the moves they play (`worth`), real threads (`real_threads`), a
//!   cluster of real engines under a virtual clock (`virtual_cluster`); its commands are in `lab/cli`
//! - `src/terminal`: the command-line code that both programs share: values of options, errors in one line, a progress
//!   bar
//! - this package: [`cli`], the command line; [`session`], a driver on stdin and stdout, served by two threads in
//!   turns; [`mod@bench`], node counts
//!
//! `engines/api` defines the common types (`Game`, `Searcher`, `Task`, `Line`, `Report`, `Score`). The games (`chess`,
//! `shogi`) and the searches (`alphabeta`, `mate`) depend only on `engines/api` and `memory`, and not on each other.
//! `nnue` evaluates positions of both games with networks; `training` trains the networks; `brinkmate` is built on
//! `mate`; `certificate` replays proofs by the rules alone; `memory` allocates the tables of the searches.
//!
//! # Which crate uses which
//!
//! The table shows which crates of `src` each crate of `src` depends on, from the bottom up. It omits the dependencies
//! of tests, and crates on which another crate of the same list depends:
//! ```text
//!   words, pictures -> none                   child, protocol -> words
//!   tree -> protocol                          manager, catalog -> tree
//!   games -> catalog, manager                 selfplay, terminal -> catalog
//!   workers, compliance -> catalog, child     solve -> catalog, pictures
//!   matches -> catalog, child, pictures       remote -> matches, workers
//!   web -> matches, solve                     lab -> games, matches, terminal, workers
//!   hasami (this package) -> compliance, games, remote, selfplay, terminal, web
//! ```
//!
//! # Decisions that carry it
//!
//! 1. The manager is a function from events to actions. `manager` and `tree` have no threads, channels, clocks or
//!    standard output.
//! 2. Every task has an id and its own stop flag, so that late answers are dropped by id and a stop never affects the
//!    next search.
//! 3. A task contains a line (start position and moves), so that every transport preserves repetitions.
//! 4. The code is generic over `G: Game`; positions and moves are text only at the interfaces.
//! 5. The manager can answer at any time from the tree: `bestmove` never waits for a worker. If the tree is still
//!    empty, the manager runs an emergency search of a millisecond or two (`manage::EmergencySearch`). If another
//!    machine answers `go mate` with a mate, the manager proves the mate before it handles the next event
//!    (`manage::MateProof`), in less than a second.
//! 6. Mate solvers use only the trait `MateGame`.
//! 7. The main loop is `select!` of crossbeam-channel; the thread that reads a line also handles it
//!    (`session/turns.rs`).
//!
//! # Deliberately absent
//!
//! The program has no asynchronous code outside of `remote/cluster/nats`, `remote/games/queue` and `web`, no search
//! tree shared by threads (workers share positions and table entries, threads a table), and no clocks inside the
//! searches of `alphabeta`. It has no globals other than tables, the child processes (`child/reaper.rs`; on Windows,
//! their job) and, with the feature `tunable`, the parameters of the search. Only `games` names games in its code; the
//! names also occur in help texts, `words/*.ftl` and `tree/data`. Only [`session`], [`cli`] and `terminal` print.
//!
//! # Glossary
//! - *master tree*: the game tree that the manager keeps; each *node* is searched by one worker, and a *leaf* is
//!   searched with all its moves
//! - *remaining moves*: the moves of an inner node that have no node of their own ("others" in the papers); the node's
//!   worker searches them
//! - *realization probability*: the probability that the game reaches a node; *transition probability*: the probability
//!   that a move is played in a position
//! - *worker*: an engine that searches one task at a time; *roster*: the manager's list of workers; *worker pool*: the
//!   owner of the workers
//! - *task*: a line, a question and limits; *report*: the current value and variation of a search; *finding*: a report
//!   that is stored in a node
//! - *search group*: workers that search one node together; *shared table entries*: table entries that they send each
//!   other
//! - *anticipatory search*: the search of positions that the game will probably reach; *expansion delay*: the delay
//!   before the moves of a node get nodes
//! - *fallback worker*: a thread that takes over if no worker searches; *emergency search*: a search of a millisecond
//!   by the manager itself
//! - *mate probe*: a short search of a leaf by the mate solver; *brinkmate*: a threat of mate without a defence
//!   (hisshi)
//! - *master*: an engine that uses a cluster; *worker node*: a machine that lends engines; *slot*: one engine that it
//!   lends
//! - *lease*: the use of one slot by one master; *tombstone*: a record about a member that has left, by which late
//!   messages of the member are recognized
//! - *proof number*, *disproof number*: the number of positions that must still be decided to prove or disprove a node;
//!   *PE1*: the first processor of AOHPAS
//! - *host*, *cell*: the two levels of a mate search without shared memory; *proposition*: a check and its answer
//! - *certificate*: a claim together with the whole strategy that proves it
//!
//! Papers are cited by author and year: docs/design/bibliography.md.

pub mod bench;
pub mod cli;
pub mod session;
