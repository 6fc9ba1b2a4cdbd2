//! Tapered evaluation weights: each weight has a value for the opening and one for the endgame. The module also defines
//! the layout of the features in a weights file.

use crate::{Group, WeightsError, parse_weights};

/// An opening value and an endgame value packed into one integer, so that one addition adds both.
pub type Pair = i32;

/// Packs an opening value and an endgame value.
#[inline]
pub const fn pair(opening: i32, ending: i32) -> Pair {
    (ending << 16) + opening
}

/// The opening value of a sum of pairs.
#[inline]
pub const fn opening(pair: Pair) -> i32 {
    pair as i16 as i32
}

/// The endgame value of a sum of pairs.
#[inline]
pub const fn ending(pair: Pair) -> i32 {
    (pair + 0x8000) >> 16
}

/// Reads the weights of the features declared by [`features!`](crate::features): `N` features in the groups of
/// `layout`.
///
/// # Panics
/// If the number of features in `layout` is not `N`.
pub fn parse_pairs<const N: usize>(layout: &[Group], text: &str) -> Result<Box<[Pair; N]>, WeightsError> {
    let numbers = parse_weights(layout, text)?;
    let pairs: Vec<Pair> = numbers.chunks_exact(2).map(|both| pair(both[0], both[1])).collect();
    Ok(pairs.into_boxed_slice().try_into().expect("the groups have N features"))
}

/// Declares the groups of an evaluation's features, in order, and for each group a constant with the index of its first
/// feature. `GROUPS` has two numbers (opening, endgame) per feature; `FEATURES` is the number of features.
#[macro_export]
macro_rules! features {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $count:expr;)*) => {
        $crate::features!(@offsets 0; $($(#[$doc])* $constant, $count;)*);
        /// The groups of the data file, with two numbers (opening, endgame) per feature.
        pub const GROUPS: &[$crate::Group] = &[$(($name, 2 * $count)),*];
    };
    (@offsets $offset:expr; $(#[$doc:meta])* $constant:ident, $count:expr; $($rest:tt)*) => {
        $(#[$doc])* pub const $constant: usize = $offset;
        $crate::features!(@offsets $offset + $count; $($rest)*);
    };
    (@offsets $offset:expr;) => {
        /// Number of features.
        pub const FEATURES: usize = $offset;
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    mod layout {
        crate::features! {
            ONE = "one", 1;
            MANY = "many", 2 * 3;
            LAST = "last", 1;
        }
    }

    #[test]
    fn pairs_add_component_by_component() {
        for (a, b) in [((5, -7), (-20, 30)), ((-1, -1), (-1, 1)), ((12_000, -12_000), (-13_000, 13_000))] {
            let sum = pair(a.0, a.1) + pair(b.0, b.1) * 2;
            assert_eq!((opening(sum), ending(sum)), (a.0 + 2 * b.0, a.1 + 2 * b.1));
        }
    }

    #[test]
    fn groups_and_offsets_agree() {
        use layout::{FEATURES, GROUPS, LAST, MANY, ONE};
        assert_eq!((ONE, MANY, LAST, FEATURES), (0, 1, 7, 8));
        assert_eq!(GROUPS, [("one", 2), ("many", 12), ("last", 2)]);
        let weights = parse_pairs::<FEATURES>(GROUPS, "one 1 2 many 0 0 0 0 0 0 0 0 0 0 0 0 last 3 -4");
        assert_eq!(weights.map(|weights| (weights[ONE], weights[LAST])), Ok((pair(1, 2), pair(3, -4))));
    }
}
