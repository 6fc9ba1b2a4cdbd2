//! Whether two rows of counts come from one distribution: the chi-square test, exact where counts are small (the
//! distribution of all tables with these sums, Fisher 1935, Freeman and Halton 1951).

/// Below such an expected count the chi-square distribution is no good approximation (Cochran 1954).
const SMALL: f64 = 5.0;
/// Tables that are looked at, at most.
const MOST_TABLES: u64 = 200_000;

/// The logarithm of the probability of a chi-square as large as that of the two rows, or larger, if both come from one
/// distribution. A logarithm, because the probability itself may be too small for a number.
pub fn ln_chance(one: [u32; 3], others: [u32; 3]) -> f64 {
    let table = Table::new(one, others);
    if table.rows[0] == 0 || table.rows[1] == 0 {
        return 0.0;
    }
    if table.least_expected() < SMALL && table.count() <= MOST_TABLES { table.exact() } else { table.asymptotic() }
}

struct Table {
    /// The row with the smaller sum.
    row: [u32; 3],
    columns: [u32; 3],
    rows: [u32; 2],
}

impl Table {
    fn new(one: [u32; 3], others: [u32; 3]) -> Self {
        let sum = |row: [u32; 3]| row.iter().sum::<u32>();
        let row = if sum(one) <= sum(others) { one } else { others };
        let rows = [sum(one).min(sum(others)), sum(one).max(sum(others))];
        Self { row, columns: [0, 1, 2].map(|at| one[at] + others[at]), rows }
    }

    /// What the columns of the first row should have.
    fn expected(&self) -> [f64; 3] {
        let share = f64::from(self.rows[0]) / f64::from(self.rows[0] + self.rows[1]);
        self.columns.map(|column| f64::from(column) * share)
    }

    fn least_expected(&self) -> f64 {
        let filled = self.expected().into_iter().filter(|&expected| expected > 0.0);
        filled.fold(f64::INFINITY, f64::min)
    }

    /// Tables with these sums, or a few more.
    fn count(&self) -> u64 {
        let mut most = self.columns.map(|column| u64::from(column.min(self.rows[0])) + 1);
        most.sort_unstable();
        most[0] * most[1]
    }

    fn chi_square(&self, row: [u32; 3], expected: [f64; 3]) -> f64 {
        let part = |at: usize| {
            let other = f64::from(self.columns[at]) - expected[at];
            (f64::from(row[at]) - expected[at]).powi(2) * (1.0 / expected[at] + 1.0 / other)
        };
        (0..3).filter(|&at| self.columns[at] > 0).map(part).sum()
    }

    fn exact(&self) -> f64 {
        let expected = self.expected();
        let found = self.chi_square(self.row, expected) * (1.0 - 1e-9);
        let n = self.rows[0];
        let choices = self.columns.map(|column| (0..=column.min(n)).map(|k| ln_choose(column, k)).collect::<Vec<_>>());
        let all = ln_choose(self.rows[0] + self.rows[1], n);
        // The sum of probabilities, as that of the largest one times what is kept.
        let (mut largest, mut kept) = (f64::NEG_INFINITY, 0.0);
        for a in 0..=self.columns[0].min(n) {
            let rest = n - a;
            for b in rest.saturating_sub(self.columns[2])..=self.columns[1].min(rest) {
                let row = [a, b, rest - b];
                if self.chi_square(row, expected) < found {
                    continue;
                }
                let ln = (0..3).map(|at| choices[at][row[at] as usize]).sum::<f64>() - all;
                if ln > largest {
                    kept *= (largest - ln).exp();
                    largest = ln;
                }
                kept += (ln - largest).exp();
            }
        }
        (largest + kept.ln()).min(0.0)
    }

    fn asymptotic(&self) -> f64 {
        let square = self.chi_square(self.row, self.expected());
        match self.columns.iter().filter(|&&column| column > 0).count() {
            3 => -square / 2.0,
            2 => ln_erfc((square / 2.0).sqrt()),
            _ => 0.0,
        }
    }
}

fn ln_erfc(x: f64) -> f64 {
    // Beyond this the function is too small for a number; its first term is exact to a thousandth.
    if x < 25.0 { libm::erfc(x).ln() } else { -x * x - (x * std::f64::consts::PI.sqrt()).ln() }
}

fn ln_choose(n: u32, k: u32) -> f64 {
    let ln_factorial = |n: u32| libm::lgamma(f64::from(n) + 1.0);
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(one: [u32; 3], others: [u32; 3]) -> f64 {
        ln_chance(one, others).exp()
    }

    /// By R: `chisq.test(matrix(c(10, 20, 30, 30, 20, 10), nrow = 2, byrow = TRUE))`, and without the middle column.
    #[test]
    fn probabilities_are_those_of_the_field() {
        assert!((chance([10, 20, 30], [30, 20, 10]) - 4.539_993e-5).abs() < 1e-9);
        assert!((chance([10, 0, 30], [30, 0, 10]) - 7.744_216e-6).abs() < 1e-9);
        assert!((chance([0, 5, 0], [0, 7, 0]) - 1.0).abs() < 1e-12);
        assert!((chance([0, 0, 0], [3, 7, 1]) - 1.0).abs() < 1e-12);
    }

    /// The tea of Fisher's lady, 4 of 4 right: both ends of the table, so twice 1/70.
    #[test]
    fn small_counts_are_counted_out() {
        assert!((chance([4, 0, 0], [0, 4, 0]) - 2.0 / 70.0).abs() < 1e-12);
        // One pair of 100, in a column that is rare: 3 of 101, however large its chi-square is.
        assert!((chance([1, 0, 0], [2, 48, 50]) - 3.0 / 101.0).abs() < 1e-12);
        // Which of the rows is named first is nothing to the test.
        assert!((ln_chance([1, 0, 0], [2, 48, 50]) - ln_chance([2, 48, 50], [1, 0, 0])).abs() < 1e-12);
    }

    #[test]
    fn what_is_too_small_for_a_number_still_has_an_order() {
        let [a, b] = [2_000, 4_000].map(|n| ln_chance([n, 0, 0], [0, 0, n]));
        assert!(b < a && a < -700.0 && b.is_finite(), "{a} {b}");
        let [a, b] = [2_000, 4_000].map(|n| ln_chance([n, n, 0], [0, n, n]));
        assert!(b < a && a < -700.0 && b.is_finite(), "{a} {b}");
    }
}
