//! Reports clocks that were scaled by the speed of the machines.

use crate::machine::MachineStamp;
use std::collections::{BTreeMap, BTreeSet};

/// Number of decimals with which scale factors are compared and shown.
const DIGITS: usize = 2;

/// A line about the scaled clocks; `None` if no clock was scaled, or no engine had a clock.
pub(super) fn line<'a>(machines: impl Iterator<Item = &'a MachineStamp>, controls: &[&str]) -> Option<String> {
    let (mut by_name, mut references, mut is_scaled) =
        (BTreeMap::<&str, BTreeSet<String>>::new(), BTreeSet::new(), false);
    for MachineStamp { name, scale, speed, .. } in machines {
        by_name.entry(name).or_default().insert(format!("{scale:.DIGITS$}"));
        references.insert((*speed as f64 * scale).round() as u64);
        is_scaled |= *scale != 1.0;
    }
    if !is_scaled || !controls.iter().any(|control| has_clock(control)) {
        return None;
    }
    let shown = |(name, scales): (&str, BTreeSet<String>)| {
        let scales: Vec<String> = scales.into_iter().collect();
        format!("{name} x {}", scales.join("/"))
    };
    let machines: Vec<String> = by_name.into_iter().map(shown).collect();
    let machines = machines.join(", ");
    let references: Vec<u64> = references.into_iter().collect();
    // The factor of a very slow machine is limited, so a reference speed computed from that factor would be too low.
    Some(match references[..] {
        [speed] => format!("Clocks scaled to a machine of {speed} nodes a second: {machines}"),
        _ => format!("Clocks scaled by the speed of the machines: {machines}"),
    })
}

/// Returns whether the limits contain a clock. Limits of nodes and plies do not depend on the speed of a machine.
fn has_clock(control: &str) -> bool {
    control.split(", ").any(|part| part != "-" && !part.ends_with(" nodes") && !part.ends_with(" plies"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(machines: &[(&str, u64, f64)], control: &str) -> Option<String> {
        let stamp = |(name, speed, scale): &(&str, u64, f64)| MachineStamp {
            name: (*name).to_owned(),
            speed: *speed,
            scale: *scale,
            ..MachineStamp::default()
        };
        let stamps: Vec<MachineStamp> = machines.iter().map(stamp).collect();
        line(stamps.iter(), &["1000 nodes", control])
    }

    #[test]
    fn scaled_clocks_are_listed_by_machine() {
        let machines = [("attic", 2_000_000, 0.5), ("barn", 300_000, 1_000_000.0 / 300_000.0)];
        let expected = "Clocks scaled to a machine of 1000000 nodes a second: attic x 0.50, barn x 3.33";
        assert_eq!(told(&machines, "10+0.1").as_deref(), Some(expected));
        assert_eq!(told(&machines, "1000 nodes, 0.5/move").as_deref(), Some(expected));
        assert_eq!(told(&machines, "1000 nodes, 9 plies"), None, "nothing to scale");
        assert_eq!(told(&[("attic", 9, 1.0)], "10+0.1"), None);
        assert_eq!(told(&[], "10+0.1"), None);
        let clamped = [("attic", 2_000_000, 0.5), ("barn", 10, 10.0), ("attic", 1_000_000, 1.0)];
        assert_eq!(
            told(&clamped, "10+0.1").as_deref(),
            Some("Clocks scaled by the speed of the machines: attic x 0.50/1.00, barn x 10.00")
        );
    }
}
