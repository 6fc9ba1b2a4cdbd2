//! Smoothed replies: the model's probabilities are those of our own workers' choices, and opponents choose otherwise more
//! often than that says. While the opponent thinks, their replies are spread more evenly, so that fewer surprises find
//! the tree empty.

/// How much the probabilities of replies are flattened: their exponent is 1 less this. 0 leaves them as they are.
pub const FLATTENING: f64 = 0.3;

/// The reply that the GUI ponders on is played about so often.
const EXPECTED_SHARE: f64 = 0.6;

/// Spreads the shares of the replies; what is missing from 1 belongs to all other replies and is smoothed as one of them.
pub fn spread(shares: &mut [f64], flattening: f64) {
    if flattening == 0.0 {
        return;
    }
    let others = (1.0 - shares.iter().sum::<f64>()).max(0.0);
    let flat = |share: f64| if share > 0.0 { share.powf(1.0 - flattening) } else { 0.0 };
    let sum: f64 = shares.iter().copied().map(flat).sum::<f64>() + flat(others);
    if sum > 0.0 {
        shares.iter_mut().for_each(|share| *share = flat(*share) / sum);
    }
}

/// Gives the expected reply its share at least, at the cost of all others in proportion.
pub fn expect(shares: &mut [f64], expected: usize) {
    let Some(&share) = shares.get(expected) else { return };
    if share >= EXPECTED_SHARE {
        return;
    }
    let rest = (1.0 - EXPECTED_SHARE) / (1.0 - share);
    shares.iter_mut().for_each(|share| *share *= rest);
    shares[expected] = EXPECTED_SHARE;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlikely_replies_gain_and_the_order_stays() {
        let mut shares = [0.7, 0.2, 0.05];
        spread(&mut shares, FLATTENING);
        assert!(shares[0] < 0.7 && shares[1] > 0.2 && shares[2] > 0.05, "{shares:?}");
        assert!(shares.is_sorted_by(|a, b| a > b) && shares.iter().sum::<f64>() < 1.0);
        let mut plain = [0.7, 0.2];
        spread(&mut plain, 0.0);
        assert_eq!(plain, [0.7, 0.2]);
        let mut none = [0.6, 0.0];
        spread(&mut none, 1.0);
        assert_eq!(none[1], 0.0, "what cannot be played needs no worker");
        spread(&mut [], FLATTENING);
    }

    #[test]
    fn the_expected_reply_has_its_share_and_the_sum_stays() {
        let mut shares = [0.5, 0.1, 0.4];
        expect(&mut shares, 1);
        assert!((shares[1] - EXPECTED_SHARE).abs() < 1e-12 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let sure = [0.9, 0.1];
        let mut shares = sure;
        expect(&mut shares, 0);
        expect(&mut shares, 7);
        assert_eq!(shares, sure);
    }
}
