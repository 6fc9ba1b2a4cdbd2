//! The start position of a record, built piece by piece.

use rsshogi::board::InitialPosition;

/// Letters of the kinds of pieces that can be in hand, in the order that SFEN uses.
pub(super) const KINDS: [char; 7] = ['R', 'B', 'G', 'S', 'N', 'L', 'P'];
/// Number of pieces of each kind in a shogi set, in the order of [`KINDS`].
const SET: [u32; 7] = [2, 2, 4, 4, 4, 4, 18];

/// A piece in SFEN, such as `P`, `p` or `+P`.
pub(super) type Man = String;

/// The pieces on the board and in both hands that a record has named so far.
#[derive(Clone, Default)]
pub(super) struct Men {
    /// The squares of the board: ranks 1 to 9, each from file 9 to file 1; `None` for the standard start position.
    board: Option<Vec<Vec<Option<Man>>>>,
    /// Numbers of pieces in the hands of Black and White, in the order of [`KINDS`].
    hands: [[u32; 7]; 2],
    /// The side whose hand gets all pieces of the set that the record places nowhere else: 0 for Black, 1 for White.
    rest: Option<usize>,
    /// Whether White moves first, if the record specifies a side to move.
    pub white_first: Option<bool>,
}

/// Returns the pieces that an SFEN places on the board.
fn board_of(sfen: &str) -> Vec<Vec<Option<Man>>> {
    let rank = |text: &str| {
        let (mut rank, mut plus) = (Vec::new(), "");
        for c in text.chars() {
            match c.to_digit(10) {
                Some(empty) => rank.extend((0..empty).map(|_| None)),
                None if c == '+' => plus = "+",
                None => rank.push(Some(format!("{}{c}", std::mem::take(&mut plus)))),
            }
        }
        rank
    };
    sfen.split(' ').next().unwrap_or_default().split('/').map(rank).collect()
}

impl Men {
    /// Returns the start position of an even game or of a handicap by its Japanese name, or `None` if the name is
    /// unknown.
    pub fn of_handicap(name: &str) -> Option<Self> {
        let sfen = match name {
            "七枚落ち" | "右七枚落ち" => "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w",
            "左七枚落ち" => "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w",
            "右五枚落ち" => InitialPosition::Handicap5Pieces.to_sfen(),
            "左香落ち" => InitialPosition::HandicapLance.to_sfen(),
            name => InitialPosition::from_handicap_name_ja(name)?.to_sfen(),
        };
        let white_first = sfen.split(' ').nth(1) == Some("w");
        Some(Self { board: Some(board_of(sfen)), white_first: Some(white_first), ..Self::default() })
    }

    pub fn with_turn(self, white_first: Option<bool>) -> Self {
        Self { white_first, ..self }
    }

    pub fn has_board(&self) -> bool {
        self.board.is_some()
    }

    fn squares(&mut self) -> &mut Vec<Vec<Option<Man>>> {
        self.board.get_or_insert_with(|| vec![vec![None; 9]; 9])
    }

    /// Replaces the squares of a rank, counted from 0, by `men`, which begins at file 9.
    pub fn set_rank(&mut self, rank: usize, men: Vec<Option<Man>>) {
        if let Some(place) = self.squares().get_mut(rank) {
            *place = men;
        }
    }

    /// Puts a piece on a square or removes it. File and rank are numbered from 1.
    pub fn set(&mut self, file: usize, rank: usize, man: Option<Man>) {
        if let Some(place) =
            self.squares().get_mut(rank.wrapping_sub(1)).and_then(|r| r.get_mut(9_usize.wrapping_sub(file)))
        {
            *place = man;
        }
    }

    /// Removes all pieces from the board.
    pub fn clear_board(&mut self) {
        self.board = Some(vec![vec![None; 9]; 9]);
    }

    /// Adds pieces to the hand of a side. `kind` is an index into [`KINDS`].
    pub fn add_to_hand(&mut self, side: usize, kind: usize, count: u32) {
        let held = &mut self.hands[side][kind];
        *held = held.saturating_add(count);
    }

    /// Gives a side's hand all pieces of the set that the record places nowhere else, unless a side already gets them.
    pub fn give_the_rest(&mut self, side: usize) {
        self.rest.get_or_insert(side);
    }

    pub fn has_hands(&self) -> bool {
        self.rest.is_some() || self.hands.iter().flatten().any(|&count| count > 0)
    }

    /// Formats the position as SFEN. Black moves first unless the record specifies a side to move.
    pub fn to_sfen(&self) -> String {
        let usual = || board_of(InitialPosition::Standard.to_sfen());
        let board = self.board.clone().unwrap_or_else(usual);
        let mut hands = self.hands;
        if let Some(side) = self.rest {
            for (kind, (letter, all)) in KINDS.iter().zip(SET).enumerate() {
                let men = board.iter().flatten().flatten();
                let stand = men.filter(|man| man.ends_with([*letter, letter.to_ascii_lowercase()])).count() as u32;
                let others = hands[0][kind].saturating_add(hands[1][kind]);
                hands[side][kind] += all.saturating_sub(stand.saturating_add(others));
            }
        }
        let ranks: Vec<String> = board.iter().map(|rank| rank_text(rank)).collect();
        let turn = if self.white_first == Some(true) { "w" } else { "b" };
        let [black, white] = [hand_text(&hands[0]), hand_text(&hands[1]).to_ascii_lowercase()];
        let held = if black.is_empty() && white.is_empty() { "-".to_owned() } else { black + &white };
        format!("{} {turn} {held} 1", ranks.join("/"))
    }
}

fn rank_text(rank: &[Option<Man>]) -> String {
    let gap = |empty: u32| if empty == 0 { String::new() } else { empty.to_string() };
    let (mut text, mut empty) = (String::new(), 0);
    for square in rank {
        match square {
            Some(man) => text = text + &gap(std::mem::take(&mut empty)) + man,
            None => empty += 1,
        }
    }
    text + &gap(empty)
}

fn hand_text(hand: &[u32; 7]) -> String {
    let held = KINDS.iter().zip(hand).filter(|&(_, &count)| count > 0);
    held.map(|(kind, &count)| if count == 1 { kind.to_string() } else { format!("{count}{kind}") }).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_handicap_is_a_position_in_which_white_moves_first() {
        assert_eq!(Men::of_handicap("平手").unwrap().to_sfen(), InitialPosition::Standard.to_sfen());
        let two = Men::of_handicap("二枚落ち").unwrap().to_sfen();
        assert_eq!(two, "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        assert!(Men::of_handicap("百枚落ち").is_none());
    }

    #[test]
    fn the_rest_is_neither_on_the_board_nor_in_a_hand() {
        let mut men = Men::default();
        men.clear_board();
        men.set(5, 1, Some("k".into()));
        men.set(5, 3, Some("+P".into()));
        men.add_to_hand(0, 2, 2);
        men.give_the_rest(1);
        assert_eq!(men.to_sfen(), "4k4/9/4+P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1");
    }
}
