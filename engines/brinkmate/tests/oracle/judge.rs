//! Compares TACO-H's answers with brute-force answers.

use crate::brute::{Brute, Truth};
use hasami_api::{Game, Limits, Moves, Stop};
use hasami_brinkmate::{TacoFound, TacoH, TacoOptions};
use hasami_mate::{InnerLimit, OpenReason};
use hasami_shogi::{Move, Shogi};
use std::fmt;

#[derive(Default, Clone, Copy)]
pub struct Tally {
    pub mates: u64,
    /// Counts of one-ply, three-ply and longer brinkmates.
    pub brinkmates: [u64; 3],
    pub nones: u64,
    pub unknown: u64,
    /// Counts of one-ply and three-ply brinkmates that brute force confirmed.
    pub confirmed: [u64; 2],
    /// Counts of positions in which brute force finds no one-ply brinkmate, and no three-ply brinkmate.
    pub refuted: [u64; 2],
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mates, brinkmates: [one, three, more], nones, unknown, confirmed, refuted } = self;
        write!(f, "{mates} mates, {one} brinkmates of one ply, {three} of three, {more} longer, {nones} without, ")?;
        write!(f, "{unknown} unknown; by brute force confirmed {confirmed:?}, refuted {refuted:?}")
    }
}

pub struct Judge {
    /// Maximum number of moves that a solver may make.
    pub nodes: u64,
    /// Maximum number of moves that the brute-force search may make.
    pub moves: u64,
    pub tally: Tally,
}

impl Judge {
    pub fn examine(&mut self, game: &Shogi, inner: InnerLimit) -> Result<(), String> {
        let mate = Brute::new(game, 3, self.moves).is_mate();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        match solve(game, inner, &limits) {
            TacoFound::Mate => {
                self.tally.mates += 1;
                if mate == Truth::No { Err("a mate is claimed where there is none".into()) } else { Ok(()) }
            }
            TacoFound::Brinkmate { plies, line } => self.brinkmate(game, inner, mate, usize::from(plies), &line),
            TacoFound::None => self.none(game, mate),
            TacoFound::Unknown(_) => {
                self.tally.unknown += 1;
                self.one_ply(game, inner)
            }
        }
    }

    fn brinkmate(
        &mut self,
        game: &Shogi,
        inner: InnerLimit,
        mate: Truth,
        plies: usize,
        line: &[Move],
    ) -> Result<(), String> {
        self.tally.brinkmates[(plies / 2).min(2)] += 1;
        if mate == Truth::Yes && matches!(inner, InnerLimit::Id { .. }) {
            return Err(format!("a brinkmate of {plies} plies is claimed, brute force mates in three"));
        }
        if line.len().is_multiple_of(2) || line.len() > plies {
            return Err(format!("{plies} plies are claimed, the main line is {line:?}"));
        }
        replay(game, line)?;
        if plies > 3 {
            return Ok(());
        }
        let truth = Brute::new(game, 5, self.moves).is_brinkmate(plies, line.first().copied());
        self.tally.confirmed[plies / 2] += u64::from(truth == Truth::Yes);
        if truth == Truth::No { Err(format!("there is no brinkmate of {plies} plies: {line:?}")) } else { Ok(()) }
    }

    fn none(&mut self, game: &Shogi, mate: Truth) -> Result<(), String> {
        self.tally.nones += 1;
        if mate == Truth::Yes {
            return Err("nothing is claimed, brute force mates in three".into());
        }
        for plies in [1, 3] {
            match Brute::new(game, 3, self.moves).is_brinkmate(plies, None) {
                Truth::Yes => return Err(format!("nothing is claimed, brute force has a brinkmate of {plies} plies")),
                Truth::No => self.tally.refuted[plies / 2] += 1,
                Truth::Unknown => {}
            }
        }
        Ok(())
    }

    /// Checks that TACO-H, with inner searches by iterative deepening, finds every one-ply brinkmate that brute force
    /// finds with mates no deeper than the inner searches.
    fn one_ply(&mut self, game: &Shogi, inner: InnerLimit) -> Result<(), String> {
        if !matches!(inner, InnerLimit::Id { .. }) {
            return Ok(());
        }
        let limits = Limits { nodes: Some(20 * self.nodes), mate: Some(1), ..Limits::default() };
        let found = solve(game, inner, &limits);
        if matches!(found, TacoFound::Brinkmate { .. } | TacoFound::Unknown(OpenReason::Nodes)) {
            return Ok(());
        }
        match Brute::new(game, 3, self.moves).is_brinkmate(1, None) {
            Truth::Yes => Err(format!("brute force has a brinkmate of one ply, found {found:?}")),
            Truth::No => {
                self.tally.refuted[0] += 1;
                Ok(())
            }
            Truth::Unknown => Ok(()),
        }
    }
}

fn solve(game: &Shogi, inner: InnerLimit, limits: &Limits) -> TacoFound<Move> {
    let options = TacoOptions { inner, hash_mb: 4, ..TacoOptions::default() };
    TacoH::new(options).solve(game, limits, &Stop::new()).found
}

/// Checks that every move of the line is legal.
fn replay(game: &Shogi, line: &[Move]) -> Result<(), String> {
    let mut game = game.clone();
    for &m in line {
        let mut moves = Moves::new();
        game.legal_moves(&mut moves);
        if !moves.contains(&m) {
            return Err(format!("{m:?} is not legal in {line:?}"));
        }
        game.make(m);
    }
    Ok(())
}
