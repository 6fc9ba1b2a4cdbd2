//! Tests the conversion of sub-trees to text and back.

use super::FIFTEEN;
use crate::algorithms::cells::branch;
use crate::algorithms::cells::measure::Measure;
use crate::algorithms::cells::tree::{HostTree, ROOT};
use crate::algorithms::cells::walker::{Bounds, Walker};
use hasami_api::{Game, Start};
use hasami_shogi::Shogi;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

type Move = <Shogi as Game>::Move;

const BOUNDS: Bounds = Bounds { any_moves: false, longest: usize::MAX };

fn start() -> (HostTree<Move>, Walker<Shogi>) {
    let game = Shogi::new(&Start { text: Some(FIFTEEN.into()), ..Start::default() }).unwrap();
    (HostTree::new(Measure::Value, true), Walker::new(&game, &[], BOUNDS))
}

/// Returns the tree after `steps` expansions, which must leave it undecided.
fn grown(steps: usize) -> (HostTree<Move>, Walker<Shogi>) {
    let (mut tree, mut walker) = start();
    for _ in 0..steps {
        let leaf = tree.choose().unwrap();
        let before = tree.root().pn;
        walker.expand(&mut tree, leaf);
        assert!(!tree.root().is_decided(), "{steps} steps decide the tree, the last value was {before}");
    }
    (tree, walker)
}

fn text(tree: &HostTree<Move>) -> String {
    let game = Shogi::new(&Start { text: Some(FIFTEEN.into()), ..Start::default() }).unwrap();
    branch::print(tree, &game)
}

#[test]
fn what_is_printed_hangs_under_another_leaf_as_it_was() {
    for steps in [1, 2, 5, 20, 60] {
        let (tree, _) = grown(steps);
        let printed = text(&tree);
        let (mut other, mut walker) = start();
        branch::join(&mut other, ROOT, &mut walker, &printed).unwrap();
        assert_eq!((other.root().pn, other.len(), other.leaves()), (tree.root().pn, tree.len(), tree.leaves()));
        assert!(branch::size(&printed) + 1 >= tree.len());
        let sorted = |text: &str| {
            let mut parts: Vec<String> = text.split([',', '(', ')']).map(str::to_owned).collect();
            parts.sort();
            parts
        };
        assert_eq!(sorted(&text(&other)), sorted(&printed), "the same nodes, in any order");
        // The original tree and its copy choose leaves of the same value.
        let next = other.choose().unwrap();
        assert_eq!(other.node(next).pn, tree.node(tree.choose().unwrap()).pn);
    }
}

#[test]
fn a_corrupted_branch_is_refused_or_valid_and_leaves_the_search_usable() {
    let printed = text(&grown(40).0);
    let mut rng = SmallRng::seed_from_u64(3);
    let (mut refused, mut joined) = (0, 0);
    for _ in 0..2_000 {
        let mut bytes = printed.clone().into_bytes();
        for _ in 0..rng.random_range(1..3) {
            let place = rng.random_range(0..bytes.len());
            match rng.random_range(0..3) {
                0 => bytes[place] = b"(),:!0123456789abcdefghi+*GSRBP"[rng.random_range(0..31)],
                1 => drop(bytes.remove(place)),
                _ => bytes.truncate(place + 1),
            }
        }
        let changed = String::from_utf8(bytes).unwrap();
        let (mut tree, mut walker) = start();
        match branch::join(&mut tree, ROOT, &mut walker, &changed) {
            Ok(()) => joined += 1,
            Err(why) => {
                assert!(why.starts_with("expected "), "{why}");
                assert_eq!((tree.len(), tree.root().pn, tree.root().is_leaf()), (1, 1, true), "{changed}");
                refused += 1;
            }
        }
        assert!(!tree.root().is_decided(), "{changed}");
        // A search can continue whether the branch was joined or refused.
        let leaf = tree.choose().unwrap();
        walker.expand(&mut tree, leaf);
    }
    assert!(refused > 1_000 && joined > 20, "{refused} refused, {joined} joined");
}

#[test]
fn branches_against_the_rules_are_refused() {
    for (wrong, why) in [
        ("", "expected '(', found ''"),
        ("(", "expected a move that is legal there, found ''"),
        ("(1a1b:5)", "expected a move that is legal there, found '1a1b'"),
        ("(P*1b:0)", "expected a value, found '0'"),
        ("(P*1b:9,P*1b:9)", "expected a move that is legal there, found 'P*1b'"),
        ("(P*1b:9", "expected ')', found ''"),
        ("(P*1b:9))", "expected the end, found ')'"),
        ("(P*1b)", "expected a mate at the end of a line, found none"),
        ("(P*1b!)", "expected a mate at the end of a line, found none"),
        ("(P*1b!(2a1b:3))", "expected one line below what is proved, found none or more"),
    ] {
        let (mut tree, mut walker) = start();
        assert_eq!(branch::join(&mut tree, ROOT, &mut walker, wrong).unwrap_err(), why, "{wrong}");
    }
}
