//! The input of an accumulator update.

/// The weights of a first layer, and the row numbers that an update adds and subtracts.
pub struct Update<'a> {
    pub weights: &'a [i16],
    pub width: usize,
    pub added: &'a [u32],
    pub removed: &'a [u32],
}
