#!/usr/bin/env python3
"""The corpora of the fuzz targets as text: tests/data/fuzz/TARGET.txt has one input per line, with escapes such as \\n
and \\xNN. scripts/fuzz.sh starts fuzzing from these inputs; tests/it/fuzz.rs checks them in every test run.

    scripts/fuzz_corpus.py unpack TARGET FOLDER     writes one file per input
    scripts/fuzz_corpus.py pack TARGET FOLDER       merges the corpus with the smallest files of the folder, within the
    limits
"""

import hashlib
import sys
from pathlib import Path

CORPORA = Path(__file__).resolve().parent.parent / "tests/data/fuzz"
# The limits for each target's corpus keep its replay fast and its text readable.
MOST_INPUTS = 200
MOST_BYTES = 40_000


def written(data):
    return data.decode("latin-1").encode("unicode_escape").decode("ascii")


def read(line):
    return line.encode("ascii").decode("unicode_escape").encode("latin-1")


def known(target):
    path = CORPORA / f"{target}.txt"
    return [read(line) for line in path.read_text().splitlines()] if path.exists() else []


def unpack(target, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for data in known(target):
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def pack(target, folder):
    inputs = list(dict.fromkeys(known(target)))
    size = sum(len(written(data)) for data in inputs)
    files = sorted((path.read_bytes() for path in folder.iterdir()), key=lambda data: (len(data), data))
    for data in files:
        line = written(data)
        if data and data not in inputs and len(inputs) < MOST_INPUTS and size + len(line) <= MOST_BYTES:
            inputs.append(data)
            size += len(line)
    (CORPORA / f"{target}.txt").write_text("".join(written(data) + "\n" for data in inputs))
    print(f"{target}: {len(inputs)} inputs, {size} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("unpack", "pack"):
        sys.exit(f"expected unpack or pack, a target and a folder, found {sys.argv[1:]}")
    {"unpack": unpack, "pack": pack}[sys.argv[1]](sys.argv[2], Path(sys.argv[3]))
