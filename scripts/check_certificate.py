#!/usr/bin/env python3
"""Replays certificates of brinkmates without any code of hasami, as an independent second implementation.

Usage: scripts/check_certificate.py [--positions N] FILE... exit code 0: all are right; 1: at least one is not A FILE
may also be a folder with certificates (*.cert).

Prints one line per file: its name, "right" or "wrong", and the claim that it proves or the place where it fails. If a
limit ends the replay, the certificate is "undecided", because it may be right. The last line of stderr counts the wrong
and undecided certificates, as `hasami verify` does. docs/design/certificate.md describes the format and the replay. The
rules are those of cshogi: `pip install cshogi` (1.1.0), Python 3.11.
"""

import argparse
import re
import struct
import sys
import zlib
from pathlib import Path

import cshogi

HEAD = struct.Struct("<4sBI")
MOST_DEFLATED = 16
DEEPEST = 2000
UNLIMITED = None
CLAIMS = ["mate", "brinkmate", "none", "none within"]
# The largest number of pieces of each kind that a hand can encode; one king per side.
MEN = {"P": 31, "L": 7, "N": 7, "S": 7, "G": 7, "B": 3, "R": 3, "K": 2}
# Where one of these pieces can promote, cshogi generates only the promotion.
TWINS = {cshogi.PAWN, cshogi.LANCE, cshogi.BISHOP, cshogi.ROOK}


class Refused(Exception):
    """The certificate is wrong; the message says what was expected and what was found."""


class Ended(Exception):
    """A limit has ended the replay; the message says what was expected and what was found."""


def expect(holds, expected, found, fault=Refused):
    if not holds:
        raise fault(f"expected {expected}, found {found}")


# The file


