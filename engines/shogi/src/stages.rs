//! Generates legal moves in stages, so that a search need not generate the stages that it does not reach. The side to
//! move must not be in check.
//!
//! All stages together generate the moves of [`movegen::useful`](crate::movegen::useful): all legal moves except the
//! non-promotions of pawns, bishops, rooks, and lances on the second rank. Pinned pieces are computed once per
//! position, so that only king moves must be tested for attacks on the king.

use crate::sliders::{bishop_attacks, lance_attacks, rook_attacks};
use crate::squares::squares;
use hasami_api::Moves;
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, HandPiece, Move, Move32, Piece, PieceType, Rank, Square};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Captures, and all promotions of pawns, bishops and rooks.
    Noisy,
    /// Promotions of lances, knights and silvers that do not capture.
    MinorPromotions,
    /// Moves that neither capture nor promote.
    Quiet,
}

/// Kinds of pieces that may be dropped on all ranks.
const EVERYWHERE: [HandPiece; 4] = [HandPiece::SILVER, HandPiece::GOLD, HandPiece::BISHOP, HandPiece::ROOK];

struct Generator<'a> {
    position: &'a Position,
    out: &'a mut Moves<Move32>,
    us: Color,
    king: Square,
    pinned: Bitboard,
    occupied: Bitboard,
    own: Bitboard,
    enemy: Bitboard,
    /// Promotion zone of the side to move.
    zone: Bitboard,
    /// The last two ranks of the side to move, to which its lances and knights move only with promotion.
    far: Bitboard,
}

pub fn noisy(position: &Position, out: &mut Moves<Move32>) {
    Generator::new(position, out).board_moves(Stage::Noisy);
}

pub fn minor_promotions(position: &Position, out: &mut Moves<Move32>) {
    Generator::new(position, out).minors(Stage::MinorPromotions);
}

pub fn quiet(position: &Position, out: &mut Moves<Move32>) {
    let mut generator = Generator::new(position, out);
    generator.board_moves(Stage::Quiet);
    generator.drops();
}

/// Returns the legal move with the packed form `packed`, if the stages or the generator of evasions would generate it.
pub fn unpack(position: &Position, packed: u16) -> Option<Move32> {
    let m = position.move32_from_move(Move::from_raw(packed));
    let is_legal = m.is_normal()
        && m.to_move().raw() == packed
        && position.is_pseudo_legal_move32(m, false)
        && position.is_legal_promote(m)
        && position.is_legal_after_pseudo_move32(m);
    is_legal.then_some(m)
}

impl<'a> Generator<'a> {
    #[inline(always)]
    fn new(position: &'a Position, out: &'a mut Moves<Move32>) -> Self {
        let us = position.turn();
        let (first, second) =
            if us == Color::BLACK { (Rank::RANK_1, Rank::RANK_2) } else { (Rank::RANK_9, Rank::RANK_8) };
        let own = position.pieces_by_color(us);
        Self {
            position,
            out,
            us,
            king: position.king_square(us),
            pinned: position.blockers_for_king(us) & own,
            occupied: position.pieces(),
            own,
            enemy: position.pieces_by_color(us.flip()),
            zone: Bitboard::promotion_zone(us),
            far: Bitboard::rank_mask(first) | Bitboard::rank_mask(second),
        }
    }

    #[inline(always)]
    fn board_moves(&mut self, stage: Stage) {
        let (us, occupied) = (self.us, self.occupied);
        self.pawns(stage);
        self.minors(stage);
        for from in squares(self.position.pieces_for(PieceType::BISHOP, us)) {
            self.major(stage, from, PieceType::BISHOP, bishop_attacks(from, occupied));
        }
        for from in squares(self.position.pieces_for(PieceType::ROOK, us)) {
            self.major(stage, from, PieceType::ROOK, rook_attacks(from, occupied));
        }
        for from in squares(self.position.golds() & self.own) {
            self.promoted(stage, from, GOLD_ATTACKS[from][us.to_index()]);
        }
        for from in squares(self.position.pieces_for(PieceType::HORSE, us)) {
            self.promoted(stage, from, bishop_attacks(from, occupied) | KING_ATTACKS[from]);
        }
        for from in squares(self.position.pieces_for(PieceType::DRAGON, us)) {
            self.promoted(stage, from, rook_attacks(from, occupied) | KING_ATTACKS[from]);
        }
        self.king(stage);
    }

    /// Returns the squares of `reach` to which a stage moves a piece without promoting it.
    #[inline(always)]
    fn targets(&self, stage: Stage, reach: Bitboard) -> Bitboard {
        match stage {
            Stage::Noisy => reach & self.enemy,
            Stage::MinorPromotions => Bitboard::EMPTY,
            Stage::Quiet => reach.and_not(self.enemy),
        }
    }

