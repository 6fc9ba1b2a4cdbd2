//! Noughts and crosses, a game small enough to be solved completely. The text of a position is nine characters of `x`,
//! `o` and `.`; `x` moves first, and three in a row win.

use hasami_api::{
    Evaluator, Game, InvalidPosition, MoveFacts, MoveText, Moves, ParseMoveError, SearchGame, Side, Start, Verdict,
};

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

#[derive(Clone)]
pub(crate) struct Oxo {
    /// The positions since the start, each as two bitboards: the marks of the side to move and those of the other side.
    stack: Vec<[u16; 2]>,
}

impl Oxo {
    fn now(&self) -> [u16; 2] {
        self.stack[self.stack.len() - 1]
    }

    fn is_lost(&self) -> bool {
        LINES.iter().any(|line| self.now()[1] & line == *line)
    }

    pub(crate) fn at(text: &str) -> Self {
        Self::new(&Start { text: Some(text.into()), ..Start::default() }).unwrap()
    }
}

impl Game for Oxo {
    type Move = u8;
    const NAME: &'static str = "oxo";

    fn new(start: &Start) -> Result<Self, InvalidPosition> {
        let text = start.text.as_deref().unwrap_or(".........");
        let board = |who| (0..9).filter(|&i| text.as_bytes()[i] == who).map(|i| 1 << i).sum();
        let (x, o): (u16, u16) = (board(b'x'), board(b'o'));
        Ok(Self { stack: vec![if x.count_ones() == o.count_ones() { [x, o] } else { [o, x] }] })
    }

    fn to_text(&self) -> String {
        format!("{:?}", self.now())
    }

    fn parse_move(&self, text: &str) -> Result<u8, ParseMoveError> {
        let m: u8 = text.parse().map_err(|_| ParseMoveError::Notation(text.into()))?;
        let mut moves = Moves::new();
        self.legal_moves(&mut moves);
        if moves.contains(&m) { Ok(m) } else { Err(ParseMoveError::Illegal(text.into())) }
    }

    fn format_move(&self, m: u8) -> MoveText {
        m.to_string().parse().unwrap()
    }

    fn side(&self) -> Side {
        if self.ply().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn ply(&self) -> u32 {
        self.now().iter().map(|board| board.count_ones()).sum()
    }

    fn key(&self) -> u64 {
        let [own, other] = self.now();
        (u64::from(own) << 32 | u64::from(other) << 8 | 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn in_check(&self) -> bool {
        false
    }

    fn legal_moves(&self, out: &mut Moves<u8>) {
        let [own, other] = self.now();
        if !self.is_lost() {
            out.extend((0..9).filter(|i| (own | other) >> i & 1 == 0));
        }
    }

    fn make(&mut self, m: u8) {
        let [own, other] = self.now();
        self.stack.push([other, own | 1 << m]);
    }

    fn unmake(&mut self) {
        self.stack.pop();
    }

    fn verdict(&self) -> Verdict {
        Verdict::Open
    }

    fn verdict_in_search(&self, _plies: usize) -> Verdict {
        Verdict::Open
    }

    fn verdict_without_moves(&self) -> Verdict {
        if self.is_lost() { Verdict::Loss } else { Verdict::Draw }
    }
}

impl SearchGame for Oxo {
    const PIECES: usize = 2;
    const ORIGINS: usize = 1;
    const SQUARES: usize = 9;
    const VICTIMS: usize = 1;
    const PAWN: i32 = 100;

    fn noisy_moves(&self, _out: &mut Moves<u8>) {}

    fn facts(&self, m: u8) -> MoveFacts {
        MoveFacts { piece: self.side().index() as u8, origin: 0, to: m, victim: 0, promotes: false }
    }

    fn gives_check(&self, _m: u8) -> bool {
        false
    }

    fn see_at_least(&self, _m: u8, threshold: i32) -> bool {
        threshold <= 0
    }

    fn victim_value(_victim: u8) -> i32 {
        0
    }

    fn pack(m: u8) -> u16 {
        u16::from(m) + 1
    }

    fn key_after(&self, m: u8) -> u64 {
        u64::from(m)
    }

    fn feature_keys(&self) -> [u64; 4] {
        [self.key(); 4]
    }

    /// Any position of noughts and crosses may be a zugzwang, so null moves are never sound.
    fn null_move_is_safe(&self) -> bool {
        false
    }

    fn make_null(&mut self) {
        unreachable!("null moves are not safe here")
    }

    fn draw_clock(&self) -> (u32, u32) {
        (0, 0)
    }
}

/// Evaluates every position as zero, and checks that the search calls the evaluator's hooks in step with the game.
#[derive(Clone, Default)]
pub(crate) struct ZeroEval {
    made: usize,
}

impl Evaluator<Oxo> for ZeroEval {
    fn refresh(&mut self, _game: &Oxo) {
        self.made = 0;
    }

    fn make(&mut self, before: &Oxo, _m: u8) {
        self.made += 1;
        assert_eq!(before.stack.len(), self.made);
    }

    fn unmake(&mut self, null: bool) {
        assert!(!null);
        self.made -= 1;
    }

    fn evaluate(&mut self, game: &Oxo) -> i32 {
        assert_eq!(game.stack.len(), self.made + 1);
        0
    }
}
