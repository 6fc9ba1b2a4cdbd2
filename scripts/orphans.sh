#!/bin/bash
# Ends Hasami at random moments, by a kill, by `quit` and by the end of its input, a hundred times each, and looks for
# processes left behind.
set -euo pipefail
cd "$(dirname "$0")/.."
HASAMI_ORPHAN_ROUNDS="${1:-100}" cargo nextest run -p hasami --test it orphans
