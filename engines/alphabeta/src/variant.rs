//! Search variants, which keep workers that search the same position from doing the same work ([`Task::variant`]).
//!
//! [`Task::variant`]: hasami_api::Task::variant

/// No variant skips an iteration up to this depth, so that results are available at once.
const ALL_BELOW: i32 = 4;

/// Does the variant `variant` skip the iteration of depth `depth`? The first two variants skip every other depth: one
/// skips the even depths, the other the odd depths. Later variants skip two depths of every four, three of every six
/// and so on, so that different depths are searched at any time (as in lazy SMP).
pub(crate) fn skips(variant: u16, depth: i32) -> bool {
    if variant == 0 || depth <= ALL_BELOW {
        return false;
    }
    let variant = i32::from(variant) - 1;
    // Of every twelve variants, two skip runs of one depth, four skip runs of two depths and six skip runs of three
    // depths.
    let (run, phase) = match variant % 12 {
        place @ 0..=1 => (1, place),
        place @ 2..=5 => (2, place - 2),
        place => (3, place - 6),
    };
    ((depth + phase) / run) % 2 == 1
}

/// Rotates the root moves, except the first one, by an amount that depends on the variant.
pub(crate) fn reorder<T>(variant: u16, moves: &mut [T]) {
    if let [_, rest @ ..] = moves
        && !rest.is_empty()
    {
        rest.rotate_left(usize::from(variant) % rest.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_variant_skips_another_half_of_the_depths() {
        let depths = |variant| (5..41).filter(|&depth| !skips(variant, depth)).collect::<Vec<_>>();
        assert_eq!(depths(0).len(), 36);
        for a in 1..=12 {
            assert_eq!(depths(a).len(), 18, "variant {a}");
            assert!((a + 1..=12).all(|b| depths(a) != depths(b)), "variant {a}");
            assert!((1..=ALL_BELOW).all(|depth| !skips(a, depth)));
        }
    }

    #[test]
    fn the_first_move_stays_first() {
        let mut moves = [1, 2, 3, 4];
        reorder(0, &mut moves);
        assert_eq!(moves, [1, 2, 3, 4]);
        reorder(5, &mut moves);
        assert_eq!(moves, [1, 4, 2, 3]);
        reorder(7, &mut moves[..1]);
        reorder::<i32>(7, &mut []);
    }
}
