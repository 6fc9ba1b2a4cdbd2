//! Formats the results of `hasami-lab learn` as text.

use super::models::{CLASSES, OUT_OF_RANK, class_name};
use super::study::{RANKS, Study};
use hasami_tree::FEATURES;
use hasami_words::text::{counted, padded};

/// Width of the first column, in characters.
const NAMES: usize = 11;

/// Formats the report, line by line.
pub fn text(study: &Study) -> Vec<String> {
    let mut lines = head(study);
    let parts: [fn(&Study) -> Vec<String>; 5] = [ranks, figure4, figure5, marks, weights];
    for part in parts {
        lines.push(String::new());
        lines.extend(part(study));
    }
    lines
}

fn head(study: &Study) -> Vec<String> {
    let (found, left_out) = (&study.found, &study.found.left_out);
    let lines = [
        format!("{}: {}", study.origin, study.title),
        format!(
            "{}, {}, {} learned from",
            counted(found.games, "game"),
            counted(found.positions, "position"),
            found.samples.len()
        ),
        format!(
            "left out: {} with a mate in sight, {} without a value, {} without the move that was played",
            left_out.mates, left_out.without_value, left_out.without_move
        ),
    ];
    lines.into()
}

/// Formats a row of headings for columns of these widths. The first heading is left-aligned, the others right-aligned.
fn headings(names: &[&str], widths: &[usize]) -> String {
    let cell = |(index, (name, &width)): (usize, (&&str, &usize))| {
        if index == 0 { padded(name, width) } else { format!("{name:>width$}") }
    };
    names.iter().zip(widths).enumerate().map(cell).collect()
}

fn ranks(study: &Study) -> Vec<String> {
    let total = study.found.samples.len() as f64;
    let mut lines = vec![headings(&["rank", "played", "share"], &[NAMES, 9, 9])];
    let row =
        |name: &str, share: f64| format!("{} {:>8.0} {:>7.2} %", padded(name, NAMES), share * total, share * 100.0);
    lines.extend((1..).zip(&study.rank.shares).map(|(rank, &share)| row(&format!("{rank}"), share)));
    lines.push(row("out of rank", study.rank.out));
    lines
}

fn figure4(study: &Study) -> Vec<String> {
    let mut lines = vec!["Figure 4: centipawns behind the best".to_owned()];
    let names = ["gap", "met", "played", "strength"];
    lines.push(headings(&names, &[NAMES, 9, 9, 10]));
    let figure = &study.figure4;
    lines.extend((0..CLASSES).map(|class| {
        let (met, played, strength) = (figure.met[class], figure.played[class], study.gap.strengths[class]);
        format!("{} {met:>8} {played:>8}  {strength:>8.4}", padded(&class_name(class), NAMES))
    }));
    lines
}

fn figure5(study: &Study) -> Vec<String> {
    let mut lines = vec!["Figure 5: ranks of the moves played, by their gap, in %".to_owned()];
    let ranks: String = RANKS.map(|rank| format!("{:>7}", rank + 1)).collect();
    lines.push(headings(&["gap", "played"], &[NAMES, 9]) + &ranks);
    lines.extend((0..OUT_OF_RANK).map(|class| {
        let shares = RANKS.map(|rank| format!("{:>7.1}", study.figure5.share(class, rank) * 100.0));
        let name = padded(&class_name(class), NAMES);
        format!("{name} {:>8}{}", study.figure5.total(class), shares.collect::<String>())
    }));
    lines
}

fn marks(study: &Study) -> Vec<String> {
    let samples = study.found.samples.len() as f64;
    let names = ["model", "numbers", "log-likelihood", "a position", "held-out loss"];
    let mut lines = vec![headings(&names, &[6, 8, 16, 12, 15])];
    lines.extend(study.marks.iter().map(|mark| {
        let loss = mark.held_out.as_ref().map_or_else(|| "-".to_owned(), |held| format!("{:.4}", held.log_loss()));
        let likely = mark.log_likelihood;
        format!("{:<6} {:>7} {likely:>15.1} {:>11.4} {loss:>14}", mark.method.word(), mark.parameters, likely / samples)
    }));
    lines.extend(study.gains().into_iter().map(|(method, gain)| {
        format!(
            "held-out loss of logit below that of {}: {:.4} +/- {:.4} a position",
            method.word(),
            gain.mean,
            gain.error
        )
    }));
    lines
}

fn weights(study: &Study) -> Vec<String> {
    let mut lines = vec!["weights of logit".to_owned()];
    lines.extend(FEATURES.iter().zip(study.logit.weights).map(|(name, weight)| format!("{name:<14} {weight:>9.4}")));
    lines
}
