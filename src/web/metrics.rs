//! Formats metrics in the text format of Prometheus (version 0.0.4).

use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MetricKind {
    Gauge,
    /// A number that never decreases while the program runs; its name gets the suffix `_total`.
    Counter,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Metric {
    /// The name of the metric, such as `moves`, without the prefix `hasami_` and the suffix `_total`.
    name: &'static str,
    kind: MetricKind,
    help: &'static str,
    /// The name and the value of the metric's label; `None` if the metric has no label.
    label: Option<(&'static str, String)>,
    value: u64,
}

impl Metric {
    pub fn gauge(name: &'static str, help: &'static str, value: u64) -> Self {
        Self { name, kind: MetricKind::Gauge, help, label: None, value }
    }

    pub fn counter(name: &'static str, help: &'static str, value: u64) -> Self {
        Self { kind: MetricKind::Counter, ..Self::gauge(name, help, value) }
    }

    #[must_use]
    pub fn with(self, label: &'static str, value: &str) -> Self {
        Self { label: Some((label, value.to_owned())), ..self }
    }
}

pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Formats the metrics. Metrics with the same name must be adjacent, and share one description.
pub fn text(metrics: &[Metric]) -> String {
    let mut text = String::new();
    for family in metrics.chunk_by(|a, b| a.name == b.name) {
        let Metric { name, kind, help, .. } = family[0];
        let (end, kind) = if kind == MetricKind::Counter { ("_total", "counter") } else { ("", "gauge") };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "# HELP hasami_{name}{end} {help}\n# TYPE hasami_{name}{end} {kind}");
        for metric in family {
            let label = |(name, value): &(&str, String)| format!("{{{name}=\"{}\"}}", escaped(value));
            let label = metric.label.as_ref().map(label).unwrap_or_default();
            let _ = writeln!(text, "hasami_{name}{end}{label} {}", metric.value);
        }
    }
    text
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_of_one_name_are_described_once() {
        let refused = |why: &str, value| Metric::counter("refused", "Refused messages", value).with("reason", why);
        let found = text(&[Metric::gauge("slots", "Slots", 12), refused("a \"b\"", 7), refused("c", 8)]);
        let expected = "# HELP hasami_slots Slots\n# TYPE hasami_slots gauge\nhasami_slots 12\n\
                        # HELP hasami_refused_total Refused messages\n# TYPE hasami_refused_total counter\n\
                        hasami_refused_total{reason=\"a \\\"b\\\"\"} 7\nhasami_refused_total{reason=\"c\"} 8\n";
        assert_eq!(found, expected);
    }
}
