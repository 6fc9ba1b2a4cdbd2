#!/bin/bash
# Kills, quits and starves the program a hundred times each at random moments and looks for processes left behind.
set -euo pipefail
cd "$(dirname "$0")/.."
HASAMI_ORPHAN_ROUNDS="${1:-100}" cargo nextest run -p hasami --test it orphans
