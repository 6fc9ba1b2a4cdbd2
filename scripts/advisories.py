#!/usr/bin/env python3
"""Checks every crate that Cargo.lock names against known advisories and yanked versions. Python 3.11, no packages.

    scripts/advisories.py                       exit code 0: nothing; 1: one line for each crate that must not be used
    scripts/advisories.py --lock FILE           the same for another lock file
    scripts/advisories.py --refresh CHECKOUT    writes scripts/advisories.tsv anew from a clone of rustsec/advisory-db

The advisories are a snapshot that is kept here (scripts/advisories.tsv), so that a machine that reaches nothing but a
package registry, or nothing at all, can check them. Yanked versions are those of Cargo's copy of the registry's index,
which it fetches with the crates. What counts is said under [advisories] in deny.toml, as for `cargo deny`.
"""

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SNAPSHOT = ROOT / "scripts" / "advisories.tsv"
SYSTEMS = {"linux", "windows"}
# After so many days a line reminds of refreshing the snapshot.
STALE = 180


def version(text):
    """Sorts as semantic versions do (semver.org 2.0.0, section 11); missing numbers are zeros."""
    number, _, rest = text.partition("+")[0].partition("-")
    numbers = [int(part) for part in number.split(".")]
    words = [(0, int(word), "") if word.isdigit() else (1, 0, word) for word in rest.split(".") if word]
    return (*numbers, *[0] * (3 - len(numbers))), not words, words


def following(text, keep):
    """The first version in which one of the first `keep` numbers is greater."""
    numbers = list(version(text)[0])[:keep]
    numbers[-1] += 1
    return version(".".join(map(str, numbers)))


def caret_width(text):
    """How many numbers a compatible version must share."""
    numbers = version(text)[0]
    given = text.partition("+")[0].partition("-")[0].count(".") + 1
    leading = next((at for at, number in enumerate(numbers) if number), given - 1)
    return min(leading, given - 1) + 1


def satisfies(found, requirement):
    """One comparison of Cargo's version requirements, by plain order: `>= 1.2`, `^0.3.1`, `=2.0.0`, `1.4`."""
    match = re.fullmatch(r"\s*(>=|<=|>|<|=|\^|~)?\s*([0-9][^\s]*)\s*", requirement)
    if not match:
        raise ValueError(f"expected a comparison of versions, found '{requirement}'")
    operator, text = match[1] or "^", match[2]
    given = text.partition("+")[0].partition("-")[0].count(".") + 1
    least = version(text)
    beyond = following(text, given) if given < 3 else None
    match operator:
        case ">=":
            return found >= least
        case "<":
            return found < least
        case ">":
            return found >= beyond if beyond else found > least
        case "<=":
            return found < beyond if beyond else found <= least
        case "=":
            return least <= found < beyond if beyond else found == least
        case "~":
            return least <= found < following(text, min(given, 2))
        case _:
            return least <= found < following(text, caret_width(text))


def is_within(found, ranges):
    """`ranges`: alternatives, each of comparisons that all must hold."""
    return any(all(satisfies(found, part) for part in each.split(",")) for each in ranges)


class Advisory:
    def __init__(self, row):
        self.crate, self.id, self.kind, self.systems, patched, unaffected = row
        self.fine = [each for each in (*patched.split(";"), *unaffected.split(";")) if each]

    def concerns(self, found):
        """Everything is affected that is neither patched nor named as unaffected."""
        systems = set(self.systems.split())
        return (not systems or bool(systems & SYSTEMS)) and not is_within(version(found), self.fine)


def read_snapshot(path=SNAPSHOT):
    """The date of the database and its advisories by crate."""
    lines = path.read_text(encoding="utf-8").splitlines()
    date = re.search(r"\d{4}-\d\d-\d\d", lines[0])[0]
    advisories = {}
    for line in lines:
        if not line.startswith("#"):
            advisory = Advisory(line.split("\t"))
            advisories.setdefault(advisory.crate, []).append(advisory)
    return datetime.date.fromisoformat(date), advisories


def packages_of(lock):
    return tomllib.loads(Path(lock).read_text(encoding="utf-8"))["package"]


def direct(packages):
    """Names of what the crates of this workspace ask for themselves."""
    own = [package for package in packages if "source" not in package]
    return {name.split()[0] for package in own for name in package.get("dependencies", [])}


def advisory_faults(packages, advisories, rules):
    """Vulnerabilities count everywhere; what is unsound or unmaintained only where it is used directly."""
    wanted, ignored = direct(packages), set(rules.get("ignore", []))
    for package in (package for package in packages if "source" in package):
        for advisory in advisories.get(package["name"], []):
            if advisory.id in ignored or not advisory.concerns(package["version"]):
                continue
            counts = not advisory.kind or package["name"] in wanted
            what = advisory.kind or "vulnerable"
            yield counts, f"{package['name']} {package['version']}: {what}, {advisory.id}"


