"""Tests of scripts/figures.py: `python3 -m unittest scripts/test_figures.py`."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import figures  # noqa: E402


class Figures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_braces_of_a_use_are_taken_apart(self):
        found = list(figures.expanded("crate::a::{B, c::{D, E as F}, self}"))
        self.assertEqual(found, ["crate::a::B", "crate::a::c::D", "crate::a::c::E", "crate::a::self"])

    def test_circles_of_any_length_are_found(self):
        graph = {1: {2}, 2: {3}, 3: {1}, 4: {1}, 5: {6}, 6: {5}, 7: set()}
        self.assertEqual(sorted(figures.circles(graph)), [[1, 2, 3], [5, 6]])

    def test_a_name_that_the_root_hands_on_counts_for_its_module(self):
        self.write("engines/x/src/lib.rs", "mod a;\nmod b;\npub use a::A;\n")
        self.write("engines/x/src/a.rs", "use crate::b::B;\npub struct A(B);\n")
        self.write("engines/x/src/b.rs", "// use crate::A;\npub struct B;\n")
        self.write("src/lib.rs", "mod one;\nmod two;\n")
        self.write("src/one/mod.rs", "mod deep;\n")
        self.write("src/one/deep.rs", "use crate::two::Two;\n")
        self.write("src/two.rs", "pub struct Two;\n")
        self.assertEqual(figures.import_circles(self.root), {})
        self.write("engines/x/src/b.rs", "use crate::A;\npub struct B;\n")
        self.write("src/two.rs", "pub struct Two;\nfn f() { crate::one::g() }\n")
        self.assertEqual(figures.import_circles(self.root), {"x": [["a", "b"]], "src": [["one", "two"]]})

    def test_names_of_types_count_once_a_file(self):
        self.write("src/a.rs", "pub struct Entry;\nenum Kind {}\n#[cfg(test)]\nstruct Kind2;\n")
        self.write("engines/e/src/b.rs", "struct Entry;\ntrait Kind {}\n")
        self.write("engines/e/src/tests.rs", "struct Entry;\n")
        self.assertEqual(figures.repeated_types(self.root), (2, 2))

    def test_the_manager_is_counted_and_its_list_read(self):
        page = "//! # The way of a `go` to its `bestmove`\n//! ```text\n//!   driver -> core -> go/due -> (Action::Say) core\n//! ```\n"
        self.write("src/manager/mod.rs", page + "\nmod core;\n")
        self.write("src/driver.rs", "")
        self.write("src/manager/go/due.rs", "")
        self.write("src/manager/core.rs", "pub struct Manager<G: Game> {\n    pub(super) a: u8,\n    b: G,\n}\npub(super) fn f() {}\n")
        self.assertEqual(figures.manager(self.root), (1, 2, 3))


if __name__ == "__main__":
    unittest.main()
