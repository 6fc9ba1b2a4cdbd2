//! Random positions with few pieces around the defender's king.

use hasami_api::{Game, Start};
use hasami_shogi::Shogi;
use rand::Rng;
use rand::rngs::SmallRng;
use std::ops::RangeInclusive;

/// The parameters of the random positions.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Number of the attacker's pieces on the board, excluding the king.
    pub attackers: RangeInclusive<usize>,
    /// Number of pieces in the attacker's hand.
    pub held: RangeInclusive<usize>,
    /// Number of the defender's pieces on the board, excluding the king.
    pub defenders: RangeInclusive<usize>,
    /// Number of pieces in the defender's hand.
    pub held_by_defender: RangeInclusive<usize>,
    /// Probability that the defender holds all remaining pieces, as in composed problems.
    pub all_the_rest: f64,
    /// Probability that the attacker has a king.
    pub king: f64,
    /// Largest distance of an attacking piece from the defender's king, in squares.
    pub reach: usize,
}

impl Recipe {
    /// Parameters for positions with few pieces, of which about 35 % are mates, 10 % are brinkmates of one ply, and 3 %
    /// are longer brinkmates.
    pub const FEW: Self = Self {
        attackers: 2..=4,
        held: 1..=2,
        defenders: 1..=4,
        held_by_defender: 0..=1,
        all_the_rest: 0.2,
        king: 0.4,
        reach: 3,
    };
}

/// The letter of each piece type, and how many pieces of that type a set contains.
const MEN: [(char, usize); 7] = [('p', 18), ('l', 4), ('n', 4), ('s', 4), ('g', 4), ('b', 2), ('r', 2)];

struct Draft<'a> {
    rng: &'a mut SmallRng,
    /// Pieces by rank and file, with the attacker playing upwards, each as its SFEN letter (a capital for the attacker)
    /// and whether it is promoted.
    board: [[Option<(char, bool)>; 9]; 9],
    left: [usize; 7],
    king: (usize, usize),
}

/// Generates a legal position where the attacker is to move and not in check, and returns its SFEN and the game.
pub fn position(rng: &mut SmallRng, recipe: &Recipe) -> (String, Shogi) {
    loop {
        let text = draft(rng, recipe);
        match Shogi::new(&Start { text: Some(text.as_str().into()), ..Start::default() }) {
            Ok(game) if !game.in_check() => return (text, game),
            _ => {}
        }
    }
}

fn draft(rng: &mut SmallRng, recipe: &Recipe) -> String {
    let rank = [0, 0, 0, 0, 1, 1, 2][rng.random_range(0..7)];
    let file = [0, 0, 1, 2, 6, 7, 8, 8, rng.random_range(0..9)][rng.random_range(0..9)];
    let mut draft = Draft { rng, board: [[None; 9]; 9], left: MEN.map(|(_, count)| count), king: (rank, file) };
    draft.board[rank][file] = Some(('k', false));
    if draft.rng.random_bool(recipe.king) {
        draft.put("K", 0.0, 8);
    }
    for _ in 0..draft.rng.random_range(recipe.defenders.clone()) {
        draft.put("pppplnsg", 0.05, 2);
    }
    for _ in 0..draft.rng.random_range(recipe.attackers.clone()) {
        draft.put("PPLNSSGGBBRR", 0.4, recipe.reach);
    }
    let ours = draft.rng.random_range(recipe.held.clone());
    let hands = [draft.hand(ours, "pplnssggbr"), draft.defender_holds(recipe)];
    draft.text(hands)
}

impl Draft<'_> {
    fn one_of(&mut self, letters: &str) -> char {
        char::from(letters.as_bytes()[self.rng.random_range(0..letters.len())])
    }

    /// Takes a piece of kind `letter` from the unused pieces of the set; `None` if none is left.
    fn take(&mut self, letter: char) -> Option<usize> {
        let index = MEN.iter().position(|&(kind, _)| kind == letter.to_ascii_lowercase())?;
        self.left[index] = self.left[index].checked_sub(1)?;
        Some(index)
    }

    /// Puts one of the pieces in `letters` on a random square at most `reach` squares from the defender's king, if the
    /// square is empty.
    fn put(&mut self, letters: &str, promoted: f64, reach: usize) {
        let around = |at: usize| at.saturating_sub(reach)..=(at + reach).min(8);
        let (rank, file) = (self.rng.random_range(around(self.king.0)), self.rng.random_range(around(self.king.1)));
        let (letter, promoted) = (self.one_of(letters), self.rng.random_bool(promoted));
        let is_king = letter == 'K';
        if self.board[rank][file].is_none() && (is_king || self.take(letter).is_some()) {
            let promoted = promoted && !is_king && !letter.eq_ignore_ascii_case(&'g');
            self.board[rank][file] = Some((letter, promoted));
        }
    }

    fn hand(&mut self, count: usize, letters: &str) -> [usize; 7] {
        let mut hand = [0; 7];
        for _ in 0..count {
            let letter = self.one_of(letters);
            if let Some(kind) = self.take(letter) {
                hand[kind] += 1;
            }
        }
        hand
    }

    fn defender_holds(&mut self, recipe: &Recipe) -> [usize; 7] {
        if self.rng.random_bool(recipe.all_the_rest) {
            return self.left;
        }
        let count = self.rng.random_range(recipe.held_by_defender.clone());
        self.hand(count, "ppplnsgbr")
    }

    fn text(&self, hands: [[usize; 7]; 2]) -> String {
        let square = |piece: &Option<(char, bool)>| match piece {
            None => "1".to_owned(),
            Some((letter, true)) => format!("+{letter}"),
            Some((letter, false)) => letter.to_string(),
        };
        let rank = |rank: &[Option<(char, bool)>; 9]| rank.iter().map(square).collect::<String>();
        let mut board = self.board.iter().map(rank).collect::<Vec<_>>().join("/");
        for empty in (2..=9).rev() {
            board = board.replace(&"1".repeat(empty), &empty.to_string());
        }
        let mut held = String::new();
        for (hand, ours) in hands.iter().zip([true, false]) {
            for (&count, (letter, _)) in hand.iter().zip(MEN).filter(|(count, _)| **count > 0) {
                held += &if count == 1 { String::new() } else { count.to_string() };
                held.push(if ours { letter.to_ascii_uppercase() } else { letter });
            }
        }
        format!("{board} b {} 1", if held.is_empty() { "-" } else { &held })
    }
}
