//! Implements the operations on positions that the search and the mate solver need in addition to the rules.

use crate::board::{Kind, Piece, SQUARES, hash};
use crate::eval::{HELD, value};
use crate::{Minishogi, Move};
use hasami_api::{Game, MateGame, MoveFacts, Moves, SearchGame, Side};

/// Number of piece kinds on the board, counting promoted kinds separately.
const BOARD_KINDS: usize = 10;
const COLOURED: usize = BOARD_KINDS + Kind::HELD;

impl Minishogi {
    fn victim(&self, m: Move) -> Option<Piece> {
        self.position().squares[usize::from(m.to)]
    }
}

impl SearchGame for Minishogi {
    const PIECES: usize = 2 * COLOURED;
    const ORIGINS: usize = SQUARES + Kind::HELD;
    const SQUARES: usize = SQUARES;
    const VICTIMS: usize = BOARD_KINDS + 1;
    const PAWN: i32 = 100;

    fn noisy_moves(&self, out: &mut Moves<Move>) {
        self.position().each_move(|m| {
            if m.promotes || self.victim(m).is_some() {
                out.push(m);
            }
        });
    }

    fn facts(&self, m: Move) -> MoveFacts {
        let piece = match (m.dropped(), self.position().squares.get(usize::from(m.from))) {
            (Some(kind), _) => BOARD_KINDS as u8 + kind as u8,
            (None, Some(Some(piece))) => piece.index(),
            _ => 0,
        };
        MoveFacts {
            piece: piece + if self.side() == Side::First { 0 } else { COLOURED as u8 },
            origin: m.from,
            to: m.to,
            victim: self.victim(m).map_or(0, |piece| 1 + piece.index()),
            promotes: m.promotes,
        }
    }

    fn gives_check(&self, m: Move) -> bool {
        let next = self.position().after(m);
        next.is_checked(next.side)
    }

    /// Approximates the static exchange evaluation by the capture and one recapture.
    fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        let (next, to) = (self.position().after(m), usize::from(m.to));
        let won = self.victim(m).map_or(0, |piece| value(piece) + HELD[piece.kind as usize]);
        let risked = next.squares[to].filter(|_| next.is_attacked(to, next.side)).map_or(0, value);
        won - risked >= threshold
    }

    fn victim_value(victim: u8) -> i32 {
        let Some(index) = usize::from(victim).checked_sub(1) else { return 0 };
        let (kind, promoted) = (Kind::ALL[index % Kind::ALL.len()], index >= Kind::ALL.len());
        value(Piece { side: Side::First, kind, promoted }) + HELD.get(kind as usize).copied().unwrap_or(0)
    }

    fn pack(m: Move) -> u16 {
        1 + u16::from(m.promotes) + 2 * (u16::from(m.to) + SQUARES as u16 * u16::from(m.from))
    }

    fn key_after(&self, m: Move) -> u64 {
        self.position().after(m).key()
    }

    fn feature_keys(&self) -> [u64; 4] {
        let of =
            |keep: &dyn Fn(Piece) -> bool| hash(self.position().pieces().filter(|&(_, p)| keep(p)).collect::<Vec<_>>());
        let is = |p: Piece, side| p.kind != Kind::Pawn && p.side == side;
        let is_minor = |p: Piece| matches!(p.kind, Kind::Silver | Kind::Gold);
        [of(&|p| p.kind == Kind::Pawn), of(&is_minor), of(&|p| is(p, Side::First)), of(&|p| is(p, Side::Second))]
    }

    fn null_move_is_safe(&self) -> bool {
        true
    }

    fn make_null(&mut self) {
        self.pass();
    }

    fn draw_clock(&self) -> (u32, u32) {
        (0, 0)
    }
}

impl MateGame for Minishogi {
    fn checking_moves(&self, out: &mut Moves<Move>) {
        self.position().each_move(|m| {
            if self.gives_check(m) {
                out.push(m);
            }
        });
    }
}
