//! Tests whether the counts of one machine and those of the others come from one distribution, in each of several
//! strata. The statistic compares the sum of the differences with its variance, under the hypothesis that within each
//! stratum any result could be any machine's (Mantel 1963, Landis, Heyman and Koch 1978). For one stratum, the
//! statistic is the chi-square of the table times (n - 1) / n. Where counts are small, all tables are enumerated
//! (Fisher 1935, Freeman and Halton 1951).

/// If the variance of a count is below this, the chi-square distribution approximates the tail badly.
const SMALL: f64 = 10.0;
/// Largest number of steps for which tables are enumerated.
const MOST_STEPS: usize = 400_000;

/// Numbers of losses, draws and wins.
pub type Counts = [u32; 3];

/// The logarithm of the probability that one row differs from the others by at least the observed amount, if in every
/// stratum both rows come from one distribution. A logarithm, because the probability itself may underflow.
pub fn ln_chance(strata: impl Iterator<Item = [Counts; 2]>) -> f64 {
    let tables: Vec<Table> = strata.filter_map(|[one, others]| Table::new(one, others)).collect();
    let columns = columns(&tables);
    let Some(form) = Form::new(&tables, columns) else { return 0.0 };
    let found = tables.iter().fold([0; 2], |sum, table| [0, 1].map(|at| sum[at] + table.row[columns[at]]));
    let counted_out = || (form.least_variance < SMALL).then(|| exact(&tables, columns, &form, found)).flatten();
    counted_out().unwrap_or_else(|| form.ln_tail(form.distance(found)))
}

/// The table of one stratum: one machine's row, and the sums.
struct Table {
    row: Counts,
    /// Column sums over both rows.
    columns: Counts,
    rows: [u32; 2],
}

impl Table {
    /// `None` if the table carries no information.
    fn new(one: Counts, others: Counts) -> Option<Self> {
        let sum = |row: Counts| row.iter().sum::<u32>();
        let (columns, rows) = ([0, 1, 2].map(|at| one[at] + others[at]), [sum(one), sum(others)]);
        let is_mixed = columns.iter().filter(|&&column| column > 0).count() > 1;
        (is_mixed && rows[0] > 0 && rows[1] > 0).then_some(Self { row: one, columns, rows })
    }

    /// The expectations of two columns of the first row, their variances, and the covariance.
    fn moments(&self, columns: [usize; 2]) -> [f64; 5] {
        let [n, others] = self.rows.map(f64::from);
        let all = n + others;
        let [x, y] = columns.map(|column| f64::from(self.columns[column]));
        let factor = n * others / (all * all * (all - 1.0));
        [n * x / all, n * y / all, factor * x * (all - x), factor * y * (all - y), -factor * x * y]
    }

    /// All possible first rows of a table with these sums, each given by two columns, with the probability of the row.
    fn rows_by_chance(&self, [x, y]: [usize; 2]) -> Vec<([u32; 2], f64)> {
        let [n, others] = self.rows;
        let z = 3 - x - y;
        let all = ln_choose(n + others, n);
        let ways = self.columns.map(|column| (0..=column.min(n)).map(|k| ln_choose(column, k)).collect::<Vec<_>>());
        let mut rows = Vec::new();
        for a in 0..=self.columns[x].min(n) {
            for b in (n - a).saturating_sub(self.columns[z])..=self.columns[y].min(n - a) {
                let ln = ways[x][a as usize] + ways[y][b as usize] + ways[z][(n - a - b) as usize];
                rows.push(([a, b], (ln - all).exp()));
            }
        }
        rows
    }

    /// An upper bound of the number of rows that [`Self::rows_by_chance`] returns.
    fn count(&self, [x, y]: [usize; 2]) -> usize {
        let most = |column: usize| self.columns[column].min(self.rows[0]) as usize + 1;
        most(x).saturating_mul(most(y))
    }
}

