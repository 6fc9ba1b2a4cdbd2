//! Retraction: a worker whose place has lost its worth goes where it is worth more, within one search.

/// How much better the new place must be: moving costs the worker its warm table.
const MARGIN: f64 = 4.0;

/// Should a worker leave a place of worth `here` for one of worth `there`?
pub fn pays(here: f64, there: f64) -> bool {
    there > 0.0 && here * MARGIN < there
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_much_better_place_is_worth_the_way() {
        assert!(pays(0.01, 0.05));
        assert!(!pays(0.02, 0.05));
        assert!(!pays(0.0, 0.0));
    }
}
