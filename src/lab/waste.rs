//! Evaluates logs of virtual clusters: how the workers' time was spent, and how much news they exchanged.

use crate::virtual_cluster::Spent;
use hasami_words::text::{At, json_fault};
use serde::Deserialize;

/// The fields of an entry that are read here.
#[derive(Deserialize)]
struct WasteEntry {
    reply: bool,
    spent: Spent,
    told: Vec<u64>,
}

/// The summary of a log.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Waste {
    pub moves: usize,
    /// Largest number of workers in an entry.
    pub workers: usize,
    /// Time by cause, in milliseconds.
    pub spent: Spent,
    /// Bytes of news by worker and move, including those of the reply before it; sorted.
    pub told: Vec<u64>,
}

impl Waste {
    /// Reads a log. The error is one line.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut waste = Self::default();
        let mut unfinished: Vec<u64> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let entry: WasteEntry = serde_json::from_str(line).map_err(|why| {
                format!("expected an entry of a diary, found {}", json_fault(&why)).at(format!("line {}", index + 1))
            })?;
            waste.spent += entry.spent;
            waste.workers = waste.workers.max(entry.told.len());
            unfinished.resize(unfinished.len().max(entry.told.len()), 0);
            unfinished.iter_mut().zip(&entry.told).for_each(|(sum, told)| *sum += told);
            if !entry.reply {
                waste.moves += 1;
                waste.told.append(&mut unfinished);
            }
        }
        if waste.moves == 0 {
            return Err("expected a diary with a move, found none".to_owned());
        }
        waste.told.sort_unstable();
        Ok(waste)
    }

    /// Returns the causes in the order of the table, with their shares of the total time.
    pub fn shares(&self) -> [(&'static str, f64); 10] {
        let spent = &self.spent;
        let all: f64 = causes(spent).iter().map(|(_, time)| time).sum();
        causes(spent).map(|(cause, time)| (cause, if all > 0.0 { time / all } else { 0.0 }))
    }

    /// Returns a quantile of the bytes of news per worker and move: a share of `share` sent no more than this.
    pub fn told_at(&self, share: f64) -> u64 {
        let last = self.told.len().saturating_sub(1);
        self.told.get((last as f64 * share).round() as usize).copied().unwrap_or(0)
    }
}

fn causes(spent: &Spent) -> [(&'static str, f64); 10] {
    [
        ("idle before the first task", spent.seating),
        ("idle between tasks", spent.between),
        ("idle while the opponent thought", spent.waiting),
        ("lines that never counted", spent.unused),
        ("\"others\" that changed nothing", spent.others),
        ("replies that did not come", spent.missed),
        ("searched again, answered before", spent.answered),
        ("searched again in another window", spent.unanswered),
        ("useful", spent.useful),
        ("not judged at the end", spent.open),
    ]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const DIARY: &str = r#"{"reply":false,"spent":{"seating":10,"between":20,"waiting":0,"unused":30,"others":40,"missed":0,"answered":50,"unanswered":60,"useful":90,"open":100},"told":[160,320]}
{"reply":true,"spent":{"seating":0,"between":0,"waiting":200,"unused":0,"others":0,"missed":0,"answered":0,"unanswered":0,"useful":0,"open":200},"told":[16,0]}
{"reply":false,"spent":{"seating":0,"between":0,"waiting":0,"unused":0,"others":0,"missed":100,"answered":0,"unanswered":0,"useful":300,"open":-200},"told":[0,48]}
"#;

    #[test]
    fn shares_of_a_diary_are_computed_by_cause() {
        let waste = Waste::read(DIARY).unwrap();
        assert_eq!((waste.moves, waste.workers), (2, 2));
        let shares = waste.shares();
        let percent: Vec<f64> = shares.iter().map(|(_, share)| (share * 1e4).round() / 1e2).collect();
        assert_eq!(percent, [1.0, 2.0, 20.0, 3.0, 4.0, 10.0, 5.0, 6.0, 39.0, 10.0]);
        assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn news_count_for_the_move_that_follows_them() {
        let waste = Waste::read(DIARY).unwrap();
        assert_eq!(waste.told, [16, 48, 160, 320]);
        assert_eq!([0.0, 0.5, 1.0].map(|share| waste.told_at(share)), [16, 160, 320]);
    }

    #[test]
    fn invalid_diaries_are_rejected_in_one_line() {
        let refused = |text: &str| Waste::read(text).unwrap_err().to_string();
        assert!(refused("").starts_with("expected a diary with a move"));
        assert!(refused("{}").starts_with("line 1: expected an entry of a diary, found missing field"));
        assert_eq!(refused(&format!("{DIARY}x")).lines().count(), 1);
    }
}
