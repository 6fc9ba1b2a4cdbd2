//! Figures for Prometheus.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

/// One figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Metric {
    /// As Prometheus wants it, without the program's name: `nodes`, `worker_depth`.
    pub name: &'static str,
    pub help: &'static str,
    pub labels: Vec<(&'static str, String)>,
    pub value: f64,
}

impl Metric {
    pub fn new(name: &'static str, help: &'static str, value: f64) -> Self {
        Self { name, help, labels: Vec::new(), value }
    }

    #[must_use]
    pub fn with(mut self, label: &'static str, value: impl Into<String>) -> Self {
        self.labels.push((label, value.into()));
        self
    }
}

/// The text of `/metrics`. Those of one name stand together.
pub fn text(metrics: Vec<Metric>) -> String {
    type Labels = Vec<(String, String)>;
    let mut registry = Registry::with_prefix("hasami");
    let mut families: BTreeMap<&'static str, Family<Labels, Gauge<f64, AtomicU64>>> = BTreeMap::new();
    for metric in metrics {
        let family = families.entry(metric.name).or_insert_with(|| {
            let family = Family::default();
            registry.register(metric.name, metric.help, family.clone());
            family
        });
        let labels: Labels =
            metric.labels.into_iter().map(|(name, value)| (name.to_owned(), escaped(&value))).collect();
        family.get_or_create(&labels).set(metric.value);
    }
    let mut text = String::new();
    match encode(&mut text, &registry) {
        Ok(()) => text,
        // A String takes whatever is written.
        Err(_) => String::new(),
    }
}

/// As OpenMetrics wants the value of a label: the library writes it as it is.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_one_name_stand_together() {
        let depth = |worker: &str, value| Metric::new("worker_depth", "Depth", value).with("worker", worker);
        let text = text(vec![depth("a \"b\"", 7.0), Metric::new("nodes", "Nodes", 12.0), depth("c", 8.0)]);
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
}
