//! Hasami: a parallel chess and shogi engine that plays from a master game tree. This page is the map of the code.
//!
//! # The way of a move
//! ```text
//!   stdin line -> Dialect::parse -> Command -> Manager -> Tree -> Action::Start -> Worker -> Searcher
//!   `bestmove` <- Dialect::format <- Action::Say <- Manager <- Tree <- WorkerEvent <- Report <- Searcher
//! ```
//! A GUI or a tournament runner starts the program; its first line (`uci` or `usi`) chooses the game. The search manager
//! keeps a master tree whose nodes are searched by workers (threads of ours, child processes) and answers from it.
//!
//! # Where things are
//! Every folder of `src` except `cli` and `session` is a crate named `hasami-` and the folder; this package is the
//! program itself, with its commands.
//! - `src/tree`: the master tree; `tree/event.rs`: everything that can happen and everything that can be done, to be read
//!   first; `tree/manage.rs`: the search manager as those who drive it see it
//! - `src/manager`: what to search, what to answer, and when. Tree and manager are pure functions of events
//! - `src/protocol`: commands, outputs, options, and the two dialects in which they are written; `protocol/client`: the one
//!   state machine that drives other engines, children of the tree and opponents of a match alike
//! - `src/catalog`: what a game offers to the program: `catalog/rules.rs`, its rules, which are all that matches, compliance
//!   and the page see of it; `catalog/engines.rs`, what searches and solves its positions; `catalog/evaluation.rs`: the
//!   network file that the options name
//! - `src/games`: the table of games, with the entry of each in a file of its name; `games/entry.rs`, `games/solvers.rs`: the
//!   only files that name searches and solvers; `games/book`: opening books. `tests/third_game` adds a game
//! - `src/workers`: threads and child processes that search; `workers/outside.rs`: how others come; `workers/bus.rs`
//!   carries table entries among threads of a search group, `workers/cells` the messages of a mate search among processes
//!   and machines; `workers/driver.rs`: a manager with its workers and its alarm
//! - `src/child`: child processes
//! - `src/matches`: matches between engines: schedule, games, adjudication, statistics, records; `matches/tuning`: options
//!   of engines, tuned by games
//! - `src/remote`: slots of other machines that search, and are cells of a mate search (`remote/cluster`); games of matches,
//!   tuning and self-play on other machines, by a queue that loses nothing (`remote/games`)
//! - `src/selfplay`: games of the engine with itself, for networks to learn from; `engines/training` holds their formats and
//!   the trainer
//! - `src/solve`: lists of mate and brinkmate problems, and the verification of solutions
//! - `src/compliance`: whether an engine keeps to UCI or USI
//! - `src/web`: the page for the browser that shows what runs; its thread is the one that owns it
//! - `src/pictures`: boards and curves as SVG
//! - `src/words`: results in English and in Japanese (`words/en.ftl`, `words/ja.ftl`); `words/text.rs`: text from outside;
//!   `words/files.rs`: files that a GUI may name
//! - `src/sim`: the manager under a virtual clock, among virtual workers and behind a virtual network, to find faults;
//!   `src/toy`: the game that is played there
//! - `src/lab`: a program of its own, `hasami-lab`, that measures this one: transition probabilities from game records
//!   (`learn`), the worth of workers and variants by the moves they play (`worth`), real threads (`real_threads`), a cluster of real engines under a virtual clock
//!   (`virtual_cluster`); its commands are in `lab/cli`
//! - `src/terminal`: what both programs share of their command lines: values of options, errors in one line, a progress bar
//! - here: [`cli`], the command line; [`session`], a driver on stdin and stdout, served by two threads in turns; [`mod@bench`],
//!   node counts
//!
//! `engines/api` holds what they all agree on (`Game`, `Searcher`, `Task`, `Line`, `Report`, `Score`); the games
//! (`chess`, `shogi`) and the searches (`alphabeta`, `mate`) know nothing but it, and not each other; `nnue` evaluates
//! positions of both games by networks, which `training` makes; `brinkmate` is
//! built on `mate`; `certificate` replays its proofs by the rules alone; `memory` is that of the searches' tables.
//!
//! # Which crate uses which
//! Each `Cargo.toml` says it, and Cargo keeps it. From the bottom up:
//! ```text
//!   words, pictures -> engines/api            child -> words              protocol -> words, engines/nnue
//!   tree -> protocol, words                   manager -> tree             catalog -> tree, protocol, engines/{mate, nnue, ...}
//!   games -> catalog, manager, all of engines
//!   workers -> catalog, tree, child           matches, compliance -> catalog, child, protocol
//!   solve, selfplay -> catalog                remote -> matches, selfplay, workers
//!   web -> matches, solve, tree               sim -> manager, remote, toy         terminal -> catalog
//!   lab -> games, matches, sim, terminal, workers                                 hasami -> all but lab, sim, toy
//! ```
//!
//! # Decisions that carry it
//! 1. The manager is a function: events in, actions out. No thread, channel, clock or stdout in `manager` and `tree`.
//! 2. Every task has an id and its own stop flag; late answers are dropped by id. No stop can hit the next search.
//! 3. A task is a line (start position and moves), so repetition survives every transport.
//! 4. Static `G: Game` inside, text only at the edge.
//! 5. The manager can answer at any instant from the tree: `bestmove` never waits for a worker. Where the tree
//!    knows nothing yet, an emergency search (`manage::EmergencySearch`, handed in like the book) takes a millisecond or two. A mate that another
//!    machine answers to `go mate` is proved between two events, too (`manage::MateProof`), in less than a second.
//! 6. Mate solvers see only `MateGame`.
//! 7. The loop is crossbeam-channel's `select!`; the thread that reads a line also serves it (`session/turns.rs`).
//!
//! # Deliberately absent
//! Asynchronous code outside of `remote/cluster/nats.rs`, `remote/games/queue` and `web`; a shared search tree among threads (workers share positions
//! and table entries, threads a table); clocks inside searches; globals other than tables; game names outside `games`;
//! printing outside [`session`] and [`cli`].
//!
//! # Glossary
//! - *master tree*: the game tree that the manager keeps; a *node* of it has one worker, a *leaf* is searched whole
//! - *remaining moves*: the moves of an inner node without a node of their own; its worker searches them ("others")
//! - *realization probability*: how likely the game reaches a node; *transition probability*: of one move
//! - *worker*: searches one task at a time; *roster*: the manager's list of workers; *worker pool*: their owners
//! - *task*: a line, a question and limits; *report*: a value and variation so far; *finding*: a report kept in a node
//! - *search group*: workers that search one node together; *shared table entries*: what they tell one another
//! - *anticipatory search*: of positions that the game will probably reach; *expansion delay*: before a node grows
//! - *fallback worker*: a thread that takes over where nobody searches; *emergency search*: a millisecond without workers
//! - *mate probe*: a look of the mate solver at a leaf; *brinkmate*: a threat of mate without a defence (hisshi)
//! - *master*: an engine that uses a cluster; *worker node*: a machine that lends; *slot*: one engine that it lends
//! - *lease*: one slot's service for one master; *tombstone*: the newest known message of one that is gone
//! - *proof number*, *disproof number*: how many positions must still be decided; *PE1*: the first processor of AOHPAS
//! - *host*, *cell*: the two levels of a mate search without shared memory; *proposition*: a check and its answer
//! - *certificate*: a claim and the whole strategy behind it; *principal variation*, *byoyomi*, ...: as in the field
//!
//! Papers are cited by author and year: docs/design/bibliography.md.

pub mod bench;
pub mod cli;
pub mod session;
