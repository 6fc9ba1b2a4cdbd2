#!/bin/bash
# Copies the documentation, and the files to which it links, for archives and the Debian package.
# Usage: documents.sh SOURCE FOLDER      (tests/it/packaging.rs follows every link.)
set -euo pipefail
source=$1 folder=$2
mkdir -p "$folder"
cd "$source"
pages="README.md README.ja.md LICENSE docs book/README.md book/brinkmates/README.md scripts/experiments scripts/packaging"
linked="scripts/peers/engines.toml src/lib.rs tests/data/brinkmates/set.tsv"
# shellcheck disable=SC2086
cp -r --parents $pages $linked "$folder/"
