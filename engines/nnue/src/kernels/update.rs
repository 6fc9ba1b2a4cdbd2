//! What an accumulator is changed by.

/// Rows of a first layer, and the rows to add and to take away.
pub struct Update<'a> {
    pub weights: &'a [i16],
    pub width: usize,
    pub come: &'a [u32],
    pub gone: &'a [u32],
}
