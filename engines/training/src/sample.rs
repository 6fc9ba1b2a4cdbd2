//! A labelled position as the trainer sees it: what the network sees of it, and what it should say.

/// No position of a game here has more elements (shogi: 40 pieces).
const MOST: usize = 40;

/// A labelled position. The side to move comes first everywhere.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    elements: [[u16; MOST]; 2],
    count: usize,
    /// The kings' squares, each as its own side sees it.
    pub kings: [u8; 2],
    /// Pieces on the board, kings included.
    pub pieces: u32,
    /// Centipawns for the side to move.
    pub score: i16,
    /// Points of the game for the side to move, 0 to 1; `None`: its end says nothing about this position.
    pub result: Option<f32>,
}

impl Default for Sample {
    fn default() -> Self {
        Self { elements: [[0; MOST]; 2], count: 0, kings: [0; 2], pieces: 0, score: 0, result: None }
    }
}

impl Sample {
    /// Forgets all elements.
    pub fn clear(&mut self) {
        self.count = 0;
        self.pieces = 0;
    }

    /// Adds an element as the side to move and as the other side see it. Elements beyond those of an even game are left out.
    #[inline]
    pub fn push(&mut self, pair: [u16; 2]) {
        if self.count < MOST {
            self.elements[0][self.count] = pair[0];
            self.elements[1][self.count] = pair[1];
            self.count += 1;
        }
    }

    /// The elements as one side sees them; 0: the side to move.
    #[inline]
    pub fn elements(&self, side: usize) -> &[u16] {
        &self.elements[side][..self.count]
    }
}
