//! Whether one machine's counts and those of the others come from one distribution, in each of several strata: the sum
//! of differences beside its variance, if within each stratum any results could have been anybody's (Mantel 1963, Landis,
//! Heyman and Koch 1978). With one stratum it is the chi-square of the table times (n - 1) / n. Where counts are small the
//! tables are counted out (Fisher 1935, Freeman and Halton 1951).

/// Below such a variance of a count the chi-square distribution is no good approximation far from its centre.
const SMALL: f64 = 10.0;
/// Tables are counted out in so many steps at most.
const MOST_STEPS: usize = 400_000;

/// Counts of lost, level and won ones.
pub type Counts = [u32; 3];

/// The logarithm of the probability of such a difference, or a greater one, between one row and the others, if both come
/// from one distribution in every stratum. A logarithm, because the probability itself may be too small for a number.
pub fn ln_chance(strata: impl Iterator<Item = [Counts; 2]>) -> f64 {
    let tables: Vec<Table> = strata.filter_map(|[one, others]| Table::new(one, others)).collect();
    let columns = columns(&tables);
    let Some(form) = Form::new(&tables, columns) else { return 0.0 };
    let found = tables.iter().fold([0; 2], |sum, table| [0, 1].map(|at| sum[at] + table.row[columns[at]]));
    let counted_out = || (form.least_variance < SMALL).then(|| exact(&tables, columns, &form, found)).flatten();
    counted_out().unwrap_or_else(|| form.ln_tail(form.distance(found)))
}

/// One stratum.
struct Table {
    row: Counts,
    /// Sums over both rows, and those of the rows.
    columns: Counts,
    rows: [u32; 2],
}

impl Table {
    /// `None`: it tells nothing.
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

    /// All first rows with these sums, by two of their columns, and their probabilities.
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

    /// Their number, or a few more.
    fn count(&self, [x, y]: [usize; 2]) -> usize {
        let most = |column: usize| self.columns[column].min(self.rows[0]) as usize + 1;
        most(x).saturating_mul(most(y))
    }
}

/// The two columns with the smallest sums: the third one follows from them.
fn columns(tables: &[Table]) -> [usize; 2] {
    let sum = |column: &usize| tables.iter().map(|table| u64::from(table.columns[*column])).sum::<u64>();
    let mut columns = [0, 1, 2];
    columns.sort_by_key(sum);
    [columns[0], columns[1]]
}

/// How far two sums are from what is expected, by their variances: a chi-square.
struct Form {
    expected: [f64; 2],
    /// Of the squares of both, and of twice their product.
    weights: [f64; 3],
    has_two_degrees: bool,
    least_variance: f64,
}

impl Form {
    /// `None`: nothing could differ.
    fn new(tables: &[Table], columns: [usize; 2]) -> Option<Self> {
        let moments = tables.iter().map(|table| table.moments(columns));
        let [ex, ey, x, y, xy] = moments.fold([0.0; 5], |sum, table| [0, 1, 2, 3, 4].map(|at| sum[at] + table[at]));
        let rest = x * y - xy * xy;
        // The smallest column may be empty, and what is not in one of two columns is in the other.
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

/// `None`: there are too many tables, or their probabilities are too small for numbers.
fn exact(tables: &[Table], columns: [usize; 2], form: &Form, found: [u32; 2]) -> Option<f64> {
    let most =
        |at: usize| tables.iter().map(|table| table.columns[columns[at]].min(table.rows[0]) as usize).sum::<usize>();
    let width = most(1) + 1;
    let cells = (most(0) + 1).checked_mul(width)?;
    let steps = tables.iter().map(|table| table.count(columns)).fold(0, usize::saturating_add).checked_mul(cells)?;
    // A single table has one way to each cell.
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

    fn chance(one: Counts, others: Counts) -> f64 {
        ln_chance([[one, others]].into_iter()).exp()
    }

    /// The chi-squares of both tables are 20 (`chisq.test` of R); times 119/120 and 79/80.
    #[test]
    fn probabilities_are_those_of_the_field() {
        let large = |row: Counts| row.map(|count| 20 * count);
        let squares = 20.0 * 20.0 * 2_399.0 / 2_400.0;
        let ln = ln_chance([[large([10, 20, 30]), large([30, 20, 10])]].into_iter());
        assert!((ln + squares / 2.0).abs() < 1e-9, "{ln}");
        // Counted out, the tail is a little lighter than that of the chi-square distribution.
        let [exact, about] = [chance([10, 20, 30], [30, 20, 10]), (-10.0 * 119.0 / 120.0_f64).exp()];
        assert!(exact < about && exact > about / 2.0, "{exact} {about}");
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
        let swapped = ln_chance([[[2, 48, 50], [1, 0, 0]]].into_iter());
        assert!((ln_chance([[[1, 0, 0], [2, 48, 50]]].into_iter()) - swapped).abs() < 1e-12);
    }

    #[test]
    fn strata_are_compared_each_by_itself() {
        let ln = |strata: &[[Counts; 2]]| ln_chance(strata.iter().copied());
        // Every opening ends as it always does, wherever it is played: whoever had more of one has not cheated.
        assert_eq!(ln(&[[[9, 0, 0], [1, 0, 0]], [[0, 0, 1], [0, 0, 9]]]), 0.0);
        // The lady drinks twice: 4 of 4 right each time, 1/70 each, both ends of the sum.
        let lady = [[4, 0, 0], [0, 4, 0]];
        assert!((ln(&[lady, lady]).exp() - 2.0 / 4_900.0).abs() < 1e-12);
        // Differences in opposite directions are none.
        assert!((ln(&[lady, [[0, 4, 0], [4, 0, 0]]]) - 0.0).abs() < 1e-12);
        let rows = [[0, 1, 1], [3, 1, 0]];
        let many = vec![rows; 40];
        let few = ln(&many[..4]);
        assert!(ln(&many) < 5.0 * few && few < -2.0, "{few} {}", ln(&many));
    }

    #[test]
    fn what_is_too_small_for_a_number_still_has_an_order() {
        let ln = |one, others| ln_chance([[one, others]].into_iter());
        let [a, b] = [2_000, 4_000].map(|n| ln([n, 0, 0], [0, 0, n]));
        assert!(b < a && a < -700.0 && b.is_finite(), "{a} {b}");
        let [a, b] = [2_000, 4_000].map(|n| ln([n, n, 0], [0, n, n]));
        assert!(b < a && a < -700.0 && b.is_finite(), "{a} {b}");
    }
}
