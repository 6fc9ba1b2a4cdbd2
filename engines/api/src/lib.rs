//! The interface between games, searchers and the rest of the program. The only dependency of this crate is `serde`.
//!
//! Positions and moves are passed as text ([`Line`], [`MoveText`]), so that every transport (thread, pipe, network)
//! carries the same data. Moves have the game's own type ([`Game::Move`]) only inside a search.
//!
//! ```
//! use hasami_api::{Score, Side};
//!
//! let mate_in_three_plies = Score::win_in(3);
//! assert!(mate_in_three_plies.is_win() && mate_in_three_plies > Score::cp(900));
//! // The same score seen by the opponent, one ply earlier.
//! assert!(mate_in_three_plies.for_parent().is_loss());
//! assert_eq!(Side::First.other(), Side::Second);
//! ```
#![warn(missing_docs)]

mod annotation;
mod brinkmate_game;
mod endgame;
mod eval;
mod game;
mod hand;
mod line;
mod mate_game;
mod moves;
mod news;
pub mod perft;
mod prefetch;
mod record;
mod report;
mod review;
mod score;
mod searcher;
mod shown;
mod stop;

pub use annotation::walk_reviews;
pub use brinkmate_game::{BrinkmateGame, Zone};
pub use endgame::EndgameTables;
pub use eval::Evaluator;
pub use game::{Game, InvalidPosition, MoveFacts, ParseMoveError, Prohibition, SearchGame, Side, Verdict};
pub use hand::{Hand, PositionKey};
pub use line::{Line, MoveText, MoveTextError, Rules, Start};
pub use mate_game::{MateGame, is_mated, is_mated_for_composers, is_mated_without_moves};
pub use moves::Moves;
pub use news::{Exchange, News};
pub use prefetch::prefetch;
pub use record::{
    Ending, Format, GameFault, GameRecord, Outcome, OwnEnding, PlayedMove, ReadGame, RecordError, Records, SideLine,
};
pub use report::{Bound, MateAnswer, RankedMove, Report};
pub use review::{GameReview, JudgedPosition, Judging, MoveMark, MoveReview, PlayerReview};
pub use score::{MateUnit, Score, ScoreKind};
pub use searcher::{Answer, Goal, Limits, Searcher, Task, TaskError};
pub use shown::{Diagram, MovePlaces, Render, RenderedPiece};
pub use stop::{Pace, Stop};
