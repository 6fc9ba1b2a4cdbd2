//! Random positions with few pieces, biased towards positions that are hard to solve correctly.

use hasami_api::{Game, Start};
use hasami_shogi::Shogi;
use rand::Rng;
use rand::rngs::SmallRng;

/// The difficulty towards which a random position is biased.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Theme {
    Any,
    /// Distant checks, and pieces to interpose.
    Interposition,
    /// Pawns in hand against an enclosed king.
    PawnDrop,
    /// Pieces that may promote or not.
    Promotion,
    /// The attacker's king among the pieces, often in check.
    Exposed,
    /// Many captures near the king, so that pieces change hands.
    Captures,
    /// Few pieces, among them some that can check forever.
    Repetition,
}

const THEMES: [Theme; 7] = [
    Theme::Any,
    Theme::Interposition,
    Theme::PawnDrop,
    Theme::Promotion,
    Theme::Exposed,
    Theme::Captures,
    Theme::Repetition,
];

/// The letter of each kind of piece, and how many pieces of that kind a set contains.
const MEN: [(char, usize); 7] = [('p', 18), ('l', 4), ('n', 4), ('s', 4), ('g', 4), ('b', 2), ('r', 2)];

struct Draft<'a> {
    rng: &'a mut SmallRng,
    /// The board by rank and file, from the view of an attacker who plays upwards. Letters are as in SFEN, with
    /// capitals for the attacker.
    board: [[Option<(char, bool)>; 9]; 9],
    left: [usize; 7],
    king: (usize, usize),
}

/// Returns a legal position in which the attacker is to move, as SFEN.
pub fn position(rng: &mut SmallRng) -> (String, Shogi) {
    loop {
        let text = draft(rng);
        if let Ok(game) = Shogi::new(&Start { text: Some(text.as_str().into()), ..Start::default() }) {
            return (text, game);
        }
    }
}

fn draft(rng: &mut SmallRng) -> String {
    let theme = THEMES[rng.random_range(0..THEMES.len())];
    let rank = [0, 0, 0, 0, 1, 1, 2, 3, 8][rng.random_range(0..9)];
    let file = [0, 0, 1, 4, 7, 8, 8, rng.random_range(0..9)][rng.random_range(0..8)];
    let left = MEN.map(|(_, count)| count);
    let mut draft = Draft { rng, board: [[None; 9]; 9], left, king: (rank, file) };
    draft.board[rank][file] = Some(('k', false));
    if theme == Theme::Exposed || draft.chance(0.4) {
        draft.put("K", 0.0, if theme == Theme::Exposed { 3 } else { 9 });
    }
    draft.put_theme(theme);
    if theme != Theme::Repetition && draft.chance(0.6) {
        (0..2).for_each(|_| draft.put("GSNLBRP", 0.4, 2));
    }
    let most = if theme == Theme::Repetition { 2 } else { 4 };
    for _ in 0..draft.below(most) {
        draft.put("PLNSGBRpppplnsgbr", 0.3, 3);
    }
    draft.finish(theme)
}

