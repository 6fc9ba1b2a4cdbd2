"""Tests of scripts/advisories.py: `python3 -m unittest scripts/test_advisories.py`."""

import json
import tempfile
import unittest
from pathlib import Path

import sys

sys.path.insert(0, str(Path(__file__).parent))
import advisories  # noqa: E402

ORIGIN = "registry+https://github.com/rust-lang/crates.io-index"


def package(name, version, *dependencies, source=ORIGIN):
    crate = {"name": name, "version": version, "dependencies": list(dependencies)}
    return crate | ({"source": source} if source else {})


def workspace(*crates, wanted=()):
    return [package("hasami", "0.1.0", *wanted, source=None), *crates]


class Versions(unittest.TestCase):
    def test_order_is_that_of_semantic_versions(self):
        ordered = "0.9.9 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1".split()
        for before, after in zip(ordered, ordered[1:]):
            self.assertLess(advisories.version(before), advisories.version(after))
        self.assertEqual(advisories.version("1.2.3+build"), advisories.version("1.2.3"))

    def test_every_comparison_of_a_requirement(self):
        cases = {
            ">=1.2": ("1.2.0 1.2.1 2.0.0", "1.1.9 1.2.0-rc.1"),
            ">1.2": ("1.3.0", "1.2.9"),
            ">1.2.3": ("1.2.4", "1.2.3"),
            "<=1.2": ("1.2.9", "1.3.0"),
            "<0.3.0": ("0.3.0-rc.1 0.2.9", "0.3.0"),
            "=1.2.3": ("1.2.3", "1.2.4"),
            "=0.2": ("0.2.7", "0.3.0"),
            "~1.2.3": ("1.2.9", "1.3.0 1.2.2"),
            "^1.2.3": ("1.9.0", "2.0.0 1.2.2"),
            "^0.3.1": ("0.3.9", "0.4.0 0.3.0"),
            "^0.0.3": ("0.0.3", "0.0.4"),
            "0.4": ("0.4.0 0.4.9", "0.5.0"),
            "1": ("1.0.0 1.9.9", "2.0.0 0.9.0"),
        }
        for requirement, (inside, outside) in cases.items():
            for found in inside.split():
                self.assertTrue(advisories.satisfies(advisories.version(found), requirement), (found, requirement))
            for found in outside.split():
                self.assertFalse(advisories.satisfies(advisories.version(found), requirement), (found, requirement))
        self.assertRaises(ValueError, advisories.satisfies, advisories.version("1.0.0"), "newest")


class Advisories(unittest.TestCase):
    """Against the snapshot: what it says of well-known old crates."""

    def setUp(self):
        _, self.known = advisories.read_snapshot()

    def faults(self, *crates, wanted=(), rules=None):
        found = advisories.advisory_faults(workspace(*crates, wanted=wanted), self.known, rules or {})
        return [text for counts, text in found if counts]

    def test_a_planted_vulnerable_version_is_found(self):
        found = self.faults(package("smallvec", "1.6.0"), package("time", "0.1.43"), package("hyper", "0.14.9"))
        for name, number in (("smallvec", "2021-0003"), ("time", "2020-0071"), ("hyper", "2021-0079")):
            self.assertTrue(any(text.startswith(name) and f"RUSTSEC-{number}" in text for text in found), (name, found))

    def test_patched_and_unaffected_versions_are_fine(self):
        self.assertEqual(self.faults(package("smallvec", "1.6.1")), [])
        self.assertEqual(self.faults(package("smallvec", "0.6.14")), [])
        of_time = " ".join(self.faults(package("time", "0.2.6")))
        self.assertNotIn("RUSTSEC-2020-0071", of_time)

    def test_what_is_named_in_deny_toml_is_ignored(self):
        self.assertEqual(self.faults(package("smallvec", "1.6.0"), rules={"ignore": ["RUSTSEC-2021-0003"]}), [])

    def test_the_unmaintained_count_where_they_are_used_directly(self):
        crate = package("ansi_term", "0.12.1")
        self.assertEqual(self.faults(crate), [])
        self.assertEqual(len(self.faults(crate, wanted=["ansi_term"])), 1)

    def test_what_concerns_other_systems_only_is_fine(self):
        row = ["crate", "RUSTSEC-1", "", "{}", ">=2.0.0", ""]
        for systems, concerns in (("macos", False), ("macos windows", True), ("", True)):
            advisory = advisories.Advisory([part.format(systems) for part in row])
            self.assertEqual(advisory.concerns("1.0.0"), concerns, systems)
            self.assertFalse(advisory.concerns("2.0.0"), systems)

    def test_withdrawn_advisories_are_left_out(self):
        text = '```toml\n[advisory]\nid = "RUSTSEC-1"\npackage = "crate"\n{}\n[versions]\npatched = [">= 1.0, < 2.0"]\n```\n'
        self.assertEqual(advisories.snapshot_row(text.format("")), "crate\tRUSTSEC-1\t\t\t>=1.0,<2.0\t")
        self.assertIsNone(advisories.snapshot_row(text.format('withdrawn = "2020-01-01"')))


class Yanked(unittest.TestCase):
    def test_a_yanked_version_is_found_in_cargos_copy_of_the_index(self):
        records = [{"vers": "1.0.0", "yanked": True}, {"vers": "1.0.1", "yanked": False}]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / ".cache" / "so" / "me" / "some-crate"
            file.parent.mkdir(parents=True)
            parts = [b"\3\2\0\0\0etag", *(part.encode() for r in records for part in (r["vers"], json.dumps(r)))]
            file.write_bytes(b"\0".join(parts) + b"\0")
            crates = workspace(package("some-crate", "1.0.0"), package("some-crate", "1.0.1"), package("other", "1.0.0"))
            faults, unknown = advisories.yanked_faults(crates, [Path(folder)])
        self.assertEqual(faults, ["some-crate 1.0.0: yanked"])
        self.assertEqual(unknown, 1)

    def test_the_index_is_laid_out_by_the_length_of_names(self):
        paths = [advisories.index_path(name) for name in ("a", "ab", "abc", "abcd")]
        self.assertEqual(paths, ["1/a", "2/ab", "3/a/abc", "ab/cd/abcd"])


if __name__ == "__main__":
    unittest.main()
