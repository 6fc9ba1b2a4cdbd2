//! A toy game defined by hashes, which is small and fast and has many of the features that make game trees difficult.
//!
//! A position is a number below [`NODES`] and a side to move; its moves are derived from its hash. The graph contains
//! positions without moves (mate and stalemate), dead draws, declared wins, positions with a single move, many
//! transpositions, and cycles of two plies in which the third occurrence of a position ends the game.

use hasami_api::{Game, InvalidPosition, MoveText, Moves, ParseMoveError, Side, Start, Verdict};

/// Number of positions of a graph for each side to move.
pub const NODES: u32 = 4096;

/// A position in the graph with the number `graph`, and the history that led to it.
#[derive(Clone, Debug)]
pub struct Toy {
    graph: u64,
    node: u32,
    side: Side,
    ply: u32,
    max_moves: u32,
    /// The nodes before the current one, oldest first. The sides alternate.
    history: Vec<u32>,
}

/// A move: its index in the list of moves, and the node to which it leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ToyMove {
    pub index: u8,
    pub to: u32,
}

/// The type of a position, which does not depend on the history.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nature {
    Plain,
    Mate,
    Stalemate,
    DeadDraw,
    Declaration,
}

/// The finalizer of SplitMix64.
pub fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Toy {
    /// The start position at `node` of the graph with the number `graph`.
    pub fn start(graph: u64, node: u32) -> Start {
        Start { text: Some(format!("toy {graph} {} f 0", node % NODES).into()), ..Start::default() }
    }

    /// The static value for the side to move, in centipawns. The value depends only on the position, so all evaluators
    /// agree on it.
    pub fn value(&self) -> i32 {
        let first = (self.hash(7) % 401) as i32 - 200;
        if self.side == Side::First { first } else { -first }
    }

    fn hash(&self, salt: u64) -> u64 {
        let side = self.side.index() as u64;
        mix(self.graph.wrapping_mul(0xD134_2543_DE82_EF95) ^ mix(u64::from(self.node) << 8 | side << 4 | salt))
    }

    fn nature(&self) -> Nature {
        match self.hash(1) % 256 {
            0..=9 => Nature::Mate,
            10..=13 => Nature::Stalemate,
            14..=19 => Nature::DeadDraw,
            20..=22 => Nature::Declaration,
            _ => Nature::Plain,
        }
    }

    fn width(&self) -> u64 {
        match self.nature() {
            Nature::Mate | Nature::Stalemate => 0,
            _ if self.hash(2).is_multiple_of(11) => 1,
            _ => 2 + self.hash(2) % 7,
        }
    }

    /// Returns how often the current position occurred in the last `window` plies.
    fn occurrences(&self, window: usize) -> usize {
        let same_side = self.history.iter().rev().take(window).skip(1).step_by(2);
        same_side.filter(|&&node| node == self.node).count()
    }

    /// Returns the result of a repetition: a draw in most positions, and in some a loss for one side, as for perpetual
    /// check.
    fn repetition(&self) -> Verdict {
        match self.hash(3) % 8 {
            0 => Verdict::Win,
            1 => Verdict::Loss,
            _ => Verdict::Draw,
        }
    }

    fn ruling(&self, repeated: bool) -> Verdict {
        match self.nature() {
            Nature::DeadDraw => Verdict::Draw,
            Nature::Declaration => Verdict::Win,
            _ if repeated => self.repetition(),
            _ if self.max_moves != 0 && self.ply >= self.max_moves => Verdict::Draw,
            _ => Verdict::Open,
        }
    }
}

fn malformed(text: &str) -> InvalidPosition {
    InvalidPosition(format!("expected 'toy <graph> <node below {NODES}> <f|s> <ply>', found '{text}'"))
}

fn parse_start(text: &str) -> Option<(u64, u32, Side, u32)> {
    let mut words = text.strip_prefix("toy ")?.split(' ');
    let graph = words.next()?.parse().ok()?;
    let node = words.next()?.parse().ok().filter(|&node| node < NODES)?;
    let side = match words.next()? {
        "f" => Side::First,
        "s" => Side::Second,
        _ => return None,
    };
    let ply = words.next()?.parse().ok()?;
    words.next().is_none().then_some((graph, node, side, ply))
}

impl Game for Toy {
    type Move = ToyMove;

