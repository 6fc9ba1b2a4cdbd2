//! All results as text and as JSON.

use super::holdout::Judgement;
use super::models::{CLASSES, OUT_OF_RANK, class_name};
use super::study::{Mark, Study};
use hasami_tree::FEATURES;
use hasami_words::text::padded;
use hasami_words::{Message, Words};
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

/// Ranks that Figure 5 shows, as indices: the second to the sixth.
const RANKS: std::ops::RangeInclusive<usize> = 1..=5;

/// Width of the column of names.
const NAMES: usize = 11;

/// The report, line by line.
pub fn text(study: &Study, words: &Words) -> Vec<String> {
    let mut lines = head(study, words);
    let parts: [fn(&Study, &Words) -> Vec<String>; 5] = [ranks, figure4, figure5, marks, weights];
    for part in parts {
        lines.push(String::new());
        lines.extend(part(study, words));
    }
    lines
}

fn head(study: &Study, words: &Words) -> Vec<String> {
    let (found, left_out) = (&study.found, &study.found.left_out);
    let counts = Message::new("learned-from").with("games", found.games).with("positions", found.positions);
    let without = Message::new("learning-leaves-out").with("mates", left_out.mates as u64);
    let without = without.with("valueless", left_out.without_value as u64);
    let lines = [
        Message::from(&study.title).at(study.origin.as_str()),
        counts.with("samples", found.samples.len()),
        without.with("moveless", left_out.without_move as u64),
    ];
    lines.map(|line| line.said(words)).into()
}

/// Right-aligns a text in this number of columns; a Japanese character takes two columns.
fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(text.width())))
}

/// Headings of columns with these widths. The first one is left-aligned.
fn headings(names: &[&str], widths: &[usize], words: &Words) -> String {
    let cell = |(index, (name, &width)): (usize, (&&str, &usize))| {
        let name = words.get(name);
        if index == 0 { padded(&name, width) } else { right(&name, width) }
    };
    names.iter().zip(widths).enumerate().map(cell).collect()
}

fn named(class: usize, words: &Words) -> String {
    if class == OUT_OF_RANK { words.get("out-of-rank") } else { class_name(class) }
}

fn ranks(study: &Study, words: &Words) -> Vec<String> {
    let total = study.found.samples.len() as f64;
    let mut lines = vec![headings(&["column-of-rank", "column-played", "column-share"], &[NAMES, 9, 9], words)];
    let row =
        |name: &str, share: f64| format!("{} {:>8.0} {:>7.2} %", padded(name, NAMES), share * total, share * 100.0);
    lines.extend((1..).zip(&study.rank.shares).map(|(rank, &share)| row(&format!("{rank}"), share)));
    lines.push(row(&words.get("out-of-rank"), study.rank.out));
    lines
}

fn figure4(study: &Study, words: &Words) -> Vec<String> {
    let mut lines = vec![words.get("figure-4")];
    let names = ["column-gap", "column-met", "column-played", "column-strength"];
    lines.push(headings(&names, &[NAMES, 9, 9, 10], words));
    let figure = &study.figure4;
    lines.extend((0..CLASSES).map(|class| {
        let (met, played, strength) = (figure.met[class], figure.played[class], study.gap.strengths[class]);
        format!("{} {met:>8} {played:>8}  {strength:>8.4}", padded(&named(class, words), NAMES))
    }));
    lines
}

fn figure5(study: &Study, words: &Words) -> Vec<String> {
    let mut lines = vec![words.get("figure-5")];
    let ranks: String = RANKS.map(|rank| format!("{:>7}", rank + 1)).collect();
    lines.push(headings(&["column-gap", "column-played"], &[NAMES, 9], words) + &ranks);
    lines.extend((0..OUT_OF_RANK).map(|class| {
        let shares = RANKS.map(|rank| format!("{:>7.1}", study.figure5.share(class, rank) * 100.0));
        let name = padded(&named(class, words), NAMES);
        format!("{name} {:>8}{}", study.figure5.total(class), shares.collect::<String>())
    }));
    lines
}

fn marks(study: &Study, words: &Words) -> Vec<String> {
    let samples = study.found.samples.len() as f64;
    let names = ["column-model", "column-numbers", "column-likelihood", "column-each", "column-loss", "column-error"];
    let mut lines = vec![headings(&names, &[6, 8, 16, 12, 15, 19], words)];
    lines.extend(study.marks.iter().map(|mark| {
        let (loss, error) = match &mark.held_out {
            Some(judgement) => {
                (format!("{:.4}", judgement.log_loss()), format!("{:.4}", judgement.calibration.error()))
            }
            None => ("-".to_owned(), "-".to_owned()),
        };
        let likely = mark.log_likelihood;
        format!(
            "{:<6} {:>7} {likely:>15.1} {:>11.4} {loss:>14} {error:>18}",
            mark.method.word(),
            mark.parameters,
            likely / samples
        )
    }));
    lines.extend(study.gains().into_iter().map(|(method, gain)| {
        let line = Message::new("gain-of-logit").with("other", method.word()).with("mean", format!("{:.4}", gain.mean));
        line.with("error", format!("{:.4}", gain.error)).said(words)
    }));
    lines.extend(study.given.iter().map(|(name, judgement)| {
        let (loss, error) = (judgement.log_loss(), judgement.calibration.error());
        let line = Message::new("loss-of-tables").with("loss", format!("{loss:.4}"));
        line.with("error", format!("{error:.4}")).at(name.as_str()).said(words)
    }));
    lines
}

fn weights(study: &Study, words: &Words) -> Vec<String> {
    let mut lines = vec![words.get("weights-of-logit")];
    lines.extend(FEATURES.iter().zip(study.logit.weights).map(|(name, weight)| format!("{name:<14} {weight:>9.4}")));
    lines
}

/// The contents of the report as JSON.
pub fn json(study: &Study) -> Value {
    let found = &study.found;
    let class = |class: usize| {
        json!({
            "gap": class_name(class), "met": study.figure4.met[class], "played": study.figure4.played[class],
            "strength": study.gap.strengths[class], "ranks": study.figure5.counts.get(class),
        })
    };
    let gains = study.gains().into_iter().map(|(method, gain)| (method.word().to_owned(), json!(gain)));
    json!({
        "title": study.title, "origin": study.origin, "engine": found.engine, "games": found.games,
        "positions": found.positions, "samples": found.samples.len(), "left_out": found.left_out,
        "ranks": study.rank.shares, "out_of_rank": study.rank.out,
        "classes": (0..CLASSES).map(class).collect::<Vec<_>>(),
        "models": study.marks.iter().map(mark).collect::<Vec<_>>(),
        "given": study.given.iter().map(|(name, judgement)| (name.clone(), judged(judgement))).collect::<Map<_, _>>(),
        "logit_gains": gains.collect::<Map<_, _>>(),
        "logit": FEATURES.iter().zip(study.logit.weights).collect::<std::collections::BTreeMap<_, _>>(),
    })
}

fn mark(mark: &Mark) -> Value {
    json!({
        "model": mark.method.word(), "parameters": mark.parameters, "log_likelihood": mark.log_likelihood,
        "held_out": mark.held_out.as_ref().map(judged),
    })
}

fn judged(judgement: &Judgement) -> Value {
    json!({
        "log_loss": judgement.log_loss(), "calibration_error": judgement.calibration.error(),
        "reliability": judgement.calibration.points(),
    })
}