def index_path(name):
    match len(name):
        case 1 | 2:
            return f"{len(name)}/{name}"
        case 3:
            return f"3/{name[0]}/{name}"
        case _:
            return f"{name[:2]}/{name[2:4]}/{name}"


def yanked_versions(name, homes):
    """Of Cargo's cached copy of the index: records between zero bytes. `None` if there is no copy."""
    files = [file for home in homes if (file := home / ".cache" / index_path(name.lower())).is_file()]
    if not files:
        return None
    newest = max(files, key=lambda file: file.stat().st_mtime)
    records = [json.loads(part) for part in newest.read_bytes().split(b"\0") if part.startswith(b"{")]
    return {record["vers"] for record in records if record["yanked"]} if records else None


def yanked_faults(packages, homes):
    """Faults, and how many crates the copy of the index does not hold."""
    faults, unknown = [], 0
    for package in packages:
        if "registry+" not in package.get("source", ""):
            continue
        yanked = yanked_versions(package["name"], homes)
        if yanked is None:
            unknown += 1
        elif package["version"] in yanked:
            faults.append(f"{package['name']} {package['version']}: yanked")
    return faults, unknown


def check(lock):
    rules = tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))["advisories"]
    packages = packages_of(lock)
    date, advisories = read_snapshot()
    found = list(advisory_faults(packages, advisories, rules))
    cargo = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    faults, unknown = yanked_faults(packages, list((cargo / "registry" / "index").glob("*")))
    faults = [text for counts, text in found if counts] + (faults if rules["yanked"] == "deny" else [])
    remarks = [f"remark: {text}" for counts, text in found if not counts]
    if unknown:
        remarks.append(f"remark: {unknown} crates are not in Cargo's copy of the index: not known whether yanked")
    if (datetime.date.today() - date).days > STALE:
        remarks.append(f"remark: the advisories are those of {date}; docs/design/building.md says how to refresh them")
    print(*faults, *remarks, sep="\n", end="\n" if faults or remarks else "")
    print(f"{len(packages)} crates: advisories of {date} and yanked versions checked, {len(faults)} faults")
    return bool(faults)


def advisory_texts(checkout):
    """The Markdown files of the last commit, read by git, so that a bare clone will do."""
    git = ["git", "-C", checkout]
    run = lambda command, text="": subprocess.run(command, check=True, input=text.encode(), stdout=subprocess.PIPE).stdout
    names = run([*git, "ls-tree", "-r", "--name-only", "HEAD", "crates"]).decode().split()
    answer = run([*git, "cat-file", "--batch"], "".join(f"HEAD:{name}\n" for name in names))
    at = 0
    for _ in names:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split()[2])
        yield answer[end + 1 : end + 1 + size].decode("utf-8")
        at = end + 2 + size


def snapshot_row(text):
    """One line, or `None` for an advisory that was withdrawn."""
    facts = tomllib.loads(re.match(r"```toml\n(.*?)```", text, re.DOTALL)[1])
    advisory, versions = facts["advisory"], facts["versions"]
    if "withdrawn" in advisory:
        return None
    systems = " ".join(sorted(facts.get("affected", {}).get("os", [])))
    ranges = [";".join(part.replace(" ", "") for part in versions.get(kind, [])) for kind in ("patched", "unaffected")]
    return "\t".join([advisory["package"], advisory["id"], advisory.get("informational", ""), systems, *ranges])


def refresh(checkout):
    log = subprocess.run(
        ["git", "-C", checkout, "log", "-1", "--format=%cs %H"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    date, commit = log.split()
    rows = sorted(row for row in map(snapshot_row, advisory_texts(checkout)) if row)
    head = [
        f"# Advisories of {date} about Rust crates, from https://github.com/rustsec/advisory-db, commit {commit}.",
        "# That database is in the public domain (CC0-1.0) but for texts that it imports under CC-BY-4.0; only the names,",
        "# numbers and version ranges are taken. Written by scripts/advisories.py --refresh. Columns, by tabulators:",
        "# crate, advisory, kind (empty: a vulnerability), systems (empty: all), patched and unaffected versions.",
    ]
    SNAPSHOT.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")
    print(f"{SNAPSHOT.relative_to(ROOT)}: {len(rows)} advisories of {date}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lock", default=ROOT / "Cargo.lock")
    parser.add_argument("--refresh", metavar="CHECKOUT")
    arguments = parser.parse_args()
    if arguments.refresh:
        refresh(arguments.refresh)
        return False
    return check(arguments.lock)


if __name__ == "__main__":
    sys.exit(main())
