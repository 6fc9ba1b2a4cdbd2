//! The input of an accumulator update.

/// The weights of a first layer, and the numbers of the rows to add and to subtract.
pub struct Update<'a> {
    pub weights: &'a [i16],
    pub width: usize,
    pub added: &'a [u32],
    pub removed: &'a [u32],
}
