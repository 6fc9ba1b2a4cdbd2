//! Raises the probability of the reply that the GUI expects, because opponents play that reply in most games.

/// Minimum probability of the expected reply.
const LEAST: f64 = 0.6;

/// Raises the expected reply's share to at least `LEAST`, and lowers all other shares in proportion.
pub fn raise(shares: &mut [f64], expected: usize) {
    let Some(&share) = shares.get(expected) else { return };
    if share >= LEAST {
        return;
    }
    let rest = (1.0 - LEAST) / (1.0 - share);
    shares.iter_mut().for_each(|share| *share *= rest);
    shares[expected] = LEAST;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_reply_has_its_share_and_the_sum_stays() {
        let mut shares = [0.5, 0.1, 0.4];
        raise(&mut shares, 1);
        assert!((shares[1] - LEAST).abs() < 1e-12 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let sure = [0.9, 0.1];
        let mut shares = sure;
        raise(&mut shares, 0);
        raise(&mut shares, 7);
        assert_eq!(shares, sure);
    }
}
