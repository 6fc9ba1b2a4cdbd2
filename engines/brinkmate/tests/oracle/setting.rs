//! Settings of long test runs, read from environment variables.

pub fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("expected a number, found {name}={text}")))
}
