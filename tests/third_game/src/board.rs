//! The board of minishogi, and the moves of its pieces.

use crate::Move;
use hasami_api::Side;
use std::hash::{DefaultHasher, Hash, Hasher};

pub const WIDTH: u8 = 5;
pub const SQUARES: usize = 25;

type Step = (i8, i8);

/// Steps of pieces as pairs of rows and columns, from the first player's point of view.
const STRAIGHT: [Step; 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
const DIAGONAL: [Step; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
const ALL: [Step; 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const OF_GOLD: [Step; 6] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)];
const OF_SILVER: [Step; 5] = [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 1)];

/// The kinds of pieces: those before `Gold` can promote, and those before `King` can be held in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Pawn,
    Silver,
    Bishop,
    Rook,
    Gold,
    King,
}

impl Kind {
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Silver, Self::Bishop, Self::Rook, Self::Gold, Self::King];
    pub const HELD: usize = Self::King as usize;

    pub fn promotes(self) -> bool {
        self < Self::Gold
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    pub side: Side,
    pub kind: Kind,
    pub promoted: bool,
}

impl Piece {
    /// A number below 10 for each kind of piece: first the unpromoted kinds, then the promoted ones.
    pub fn index(self) -> u8 {
        if self.promoted { Kind::ALL.len() as u8 + self.kind as u8 } else { self.kind as u8 }
    }

    /// Returns the squares to which the piece can step, and the directions in which it can slide.
    fn ways(self) -> (&'static [Step], &'static [Step]) {
        match (self.kind, self.promoted) {
            (Kind::Pawn, false) => (&ALL[1..2], &[]),
            (Kind::Silver, false) => (&OF_SILVER, &[]),
            (Kind::Pawn | Kind::Silver, true) | (Kind::Gold, _) => (&OF_GOLD, &[]),
            (Kind::Bishop, false) => (&[], &DIAGONAL),
            (Kind::Bishop, true) => (&STRAIGHT, &DIAGONAL),
            (Kind::Rook, false) => (&[], &STRAIGHT),
            (Kind::Rook, true) => (&DIAGONAL, &STRAIGHT),
            (Kind::King, _) => (&ALL, &[]),
        }
    }
}

/// The board, the pieces in hand and the side to move, without the history of the game.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Position {
    /// The squares row by row from the top, each row from the left.
    pub squares: [Option<Piece>; SQUARES],
    /// Number of pieces in hand, by side and kind.
    pub hands: [[u8; Kind::HELD]; 2],
    pub side: Side,
}

impl Position {
    /// Returns a hash of the position that is the same on every machine, because the hasher has no random seed.
    pub fn key(&self) -> u64 {
        hash(self)
    }

    fn step(square: usize, (rows, columns): Step, side: Side) -> Option<usize> {
        let rows = if side == Side::First { rows } else { -rows };
        let (row, column) = ((square as u8 / WIDTH) as i8 + rows, (square as u8 % WIDTH) as i8 + columns);
        let is_inside = |at: i8| (0..WIDTH as i8).contains(&at);
        (is_inside(row) && is_inside(column)).then(|| row as usize * usize::from(WIDTH) + column as usize)
    }

    /// Calls `visit` for every square that the piece on `from` attacks or protects.
    fn reached(&self, from: usize, piece: Piece, mut visit: impl FnMut(usize)) {
        let (steps, slides) = piece.ways();
        steps.iter().filter_map(|&step| Self::step(from, step, piece.side)).for_each(&mut visit);
        for &slide in slides {
            let mut at = from;
            while let Some(next) = Self::step(at, slide, piece.side) {
                visit(next);
                if self.squares[next].is_some() {
                    break;
                }
                at = next;
            }
        }
    }

