//! Tests that corrupt certificates are accepted only if their claims are true.

use crate::brute::{ALONE, BELLY, Brute, CORNER, GOLDS, ROOK, THREAT, THREE, certified, certified_mate};
use crate::mutate::{KINDS, changed};
use crate::refute::refuted;
use hasami_certificate::{Certificate, Claim, VerifyLimits, verify};
use hasami_shogi::Shogi;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::{BTreeMap, HashMap};

#[derive(Default, Debug)]
struct Tally {
    refused: usize,
    true_all_the_same: usize,
}

/// Decides a claim by brute force, considering mates of at most seven plies and brinkmates of at most three.
fn is_true(start: &str, claim: Claim) -> bool {
    let mut brute = Brute::new(start);
    match claim {
        Claim::Mate => brute.mate(7).is_some(),
        Claim::Brinkmate { plies } => brute.mate(5).is_some() || brute.brinkmate(plies.min(3), 5).is_some(),
        Claim::None { within } => {
            brute.mate(7).is_none() && (within == Some(0) || brute.brinkmate(within.unwrap_or(1).min(3), 5).is_none())
        }
    }
}

fn run(mutations: usize) -> BTreeMap<&'static str, Tally> {
    let mut files = vec![certified_mate(GOLDS, 3).write()];
    files.extend([(BELLY, 1), (CORNER, 1), (THREE, 3)].map(|(sfen, plies)| certified(sfen, plies, 3).write()));
    let none = [(ALONE, None), (ALONE, Some(1)), (THREAT, Some(0)), (THREAT, Some(1)), (ROOK, Some(0))];
    files.extend(none.map(|(sfen, within)| refuted(sfen, within).unwrap().write()));
    let starts = [GOLDS, BELLY, CORNER, THREE, ALONE, THREAT, ROOK];
    let mut random = StdRng::seed_from_u64(7);
    let (mut tallies, mut truths) = (BTreeMap::<_, Tally>::new(), HashMap::new());
    let (mut made, mut turn) = (0, 0);
    while made < mutations {
        let (file, kind) = (&files[turn % files.len()], KINDS[turn / files.len() % KINDS.len()]);
        turn += 1;
        let Some(broken) = changed(file, kind, &starts, &mut random) else { continue };
        made += 1;
        let tally = tallies.entry(kind).or_default();
        let limits = VerifyLimits { positions: 20_000, ..VerifyLimits::default() };
        let accepted =
            Certificate::read(&broken).ok().and_then(|broken| Some((verify::<Shogi>(&broken, limits).ok()?, broken)));
        let Some((verified, broken)) = accepted else {
            tally.refused += 1;
            continue;
        };
        let (start, claim) = (broken.start.to_owned(), verified.claim);
        assert!(!matches!(kind, "bits" | "length"), "{start}: a corrupt file that claims {claim} was accepted");
        let key = (start.clone(), claim.to_string());
        let truth = *truths.entry(key).or_insert_with(|| is_true(&start, claim));
        assert!(truth, "{start}: the false claim {claim} was accepted after '{kind}' in turn {turn}");
        tally.true_all_the_same += 1;
    }
    tallies
}

fn print(tallies: &BTreeMap<&str, Tally>) {
    let (refused, right) = tallies.values().fold((0, 0), |(a, b), t| (a + t.refused, b + t.true_all_the_same));
    for (kind, tally) in tallies {
        println!("{kind}: {} refused, {} accepted and true", tally.refused, tally.true_all_the_same);
    }
    println!("all: {refused} refused, {right} accepted and true, 0 accepted and false");
}

#[test]
fn no_corrupt_certificate_with_a_false_claim_is_accepted() {
    let tallies = run(1_000);
    print(&tallies);
    for kind in KINDS {
        assert!(tallies[kind].refused > 0, "no mutation of the kind {kind} was rejected");
    }
}

#[test]
#[ignore = "seconds; run it after changes of the file or the replay"]
fn none_of_ten_thousand_corrupt_certificates_with_a_false_claim_is_accepted() {
    print(&run(10_000));
}
