#!/bin/bash
# Copies the pages of the project, and the files that they link to, as an archive and the Debian package have them.
# Usage: documents.sh SOURCE FOLDER      tests/it/packaging.rs follows every link
set -euo pipefail
source=$1 folder=$2
mkdir -p "$folder"
cd "$source"
pages="README.md README.ja.md LICENSE docs book/README.md book/brinkmates/README.md scripts/experiments scripts/packaging"
linked="scripts/peers/engines.toml src/lib.rs tests/data/brinkmates/set.tsv"
# shellcheck disable=SC2086
cp -r --parents $pages $linked "$folder/"