impl Draft<'_> {
    fn below(&mut self, end: usize) -> usize {
        self.rng.random_range(0..end)
    }

    fn chance(&mut self, p: f64) -> bool {
        self.rng.random_bool(p)
    }

    fn one_of(&mut self, letters: &str) -> char {
        char::from(letters.as_bytes()[self.below(letters.len())])
    }

    /// Takes a piece of kind `letter` out of the set, if one is left.
    fn take(&mut self, letter: char) -> Option<usize> {
        let index = MEN.iter().position(|&(kind, _)| kind == letter.to_ascii_lowercase())?;
        self.left[index] = self.left[index].checked_sub(1)?;
        Some(index)
    }

    /// Puts one of the pieces in `letters` on a free square at most `reach` squares from the defender's king.
    fn put(&mut self, letters: &str, promoted: f64, reach: usize) {
        let (rank, file) = self.king;
        let to = (
            self.rng.random_range(rank.saturating_sub(reach)..=(rank + reach).min(8)),
            self.rng.random_range(file.saturating_sub(reach)..=(file + reach).min(8)),
        );
        let (letter, promoted) = (self.one_of(letters), self.chance(promoted));
        self.put_on(to, letter, promoted);
    }

    fn put_on(&mut self, (rank, file): (usize, usize), letter: char, promoted: bool) {
        let is_king = letter.eq_ignore_ascii_case(&'k');
        if self.board[rank][file].is_none() && (is_king || self.take(letter).is_some()) {
            self.board[rank][file] = Some((letter, promoted && !is_king && !letter.eq_ignore_ascii_case(&'g')));
        }
    }

    /// Puts one of the sliding pieces in `letters` on a square in line with the given square.
    fn put_afar(&mut self, letters: &str, (rank, file): (usize, usize)) {
        let (letter, distance, promoted) = (self.one_of(letters), 2 + self.below(6), self.chance(0.4));
        let aside = if file + distance < 9 { file + distance } else { file.saturating_sub(distance) };
        let to = match letter {
            'R' | 'r' if self.chance(0.5) => (rank, aside),
            'B' | 'b' if rank + distance < 9 => (rank + file.abs_diff(aside), aside),
            'B' | 'b' => (rank.saturating_sub(file.abs_diff(aside)), aside),
            'l' => (rank.saturating_sub(distance), file),
            _ => ((rank + distance).min(8), file),
        };
        self.put_on(to, letter, promoted && !letter.eq_ignore_ascii_case(&'l'));
    }

    fn put_theme(&mut self, theme: Theme) {
        for _ in 0..1 + self.below(3) {
            match theme {
                Theme::Any => {}
                Theme::Interposition => self.put_afar("RBL", self.king),
                Theme::PawnDrop => {
                    self.put("nlspg", 0.0, 1);
                    self.put("nlspg", 0.0, 1);
                    self.put("GSNBR", 0.0, 2);
                }
                Theme::Promotion => {
                    self.put("PLNSBR", 0.0, 3);
                    self.put("PLNSBR", 0.0, 3);
                }
                Theme::Exposed => {
                    let king = self.find('K').unwrap_or(self.king);
                    self.put_afar("rbl", king);
                    self.put("GSRB", 0.3, 2);
                }
                Theme::Captures => {
                    self.put("pplnsgbr", 0.4, 1);
                    self.put("pplnsgbr", 0.4, 1);
                    self.put("RBNG", 1.0, 3);
                }
                Theme::Repetition => self.put("RBSG", 1.0, 4),
            }
        }
    }

    fn find(&self, letter: char) -> Option<(usize, usize)> {
        (0..81).map(|i| (i / 9, i % 9)).find(|&(rank, file)| self.board[rank][file] == Some((letter, false)))
    }

    /// Deals the hands and chooses the attacker's colour.
    fn finish(mut self, theme: Theme) -> String {
        let mut hands = [[0; 7]; 2];
        let held = if theme == Theme::Repetition { self.below(2) } else { 1 + self.below(4) };
        let held = [held, 1 + self.below(3)];
        let kinds = [if theme == Theme::PawnDrop { "pppppplnsgbr" } else { "pplnsggbr" }, "ppplnsgbr"];
        let rest = self.below(4);
        for side in 0..if rest == 0 { 1 } else { 2 } {
            for _ in 0..held[side] {
                let letter = self.one_of(kinds[side]);
                if let Some(kind) = self.take(letter) {
                    hands[side][kind] += 1;
                }
            }
        }
        if rest == 3 {
            (0..7).for_each(|kind| hands[1][kind] += self.left[kind]);
        }
        let turned = self.chance(0.3);
        self.text(hands, turned)
    }

    fn text(&self, hands: [[usize; 7]; 2], turned: bool) -> String {
        let coloured = |letter: char, ours: bool| {
            if ours == turned { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
        };
        let square = |rank: usize, file: usize| {
            let piece = if turned { self.board[8 - rank][8 - file] } else { self.board[rank][file] };
            piece.map_or("1".into(), |(letter, promoted)| {
                format!("{}{}", if promoted { "+" } else { "" }, coloured(letter, letter.is_uppercase()))
            })
        };
        let rank = |rank: usize| (0..9).map(|file| square(rank, file)).collect::<String>();
        let mut board = (0..9).map(rank).collect::<Vec<_>>().join("/");
        for empty in (2..=9).rev() {
            board = board.replace(&"1".repeat(empty), &empty.to_string());
        }
        let mut held = String::new();
        for (hand, ours) in hands.iter().zip([true, false]) {
            for (&count, (letter, _)) in hand.iter().zip(MEN).filter(|(count, _)| **count > 0) {
                held += &if count == 1 { String::new() } else { count.to_string() };
                held.push(coloured(letter, ours));
            }
        }
        let held = if held.is_empty() { "-" } else { &held };
        format!("{board} {} {held} 1", if turned { 'w' } else { 'b' })
    }
}
