//! Parsers for numbers on the command line. Errors describe the accepted values; clap adds the value that was typed.

use std::num::NonZeroU32;
use std::time::Duration;

/// Maximum time in seconds: about four months, too little to overflow any clock.
const LONGEST: f64 = 1e7;

/// Parses a positive number of seconds, such as `5` or `0.5`.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let value: Option<f64> = text.parse().ok().filter(|&value| value > 0.0 && value <= LONGEST);
    let time = value.and_then(|value| Duration::try_from_secs_f64(value).ok()).filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("expected seconds above 0 and up to {LONGEST}, such as 5 or 0.5"))
}

/// Parses a number of milliseconds of virtual time, which may be 0.
pub fn milliseconds(text: &str) -> Result<Duration, String> {
    let value: Option<f64> = text.parse().ok().filter(|value| (0.0..=1e9).contains(value));
    let time = value.map(|value| Duration::from_secs_f64(value / 1000.0));
    time.ok_or_else(|| "expected milliseconds from 0 to 1e9".to_owned())
}

/// Parses a number from 0 to 1.
pub fn unit(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| bounded(0, 1, None))
}

pub fn learning_rate(text: &str) -> Result<f32, String> {
    above_zero(text, 1.0).map(|rate| rate as f32)
}

/// Parses a number of passes over the data; 0.5 means one half of the data.
pub fn epochs(text: &str) -> Result<f64, String> {
    above_zero(text, 1e6)
}

pub fn tuning_rate(text: &str) -> Result<f64, String> {
    above_zero(text, 1_000.0)
}

/// Parses a positive number of centipawns.
pub fn label_scale(text: &str) -> Result<f32, String> {
    above_zero(text, 100_000.0).map(|scale| scale as f32)
}

/// Parses a positive number that does not become 0 when it is converted to `f32`.
fn above_zero(text: &str, most: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-30..=most).contains(number));
    number.ok_or_else(|| format!("expected a number above 0, at most {most}"))
}

/// Declares parsers of whole numbers, each with its bounds and its unit.
macro_rules! numbers {
    ($($name:ident: $type:ty, $least:literal to $most:expr, $unit:literal;)*) => { $(
        pub fn $name(text: &str) -> Result<$type, String> {
            number(text, $least, $most, $unit)
        }
    )* };
}

numbers! {
    nodes: u64, 1 to u64::MAX, "nodes";
    positions: u64, 1 to u64::MAX, "positions";
    delay: u64, 0 to u64::MAX, "nodes";
    workers: u32, 0 to 1024, "workers";
    virtual_workers: u32, 1 to 10_000, "workers";
    threads: u32, 1 to 1024, "threads";
    jobs: u32, 1 to 1024, "problems";
    processors: u32, 1 to 10_000, "processors";
    cells: u32, 1 to 1024, "cells";
    leaves: usize, 0 to 1_000_000, "leaves";
    speed: u32, 1 to u32::MAX.into(), "nodes a second";
    every: usize, 1 to 1_000_000, "positions";
    proof_moves: usize, 1 to 10_000, "moves";
    perft_depth: u32, 0 to 100, "plies";
    depth: u16, 1 to 200, "plies";
    bench_depth: u16, 1 to 100, "plies";
    lines: u32, 1 to 600, "lines";
}

/// Parses the growth step of thresholds: a whole number from 1.
pub fn step(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| bounded(1, u32::MAX.into(), None))
}

pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| bounded(0, u64::MAX, None))
}

/// Returns the number of cores that the program may use, which is the default number of threads.
pub fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u32
}

/// Parses the size of a table in MiB, which is checked against the available memory.
pub fn hash(text: &str) -> Result<u32, String> {
    let mb: u32 = number(text, 1, 1_048_576, "MiB")?;
    let bytes = usize::try_from(u64::from(mb) << 20).unwrap_or(usize::MAX);
    let has_room = Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    if has_room { Ok(mb) } else { Err("this machine has less memory".to_owned()) }
}

