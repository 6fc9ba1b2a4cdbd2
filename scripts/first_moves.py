#!/usr/bin/env python3
"""How well proof numbers order the first moves of mate problems, once the root is expanded (seed 000, section 2).

Each check is a child of the root; its proof number is the number of answers to it, counted in two ways: every legal
move, and drops on one square as one, as the solver does. For the right first moves (that of the main line, and other keys
that --all has found) it tells in how many problems one of them has the smallest number, and its mean place among the
checks on a scale from 0 to 9. Of moves with the same number some come before and some after: the place is told as if the
right one came first, in the middle, and last. Needs cshogi.

usage: hasami solve LIST --nodes 2000000 --all --json > solved.jsonl;  scripts/first_moves.py solved.jsonl
"""

import argparse
import json

import cshogi


def numbers(board, move):
    """The answers to a check, and the same with drops on one square as one."""
    board.push(move)
    answers = list(board.legal_moves)
    board.pop()
    drops = [m for m in answers if cshogi.move_is_drop(m)]
    squares = {cshogi.move_to(m) for m in drops}
    return len(answers), len(answers) - len(drops) + len(squares)


def checks(board):
    """Legal checks by their USI names."""
    found = {}
    for move in board.legal_moves:
        board.push(move)
        if board.is_check():
            found[cshogi.move_to_usi(move)] = move
        board.pop()
    return found


def place(of_all, of_right):
    """How many checks come before the best right one, at least and at most."""
    best = min(of_right)
    smaller = sum(number < best for number in of_all)
    equal = sum(number == best for number in of_all) - 1
    return smaller, smaller + equal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("solved", help="what hasami solve --json has written")
    arguments = parser.parse_args()
    places = {"every answer": [], "drops on one square as one": []}
    skipped = single = 0
    with open(arguments.solved, encoding="utf-8") as file:
        for row in map(json.loads, filter(str.strip, file)):
            if row["answer"] != "mate":
                skipped += 1
                continue
            board = cshogi.Board(row["sfen"])
            found = checks(board)
            keys = {other["move"] for other in row.get("others", []) if other["kind"] == "key" and other["answer"] == "mate"}
            right = {row["moves"][0]} | keys
            # Non-promotions that cshogi leaves out of its lists.
            found |= {usi: board.move_from_usi(usi) for usi in right - found.keys()}
            if len(found) < 2:
                single += 1
                continue
            every = {usi: numbers(board, move) for usi, move in found.items()}
            for index, name in enumerate(places):
                of_all = [number[index] for number in every.values()]
                of_right = [every[usi][index] for usi in right]
                places[name].append((*place(of_all, of_right), len(found)))
    print(f"{skipped} without a mate left out, {single} with one check")
    for name, found in places.items():
        count = len(found)
        if count == 0:
            continue
        alone = sum(last == 0 for _, last, _ in found)
        smallest = sum(first == 0 for first, _, _ in found)
        means = [
            sum(pick(first, last) * 9 / (size - 1) for first, last, size in found) / count
            for pick in (lambda first, last: first, lambda first, last: (first + last) / 2, lambda first, last: last)
        ]
        print(f"{name}: smallest in {smallest} of {count}, alone in {alone}; mean place 0-9: " + ", ".join(f"{mean:.2f}" for mean in means))


if __name__ == "__main__":
    main()