    pub fn pieces(&self) -> impl Iterator<Item = (usize, Piece)> + '_ {
        self.squares.iter().enumerate().filter_map(|(square, piece)| Some((square, (*piece)?)))
    }

    pub fn is_attacked(&self, square: usize, by: Side) -> bool {
        self.pieces().filter(|(_, piece)| piece.side == by).any(|(from, piece)| {
            let mut hits = false;
            self.reached(from, piece, |to| hits |= to == square);
            hits
        })
    }

    pub fn king(&self, side: Side) -> Option<usize> {
        self.pieces().find(|(_, piece)| piece.kind == Kind::King && piece.side == side).map(|(square, _)| square)
    }

    /// Returns true if the king of a side is in check. A side that has no king is never in check.
    pub fn is_checked(&self, side: Side) -> bool {
        self.king(side).is_some_and(|king| self.is_attacked(king, side.other()))
    }

    fn is_last_row(square: usize, side: Side) -> bool {
        let row = square as u8 / WIDTH;
        row == if side == Side::First { 0 } else { WIDTH - 1 }
    }

    pub fn after(&self, m: Move) -> Self {
        let (mut next, to) = (self.clone(), usize::from(m.to));
        let us = self.side.index();
        match m.dropped() {
            Some(kind) => {
                next.hands[us][kind as usize] -= 1;
                next.squares[to] = Some(Piece { side: self.side, kind, promoted: false });
            }
            None => {
                if let Some(victim) = self.squares[to].filter(|victim| victim.kind != Kind::King) {
                    next.hands[us][victim.kind as usize] += 1;
                }
                let moved = next.squares[usize::from(m.from)].take();
                next.squares[to] = moved.map(|piece| Piece { promoted: piece.promoted || m.promotes, ..piece });
            }
        }
        next.side = self.side.other();
        next
    }

    /// Calls `visit` for every legal move.
    pub fn each_move(&self, mut tell: impl FnMut(Move)) {
        self.each_unchecked_move(|m| {
            if self.leaves_king_safe(m) && !self.mates_by_pawn(m) {
                tell(m);
            }
        });
    }

    fn leaves_king_safe(&self, m: Move) -> bool {
        !self.after(m).is_checked(self.side)
    }

    /// Returns true if the move `m` mates by dropping a pawn, which is illegal.
    fn mates_by_pawn(&self, m: Move) -> bool {
        if m.dropped() != Some(Kind::Pawn) {
            return false;
        }
        let next = self.after(m);
        let mut can_answer = false;
        if next.is_checked(next.side) {
            // The answers need not be tested for pawn-drop mates, because no drop can answer a check by an adjacent
            // pawn.
            next.each_unchecked_move(|answer| can_answer |= next.leaves_king_safe(answer));
            !can_answer
        } else {
            false
        }
    }

    fn each_unchecked_move(&self, mut tell: impl FnMut(Move)) {
        for (from, piece) in self.pieces().filter(|(_, piece)| piece.side == self.side) {
            let can_promote = piece.kind.promotes() && !piece.promoted;
            self.reached(from, piece, |to| {
                if self.squares[to].is_some_and(|other| other.side == self.side) {
                    return;
                }
                let m = |promotes| Move { from: from as u8, to: to as u8, promotes };
                let is_last = Self::is_last_row(to, self.side);
                if can_promote && (is_last || Self::is_last_row(from, self.side)) {
                    tell(m(true));
                }
                if !(piece.kind == Kind::Pawn && can_promote && is_last) {
                    tell(m(false));
                }
            });
        }
        for kind in Kind::ALL.into_iter().filter(|&kind| self.holds(kind)) {
            let empty = (0..SQUARES).filter(|&to| self.squares[to].is_none());
            empty
                .filter(|&to| kind != Kind::Pawn || self.takes_pawn(to))
                .for_each(|to| tell(Move::drop(kind, to as u8)));
        }
    }

    fn holds(&self, kind: Kind) -> bool {
        kind != Kind::King && self.hands[self.side.index()][kind as usize] > 0
    }

    /// Returns true if a pawn may be dropped on the square `to`, which must not be on the last row or on a file with an
    /// unpromoted pawn of the same side.
    fn takes_pawn(&self, to: usize) -> bool {
        let pawn = Some(Piece { side: self.side, kind: Kind::Pawn, promoted: false });
        let file = (0..usize::from(WIDTH)).map(|row| row * usize::from(WIDTH) + to % usize::from(WIDTH));
        !Self::is_last_row(to, self.side) && !file.into_iter().any(|square| self.squares[square] == pawn)
    }
}

/// Computes a hash other than 0.
pub fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish().max(1)
}
