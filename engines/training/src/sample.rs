//! A labelled position in the form that the trainer needs: the network's input, and the data for its target.

/// Largest number of elements of a position in any supported game (40 pieces in shogi).
const MOST: usize = 40;

/// A labelled position, in which the data of the side to move always come first.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    elements: [[u16; MOST]; 2],
    count: usize,
    /// Squares of the kings, each from its own side's point of view.
    pub kings: [u8; 2],
    /// Number of pieces on the board, including the kings.
    pub pieces: u32,
    /// Score in centipawns for the side to move.
    pub score: i16,
    /// Points that the side to move scored, from 0 to 1; `None` if the game's result does not apply to the position.
    pub result: Option<f32>,
}

impl Default for Sample {
    fn default() -> Self {
        Self { elements: [[0; MOST]; 2], count: 0, kings: [0; 2], pieces: 0, score: 0, result: None }
    }
}

impl Sample {
    /// Removes all elements.
    pub fn clear(&mut self) {
        self.count = 0;
        self.pieces = 0;
    }

    /// Adds an element, as seen by the side to move and by the other side. Does nothing if there are already `MOST`
    /// elements.
    #[inline]
    pub fn push(&mut self, pair: [u16; 2]) {
        if self.count < MOST {
            self.elements[0][self.count] = pair[0];
            self.elements[1][self.count] = pair[1];
            self.count += 1;
        }
    }

    /// Returns the elements as seen by one side, where 0 is the side to move.
    #[inline]
    pub fn elements(&self, side: usize) -> &[u16] {
        &self.elements[side][..self.count]
    }
}
