#!/usr/bin/env python3
"""Reads the metrics of a running program as Prometheus does: with the parsers of its Python library, in both formats,
and with promtool, which also reports bad names.

    scripts/check_metrics.py http://127.0.0.1:9400/metrics ...

Prints one line per address. The exit code is 1 if something cannot be parsed or is badly named, and 2 without an
address or without the library (`pip install prometheus_client`).
"""

import shutil
import subprocess
import sys
import urllib.request

try:
    from prometheus_client import parser as plain
    from prometheus_client.openmetrics import parser as open_metrics
except ImportError:
    print("check_metrics.py: expected the Python package prometheus_client, found none", file=sys.stderr)
    sys.exit(2)

FORMATS = {"text/plain": plain, "application/openmetrics-text": open_metrics}


def fetched(address, kind):
    request = urllib.request.Request(address, headers={"Accept": kind})
    with urllib.request.urlopen(request, timeout=10) as answer:
        if answer.headers.get_content_type() != kind:
            raise ValueError(f"expected {kind}, found {answer.headers['Content-Type']}")
        return answer.read().decode()


def names(text, kind):
    """The metrics in a text, with their labels, which do not depend on the format."""
    families = list(FORMATS[kind].text_string_to_metric_families(text))
    for family in families:
        if not family.documentation or family.type not in ("gauge", "counter"):
            raise ValueError(f"expected a described gauge or counter, found {family}")
    found = [(sample.name, tuple(sorted(sample.labels.items()))) for family in families for sample in family.samples]
    if not found or len(set(found)) < len(found):
        raise ValueError(f"expected each figure once, found {found}")
    return set(found)


def check(address):
    texts = {kind: fetched(address, kind) for kind in FORMATS}
    found = [names(text, kind) for kind, text in texts.items()]
    # Between the two requests a worker may join or leave, which is not an error of a format.
    if not found[0] & found[1]:
        raise ValueError(f"expected the same figures in both formats, found {found}")
    if promtool := shutil.which("promtool"):
        told = subprocess.run([promtool, "check", "metrics"], input=texts["text/plain"], capture_output=True, text=True, check=False)
        if told.returncode or told.stderr:
            raise ValueError(f"promtool: {told.stderr.strip()}")
    return f"{len(found[0])} figures, read by prometheus_client{' and promtool' if promtool else ''}"


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
