#!/usr/bin/env python3
"""Corpora of the fuzz targets as text: tests/data/fuzz/TARGET.txt, an input a line, with \\n, \\xNN and the like for what cannot
be shown. scripts/fuzz.sh fuzzes from them; tests/it/fuzz.rs tries them in every run of the tests.

    scripts/fuzz_corpus.py unpack TARGET FOLDER     each input a file
    scripts/fuzz_corpus.py pack TARGET FOLDER       what the corpus has, and the smallest files of the folder, within the limits
"""

import hashlib
import sys
from pathlib import Path

CORPORA = Path(__file__).resolve().parent.parent / "tests/data/fuzz"
# Of a target: replaying takes a moment, and the text can be read.
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
