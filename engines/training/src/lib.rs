//! File formats for labelled positions, and a network trainer that runs on the CPU.
//!
//! - `chess`, `shogi`: positions of a fixed size in the formats of other programs (bulletformat, PSV); `positions`:
//!   files of such positions
//! - `game`: self-play games and their positions; `viriformat`, `packed_games`: formats of game files
//! - `distil`: positions a few moves away from those of games, labelled by an evaluation
//! - `sample`: a position in the form that the trainer needs; `label`: the score and the result of a position
//! - `parameters`: the parameters of a network in training, and their quantized form; `target`: what the network should
//!   predict; `kernel`: the forward and the backward pass, with `row_lists` as an index of rows; `adamw`: the
//!   optimizer; `order`: the order of positions in epochs; `train`: the whole training run, in several `threads`;
//!   `checkpoint`: the state of a training run in a file
//!
//! ```
//! use hasami_api::{Outcome, Side};
//! use hasami_chess::Chess;
//! use hasami_training::{Filter, LabelledGame, LabelledMove, SelfPlayGame, positions};
//!
//! let played = SelfPlayGame {
//!     start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
//!     moves: vec![LabelledMove { text: "e2e4".parse().expect("a move"), score: 35 }],
//!     outcome: Outcome::Win(Side::First),
//!     ending: Default::default(),
//! };
//! let mut file = Vec::new();
//! Chess::write_game(&played, &mut file).expect("a legal game");
//! let (read, bytes) = Chess::read_game(&file).expect("a game").expect("a whole one");
//! assert_eq!((read, bytes), (played.clone(), file.len()));
//!
//! let mut learned = Vec::new();
//! assert_eq!(positions::<Chess>(&played, &Filter::default(), &mut learned), Ok(1));
//! assert_eq!(learned.len(), Chess::POSITION_BYTES);
//! ```
#![warn(missing_docs)]

mod adamw;
mod checkpoint;
pub mod chess;
mod distil;
mod formats;
mod game;
mod kernel;
mod label;
mod mean;
mod order;
mod packed_games;
mod parameters;
mod positions;
mod row_lists;
mod sample;
pub mod shogi;
mod target;
mod text;
mod threads;
mod train;
mod viriformat;

pub use distil::distil;
pub use formats::{FoundGame, TrainingFormats};
pub use game::{Filter, FormatError, LabelledGame, LabelledMove, SelfPlayGame, positions};
pub use label::Label;
pub use mean::mean;
pub use order::Epochs;
pub use parameters::Shape;
pub use positions::{Positions, PositionsError, position_bytes};
pub use sample::Sample;
pub use target::Target;
pub use text::{LabelledText, parse_line};
pub use train::{Measured, Progress, Settings, State, Training, TrainingError};
