"""Tests of scripts/check_certificate.py: `python3 -m unittest scripts/test_check_certificate.py`. Skipped without cshogi."""

import contextlib
import importlib.util
import io
import struct
import sys
import tempfile
import unittest
import unittest.mock
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
HAS_RULES = importlib.util.find_spec("cshogi") is not None
if HAS_RULES:
    from check_certificate import Certificate, Refused, board_of, check, legal, main, paths

SAMPLES = Path(__file__).parent.parent / "tests/data/brinkmates/certificates.tsv"
GOLD = b"\x1b4k4/9/4P4/9/9/9/9/9/9 b G 1\x00\x01\x04G*5b\x01\x00\x00"


def packed(content, size=None):
    deflated = zlib.compressobj(wbits=-15)
    data = deflated.compress(content) + deflated.flush()
    file = struct.pack("<4sBI", b"HBMC", 1, len(content) if size is None else size) + data
    return file + struct.pack("<I", zlib.crc32(file))


@unittest.skipUnless(HAS_RULES, "needs cshogi")
class Samples(unittest.TestCase):
    def test_both_programs_agree(self):
        rows = [line.split("\t") for line in SAMPLES.read_text().splitlines() if not line.startswith("#")]
        self.assertGreater(len(rows), 100)
        for name, expected, digits in rows:
            verdict, why = check(bytes.fromhex(digits))
            self.assertEqual(verdict, expected, f"{name}: {why}")


@unittest.skipUnless(HAS_RULES, "needs cshogi")
class PublicSet(unittest.TestCase):
    def test_every_problem_is_proved(self):
        data = SAMPLES.parent
        rows = [line.split("\t") for line in (data / "set.tsv").read_text().splitlines()]
        self.assertEqual([path.stem for path in paths([data / "certificates"])], [row[1] for row in rows])
        for position, name, plies, *_ in rows:
            data_of = (data / "certificates" / f"{name}.cert").read_bytes()
            self.assertEqual(Certificate(data_of).start, position)
            verdict, why = check(data_of)
            self.assertTrue(verdict == "right" and why.startswith(f"brinkmate, {plies} plies, "), f"{name}: {why}")


@unittest.skipUnless(HAS_RULES, "needs cshogi")
class Files(unittest.TestCase):
    def test_example_of_the_documentation(self):
        self.assertEqual(check(packed(GOLD)), ("right", "mate, 0 plies, 1 positions"))

    def test_errors_are_described(self):
        for file, why in [
            (b"", "expected at least 13 bytes, found 0"),
            (packed(GOLD)[:-1] + b"x", "expected the CRC-32"),
            (packed(GOLD, 40), "expected deflated data of 40 bytes, found others"),
            (packed(GOLD, 1 << 30), "expected at most 16 bytes for each deflated one"),
            (packed(GOLD + b"x"), "expected the end, found 1 bytes more"),
            (packed(GOLD.replace(b"G*5b", b"G*5c")), "at the start: expected a legal move, found G*5c"),
            (packed(GOLD.replace(b"G*5b", b"G*4b")), "after G*4b: expected an answer to "),
            (packed(GOLD.replace(b"G*5b", b"G*5h")), "after G*5h: expected a check, found a quiet move"),
        ]:
            verdict, found = check(file)
            self.assertEqual(verdict, "wrong")
            self.assertTrue(found.startswith(why), found)

    def test_folder_stands_for_its_certificates(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            with self.assertRaises(SystemExit) as refused:
                list(paths([folder]))
            self.assertEqual(str(refused.exception), f"{folder}: the folder has no certificates (*.cert)")
            for file in ["b.cert", "a.cert", "notes.txt"]:
                (folder / file).write_bytes(packed(GOLD))
            self.assertEqual([path.name for path in paths([folder, folder / "notes.txt"])], ["a.cert", "b.cert", "notes.txt"])

    def test_certificate_beyond_a_limit_is_undecided(self):
        self.assertEqual(check(packed(GOLD), 0), ("undecided", "at the start: expected at most 0 positions, found more"))
        verdict, why = check((SAMPLES.parent / "certificates/h01-001.cert").read_bytes(), 5)
        self.assertEqual(verdict, "undecided", why)
        self.assertTrue(why.startswith("after ") and why.endswith("expected at most 5 positions, found more"), why)

    def test_line_with_too_many_moves_is_undecided(self):
        with unittest.mock.patch("check_certificate.DEEPEST", 0):
            verdict, why = check(packed(GOLD.replace(b"G*5b", b"G*4b")))
        self.assertEqual(verdict, "undecided", why)
        self.assertIn("expected at most 0 moves of the attacker in a line, found more", why)

    def run_main(self, words):
        """The output on stdout and the exit code of the program."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                main(words)
            except SystemExit as end:
                return out.getvalue(), end.code
        return out.getvalue(), 0

    def test_summary_counts_wrong_and_undecided_certificates(self):
        with tempfile.TemporaryDirectory() as name:
            right, wrong = Path(name) / "right.cert", Path(name) / "wrong.cert"
            right.write_bytes(packed(GOLD))
            wrong.write_bytes(b"no certificate")
            self.assertEqual(self.run_main([str(right)]), ("right\tright\tmate, 0 plies, 1 positions\n", 0))
            told, end = self.run_main(["--positions", "0", str(right)])
            self.assertTrue(told.startswith("right\tundecided\tat the start: "), told)
            self.assertEqual(end, "certificates that cannot be replayed within the limits: 1")
            told, end = self.run_main(["--positions", "0", str(right), str(wrong)])
            self.assertEqual([line.split("\t")[1] for line in told.splitlines()], ["undecided", "wrong"])
            self.assertEqual(end, "wrong certificates: 1")


@unittest.skipUnless(HAS_RULES, "needs cshogi")
class Rules(unittest.TestCase):
    def test_impossible_positions_are_refused(self):
        for sfen in [
            "4k4/9/4P4/9/9/9/9/9/9 b G",
            "4k4/9/4P4/9/9/9/9/9/9 b 2pG 7",
            "4k4/9/4P4/9/9/9/9/9/9 b p0RpG",
            "4k4/9/4P4/9/9/9/9/9/9 b 3R3B7G7S4N3n7L16P14p",
        ]:
            board_of(sfen)
        for sfen in [
            "4k4/9/4P4/9/9/9/9/9/9 b",
            "4k4/9/4P4/9/9/9/9/9 b G 1",
            "4k4/9/4P5/9/9/9/9/9/9 b G 1",
            "4k4/9/4P4/9/9/9/9/9/9 x G 1",
            "4k4/9/4P4/9/9/9/9/9/9 b 5G3g 1",
            "4k4/9/4P4/9/9/9/9/9/9 b 31P 1",
            "4k4/9/4P4/9/9/4P4/9/9/9 b G 1",
            "4k3P/9/9/9/9/9/9/9/9 b G 1",
            "9/9/9/9/9/9/9/9/4K4 b G 1",
            "4k4/4R4/9/9/9/9/9/9/9 b - 1",
        ]:
            with self.assertRaises(Refused, msg=sfen):
                board_of(sfen)

    def test_non_promotions_are_generated(self):
        moves = legal(board_of("8k/9/4P4/3L5/9/9/9/9/9 b - 1"))
        expected = ["5c5b", "5c5b+", "6d6a+", "6d6b", "6d6b+", "6d6c", "6d6c+"]
        self.assertEqual(sorted(moves), expected)
        self.assertNotIn("5b5a", legal(board_of("8k/4P4/9/9/9/9/9/9/9 b - 1")))


if __name__ == "__main__":
    unittest.main()
