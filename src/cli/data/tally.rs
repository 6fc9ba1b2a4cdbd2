//! Counts games, positions, results and scores.

use super::{for_each_game, kind, open, shown};
use hasami_catalog::Games;
use hasami_terminal::Failure;
use hasami_training::Sample;
use hasami_words::text::{At, counted};
use std::io::Write;
use std::path::Path;

/// Totals of games or positions.
#[derive(Default)]
struct Tally {
    games: u64,
    positions: u64,
    broken: u64,
    /// Number of losses, draws, wins and unknown results, as the first player (in games) or the side to move (in
    /// positions) sees them.
    results: [u64; 4],
    /// Number of scores within 100, 300, 1,000 and 3,000 centipawns, and number of larger scores.
    scores: [u64; 5],
}

impl Tally {
    fn see(&mut self, score: i16) {
        self.positions += 1;
        let score = score.unsigned_abs();
        self.scores[[100, 300, 1_000, 3_000].iter().take_while(|&&most| score > most).count()] += 1;
    }
}

pub fn count(games: Games, file: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let kind = kind(games, file)?;
    let mut tally = Tally::default();
    if kind.holds_games {
        for_each_game(&kind, file, |game| {
            tally.games += 1;
            let points = game.outcome.half_points(hasami_api::Side::First);
            tally.results[points.map_or(3, usize::from)] += 1;
            game.moves.iter().for_each(|step| tally.see(step.score));
            Ok(())
        })?;
        writeln!(out, "{}", format!("{} of {}", counted(tally.games, "game"), kind.catalog.name()).at(shown(file)))?;
    } else {
        let positions = open(&kind, &[file.to_path_buf()])?;
        let mut sample = Sample::default();
        for index in 0..positions.len() {
            if !positions.read(index, &mut sample) {
                tally.broken += 1;
                continue;
            }
            tally.results[sample.result.map_or(3, |points| (2.0 * points) as usize)] += 1;
            tally.see(sample.score);
        }
        writeln!(out, "{}: {} of {}", shown(file), counted(positions.len(), "position"), kind.catalog.name())?;
    }
    let [losses, draws, wins, unknown] = tally.results;
    writeln!(out, "  wins {wins}, draws {draws}, losses {losses}, unknown {unknown}")?;
    let [a, b, c, d, e] = tally.scores;
    writeln!(
        out,
        "  scores of {}: to 100 centipawns {a}, to 300 {b}, to 1000 {c}, to 3000 {d}, beyond {e}",
        counted(tally.positions, "position")
    )?;
    if tally.broken > 0 {
        writeln!(out, "  {} could not be read", tally.broken)?;
    }
    Ok(())
}
