#![allow(clippy::unwrap_used)]

use super::*;
use crate::walk::{game, random_games};
use hasami_api::parse_weights;

#[test]
fn the_weights_fit_the_groups() {
    assert!(sink::read_weights(WEIGHTS_TEXT).is_ok());
    assert!(layout::FEATURES <= usize::from(u16::MAX));
}

/// The position with sides swapped and the board turned.
fn flipped(text: &str) -> String {
    let fields: Vec<&str> = text.split(' ').collect();
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let mut squares: Vec<String> = Vec::new();
    for c in fields[0].chars() {
        match squares.last_mut() {
            Some(last) if last == "+" => last.push(swap(c)),
            _ => squares.push(swap(c).to_string()),
        }
    }
    squares.reverse();
    let hand: String = fields[2].chars().map(swap).collect();
    let side = if fields[1] == "b" { "w" } else { "b" };
    format!("{} {side} {hand} 1", squares.concat())
}

#[test]
fn turning_the_board_keeps_the_value() {
    let mut eval = ShogiEval::new();
    random_games(3, 40, 100, |position, _| {
        let turned = game(&flipped(&position.to_text()));
        eval.refresh(position);
        let value = eval.evaluate(position);
        eval.refresh(&turned);
        assert_eq!(eval.evaluate(&turned), value, "{}", position.to_text());
    });
}

#[test]
fn incremental_sums_equal_those_from_scratch() {
    let mut eval = ShogiEval::new();
    random_games(5, 40, 100, |position, moves| {
        eval.refresh(position);
        for &m in moves {
            eval.make(position, m);
            position.make(m);
            assert_eq!(eval.current(), Views::of(position.position()), "{m} to {}", position.to_text());
            position.unmake();
            eval.unmake(false);
        }
        assert_eq!(eval.current(), Views::of(position.position()));
    });
}

#[test]
fn the_terms_of_the_trace_add_up_to_the_value() {
    let numbers = parse_weights(WEIGHT_GROUPS, WEIGHTS_TEXT).unwrap();
    let mut eval = ShogiEval::new();
    random_games(9, 40, 100, |position, _| {
        let trace = trace(position);
        let dot = |part: usize| -> i64 {
            let weight = |feature: u16| i64::from(numbers[2 * usize::from(feature) + part]);
            trace.counts.iter().map(|&(feature, count)| weight(feature) * i64::from(count)).sum()
        };
        let expected = dot(0) as f64 * f64::from(trace.phase) + dot(1) as f64 * (1.0 - f64::from(trace.phase));
        eval.refresh(position);
        let sign = if position.side() == Side::First { 1.0 } else { -1.0 };
        let value = f64::from(eval.evaluate(position)) * sign;
        assert!((value - expected).abs() <= 1.5, "{value} {expected} {}", position.to_text());
    });
}
