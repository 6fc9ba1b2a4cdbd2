"""Parts of `scripts/yokoyama2014.py`."""