    /// Returns the squares of `reach` to which a piece may move without capturing its own side's pieces or exposing its
    /// king.
    #[inline(always)]
    fn movable(&self, from: Square, reach: Bitboard) -> Bitboard {
        let reach = reach.and_not(self.own);
        if self.pinned.test(from) { self.along_pin(from, reach) } else { reach }
    }

    #[cold]
    fn along_pin(&self, from: Square, mut reach: Bitboard) -> Bitboard {
        for to in squares(reach) {
            if !Bitboard::is_aligned(from, to, self.king) {
                reach.clear(to);
            }
        }
        reach
    }

    #[inline(always)]
    fn pawns(&mut self, stage: Stage) {
        let us = self.us;
        let mut pawns = self.position.pieces_for(PieceType::PAWN, us);
        let pinned = pawns & self.pinned;
        if !pinned.is_empty() {
            pawns = pawns.and_not(pinned.and_not(Bitboard::file_mask(self.king.file())));
        }
        // No pawn stands on its last rank, so a shift cannot move it to another file.
        let [low, high] = pawns.parts();
        let (reach, back) = if us == Color::BLACK { ([low >> 1, high >> 1], 1) } else { ([low << 1, high << 1], -1) };
        let reach = Bitboard::from_parts(reach).and_not(self.own);
        let pawn = Piece::from_parts(us, PieceType::PAWN);
        if stage == Stage::Noisy {
            for to in squares(reach & self.zone) {
                self.out.push(Move32::promotion(Square::new(to.raw() + back), to, pawn));
            }
        }
        for to in squares(self.targets(stage, reach.and_not(self.zone))) {
            self.out.push(Move32::normal(Square::new(to.raw() + back), to, pawn));
        }
    }

    /// Generates the moves of lances, knights and silvers that belong to `stage`.
    #[inline(always)]
    fn minors(&mut self, stage: Stage) {
        let (us, occupied) = (self.us, self.occupied);
        for from in squares(self.position.pieces_for(PieceType::LANCE, us)) {
            self.minor(stage, from, PieceType::LANCE, lance_attacks(from, occupied, us));
        }
        for from in squares(self.position.pieces_for(PieceType::KNIGHT, us)) {
            self.minor(stage, from, PieceType::KNIGHT, KNIGHT_ATTACKS[from][us.to_index()]);
        }
        for from in squares(self.position.pieces_for(PieceType::SILVER, us)) {
            self.minor(stage, from, PieceType::SILVER, SILVER_ATTACKS[from][us.to_index()]);
        }
    }

    #[inline(always)]
    fn minor(&mut self, stage: Stage, from: Square, kind: PieceType, reach: Bitboard) {
        let reach = self.movable(from, reach);
        let promoting = self.promoting(from, reach);
        match stage {
            Stage::Noisy => self.promotions(from, kind, promoting & self.enemy),
            Stage::MinorPromotions => self.promotions(from, kind, promoting.and_not(self.enemy)),
            Stage::Quiet => {}
        }
        let staying = if kind == PieceType::SILVER { reach } else { reach.and_not(self.far) };
        self.moves(from, Piece::from_parts(self.us, kind), self.targets(stage, staying));
    }

    /// Generates the moves of an unpromoted bishop or rook that belong to `stage`.
    #[inline(always)]
    fn major(&mut self, stage: Stage, from: Square, kind: PieceType, reach: Bitboard) {
        let reach = self.movable(from, reach);
        let promoting = self.promoting(from, reach);
        if stage == Stage::Noisy {
            self.promotions(from, kind, promoting);
        }
        self.moves(from, Piece::from_parts(self.us, kind), self.targets(stage, reach.and_not(promoting)));
    }

    /// Generates the moves that belong to `stage`, for a piece that cannot promote or is already promoted.
    #[inline(always)]
    fn promoted(&mut self, stage: Stage, from: Square, reach: Bitboard) {
        let reach = self.movable(from, reach);
        self.moves(from, self.position.piece_on(from), self.targets(stage, reach));
    }

    #[inline(always)]
    fn promoting(&self, from: Square, reach: Bitboard) -> Bitboard {
        if self.zone.test(from) { reach } else { reach & self.zone }
    }

    fn king(&mut self, stage: Stage) {
        if self.king.is_none() {
            return;
        }
        let (from, them) = (self.king, self.us.flip());
        let king = Piece::from_parts(self.us, PieceType::KING);
        for to in squares(self.targets(stage, KING_ATTACKS[from].and_not(self.own))) {
            if !self.position.is_attacked_by_color_with_king(them, to, from) {
                self.out.push(Move32::normal(from, to, king));
            }
        }
    }

