//! Visits every move of the games in a file, in the order in which annotations are written in any file format.

use crate::{Game, GameReview, MoveReview, RecordError};

/// Calls `tell` for each move of `reviews`, which holds one review for each game in the file. For each game, `places`
/// says where in the text of the file each move stands. `tell` receives each move, its place in the text, and the
/// positions before and after the move.
pub fn walk_reviews<'a, G: Game, P: 'a>(
    reviews: &[GameReview],
    places: impl IntoIterator<Item = &'a [P]>,
    mut tell: impl FnMut(&MoveReview, &'a P, [&G; 2]),
) -> Result<(), RecordError> {
    let mut places = places.into_iter();
    for (index, review) in reviews.iter().enumerate() {
        let places = places.next().unwrap_or_default();
        if places.len() < review.moves.len() {
            let why = format!("{} of {} moves can be annotated", places.len(), review.moves.len());
            return Err(RecordError::Game(index + 1, Box::new(RecordError::Other(why))));
        }
        let other = |error: String| RecordError::Other(error);
        let mut position = G::new(&review.line.start).map_err(|error| other(error.to_string()))?;
        for (found, place) in review.moves.iter().zip(places) {
            let before = position.clone();
            let m = position.parse_move(&found.played).map_err(|error| other(error.to_string()))?;
            position.make(m);
            tell(found, place, [&before, &position]);
        }
    }
    Ok(())
}
