"""Tests of scripts/ratings.py: `python3 -m unittest scripts/test_ratings.py`."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import ratings  # noqa: E402


class Ratings(unittest.TestCase):
    def test_difference_of_two_engines_follows_from_their_score(self):
        found = ratings.fit({("a", "b"): [100, 75.0]}, "b", 1000)
        self.assertAlmostEqual(found["a"][0], 1000 + 190.85, places=2)
        # 400 / ln 10 * 1.96 / sqrt(100 * 3/4 * 1/4)
        self.assertAlmostEqual(found["a"][1], 78.6, places=1)

    def test_ratings_of_simulated_games_are_recovered(self):
        true = {"a": 0, "b": 150, "c": 400}
        met = {}
        for first, second in (("a", "b"), ("b", "c"), ("a", "c")):
            expected = 1 / (1 + 10 ** ((true[second] - true[first]) / 400))
            met[first, second] = [1000, 1000 * expected]
        found = ratings.fit(met, "a", 0)
        for name, rating in true.items():
            self.assertAlmostEqual(found[name][0], rating, places=4)

    def test_engine_that_lost_every_game_is_refused(self):
        with self.assertRaises(SystemExit):
            ratings.fit({("a", "b"): [10, 10.0]}, "b", 0)


if __name__ == "__main__":
    unittest.main()
