"""Fills in tables on pages of docs/. Each table is between `<!-- name -->` and `<!-- end of name -->`."""

import sys


def fill(page, blocks):
    """Replaces each block of text between its marks, which must exist."""
    text = page.read_text()
    for name, block in blocks.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        if begin not in text or end not in text:
            sys.exit(f"{page} does not contain '{begin.strip()}' and '{end.strip()}'")
        text = text[: text.index(begin) + len(begin)] + "\n" + block + "\n" + text[text.index(end) :]
    page.write_text(text)
