#!/usr/bin/env python3
"""Measures the code base: names, imports, the manager, lines, packages, the size of the program, build times.

    scripts/figures.py measure --root CHECKOUT --out after.json     a checkout of this repository, the present one by default
    scripts/figures.py measure --build --out after.json             also builds the release in an empty folder, and times it
    scripts/figures.py report before.json after.json                writes the table of docs/design/figures.md

Everything but the build times repeats exactly. An import circle is a set of files of one crate of `engines`, or of top-level
modules of `src`, each of which names each other by way of its imports.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from page import fill

TYPE = re.compile(r"^(?:pub(?:\([a-z ]+\))? )?(?:struct|enum|trait) ([A-Z]\w*)", re.M)
USE = re.compile(r"^\s*(?:pub(?:\([a-z ]+\))? )?use ([^;]*);", re.M)
INLINE = re.compile(r"\b((?:crate|super)(?:::\w+)+)")
WAY = "# The way of a `go`"


def sources(root, *folders):
    """Files of Rust below folders without tests, benches and build products."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*.rs")):
            parts = path.relative_to(root).parts
            if not {"tests", "benches", "target", "examples"} & set(parts) and path.name not in ("tests.rs", "test.rs"):
                yield path


def code(path):
    """A file's text without its tests and comments."""
    text = path.read_text().split("#[cfg(test)]\nmod tests {")[0]
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))


def repeated_types(root):
    where = defaultdict(set)
    for path in sources(root, "src", "engines"):
        for name in TYPE.findall(path.read_text().split("#[cfg(test)]")[0]):
            where[name].add(path)
    return sum(len(paths) > 1 for paths in where.values()), len(where)


def expanded(use):
    """The paths of a `use` with braces."""
    use = re.sub(r"\s+", " ", use).strip()
    found = re.match(r"(.*?)\{(.*)\}$", use)
    if not found:
        yield re.sub(r" as \w+$", "", use)
        return
    depth, begin, inner = 0, 0, found[2] + ","
    for at, letter in enumerate(inner):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            if part := inner[begin:at].strip():
                yield from (found[1] + path for path in expanded(part))
            begin = at + 1


def module_of(path, top):
    parts = list(path.relative_to(top).with_suffix("").parts)
    return tuple(parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts)


def imports(top, paths):
    """Each module of a crate, and the modules that it names; a name that a parent hands on counts for where it is from."""
    texts = {module_of(path, top): code(path) for path in paths}

    def absolute(module, path):
        names = path.replace("self::", "").split("::")
        at = list(module)
        if names[0] == "crate":
            at, names = [], names[1:]
        while names and names[0] == "super":
            at, names = at[:-1], names[1:]
        return tuple(at + names)

    handed = {}
    for module, text in texts.items():
        for use in re.findall(r"^(?:pub(?:\([a-z ]+\))? )?use ([^;]*);", text, re.M):
            for path in expanded(use):
                name = absolute(module, path)
                if name and (path.startswith(("crate", "super", "self")) or name[: len(module) + 1] in texts):
                    handed[module + (name[-1],)] = name

    def home(name):
        """The module in which this is written."""
        for _ in range(8):
            if name in texts:
                return name
            if name not in handed or handed[name] == name:
                break
            name = handed[name]
        while name and name not in texts:
            name = name[:-1]
        return name

    graph = {}
    for module, text in texts.items():
        named = [path for use in USE.findall(text) for path in expanded(use)]
        bodies = re.sub(r"^\s*(pub(\([a-z ]+\))? )?use [^;]*;", "", text, flags=re.M)
        named += INLINE.findall(bodies)
        inside = [absolute(module, path) for path in named if path.startswith(("crate", "super", "self"))]
        inside += [name for path in named if (name := absolute(module, path))[: len(module) + 1] in texts]
        graph[module] = {home(name) for name in inside} - {module, ()}
    return graph


def circles(graph):
    """Sets of more than one node that reach each other (Tarjan 1972, by two walks)."""
    order, seen = [], set()

    def walk(node, edges, out):
        stack = [(node, iter(edges.get(node, ())))]
        seen.add(node)
        while stack:
            at, rest = stack[-1]
            following = next((n for n in rest if n not in seen and n in edges), None)
            if following is None:
                out.append(at)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(edges[following])))

    for node in sorted(graph):
        if node not in seen:
            walk(node, graph, order)
    back = {node: set() for node in graph}
    for node, others in graph.items():
        for other in others & set(graph):
            back[other].add(node)
    seen.clear()
    found = []
    for node in reversed(order):
        if node not in seen:
            members = []
            walk(node, back, members)
            if len(members) > 1:
                found.append(sorted(members))
    return found


def import_circles(root):
    found = {}
    for top in sorted((root / "engines").glob("*/src")):
        graph = imports(top, list(sources(root, top.relative_to(root))))
        for members in circles(graph):
            found.setdefault(top.parent.name, []).append(["/".join(m) for m in members])
    graph = imports(root / "src", list(sources(root, "src")))
    tops = defaultdict(set)
    for module, others in graph.items():
        if module:
            tops[module[0]] |= {other[0] for other in others} - {module[0]}
    for members in circles(dict(tops)):
        found.setdefault("src", []).append(members)
    return found