    #[inline(always)]
    fn moves(&mut self, from: Square, piece: Piece, targets: Bitboard) {
        for to in squares(targets) {
            self.out.push(Move32::normal(from, to, piece));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, from: Square, kind: PieceType, targets: Bitboard) {
        let piece = Piece::from_parts(self.us, kind);
        for to in squares(targets) {
            self.out.push(Move32::promotion(from, to, piece));
        }
    }

    fn drops(&mut self) {
        let hand = self.position.hand(self.us);
        if hand.bits() == 0 {
            return;
        }
        let empty = Bitboard::ALL.and_not(self.occupied);
        let first = Bitboard::rank_mask(if self.us == Color::BLACK { Rank::RANK_1 } else { Rank::RANK_9 });
        if hand.count(HandPiece::PAWN) != 0 {
            self.drops_of(HandPiece::PAWN, self.pawn_drops(empty.and_not(first)));
        }
        if hand.count(HandPiece::LANCE) != 0 {
            self.drops_of(HandPiece::LANCE, empty.and_not(first));
        }
        if hand.count(HandPiece::KNIGHT) != 0 {
            self.drops_of(HandPiece::KNIGHT, empty.and_not(self.far));
        }
        for kind in EVERYWHERE {
            if hand.count(kind) != 0 {
                self.drops_of(kind, empty);
            }
        }
    }

    #[inline(always)]
    fn drops_of(&mut self, kind: HandPiece, targets: Bitboard) {
        let kind = kind.to_piece_type();
        for to in squares(targets) {
            self.out.push(Move32::drop(kind, to, self.us));
        }
    }

    /// Returns the squares of `targets` where the rules allow a pawn drop: no second pawn on the file, and no mate.
    fn pawn_drops(&self, mut targets: Bitboard) -> Bitboard {
        for pawn in squares(self.position.pieces_for(PieceType::PAWN, self.us)) {
            targets = targets.and_not(Bitboard::file_mask(pawn.file()));
        }
        let checks = targets & self.position.check_square(PieceType::PAWN);
        for to in squares(checks) {
            if !self.position.is_pseudo_legal_move32(Move32::drop(PieceType::PAWN, to, self.us), true) {
                targets.clear(to);
            }
        }
        targets
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::random_games;
    use crate::{Move, Shogi, movegen};
    use hasami_api::{Game, Moves, SearchGame};
    use rsshogi::types::PieceType;
    use std::collections::{HashMap, HashSet};

    fn listed(fill: impl FnOnce(&mut Moves<Move>)) -> Moves<Move> {
        let mut out = Moves::new();
        fill(&mut out);
        out
    }

    #[test]
    fn the_stages_together_are_the_useful_moves() {
        let mut positions = 0;
        random_games(41, 120, 120, |game, _| {
            if game.in_check() {
                return;
            }
            let useful = listed(|out| game.search_moves(out));
            let is_quiet = |m: &&Move| game.facts(**m).victim == 0 && !m.is_promotion();
            let is_minor = |m: &&Move| {
                let minors = [PieceType::LANCE, PieceType::KNIGHT, PieceType::SILVER];
                let kind = m.piece_after_move().piece_type().demote();
                game.facts(**m).victim == 0 && m.is_promotion() && minors.contains(&kind)
            };
            let check = |found: &[Move], expected: HashSet<Move>| {
                assert_eq!(found.len(), expected.len(), "{}", game.to_text());
                assert_eq!(found.iter().copied().collect::<HashSet<_>>(), expected, "{}", game.to_text());
            };
            check(&listed(|out| game.quiet_moves(out)), useful.iter().filter(is_quiet).copied().collect());
            check(&listed(|out| game.minor_promotions(out)), useful.iter().filter(is_minor).copied().collect());
            let others = useful.iter().filter(|m| !is_quiet(m) && !is_minor(m));
            check(&listed(|out| game.noisy_moves(out)), others.copied().collect());
            positions += 1;
        });
        assert!(positions > 4_000, "{positions} positions");
    }

    #[test]
    fn exactly_the_packed_useful_moves_are_found() {
        random_games(43, 60, 100, |game, _| {
            let useful = listed(|out| movegen::useful(game.position(), out));
            let useful: HashMap<u16, Move> = useful.iter().map(|&m| (Shogi::pack(m), m)).collect();
            // The test unpacks the packed forms of all useful moves, and a sample of other numbers.
            let sample = (1 + game.ply() as u16..u16::MAX).step_by(97);
            for packed in useful.keys().copied().chain(sample) {
                assert_eq!(game.unpack(packed), useful.get(&packed).copied(), "{} {packed:#x}", game.to_text());
            }
        });
    }
}