/// The two columns with the smallest sums. The third column follows from the other two.
fn columns(tables: &[Table]) -> [usize; 2] {
    let sum = |column: &usize| tables.iter().map(|table| u64::from(table.columns[*column])).sum::<u64>();
    let mut columns = [0, 1, 2];
    columns.sort_by_key(sum);
    [columns[0], columns[1]]
}

/// The quadratic form that measures the distance of two sums from their expectations, relative to their variances (a
/// chi-square).
struct Form {
    expected: [f64; 2],
    /// Coefficients of the form in the two deviations: those of their squares, and that of twice their product.
    weights: [f64; 3],
    has_two_degrees: bool,
    least_variance: f64,
}

impl Form {
    /// `None` if no difference is possible.
    fn new(tables: &[Table], columns: [usize; 2]) -> Option<Self> {
        let moments = tables.iter().map(|table| table.moments(columns));
        let [ex, ey, x, y, xy] = moments.fold([0.0; 5], |sum, table| [0, 1, 2, 3, 4].map(|at| sum[at] + table[at]));
        let rest = x * y - xy * xy;
        // The smallest column may be empty. If only two columns are not empty, either of them determines the other.
        let (weights, has_two_degrees, least_variance) = if x == 0.0 {
            ([0.0, 1.0 / y, 0.0], false, y)
        } else if rest <= 1e-9 * x * y {
            ([1.0 / x, 0.0, 0.0], false, x)
        } else {
            ([y / rest, x / rest, -xy / rest], true, x.min(y))
        };
        (least_variance > 0.0).then_some(Self { expected: [ex, ey], weights, has_two_degrees, least_variance })
    }

    fn distance(&self, [x, y]: [u32; 2]) -> f64 {
        let (x, y) = (f64::from(x) - self.expected[0], f64::from(y) - self.expected[1]);
        let [xx, yy, xy] = self.weights;
        xx * x * x + yy * y * y + 2.0 * xy * x * y
    }

    fn ln_tail(&self, square: f64) -> f64 {
        if self.has_two_degrees { -square / 2.0 } else { ln_erfc((square / 2.0).sqrt()) }
    }
}

/// The exact probability; `None` if there are too many tables, or their probabilities underflow.
fn exact(tables: &[Table], columns: [usize; 2], form: &Form, found: [u32; 2]) -> Option<f64> {
    let most =
        |at: usize| tables.iter().map(|table| table.columns[columns[at]].min(table.rows[0]) as usize).sum::<usize>();
    let width = most(1) + 1;
    let cells = (most(0) + 1).checked_mul(width)?;
    let steps = tables.iter().map(|table| table.count(columns)).fold(0, usize::saturating_add).checked_mul(cells)?;
    // A single table has exactly one row for each cell.
    if if tables.len() == 1 { cells } else { steps } > MOST_STEPS {
        return None;
    }
    let mut chances = vec![0.0; cells];
    chances[0] = 1.0;
    let mut reached = [0, 0];
    for table in tables {
        let rows = table.rows_by_chance(columns);
        let mut next = vec![0.0; cells];
        for x in 0..=reached[0] {
            for y in 0..=reached[1] {
                let chance = chances[x * width + y];
                for ([a, b], factor) in rows.iter().filter(|_| chance > 0.0) {
                    next[(x + *a as usize) * width + y + *b as usize] += chance * factor;
                }
            }
        }
        chances = next;
        reached = [0, 1].map(|at| reached[at] + table.columns[columns[at]].min(table.rows[0]) as usize);
    }
    let least = form.distance(found) * (1.0 - 1e-9);
    let is_far = |cell: &usize| form.distance([(cell / width) as u32, (cell % width) as u32]) >= least;
    let chance: f64 = (0..cells).filter(is_far).map(|cell| chances[cell]).sum();
    (chance > 0.0).then(|| chance.ln().min(0.0))
}

