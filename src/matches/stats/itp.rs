//! The ITP root finder of Oliveira and Takahashi, "An Enhancement of the Bisection Method Average Performance
//! Preserving Minmax Optimality", ACM TOMS 47(1), 2021.

/// The parameters k1, k2 and n0 of the paper.
const K1: f64 = 0.1;
const K2: i32 = 2;
const N0: f64 = 0.99;

/// Finds a root of the decreasing function `f`, which is +inf at `low` and -inf at `high`. Half the width of the final
/// interval is at most `epsilon`.
pub fn root_between_poles(f: impl Fn(f64) -> f64, low: f64, high: f64, epsilon: f64) -> f64 {
    // `a` is the upper end, where `f` is negative, so `b - a` is always negative.
    let (mut a, mut b) = (high, low);
    let (mut f_a, mut f_b) = (f64::NEG_INFINITY, f64::INFINITY);
    let most = ((b - a).abs() / (2.0 * epsilon)).log2().ceil() + N0;
    let mut round = 0.0;
    while (b - a).abs() > 2.0 * epsilon {
        let x = step(a, b, f_a, f_b, epsilon * 2.0_f64.powf(most - round));
        let f_x = f(x);
        if f_x == 0.0 {
            return x;
        }
        if f_x.is_sign_negative() {
            (a, f_a) = (x, f_x);
        } else {
            (b, f_b) = (x, f_x);
        }
        round += 1.0;
    }
    f64::midpoint(a, b)
}

/// Returns the next trial point: the false position, moved towards the middle (truncation) and kept near the middle
/// (projection).
fn step(a: f64, b: f64, f_a: f64, f_b: f64, reach: f64) -> f64 {
    let middle = f64::midpoint(a, b);
    let radius = reach - (b - a) / 2.0;
    // If one end is still a pole, the false position is NaN, so the middle is used.
    let falsi = (f_b * a - f_a * b) / (f_b - f_a);
    let (distance, side) = ((middle - falsi).abs(), (middle - falsi).signum());
    let shift = K1 * (b - a).powi(K2);
    let truncated = if shift <= distance { falsi + side * shift } else { middle };
    if (truncated - middle).abs() <= radius { truncated } else { middle - side * radius }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_between_poles() {
        for wanted in [-0.9, -0.3, 0.0, 0.123, 0.95] {
            // A decreasing function with poles at -1 and 1 and its zero at `wanted`.
            let f = |x: f64| (wanted - x) / ((1.0 - x) * (1.0 + x));
            let found = root_between_poles(f, -1.0, 1.0, 1e-7);
            assert!((found - wanted).abs() <= 1e-7, "{found} {wanted}");
        }
    }
}
