//! A position that can be changed: men are put, taken and turned, and only then the rules are asked.

use hasami_api::{Game, Rules, Start};
use hasami_shogi::Shogi;
use rsshogi::board::{
    BoardArray, PositionState, generate_position_state, generate_sfen_from_position_state, parse_sfen,
};
use rsshogi::types::{Color, Hand, HandPiece, Piece, PieceType, Square};

/// Men of each kind in a set, but for the kings.
const MEN: [(HandPiece, u32); 7] = [
    (HandPiece::PAWN, 18),
    (HandPiece::LANCE, 4),
    (HandPiece::KNIGHT, 4),
    (HandPiece::SILVER, 4),
    (HandPiece::GOLD, 4),
    (HandPiece::BISHOP, 2),
    (HandPiece::ROOK, 2),
];

/// The attacker is Black, who is to move; what is nowhere else the defender holds.
pub const ATTACKER: Color = Color::BLACK;
pub const DEFENDER: Color = Color::WHITE;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagram(PositionState);

impl Diagram {
    /// All men but the kings in the defender's hand.
    pub fn empty() -> Self {
        let mut held = Hand::ZERO;
        for (kind, count) in MEN {
            held.add(kind, count);
        }
        let hands = [Hand::ZERO, held];
        Self(PositionState { board: BoardArray::empty(), hands, side_to_move: ATTACKER, ply: 1 })
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let state = parse_sfen(text).map_err(|e| format!("expected a position in SFEN, found '{text}' ({e})"))?;
        Ok(Self(PositionState { ply: 1, ..state }))
    }

    pub fn of(game: &Shogi) -> Self {
        Self(PositionState { ply: 1, ..generate_position_state(game.position()) })
    }

    pub fn text(&self) -> String {
        generate_sfen_from_position_state(&self.0, true)
    }

    /// The same for a position and its mirror image.
    pub fn key(&self) -> String {
        self.text().min(self.mirrored().text())
    }

    /// A position that the rules know, with the defender's king on the board.
    pub fn game(&self) -> Option<Shogi> {
        let start = Start { text: Some(self.text().into()), rules: Rules::OF_PROBLEMS };
        let king = Piece::from_parts(DEFENDER, PieceType::KING);
        self.squares(DEFENDER).any(|square| self.at(square) == king).then(|| Shogi::new(&start).ok()).flatten()
    }

    pub const fn turn(&self) -> Color {
        self.0.side_to_move
    }

    #[must_use]
    pub fn with_turn(&self, side_to_move: Color) -> Self {
        Self(PositionState { side_to_move, ..self.0 })
    }

    pub fn at(&self, square: Square) -> Piece {
        self.0.board.get(square)
    }

    pub fn put(&mut self, square: Square, piece: Piece) {
        self.0.board.set(square, piece);
    }

    pub fn held(&self, side: Color, kind: HandPiece) -> u32 {
        self.0.hands[side.to_index()].count(kind)
    }

    /// From one hand to nowhere, if it is there.
    pub fn take(&mut self, side: Color, kind: HandPiece) -> bool {
        let is_there = self.held(side, kind) > 0;
        if is_there {
            self.0.hands[side.to_index()].sub(kind, 1);
        }
        is_there
    }

    pub fn give(&mut self, side: Color, kind: HandPiece) {
        self.0.hands[side.to_index()].add(kind, 1);
    }

    /// What stands there goes to the defender's hand; a king stays.
    pub fn remove(&mut self, square: Square) -> bool {
        let Some(kind) = held_kind(self.at(square).piece_type()) else { return false };
        self.put(square, Piece::NONE);
        self.give(DEFENDER, kind);
        true
    }

    /// Where the men of a side stand.
    pub fn squares(&self, side: Color) -> impl Iterator<Item = Square> {
        let board = self.0.board;
        Square::iter().filter(move |&square| !board.get(square).is_empty() && board.get(square).color() == side)
    }