fn ln_erfc(x: f64) -> f64 {
    // For larger x the function underflows, but the first term of its asymptotic series is exact to a thousandth.
    if x < 25.0 { libm::erfc(x).ln() } else { -x * x - (x * std::f64::consts::PI.sqrt()).ln() }
}

fn ln_choose(n: u32, k: u32) -> f64 {
    let ln_factorial = |n: u32| libm::lgamma(f64::from(n) + 1.0);
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(one: Counts, others: Counts) -> f64 {
        ln_chance([[one, others]].into_iter()).exp()
    }

    /// The chi-square of both tables is 20 (`chisq.test` of R). The statistics are 119/120 and 79/80 of the chi-square.
    #[test]
    fn probabilities_agree_with_reference_values() {
        let large = |row: Counts| row.map(|count| 20 * count);
        let squares = 20.0 * 20.0 * 2_399.0 / 2_400.0;
        let ln = ln_chance([[large([10, 20, 30]), large([30, 20, 10])]].into_iter());
        assert!((ln + squares / 2.0).abs() < 1e-9, "{ln}");
        // The exact tail is a little lighter than that of the chi-square distribution.
        let [exact, about] = [chance([10, 20, 30], [30, 20, 10]), (-10.0 * 119.0 / 120.0_f64).exp()];
        assert!(exact < about && exact > about / 2.0, "{exact} {about}");
        assert!((chance([0, 5, 0], [0, 7, 0]) - 1.0).abs() < 1e-12);
        assert!((chance([0, 0, 0], [3, 7, 1]) - 1.0).abs() < 1e-12);
    }

    /// Fisher's lady tasting tea, 4 of 4 right: both ends of the table, hence twice 1/70.
    #[test]
    fn small_tables_are_enumerated() {
        assert!((chance([4, 0, 0], [0, 4, 0]) - 2.0 / 70.0).abs() < 1e-12);
        // One pair of 100 in a rare column: the probability is 3 of 101, however large the chi-square is.
        assert!((chance([1, 0, 0], [2, 48, 50]) - 3.0 / 101.0).abs() < 1e-12);
        // The test is symmetric in the two rows.
        let swapped = ln_chance([[[2, 48, 50], [1, 0, 0]]].into_iter());
        assert!((ln_chance([[[1, 0, 0], [2, 48, 50]]].into_iter()) - swapped).abs() < 1e-12);
    }

    #[test]
    fn strata_are_compared_separately() {
        let ln = |strata: &[[Counts; 2]]| ln_chance(strata.iter().copied());
        // Each opening always ends the same way. A machine that got more of one opening has not cheated.
        assert_eq!(ln(&[[[9, 0, 0], [1, 0, 0]], [[0, 0, 1], [0, 0, 9]]]), 0.0);
        // The lady tastes twice, 4 of 4 right each time: 1/70 each, at both ends of the sum.
        let lady = [[4, 0, 0], [0, 4, 0]];
        assert!((ln(&[lady, lady]).exp() - 2.0 / 4_900.0).abs() < 1e-12);
        // Differences in opposite directions cancel.
        assert!((ln(&[lady, [[0, 4, 0], [4, 0, 0]]]) - 0.0).abs() < 1e-12);
        let rows = [[0, 1, 1], [3, 1, 0]];
        let many = vec![rows; 40];
        let few = ln(&many[..4]);
        assert!(ln(&many) < 5.0 * few && few < -2.0, "{few} {}", ln(&many));
    }

    #[test]
    fn probabilities_below_f64_still_have_an_order() {
        let ln = |one, others| ln_chance([[one, others]].into_iter());
        let [a, b] = [2_000, 4_000].map(|n| ln([n, 0, 0], [0, 0, n]));
        assert!(b < a && a < -700.0 && b.is_finite(), "{a} {b}");
        let [a, b] = [2_000, 4_000].map(|n| ln([n, n, 0], [0, n, n]));
        assert!(b < a && a < -700.0 && b.is_finite(), "{a} {b}");
    }
}
