#!/usr/bin/env python3
"""A lying cell for `hasami solve`: a cell of hasami behind a filter that changes its answers.

    hasami solve FILE --time 1 --child "hasami cell" --child "python3 scripts/lying_cell.py no-steps"

Whatever it sends, no answer may be false, and nearly all problems that an honest cell solves alone must be solved when
this cell works next to it. docs/design/tatematsu1996.md describes the messages. The program is `hasami` in PATH, or
--hasami.
"""

import argparse
import random
import struct
import subprocess
import sys
import threading

VERSION, DONE, PROOF = 3, 2, 4
MATE, NONE = 2, 3
KINDS = {
    "no-steps": "never shows how its results are proved",
    "empty-steps": "shows nothing of it",
    "none": "says of all that it searches that there is no mate",
    "mate": "says of all that it searches that it is a mate",
    "twice": "says everything twice",
    "broken": "changes a bit of every tenth message",
    "honest": "does not lie",
}


def checksum(message):
    total = 0x811C9DC5
    for byte in message:
        total = ((total ^ byte) * 0x01000193) & 0xFFFFFFFF
    return total


def after_number(message, at):
    """The index after the number that begins here."""
    while message[at] & 0x80:
        at += 1
    return at + 1


def lie(kind, message, rng):
    """The messages that are sent instead of this one."""
    if len(message) < 2 or message[0] != VERSION:
        return [message]
    if kind == "twice":
        return [message, message]
    if kind == "broken" and rng.random() < 0.1:
        at = rng.randrange(1, len(message))
        return [message[:at] + bytes([message[at] ^ 1 << rng.randrange(8)]) + message[at + 1:]]
    if message[1] == PROOF and kind == "no-steps":
        return []
    if message[1] == PROOF and kind == "empty-steps":
        return [message[:after_number(message, after_number(message, 2))] + b"\0"]
    if message[1] == DONE and kind in ("none", "mate"):
        before = message[:after_number(message, after_number(message, 2))]
        return [before + bytes([NONE if kind == "none" else MATE, 0])]
    return [message]


def forward(source, sink):
    while chunk := source.read1(1 << 16):
        sink.write(chunk)
        sink.flush()
    sink.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="\n".join(f"{kind}: {what}" for kind, what in KINDS.items()))
    parser.add_argument("kind", choices=KINDS, metavar="KIND")
    parser.add_argument("--hasami", default="hasami")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    cell = subprocess.Popen([options.hasami, "cell"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    threading.Thread(target=forward, args=(sys.stdin.buffer, cell.stdin), daemon=True).start()
    out = sys.stdout.buffer
    out.write(cell.stdout.readline())
    out.flush()
    while len(head := cell.stdout.read(8)) == 8:
        length, _ = struct.unpack("<II", head)
        for message in lie(options.kind, cell.stdout.read(length), rng):
            out.write(struct.pack("<II", len(message), checksum(message)) + message)
        out.flush()


if __name__ == "__main__":
    main()
