"""Elo from pairs of games of one opening with both colours, by the formulas of `hasami match` (src/matches/stats/elo.rs)."""

import math

Z95 = 1.959963984540054


def elo(score):
    """The rating difference for an expected score; None if it is infinite."""
    return -400 * math.log10(1 / score - 1) if 0 < score < 1 else None


def estimate(pairs):
    """Elo and half of its 95 % interval, from the numbers of pairs with 0, 1, 2, 3, 4 half points; None if
    undefined."""
    trials = sum(pairs)
    if trials == 0:
        return None, None
    score = sum(count * half / 4 for half, count in enumerate(pairs)) / trials
    variance = sum(count * (half / 4 - score) ** 2 for half, count in enumerate(pairs)) / trials
    # A single pair gives no estimate of the variance.
    reach = Z95 * math.sqrt(variance / trials) if trials > 1 else math.inf
    low, high = elo(score - reach), elo(score + reach)
    error = (high - low) / 2 if low is not None and high is not None else None
    return elo(score), error
