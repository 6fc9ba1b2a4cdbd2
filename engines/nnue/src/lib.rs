//! Efficiently updatable neural networks (NNUE, Nasu 2018) as evaluators. This crate reads network files and evaluates
//! positions with them.
//!
//! - `reader`: turns the bytes of a file into a [`Network`], or rejects it; `bytes`: reads integers without exceeding
//!   the bounds of the file
//! - `element`: pieces on squares and in hand as numbers; `chess`, `shogi`: the elements of chess and shogi positions
//! - `features`: maps an element and a king's square to a row of the first layer
//! - `network`: the layers; `accumulator`: the first layer, updated move by move; `affine`, `dense`: the other layers
//! - `kernels`: the arithmetic in plain Rust and for each instruction set, chosen when a network is read
//! - `built_in`: the networks that come with the program
//! - `evaluator`: the implementation of [`hasami_api::Evaluator`]
//!
//! ```
//! use hasami_api::{Evaluator, Game, Start};
//! use hasami_chess::Chess;
//! use hasami_nnue::{NetworkEval, NetworkGame, OwnNetwork};
//!
//! // A network without weights. Its output is its bias: half a pawn for the side to move.
//! let file = OwnNetwork {
//!     game: NetworkGame::Chess,
//!     width: 128,
//!     scale: 100,
//!     description: "half a pawn".into(),
//!     buckets: vec![0; 64],
//!     biases: vec![0; 128],
//!     weights: vec![0; 128 * 768],
//!     stacks: vec![(255 * 64 / 2, vec![0; 256])],
//! };
//! let network = hasami_nnue::read(&file.to_bytes()).expect("a network");
//! let mut eval = NetworkEval::new(network.into());
//! let game = Chess::new(&Start::default()).expect("the initial position");
//! eval.refresh(&game);
//! assert_eq!(eval.evaluate(&game), 50);
//! ```
#![warn(missing_docs)]

mod accumulator;
mod affine;
mod aligned;
mod built_in;
mod bytes;
mod chess;
mod dense;
mod element;
mod error;
mod evaluator;
mod features;
mod game;
mod kernels;
mod network;
mod reader;
mod shogi;
mod spread;

pub use built_in::{all_built_in, built_in, built_in_file};
pub use element::Inputs;
pub use error::NetworkError;
pub use evaluator::NetworkEval;
pub use features::FeatureSet;
pub use game::NetworkGame;
pub use kernels::InstructionSet;
pub use network::Network;
pub use reader::{OwnNetwork, read};
