//! Consultation: more workers than one search group has use for form several groups that all search the same position, each
//! for itself and with a little noise of its own in its evaluation, and the move that most of them hold for best is played
//! (Obata et al. 2010; for chess Hoki et al. 2014). A search that is not deep enough errs at random, so
//! that most of several err less often than one of them; the largest of their values is no better than any.

use hasami_api::MoveText;

/// Two cannot outvote one another.
const FEWEST: usize = 3;
/// The number of a group has a byte: [`hasami_api::Task::group`].
const MOST: usize = 255;

/// How many groups so many workers form, of `size` workers each; 1: there are too few of them, or `size` is 0. An odd number,
/// so that two moves do not get as many votes.
pub fn groups(workers: usize, size: u32) -> usize {
    let size = size as usize;
    if size == 0 || 2 * workers < FEWEST * size || workers < FEWEST {
        return 1;
    }
    (workers.div_ceil(size) | 1).clamp(FEWEST, MOST)
}

/// The name of a search group: that of its position, with the group's number in the lowest byte.
pub fn name(key: u64, group: u8) -> u64 {
    // 0 is no group.
    (key & !0xff).max(0x100) | u64::from(group)
}

/// The move that most groups hold for best; of several the one that `stands`, then the one that the first of them names.
pub fn winner(votes: &[MoveText], stands: Option<MoveText>) -> Option<MoveText> {
    let count = |text: MoveText| votes.iter().filter(|&&vote| vote == text).count();
    let most = votes.iter().map(|&vote| count(vote)).max()?;
    let mut first = votes.iter().copied().filter(|&vote| count(vote) == most);
    stands.filter(|&text| count(text) == most).or_else(|| first.next())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn groups_are_odd_and_three_at_least() {
        let of = |workers| groups(workers, 32);
        assert_eq!([1, 33, 47, 48, 64, 96, 128, 800].map(of), [1, 1, 1, 3, 3, 3, 5, 25]);
        assert_eq!([groups(800, 0), groups(10_000, 1), groups(2, 1), groups(3, 2)], [1, 255, 1, 3]);
    }

    #[test]
    fn most_votes_win_and_what_stands_stays() {
        let moves = |text: &str| text.split_whitespace().map(|m| m.parse().unwrap()).collect::<Vec<MoveText>>();
        let won = |votes: &str, stands: &str| winner(&moves(votes), moves(stands).first().copied());
        assert_eq!(won("a1 b1 b1", "a1"), Some("b1".parse().unwrap()));
        assert_eq!(won("a1 b1", "b1"), Some("b1".parse().unwrap()));
        assert_eq!(won("a1 b1", "c1"), Some("a1".parse().unwrap()), "the first of them");
        assert_eq!(won("", "a1"), None);
    }

    #[test]
    fn a_name_tells_the_group_and_is_never_none() {
        assert_eq!((name(0, 0), name(0xabcd, 0), name(0xabcd, 7)), (0x100, 0xab00, 0xab07));
    }
}
