//! Tests that the tuner recovers known weights.

use super::*;
use crate::tunable::Terms;
use hasami_api::Group;
use std::io::Write;

/// Three features; the text of a position consists of their counts and the phase.
struct Toy;

const TRUTH: [f32; 6] = [40.0, 80.0, -25.0, 10.0, 60.0, -35.0];

impl Tunable for Toy {
    const NAME: &'static str = "toy";

    fn groups() -> Vec<Group> {
        vec![("toy", 6)]
    }

    fn initial() -> Vec<i32> {
        vec![0; 6]
    }

    fn terms(position: &str) -> Result<Terms, String> {
        let numbers: Vec<i16> = position.split(' ').map(|n| n.parse().expect("a number")).collect();
        let counts = (0..3).map(|i| (i as u16, numbers[i])).collect();
        Ok(Terms { counts, phase: f32::from(numbers[3]) / 4.0, scale: 1.0, fixed: 0.0 })
    }
}

fn position(number: i32) -> (String, f32) {
    let counts = [number % 5 - 2, number / 5 % 5 - 2, number / 25 % 5 - 2];
    let phase = (number % 4) as f32 / 4.0;
    let value = (0..3).map(|i| (TRUTH[2 * i] * phase + TRUTH[2 * i + 1] * (1.0 - phase)) * counts[i] as f32).sum();
    (format!("{} {} {} {}", counts[0], counts[1], counts[2], number % 4), value)
}

#[test]
fn known_weights_are_recovered() {
    let labels = Labels { curve: 170.0, result_share: 0.0 };
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    for number in 0..2000 {
        let (text, value) = position(number);
        writeln!(file, "{text};{value};-").expect("room for the data");
    }
    let mut data = Data::default();
    data.read::<Toy>(file.path(), labels).expect("well formed");
    let mut fit = Fit::new(&data, labels, &Toy::initial());
    let plan = Plan { epochs: 400, rate: 2.0, decay: 0.0, held_out: 0.1, seed: 1 };
    let mut last = 0.0;
    fit.run(plan, |_, _, held_out| last = held_out);
    assert!(last < 1e-6, "loss {last}");
    for (found, truth) in fit.weights.iter().zip(TRUTH) {
        assert!((found - truth).abs() < 1.0, "{:?}", fit.weights);
    }
}