    pub fn king(&self, side: Color) -> Option<Square> {
        self.squares(side).find(|&square| self.at(square).piece_type() == PieceType::KING)
    }

    /// Seen from the other side of the board.
    #[must_use]
    pub fn turned(&self) -> Self {
        let [black, white] = self.0.hands;
        let mut board = BoardArray::empty();
        for side in [ATTACKER, DEFENDER] {
            for square in self.squares(side) {
                board.set(square.flip(), Piece::from_parts(side.flip(), self.at(square).piece_type()));
            }
        }
        Self(PositionState { board, hands: [white, black], side_to_move: self.turn().flip(), ply: 1 })
    }

    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut board = BoardArray::empty();
        for square in self.squares(ATTACKER).chain(self.squares(DEFENDER)) {
            board.set(square.mirror_file(), self.at(square));
        }
        Self(PositionState { board, ..self.0 })
    }
}

/// What a man is in hand; a king is nothing there.
pub fn held_kind(kind: PieceType) -> Option<HandPiece> {
    let plain = if kind.is_promoted() { kind.demote() } else { kind };
    HandPiece::from_piece_type(plain)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TEXT: &str = "ln1gk2nl/9/+B1pp5/9/9/6P2/9/4K4/9 w RBGr2g4s2n2l15p 1";

    #[test]
    fn a_diagram_is_its_text() {
        assert_eq!(Diagram::parse(TEXT).unwrap().text(), TEXT);
        assert_eq!(Diagram::of(&Diagram::parse(TEXT).unwrap().turned().game().unwrap()).turned().text(), TEXT);
        assert!(Diagram::parse("9/9 b -").unwrap_err().starts_with("expected a position in SFEN, found '9/9 b -'"));
    }

    #[test]
    fn who_turns_and_mirrors_twice_has_what_there_was() {
        let diagram = Diagram::parse(TEXT).unwrap();
        assert_eq!(diagram.turned().turned(), diagram);
        assert_eq!(diagram.mirrored().mirrored(), diagram);
        assert_eq!(diagram.turned().text(), "9/4k4/9/2p6/9/9/5PP1+b/9/LN2KG1NL b R2G4S2N2L15Prbg 1");
        assert_eq!(diagram.mirrored().text(), "ln2kg1nl/9/5pp1+B/9/9/2P6/9/4K4/9 w RBGr2g4s2n2l15p 1");
        assert_eq!(diagram.key(), diagram.mirrored().key());
        assert_ne!(diagram.key(), diagram.turned().key());
    }

    #[test]
    fn men_go_to_the_hand_as_they_were() {
        let mut diagram = Diagram::parse(TEXT).unwrap();
        assert!(diagram.remove("9c".parse().unwrap()));
        assert!(!diagram.remove(diagram.king(DEFENDER).unwrap()));
        assert_eq!(diagram.held(DEFENDER, HandPiece::BISHOP), 1);
        assert_eq!(diagram.text(), "ln1gk2nl/9/2pp5/9/9/6P2/9/4K4/9 w RBGrb2g4s2n2l15p 1");
    }

    #[test]
    fn the_rules_want_a_king_to_attack() {
        assert!(Diagram::empty().game().is_none());
        assert!(Diagram::parse("4k4/9/9/9/9/9/9/9/9 b G 1").unwrap().game().is_some());
        assert!(Diagram::parse("4k4/9/4P4/9/9/9/9/9/4P4 b G 1").unwrap().game().is_none());
    }
}

/// For the tests of other modules.
#[cfg(test)]
pub mod tests_of_men {
    use super::*;

    /// On the board and in both hands.
    pub fn men(diagram: &Diagram) -> usize {
        let sides = [ATTACKER, DEFENDER];
        let board: usize = sides.iter().map(|&side| diagram.squares(side).count()).sum();
        let held: u32 = sides.iter().flat_map(|&side| MEN.map(|(kind, _)| diagram.held(side, kind))).sum();
        board + held as usize
    }
}
