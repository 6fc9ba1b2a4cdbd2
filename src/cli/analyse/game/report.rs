//! The analysis of games as JSON, for other programs.

use super::ReviewedGame;
use hasami_api::{GameReview, Line, MoveMark, MoveReview, MoveText, PlayerReview, Score, ScoreKind, Side};
use hasami_catalog::{Catalog, Notation, Speaker};
use serde_json::{Value, json};

/// All games as one JSON object; values are for the side that made the move.
pub fn json(catalog: &'static dyn Catalog, games: &[ReviewedGame]) -> String {
    let games: Vec<Value> = games.iter().map(|game| of_game(catalog, game)).collect();
    format!("{:#}", json!({ "game": catalog.name(), "games": games }))
}

fn of_game(catalog: &'static dyn Catalog, game: &ReviewedGame) -> Value {
    let GameReview { line, moves } = &game.review;
    let of_player = |(place, side)| {
        let PlayerReview { moves, best, loss, marks: [inaccuracies, mistakes, blunders] } = game.review.of(side);
        let average_loss = (loss * 10.0).round() / 10.0;
        let name: &String = &game.players[place];
        json!({ "name": name, "moves": moves, "best": best, "average_loss": average_loss,
                "inaccuracies": inaccuracies, "mistakes": mistakes, "blunders": blunders })
    };
    let players: Vec<Value> = [Side::First, Side::Second].into_iter().enumerate().map(of_player).collect();
    let one = |(index, one): (usize, &MoveReview)| {
        let root = Line { start: line.start.clone(), moves: line.moves[..index].to_vec() };
        of_move(one, index + 1, &Speaker::at(catalog, &root, Notation::Players), catalog)
    };
    let moves: Vec<Value> = moves.iter().enumerate().map(one).collect();
    json!({ "start": line.start.text.as_deref(), "players": players, "moves": moves })
}

fn of_move(one: &MoveReview, ply: usize, speaker: &Speaker, catalog: &dyn Catalog) -> Value {
    let mark = one.mark.map(|mark| match mark {
        MoveMark::Inaccuracy => "inaccuracy",
        MoveMark::Mistake => "mistake",
        MoveMark::Blunder => "blunder",
    });
    let texts = |moves: &[MoveText]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let chance = (1000.0 * catalog.judging().chance(one.value)).round() / 1000.0;
    json!({
        "ply": ply, "side": catalog.sides()[one.side.index()], "move": one.played.to_string(),
        "spoken": speaker.last(&[one.played]), "value": score(one.value), "chance": chance,
        "best": texts(&one.best), "spoken_best": speaker.moves(&one.best), "best_value": score(one.best_value),
        "loss": one.loss, "mark": mark, "depth": one.depth, "nodes": one.nodes,
    })
}

fn score(score: Score) -> Value {
    match score.kind() {
        ScoreKind::Cp(cp) => json!({ "cp": cp }),
        ScoreKind::Mate(plies) => json!({ "mate_in_plies": plies }),
    }
}