def manager(root):
    """Shared functions, fields, and files on the way of a `go` as the manager's own page lists them."""
    folder = root / "src" / "manager"
    shared = sum(code(path).count("pub(super) fn") for path in sources(root, "src/manager"))
    text = "\n".join(code(path) for path in sources(root, "src/manager"))
    body = re.search(r"pub struct Manager<[^{]*\{(.*?)\n\}", text, re.S)
    fields = len(re.findall(r"^    (?:pub(?:\([a-z ]+\))? )?\w+:", body[1], re.M)) if body else None
    page = (folder / "mod.rs").read_text()
    way = None
    if WAY in page:
        block = page.split(WAY)[1].split("```")[1]
        names = set(re.findall(r"\w+(?:/\w+)*", block.removeprefix("text").replace("//!", " ")))
        way = sum(any((top / f"{name}{end}").is_file() for top in (folder, root / "src") for end in (".rs", "/mod.rs")) for name in names)
    return shared, fields, way


def lines(root):
    """Lines by area; tests beside the code count as tests."""
    found = defaultdict(int)
    listed = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        path, parts = root / name, Path(name).parts
        if path.suffix not in (".rs", ".py", ".sh", ".mjs", ".md") or "data" in parts or not path.is_file():
            continue
        top = parts[0]
        if path.suffix == ".md":
            area = "experiments" if parts[:2] == ("scripts", "experiments") else "documents"
        elif {"tests", "benches"} & set(parts) or path.name in ("tests.rs", "test.rs"):
            area = "tests and benches"
        elif top == "src":
            area = "src/" + (parts[1].removesuffix(".rs") if len(parts) > 2 else "*.rs")
        else:
            area = "/".join(parts[:2]) if top == "engines" else top
        found[area] += path.read_text().count("\n")
    return dict(sorted(found.items()))


def packages(root, *flags):
    command = ["cargo", "tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}", *flags]
    told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return len({line.removesuffix(" (*)") for line in told.stdout.splitlines() if line}) if told.returncode == 0 else None


def build(root):
    """Seconds of a release build in an empty folder, and the program's bytes, as it is and stripped."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        subprocess.run(["cargo", "build", "--locked", "--release", "--target-dir", folder], cwd=root, check=True)
        seconds = time.monotonic() - begin
        program, stripped = Path(folder) / "release" / "hasami", Path(folder) / "stripped"
        subprocess.run(["strip", "-o", stripped, program], check=True)
        return seconds, program.stat().st_size, stripped.stat().st_size


def measure(arguments):
    root = Path(arguments.root).resolve()
    commit = subprocess.run(["git", "-C", str(root), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    repeated, names = repeated_types(root)
    shared, fields, way = manager(root)
    found = import_circles(root)
    has_features = "[features]" in (root / "Cargo.toml").read_text()
    told = {
        "commit": commit.stdout.strip(),
        "type names that stand for several things": repeated,
        "type names": names,
        "functions shared within the manager": shared,
        "fields of the manager": fields,
        "files on the way of a `go`": way,
        "import circles": sum(len(members) for members in found.values()),
        "files in import circles": sum(len(member) for members in found.values() for member in members),
        "where": {crate: [len(m) for m in members] for crate, members in found.items()},
        "packages": packages(root),
        "packages without default features": packages(root, "--no-default-features") if has_features else packages(root),
        "lines": lines(root),
    }
    if arguments.build:
        seconds, size, stripped = build(root)
        told |= {"release build, s": round(seconds), "program, MiB": round(size / 2**20, 1)}
        told |= {"program stripped, MiB": round(stripped / 2**20, 1), "processors": os.cpu_count()}
    text = json.dumps(told, indent=1)
    if arguments.out:
        Path(arguments.out).write_text(text + "\n")
    print(text)


def shown(value):
    return "-" if value is None else f"{value:,}"


def report(arguments):
    before, after = (json.loads(Path(name).read_text()) for name in (arguments.before, arguments.after))
    rows = [f"| | {before['commit']} | {after['commit']} |", "| --- | --- | --- |"]
    for name, value in before.items():
        if name not in ("commit", "lines", "where", "processors"):
            rows.append(f"| {name} | {shown(value)} | {shown(after.get(name))} |")
    areas = ["| lines | " + before["commit"] + " | " + after["commit"] + " |", "| --- | --- | --- |"]
    for area in sorted(before["lines"].keys() | after["lines"].keys()):
        areas.append(f"| {area} | {shown(before['lines'].get(area, 0))} | {shown(after['lines'].get(area, 0))} |")
    areas.append(f"| all | {shown(sum(before['lines'].values()))} | {shown(sum(after['lines'].values()))} |")
    fill(Path(arguments.page), {"figures": "\n".join(rows) + "\n", "lines": "\n".join(areas) + "\n"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(required=True)
    measurer = jobs.add_parser("measure")
    measurer.add_argument("--root", default=Path(__file__).resolve().parent.parent)
    measurer.add_argument("--out")
    measurer.add_argument("--build", action="store_true", help="build the release, too: minutes")
    measurer.set_defaults(job=measure)
    reporter = jobs.add_parser("report")
    reporter.add_argument("before")
    reporter.add_argument("after")
    reporter.add_argument("--page", default="docs/design/figures.md")
    reporter.set_defaults(job=report)
    arguments = parser.parse_args()
    sys.exit(arguments.job(arguments))


if __name__ == "__main__":
    main()
