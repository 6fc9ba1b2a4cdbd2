"""Tests real engines: alone, as opponents, and as children of Hasami."""
