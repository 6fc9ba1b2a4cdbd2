#!/usr/bin/env python3
"""Checks every crate that Cargo.lock names against deny.toml: licence, source, bans. Offline, Python 3.11, no packages.

Usage: scripts/check_dependencies.py            exit code 0: all allowed; 1: one line for each crate that is not

Security advisories and yanked versions: scripts/advisories.py. Both together are what `cargo deny check` does with a network.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def metadata():
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def tokens(expression):
    """SPDX words; the old `MIT/Apache-2.0` means OR."""
    return re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))


def satisfied(expression, allowed):
    """Evaluates an SPDX expression: AND binds tighter than OR, WITH adds permissions only."""
    words = tokens(expression) + ["END"]
    at = 0

    def take():
        nonlocal at
        at += 1
        return words[at - 1]

    def term():
        word = take()
        if word == "(":
            value = alternatives()
            if take() != ")":
                raise ValueError(f"expected a closing bracket in the licence '{expression}'")
        else:
            value = word in allowed
        if words[at] == "WITH":
            take()
            take()
        return value

    def conjunction():
        value = term()
        while words[at] == "AND":
            take()
            value = term() and value
        return value

    def alternatives():
        value = conjunction()
        while words[at] == "OR":
            take()
            value = conjunction() or value
        return value

    value = alternatives()
    if words[at] != "END":
        raise ValueError(f"expected an SPDX expression, found '{expression}'")
    return value


def faults(package, rules):
    name = f"{package['name']} {package['version']}"
    licence, source = package["license"], package["source"]
    if licence is None:
        yield f"{name}: expected a licence, found none"
    elif not satisfied(licence, set(rules["licenses"]["allow"])):
        yield f"{name}: expected a licence of deny.toml, found {licence}"
    allowed = {f"registry+{registry}" for registry in rules["sources"]["allow-registry"]}
    if source is not None and source not in allowed:
        yield f"{name}: expected a registry of deny.toml, found {source}"
    if package["name"] in {ban["crate"] for ban in rules["bans"]["deny"]}:
        yield f"{name}: banned by deny.toml"
    for dependency in package["dependencies"]:
        if source is None and dependency["req"] == "*" and dependency.get("path") is None:
            yield f"{name}: expected a version of {dependency['name']}, found a wildcard"


def main():
    rules = tomllib.loads((ROOT / "deny.toml").read_text())
    packages = metadata()["packages"]
    found = [fault for package in packages for fault in faults(package, rules)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(packages)} crates: licences, sources and bans checked, {len(found)} faults")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
