//! Checks whether a search roughly obeyed its limit on nodes or depth.

/// If the nodes or depth of a search differ from its limit by more than this factor, the engine ignored the limit.
const FAR: u64 = 4;
/// Some engines check their node limit only once per this many nodes.
const STRIDE: u64 = 10_000;

/// Returns whether a search that reported `found` nodes may have obeyed `go nodes` with `limit`. The caller must
/// exclude searches that find a mate, which may end early.
pub fn keeps_nodes(limit: u64, found: u64) -> bool {
    is_near(limit, found, STRIDE)
}

/// Returns whether a search that reported the depth `found` may have obeyed `go depth` with `limit`.
pub fn keeps_depth(limit: u16, found: u16) -> bool {
    is_near(limit.into(), found.into(), 0)
}

fn is_near(limit: u64, found: u64, stride: u64) -> bool {
    let most = limit.saturating_mul(FAR).max(limit.saturating_add(stride));
    (limit.div_ceil(FAR)..=most).contains(&found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept_roughly_or_not_at_all() {
        for (found, is_kept) in [(8, false), (249, false), (250, true), (1_000, true), (11_000, true), (11_001, false)]
        {
            assert_eq!(keeps_nodes(1_000, found), is_kept, "{found}");
        }
        assert!(keeps_nodes(1, 4_096) && keeps_nodes(u64::MAX, u64::MAX) && !keeps_nodes(1_000_000, 5_000_000));
        for (found, is_kept) in [(4, false), (5, true), (20, true), (80, true), (81, false)] {
            assert_eq!(keeps_depth(20, found), is_kept, "{found}");
        }
    }
}