class Content:
    """A sequential reader of numbers and texts."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def bytes(self, count):
        expect(count <= len(self.data) - self.at, f"{count} bytes at byte {self.at}", "the end")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self):
        number = 0
        for shift in range(0, 35, 7):
            byte = self.bytes(1)[0]
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                expect(number < 1 << 32, "a number of 32 bits", number)
                return number
        raise Refused("expected a number of five bytes, found more")

    def below(self, limit, what):
        number = self.number()
        expect(number < limit, f"one of {limit} {what}", number)
        return number


def inflate(data):
    expect(len(data) >= HEAD.size + 4, f"at least {HEAD.size + 4} bytes", len(data))
    magic, version, size = HEAD.unpack_from(data)
    expect(magic == b"HBMC" and version == 1, "a certificate of version 1", (magic, version))
    crc = struct.unpack("<I", data[-4:])[0]
    expect(crc == zlib.crc32(data[:-4]), f"the CRC-32 {crc:08x}", "another one")
    deflated = data[HEAD.size : -4]
    expect(size <= MOST_DEFLATED * len(deflated), f"at most {MOST_DEFLATED} bytes for each deflated one", size)
    inflater = zlib.decompressobj(-15)
    try:
        content = inflater.decompress(deflated, size + 1)
    except zlib.error as error:
        raise Refused(f"expected deflated data, found others ({error})") from None
    whole = inflater.eof and not inflater.unused_data and len(content) == size
    expect(whole, f"deflated data of {size} bytes", "others")
    return content


class Certificate:
    """The contents of a file. A node of the attacker: move, {defence: node}, rest, pass. A node of the defender:
    {attack: (reply, node)}, rest. A reply of None is a pass."""

    def __init__(self, data):
        content = Content(inflate(data))
        length = content.number()
        expect(length <= 512, "a position of at most 512 bytes", length)
        start = content.bytes(length)
        expect(all(0x20 <= byte <= 0x7E for byte in start), "a position in ASCII", start)
        self.start = start.decode("ascii")
        self.claim, self.plies = read_claim(content)
        self.moves = read_moves(content)
        read = self.attack_node if self.claim in ("mate", "brinkmate") else self.defence_node
        count = content.number()
        expect(0 < count <= len(content.data), "at least one node, and bytes for each", count)
        self.nodes = [read(content, at, count) for at in range(count)]
        expect(content.at == len(content.data), "the end", f"{len(content.data) - content.at} bytes more")

    def attack_node(self, content, at, _):
        def earlier():
            back = content.number()
            expect(0 < back <= at, "an earlier node", f"{back} before node {at}")
            return at - back

        move = self.moves[content.below(len(self.moves), "moves")]
        header = content.number()
        rest = earlier() if header & 1 else None
        threat = earlier() if header & 2 else None
        return move, self.groups(content, header >> 2, earlier), rest, threat

    def defence_node(self, content, at, count):
        def way():
            reply = content.below(len(self.moves) + 1, "replies")
            zigzag = content.number()
            node = at + (zigzag >> 1 ^ -(zigzag & 1))
            expect(0 <= node < count, f"one of {count} nodes", node)
            return (self.moves[reply - 1] if reply else None), node

        header = content.number()
        rest = way() if header & 1 else None
        return self.groups(content, header >> 1, way), rest

    def groups(self, content, count, way):
        ways = {}
        for _ in range(count):
            to, move = way(), 0
            for index in range(content.number()):
                step = content.number()
                expect(index == 0 or step > 0, "moves in ascending order", "one twice")
                move += step
                expect(move < len(self.moves), f"one of {len(self.moves)} moves", move)
                expect(self.moves[move] not in ways, "one way on after a move", f"two after {self.moves[move]}")
                ways[self.moves[move]] = to
        return ways


def read_claim(content):
    word = content.bytes(1)[0]
    expect(word < len(CLAIMS), "a claim from 0 to 3", word)
    claim = CLAIMS[word]
    plies = content.below(65_536, "numbers of plies") if claim in ("brinkmate", "none within") else None
    expect(claim != "brinkmate" or plies % 2 == 1, "an odd number of plies", plies)
    expect(claim != "none within" or plies < 65_535, "a limit of at most 65534 plies", plies)
    return claim, plies


def read_moves(content):
    count = content.number()
    expect(count <= 65_535 and 2 * count <= len(content.data), "at most 65535 moves, and bytes for each", count)
    moves = []
    for _ in range(count):
        length = content.bytes(1)[0]
        text = content.bytes(length)
        plain = 1 <= length <= 7 and all(0x21 <= byte <= 0x7E for byte in text)
        expect(plain, "a move of 1 to 7 characters", text)
        moves.append(text.decode("ascii"))
    expect(len(set(moves)) == count, "each move once", "one twice")
    return moves


# The rules


def board_of(sfen):
    """A board with this position, which must be valid, also in the respects that cshogi does not check."""
    fields = sfen.split()
    expect(len(fields) in (3, 4), "SFEN of three or four fields", sfen)
    expect(len(fields) == 3 or re.fullmatch(r"\+?\d+", fields[3]) and int(fields[3]) < 1 << 32, "a move number", sfen)
    ranks = [re.findall(r"[1-9]|\+?[PLNSBRplnsbr]|[GKgk]", rank) for rank in fields[0].split("/")]
    whole = "/".join("".join(rank) for rank in ranks) == fields[0]
    cells = [sum(([""] * int(word) if word.isdigit() else [word] for word in rank), []) for rank in ranks]
    expect(whole and len(cells) == 9 and all(len(rank) == 9 for rank in cells), "a board in SFEN", sfen)
    expect(fields[1] in "bw" and len(fields[1]) == 1, "a side to move", sfen)
    expect(re.fullmatch(r"-|(\d*[PLNSGBRplnsgbr])+", fields[2]), "pieces in hand", sfen)
    counts, held = dict.fromkeys(MEN, 0), {}
    for count, man in re.findall(r"(\d*)([A-Za-z])", fields[2]):
        counts[man.upper()] += int(count or 1)
        held[man] = held.get(man, 0) + int(count or 1)
    # Rewrites the pieces in hand in the form that cshogi expects.
    hands = "".join(f"{count}{man}" for man, count in held.items() if count) or "-"
    for word in sum(cells, []):
        if word:
            counts[word[-1].upper()] += 1
    expect(all(counts[man] <= MEN[man] for man in MEN), "men that one hand can count", counts)
    for man, dead in (("P", 1), ("L", 1), ("N", 2)):
        ahead = sum(cells[:dead], []).count(man) + sum(cells[9 - dead :], []).count(man.lower())
        expect(ahead == 0, "men that can move", sfen)
    for file in zip(*cells):
        expect(file.count("P") < 2 and file.count("p") < 2, "one pawn of a side on a file", sfen)
    mover, other = ("K", "k") if fields[1] == "b" else ("k", "K")
    squares = sum(cells, [])
    expect(squares.count(mover) <= 1 and squares.count(other) == 1, "a king for the defender", sfen)
    board = cshogi.Board()
    board.set_sfen(f"{fields[0]} {'w' if fields[1] == 'b' else 'b'} {hands} 1")
    expect(not board.is_check(), "a side that does not move out of check", sfen)
    board.set_sfen(f"{fields[0]} {fields[1]} {hands} 1")
    return board


def legal(board):
    """All legal moves by their texts: the moves of cshogi, and the non-promotions that cshogi does not generate."""
    moves = {}
    for move in board.legal_moves:
        text = cshogi.move_to_usi(move)
        moves[text] = move
        if text[-1] == "+" and board.piece_type(cshogi.move_from(move)) in TWINS and may_stay(board, move):
            moves[text[:-1]] = board.move_from_usi(text[:-1])
    return moves


def may_stay(board, move):
    """Whether the unpromoted piece could still move from its target square."""
    last = 0 if board.turn == cshogi.BLACK else 8
    kind = board.piece_type(cshogi.move_from(move))
    return cshogi.move_to(move) % 9 != last or kind in (cshogi.BISHOP, cshogi.ROOK)


def identity(board):
    """Board, side to move and hands, without the move number."""
    return board.sfen().rsplit(" ", 1)[0]


# The replay


class Replay:
    def __init__(self, certificate, limit):
        self.certificate, self.limit, self.positions = certificate, limit, 0
        self.board = board_of(certificate.start)

    def count(self):
        expect(self.positions < self.limit, f"at most {self.limit} positions", "more", Ended)
        self.positions += 1

    def run(self):
        claim, plies = self.certificate.claim, self.certificate.plies
        root = len(self.certificate.nodes) - 1
        if claim in ("none", "none within"):
            self.defence(root, UNLIMITED if claim == "none" else plies)
            return f"{claim}, {self.positions} positions"
        found = self.attack(root, claim == "mate")
        expect(claim == "mate" or found <= plies, f"a brinkmate of at most {plies} plies", found)
        return f"{claim}, {found} plies, {self.positions} positions"

    # To replay an attacker's strategy, frames hold [node, position before, is check, only checks, defences, longest].

    def attack(self, root, by_checks):
        self.proved, self.frames, self.line = {}, [], []
        found = self.enter(root, by_checks)
        while self.frames:
            frame = self.frames[-1]
            if found is not None:
                frame[5] = max(frame[5], found)
                self.take_back()
            following = self.step(frame)
            if following:
                found = self.enter(*following)
            else:
                self.frames.pop()
                self.take_back()
                _, _, is_check, _, _, longest = frame
                found = longest + 2 if longest else 0 if is_check else 1
                self.proved[frame[1], frame[0]] = found
        return found

    def take_back(self):
        if self.line.pop() == "pass":
            self.board.pop_pass()
        else:
            self.board.pop()

    def enter(self, node, by_checks):
        """Enters a node of the attacker. Returns its length if it is known at once."""
        before = identity(self.board)
        known = self.proved.get((before, node))
        if known is not None:
            expect(known == 0 or not by_checks, "a mate by checks", "a brinkmate")
            return known
        self.count()
        move, _, _, threat = self.certificate.nodes[node]
        made = legal(self.board).get(move)
        expect(made is not None, "a legal move", move)
        self.board.push(made)
        self.line.append(move)
        is_check = bool(self.board.is_check())
        expect(is_check or not by_checks, "a check", "a quiet move")
        expect(is_check or threat is not None, "a proof of the mate that it threatens", "none")
        defences = list(legal(self.board).items())
        if is_check and not defences:
            self.take_back()
            return 0
        if not is_check:
            defences.append(("pass", None))
        self.frames.append([node, before, is_check, by_checks, defences, 0])
        expect(len(self.frames) <= DEEPEST, f"at most {DEEPEST} moves of the attacker in a line", "more", Ended)
        return None

    def step(self, frame):
        """Makes the next defence. Returns where the strategy continues."""
        node, _, _, by_checks, defences, _ = frame
        if not defences:
            return None
        text, move = defences.pop()
        _, answers, rest, threat = self.certificate.nodes[node]
        to = threat if text == "pass" else answers.get(text, rest)
        expect(to is not None, f"an answer to {text}", "none")
        if text == "pass":
            self.board.push_pass()
        else:
            self.board.push(move)
        self.line.append(text)
        return to, by_checks or text == "pass"

    # A defender's strategy is replayed in every position to which it leads, with a node and the attacker's plies left.

    def defence(self, root, left):
        self.seen, self.open = set(), []
        self.reach(root, left)
        while self.open:
            sfen, node, left = self.open.pop()
            self.board.set_sfen(sfen)
            for attack, move in legal(self.board).items():
                self.board.push(move)
                self.line = [f"{sfen} {attack}"]
                if left != 0 or self.board.is_check():
                    self.reply(node, attack, left)
                self.board.pop()

    def reply(self, node, attack, left):
        replies, rest = self.certificate.nodes[node]
        way = replies.get(attack, rest)
        expect(way is not None, "a reply", "none")
        reply, to = way
        if reply is None:
            expect(not self.board.is_check(), "a legal move", "a pass in check")
            self.board.push_pass()
            self.reach(to, 0)
            self.board.pop_pass()
        else:
            made = legal(self.board).get(reply)
            expect(made is not None, "a legal move", reply)
            self.board.push(made)
            self.reach(to, UNLIMITED if left is UNLIMITED else max(left - 2, 0))
            self.board.pop()

    def reach(self, node, left):
        state = identity(self.board), node, left
        if state not in self.seen:
            self.count()
            self.seen.add(state)
            self.open.append((self.board.sfen(), node, left))


def check(data, limit=10_000_000):
    """Whether a certificate is right, wrong or undecided, with an explanation."""
    try:
        certificate = Certificate(data)
        replay = Replay(certificate, limit)
    except Refused as why:
        return "wrong", str(why)
    try:
        return "right", replay.run()
    except (Refused, Ended) as why:
        line = " ".join(getattr(replay, "line", []))
        verdict = "undecided" if isinstance(why, Ended) else "wrong"
        return verdict, f"after {line}: {why}" if line else f"at the start: {why}"


def paths(files):
    """The files, and the files of folders in the order of their names."""
    for file in files:
        if file.is_dir():
            found = sorted(file.glob("*.cert"))
            if not found:
                sys.exit(f"{file}: the folder has no certificates (*.cert)")
            yield from found
        else:
            yield file


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--positions", type=int, default=10_000_000, help="largest number of positions per certificate")
    arguments = parser.parse_args(words)
    counts = {"right": 0, "wrong": 0, "undecided": 0}
    for file in paths(arguments.files):
        try:
            verdict, word = check(file.read_bytes(), arguments.positions)
        except OSError as error:
            verdict, word = "wrong", f"cannot read the file: {error.strerror}"
        counts[verdict] += 1
        print(f"{file.stem}\t{verdict}\t{word}", flush=True)
    if counts["wrong"]:
        sys.exit(f"wrong certificates: {counts['wrong']}")
    if counts["undecided"]:
        sys.exit(f"certificates that cannot be replayed within the limits: {counts['undecided']}")


if __name__ == "__main__":
    main()