    const NAME: &'static str = "toy";

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        let text = start.text.as_deref().unwrap_or("toy 1 0 f 0");
        let (graph, node, side, ply) = parse_start(text).ok_or_else(|| malformed(text))?;
        Ok(Self { graph, node, side, ply, max_moves: start.rules.max_moves, history: Vec::new() })
    }

    fn to_text(&self) -> String {
        let side = if self.side == Side::First { 'f' } else { 's' };
        format!("toy {} {} {side} {}", self.graph, self.node, self.ply)
    }

    fn parse_move(&self, text: &str) -> Result<ToyMove, ParseMoveError> {
        let notation = || ParseMoveError::Notation(text.to_owned());
        let letter = text.bytes().next().filter(u8::is_ascii_lowercase).ok_or_else(notation)?;
        let to = text[1..].parse().map_err(|_| notation())?;
        let m = ToyMove { index: letter - b'a', to };
        let mut legal = Moves::new();
        self.legal_moves(&mut legal);
        if legal.contains(&m) { Ok(m) } else { Err(ParseMoveError::Illegal(text.to_owned())) }
    }

    fn format_move(&self, m: ToyMove) -> MoveText {
        let text = format!("{}{}", char::from(b'a' + m.index), m.to);
        text.parse().expect("a letter and at most four digits fit")
    }

    fn side(&self) -> Side {
        self.side
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn key(&self) -> u64 {
        self.hash(5)
    }

    fn in_check(&self) -> bool {
        self.nature() == Nature::Mate || self.hash(4).is_multiple_of(5) && self.nature() == Nature::Plain
    }

    fn legal_moves(&self, out: &mut Moves<ToyMove>) {
        for index in 0..self.width() {
            // The first move often leads to a neighbour whose first move leads back, so that the graph has cycles.
            let back = index == 0 && !self.hash(6).is_multiple_of(3);
            let to = if back { self.node ^ 1 } else { (mix(self.hash(8) ^ index) % u64::from(NODES)) as u32 };
            out.push(ToyMove { index: index as u8, to });
        }
    }

    fn count_moves(&self) -> usize {
        self.width() as usize
    }

    fn make(&mut self, m: ToyMove) {
        self.history.push(self.node);
        self.node = m.to;
        self.side = self.side.other();
        self.ply += 1;
    }

    fn unmake(&mut self) {
        self.node = self.history.pop().expect("only a move that was made is taken back");
        self.side = self.side.other();
        self.ply -= 1;
    }

    fn verdict(&self) -> Verdict {
        self.ruling(self.occurrences(self.history.len()) >= 2)
    }

    fn verdict_in_search(&self, plies: usize) -> Verdict {
        self.ruling(self.occurrences(plies) >= 1 || self.occurrences(self.history.len()) >= 2)
    }

    fn verdict_without_moves(&self) -> Verdict {
        if self.nature() == Nature::Mate { Verdict::Loss } else { Verdict::Draw }
    }

    fn may_declare_win(&self) -> bool {
        self.nature() == Nature::Declaration
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn walk(graph: u64, plies: usize) -> Toy {
        let mut game = Toy::new(&Toy::start(graph, 3)).unwrap();
        for ply in 0..plies {
            let mut legal = Moves::new();
            game.legal_moves(&mut legal);
            if legal.is_empty() {
                break;
            }
            game.make(legal[mix(graph ^ ply as u64) as usize % legal.len()]);
        }
        game
    }

    #[test]
    fn text_and_moves_round_trip() {
        for graph in 0..200 {
            let game = walk(graph, 12);
            let again = Toy::new(&Start { text: Some(game.to_text().into()), ..Start::default() }).unwrap();
            assert_eq!(
                (again.key(), again.side(), again.ply()),
                (game.key(), game.side(), game.ply()),
                "graph {graph}"
            );
            let mut legal = Moves::new();
            game.legal_moves(&mut legal);
            assert_eq!(legal.len(), game.count_moves());
            for &m in &*legal {
                assert_eq!(game.parse_move(&game.format_move(m)), Ok(m), "graph {graph}");
            }
        }
    }

    #[test]
    fn unmake_restores() {
        for graph in 0..200 {
            let mut game = walk(graph, 20);
            let (before, key, ply) = (game.to_text(), game.key(), game.ply());
            let mut legal = Moves::new();
            game.legal_moves(&mut legal);
            for &m in &*legal {
                game.make(m);
                game.unmake();
            }
            assert_eq!((game.to_text(), game.key(), game.ply()), (before, key, ply), "graph {graph}");
        }
    }

    #[test]
    fn invalid_texts_are_rejected() {
        for text in ["", "toy", "toy 1 4096 f 0", "toy 1 2 x 0", "toy 1 2 f", "toy 1 2 f 0 9", "rnbq"] {
            let start = Start { text: Some(text.into()), ..Start::default() };
            assert!(Toy::new(&start).is_err(), "{text:?}");
        }
        let game = walk(1, 0);
        assert!(matches!(game.parse_move("a"), Err(ParseMoveError::Notation(_))));
        assert!(matches!(game.parse_move("é1"), Err(ParseMoveError::Notation(_))));
        assert!(matches!(game.parse_move("z9999"), Err(ParseMoveError::Illegal(_))));
    }

    #[test]
    fn every_kind_of_end_occurs() {
        let mut seen = [0; 5];
        for node in 0..NODES {
            let game = Toy::new(&Toy::start(1, node)).unwrap();
            match (game.count_moves(), game.verdict()) {
                (0, _) => seen[usize::from(game.verdict_without_moves() == Verdict::Draw)] += 1,
                (_, Verdict::Draw) => seen[2] += 1,
                (_, Verdict::Win) => seen[3] += 1,
                (count, _) => seen[4] += usize::from(count == 1),
            }
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    }

    #[test]
    fn repeating_a_cycle_ends_the_game() {
        let found = (0..NODES).find_map(|node| {
            let mut game = Toy::new(&Toy::start(1, node)).unwrap();
            for _ in 0..4 {
                let mut legal = Moves::new();
                game.legal_moves(&mut legal);
                let back = legal.iter().find(|m| m.to == game.node ^ 1 && game.verdict() == Verdict::Open);
                game.make(*back?);
            }
            Some(game)
        });
        let mut game = found.expect("some pair of positions is a cycle");
        assert_ne!(game.verdict(), Verdict::Open, "third occurrence");
        game.unmake();
        game.unmake();
        assert_eq!(game.verdict(), Verdict::Open, "second occurrence");
        assert_ne!(game.verdict_in_search(2), Verdict::Open, "second occurrence inside a search");
    }
}
