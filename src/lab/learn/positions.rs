//! Reads positions from games, with the move that was played in each position and the properties that the models use.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hasami_api::{Line, MoveText, Rules};
use hasami_catalog::Catalog;
use hasami_matches::openings::{Openings, ReadOpenings};
use hasami_tree::{men, phase};
use hasami_words::text::At;
use std::path::PathBuf;

/// A position of a game, and the move that was played in it.
#[derive(Clone, PartialEq, Debug)]
pub struct GamePosition {
    /// Number of the game, counted from 0 across all files.
    pub game: u32,
    /// Index of the move `played` in its game.
    pub index: u32,
    pub played: MoveText,
    /// Number of plies from the initial position, including plies that the FEN or SFEN of the game's start position
    /// counts.
    pub ply: u32,
    /// Number of legal moves in the position.
    pub moves: u32,
    /// The phase of the game, from 0 (all pieces are on the board) to 1 (only kings and pawns are). Shogi pieces in
    /// hand do not count as being on the board.
    pub phase: f64,
}

/// Selects which positions of each game are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pick {
    /// Number of plies at the beginning of each game to leave out.
    pub skip: usize,
    /// One in `every` positions is selected, with a different offset in each game.
    pub every: usize,
}

impl Pick {
    pub const ALL: Self = Self { skip: 0, every: 1 };

    fn takes(self, game: usize, index: usize) -> bool {
        index >= self.skip && (game + index).is_multiple_of(self.every.max(1))
    }
}

/// Games and their selected positions.
#[derive(Clone, Default)]
pub struct LearningGames {
    pub lines: Vec<Line>,
    pub positions: Vec<GamePosition>,
    /// Warnings about input that was skipped.
    pub warnings: Vec<String>,
}

impl LearningGames {
    /// Reads the files, checks the games against the rules, and keeps the selected positions.
    pub fn read(files: &[PathBuf], game: &dyn Catalog, pick: Pick) -> Result<Self, String> {
        let mut games = Self::default();
        let mut usual = game.referee(&Line::default()).map_err(|error| error.to_string())?;
        let full = men(&usual.to_text());
        for file in files {
            let openings = Openings::of_file(file);
            let wrong = |why: String| why.at("--games");
            let ReadOpenings { lines, warning } =
                openings.read(game, Rules::default()).map_err(|error| wrong(error.to_string()))?;
            games.warnings.extend(warning.map(|why| why.at("--games")));
            for (number, line) in lines.into_iter().enumerate() {
                let failed = |why: String| wrong(why.at(format!("game {}", number + 1)).at(file.display()));
                games.add(line, game, full, pick).map_err(failed)?;
            }
        }
        if games.positions.is_empty() {
            return Err("the files have no games with moves".at("--games"));
        }
        Ok(games)
    }

    /// Adds the selected positions of a game. `full` is the number of pieces in the initial position.
    fn add(&mut self, line: Line, game: &dyn Catalog, full: usize, pick: Pick) -> Result<(), String> {
        let number = self.lines.len() as u32;
        let start = Line { start: line.start.clone(), moves: Vec::new() };
        let mut referee = game.referee(&start)?;
        let mut line = line;
        for (index, text) in line.moves.iter_mut().enumerate() {
            let (ply, moves) = (referee.ply(), referee.count_moves() as u32);
            let left = men(&referee.to_text());
            let played = referee.play(text).map_err(|error| error.at(format!("move {}", index + 1)))?;
            *text = played;
            if pick.takes(number as usize, index) {
                let phase = phase(left, full);
                self.positions.push(GamePosition { game: number, index: index as u32, played, ply, moves, phase });
            }
        }
        self.lines.push(line);
        Ok(())
    }

    /// Returns the game's line up to `position`.
    pub fn line(&self, position: &GamePosition) -> Line {
        let game = &self.lines[position.game as usize];
        Line { start: game.start.clone(), moves: game.moves[..position.index as usize].to_vec() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(game: &str, name: &str, text: &str, skip: usize) -> Result<LearningGames, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        LearningGames::read(&[path.clone(), path], hasami_games::find(game).unwrap(), Pick { skip, every: 1 })
    }

    #[test]
    fn every_move_of_every_file_has_a_position() {
        let games = read("chess", "x.pgn", "1. e4 d5 2. exd5 Qxd5 *\n", 1).unwrap();
        assert_eq!((games.lines.len(), games.positions.len()), (2, 6));
        let last = &games.positions[5];
        assert_eq!((last.game, last.index, last.ply, &*last.played), (1, 3, 3, "d8d5"));
        assert_eq!(last.moves, 28, "moves of pawns 14, knights 5, bishop 5, queen 3, king 1");
        assert_eq!(games.line(last).moves.len(), 3);
    }

    #[test]
    fn the_offset_of_selected_positions_differs_between_games() {
        let places = |skip, every| {
            let pick = Pick { skip, every };
            (0..8).filter(|&place| pick.takes(place / 4, place % 4)).collect::<Vec<_>>()
        };
        assert_eq!(places(0, 3), [0, 3, 6]);
        assert_eq!(places(2, 2), [2, 7]);
        assert_eq!(places(3, 1), [3, 7]);
    }

    #[test]
    fn phase_is_the_share_of_pieces_off_the_board() {
        let phases =
            |games: LearningGames| games.positions.iter().map(|p| (p.phase * 100.0).round()).collect::<Vec<_>>();
        let chess = read("chess", "x.pgn", "1. e4 d5 2. Ba6 Nxa6 3. d3 *\n", 0).unwrap();
        assert_eq!(phases(chess)[..5], [0.0, 0.0, 0.0, 0.0, 7.0], "one of 14 pieces, a bishop, was captured");
        let shogi = read("shogi", "x.sfen", "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n", 3).unwrap();
        assert_eq!(phases(shogi), [5.0, 5.0], "one of 20 pieces, a bishop, is in hand");
    }

    #[test]
    fn invalid_games_are_named() {
        let error = read("chess", "x.pgn", "1. e4 e5 *\n", 2).err().unwrap();
        assert_eq!(error, "--games: the files have no games with moves");
        let error = read("shogi", "x.sfen", "startpos moves 7g7f\n\nstartpos moves 7g7f 7g7f\n", 0).err().unwrap();
        assert!(error.contains("x.sfen: game 2: move 2: expected a legal move, found '7g7f'"), "{error}");
    }
}
