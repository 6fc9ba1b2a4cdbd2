"""Tries real engines: by themselves, as opponents, and as children of Hasami."""
