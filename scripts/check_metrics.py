#!/usr/bin/env python3
"""Reads the metrics of a running program as Prometheus does: with the parser of the Prometheus library for Python and
with promtool, which also reports bad names.

    scripts/check_metrics.py http://127.0.0.1:9400/metrics ...

Prints one line per address. The exit code is 1 if something cannot be parsed or is badly named, and 2 without an
address or without the library (`pip install prometheus_client`).
"""

import shutil
import subprocess
import sys
import urllib.request

try:
    from prometheus_client import parser
except ImportError:
    print("check_metrics.py: the Python package prometheus_client is not installed", file=sys.stderr)
    sys.exit(2)


def fetched(address):
    with urllib.request.urlopen(address, timeout=10) as answer:
        if answer.headers.get_content_type() != "text/plain":
            raise ValueError(f"expected text/plain, found {answer.headers['Content-Type']}")
        return answer.read().decode()


def names(text):
    """The metrics in a text, with their labels."""
    families = list(parser.text_string_to_metric_families(text))
    for family in families:
        if not family.documentation or family.type not in ("gauge", "counter"):
            raise ValueError(f"expected a described gauge or counter, found {family}")
    found = [(sample.name, tuple(sorted(sample.labels.items()))) for family in families for sample in family.samples]
    if not found or len(set(found)) < len(found):
        raise ValueError(f"expected each figure once, found {found}")
    return found


def check(address):
    text = fetched(address)
    found = names(text)
    if promtool := shutil.which("promtool"):
        told = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, check=False)
        if told.returncode or told.stderr:
            raise ValueError(f"promtool: {told.stderr.strip()}")
    return f"{len(found)} figures, read by prometheus_client{' and promtool' if promtool else ''}"


def main():
    if len(sys.argv) < 2:
        print("check_metrics.py: expected addresses, such as http://127.0.0.1:9400/metrics, found none", file=sys.stderr)
        return 2
    failed = False
    for address in sys.argv[1:]:
        try:
            print(f"{address}: {check(address)}")
        except (OSError, ValueError) as error:
            print(f"{address}: {error}", file=sys.stderr)
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
