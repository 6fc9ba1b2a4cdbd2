//! Metrics for Prometheus.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetricKind {
    Gauge,
    /// A number that only increases until the program ends. `_total` is appended to its name.
    Counter,
}

/// A metric with its current value.
#[derive(Clone, PartialEq, Debug)]
pub struct Metric {
    /// The name in the style of Prometheus, without the prefix of the program and the `_total` of a counter: `nodes`,
    /// `worker_depth`.
    pub name: &'static str,
    pub kind: MetricKind,
    pub help: &'static str,
    pub labels: Vec<(&'static str, String)>,
    pub value: f64,
}

impl Metric {
    /// A gauge.
    pub fn new(name: &'static str, help: &'static str, value: f64) -> Self {
        // An empty sum is -0.0; adding 0 removes the sign.
        Self { name, kind: MetricKind::Gauge, help, labels: Vec::new(), value: value + 0.0 }
    }

    pub fn counter(name: &'static str, help: &'static str, value: f64) -> Self {
        Self { kind: MetricKind::Counter, ..Self::new(name, help, value) }
    }

    #[must_use]
    pub fn with(mut self, label: &'static str, value: impl Into<String>) -> Self {
        self.labels.push((label, value.into()));
        self
    }
}

type Labels = Vec<(String, String)>;

/// All metrics with one name.
enum MetricFamily {
    Gauges(Family<Labels, Gauge<f64, AtomicU64>>),
    Counters(Family<Labels, Counter<f64, AtomicU64>>),
}

impl MetricFamily {
    fn register(metric: &Metric, registry: &mut Registry) -> Self {
        match metric.kind {
            MetricKind::Gauge => {
                let family = Family::default();
                registry.register(metric.name, metric.help, family.clone());
                Self::Gauges(family)
            }
            MetricKind::Counter => {
                let family = Family::default();
                registry.register(metric.name, metric.help, family.clone());
                Self::Counters(family)
            }
        }
    }

    fn set(&self, labels: &Labels, value: f64) {
        match self {
            Self::Gauges(family) => _ = family.get_or_create(labels).set(value),
            Self::Counters(family) => family.get_or_create(labels).inner().store(value.to_bits(), Ordering::Relaxed),
        }
    }
}

/// The format of `/metrics`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetricFormat {
    OpenMetrics,
    /// The older text format of Prometheus, for clients that do not request OpenMetrics.
    Plain,
}

impl MetricFormat {
    /// The format that an `Accept` header requests.
    pub fn accepted(header: &str) -> Self {
        let mut kinds = header.split(',').filter_map(|range| range.split(';').next());
        let is_wanted = kinds.any(|kind| kind.trim().eq_ignore_ascii_case("application/openmetrics-text"));
        if is_wanted { Self::OpenMetrics } else { Self::Plain }
    }

    pub const fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Plain => "text/plain; version=0.0.4; charset=utf-8",
        }
    }

    /// Writes the metrics; metrics with the same name are adjacent.
    pub fn text(self, metrics: Vec<Metric>) -> String {
        match self {
            Self::OpenMetrics => open_metrics(metrics),
            Self::Plain => plain(metrics),
        }
    }
}

/// In the older format, the lines that describe a counter use the same name as its values.
fn plain(metrics: Vec<Metric>) -> String {
    let counters: BTreeSet<_> = metrics.iter().filter(|m| m.kind == MetricKind::Counter).map(|m| m.name).collect();
    let mut text = String::new();
    for line in open_metrics(metrics).lines().filter(|line| *line != "# EOF") {
        let described =
            ["# HELP hasami_", "# TYPE hasami_"].iter().find_map(|word| Some((word, line.strip_prefix(word)?)));
        match described.and_then(|(word, rest)| Some((word, rest.split_once(' ')?))) {
            Some((word, (name, rest))) if counters.contains(name) => text += &format!("{word}{name}_total {rest}\n"),
            _ => text += &format!("{line}\n"),
        }
    }
    text
}

fn open_metrics(metrics: Vec<Metric>) -> String {
    let mut registry = Registry::with_prefix("hasami");
    let mut families: BTreeMap<&'static str, MetricFamily> = BTreeMap::new();
    for metric in metrics {
        let family = families.entry(metric.name).or_insert_with(|| MetricFamily::register(&metric, &mut registry));
        let labels: Labels =
            metric.labels.into_iter().map(|(name, value)| (name.to_owned(), escaped(&value))).collect();
        family.set(&labels, metric.value);
    }
    let mut text = String::new();
    match encode(&mut text, &registry) {
        Ok(()) => text,
        // Writing to a `String` cannot fail.
        Err(_) => String::new(),
    }
}

/// Escapes the value of a label, which the library does not do.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_of_one_name_are_adjacent() {
        let depth = |worker: &str, value| Metric::new("worker_depth", "Depth", value).with("worker", worker);
        let text = open_metrics(vec![depth("a \"b\"", 7.0), Metric::new("nodes", "Nodes", 12.0), depth("c", 8.0)]);
        for line in [
            "hasami_worker_depth{worker=\"a \\\"b\\\"\"} 7.0",
            "hasami_worker_depth{worker=\"c\"} 8.0",
            "hasami_nodes{} 12.0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
        assert_eq!(text.matches("# TYPE hasami_worker_depth gauge").count(), 1);
        assert!(text.ends_with("# EOF\n"));
    }

    #[test]
    fn counters_are_declared_as_counters() {
        let lost = |machine, value| Metric::counter("lost", "Engines that died", value).with("machine", machine);
        let metrics = vec![lost("a", 3.0), lost("b", 1e15), lost("b", 2e15)];
        let text = MetricFormat::OpenMetrics.text(metrics.clone());
        for line in [
            "# TYPE hasami_lost counter",
            "hasami_lost_total{machine=\"a\"} 3.0",
            "hasami_lost_total{machine=\"b\"} 2000000000000000.0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
        let plain = MetricFormat::Plain.text(metrics);
        for line in ["# HELP hasami_lost_total Engines that died.", "# TYPE hasami_lost_total counter"] {
            assert!(plain.lines().any(|found| found == line), "{line}: {plain}");
        }
        assert!(plain.contains("\nhasami_lost_total{machine=\"a\"} 3.0\n") && !plain.contains("EOF"), "{plain}");
    }

    #[test]
    fn open_metrics_is_sent_on_request() {
        let prometheus = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1";
        assert_eq!(MetricFormat::accepted(prometheus), MetricFormat::OpenMetrics);
        for other in ["", "*/*", "text/plain;version=0.0.4"] {
            assert_eq!(MetricFormat::accepted(other), MetricFormat::Plain, "{other}");
        }
    }
}