/// Parses a ratio: CPU seconds per virtual second.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.001..=1000.0).contains(share));
    share.ok_or_else(|| "expected CPU seconds a virtual second from 0.001 to 1000".into())
}

/// Parses the length of a brinkmate in plies.
pub fn plies(text: &str) -> Result<u16, String> {
    let plies: u16 = number(text, 1, 9_999, "plies")?;
    if plies % 2 == 1 { Ok(plies) } else { Err("expected an odd number of plies".to_owned()) }
}

/// Parses the name of a machine: at most 80 characters, without control characters.
pub fn name(text: &str) -> Result<String, String> {
    let is_short = (1..=80).contains(&text.chars().count());
    let is_name = is_short && !text.trim().is_empty() && !text.chars().any(char::is_control);
    if is_name { Ok(text.to_owned()) } else { Err("expected a name of 1 to 80 characters in one line".to_owned()) }
}

fn number<T: TryFrom<u64>>(text: &str, least: u64, most: u64, of: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| bounded(least, most, Some(of)))
}

/// Returns the error for a number out of bounds; `of` is the unit, if there is one.
fn bounded(least: u64, most: u64, of: Option<&str>) -> String {
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    format!("expected a number{of} from {least} to {most}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_time_is_refused() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["0", "-1", "NaN", "inf", "1e300", "1e-300", "soon", "", "5s"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shares_and_rates_are_finite_and_in_their_bounds() {
        assert_eq!((unit("0"), unit("1"), unit("0.3")), (Ok(0.0), Ok(1.0), Ok(0.3)));
        assert_eq!((learning_rate("0.001"), tuning_rate("2"), label_scale("400")), (Ok(0.001), Ok(2.0), Ok(400.0)));
        for bad in ["nan", "inf", "-inf", "-0.1", "1e9", "", "x"] {
            assert!(unit(bad).is_err() && learning_rate(bad).is_err(), "{bad}");
            assert!(tuning_rate(bad).is_err() && label_scale(bad).is_err(), "{bad}");
        }
        assert!(learning_rate("0").is_err() && learning_rate("1e-40").is_err() && tuning_rate("0").is_err());
        assert_eq!(unit("2"), Err("expected a number from 0 to 1".to_owned()));
        assert_eq!(learning_rate("0"), Err("expected a number above 0, at most 1".to_owned()));
    }

    #[test]
    fn names_fit_in_a_line() {
        assert_eq!(name("attic"), Ok("attic".to_owned()));
        for bad in ["", "  ", "a\nb", "a\u{1b}[2J", &"x".repeat(81)] {
            assert!(name(bad).is_err(), "{bad:?}");
        }
        assert!(name(&"あ".repeat(80)).is_ok());
    }

    #[test]
    fn numbers_have_bounds() {
        assert_eq!((workers("1024"), bench_depth("1"), perft_depth("0"), nodes("1")), (Ok(1024), Ok(1), Ok(0), Ok(1)));
        assert_eq!(workers("1025"), Err("expected a number of workers from 0 to 1024".to_owned()));
        assert_eq!((share("0.5"), share("0").is_err(), share("NaN").is_err()), (Ok(0.5), true, true));
        assert_eq!((hash("1"), hash("0").is_err(), hash("1048577").is_err()), (Ok(1), true, true));
        assert_eq!(step("4294967296"), Err("expected a number from 1 to 4294967295".to_owned()));
        assert_eq!(nodes("-1"), Err("expected a number of nodes from 1 to 18446744073709551615".to_owned()));
        assert_eq!((delay("0"), seed("0"), delay("x").is_err(), seed("-1").is_err()), (Ok(0), Ok(0), true, true));
        assert!(nodes("0").is_err() && bench_depth("0").is_err() && perft_depth("-1").is_err());
    }
}
