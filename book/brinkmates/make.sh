#!/bin/bash
# Makes the material of the set, and the set. Run it in the repository's root; it takes a few hours of one processor.
# What was made by a run that was ended early is cut off by head.
set -eu
compose() { cargo run --quiet --release -p hasami-compose -- "$@"; }
known=tests/data/brinkmates/known.tsv
out=${1:-target/brinkmates}
mkdir -p "$out"

# Roots: few men at random.
compose random --seed 3 --count 222 --nodes 400000 --hash 128 > "$out/random.tsv"
# A population from its own roots, and one from the easy ones of these.
compose grow --seed 1 --tries 1000000 | head -n 2086 > "$out/grown-1.tsv"
awk -F'\t' '{split($NF, n, "=")} $3 == 1 && n[2] <= 50000 || $3 >= 3 && n[2] <= 150000' "$out/random.tsv" > "$out/easy.tsv"
compose grow --seed 31 --tries 1000000 --first 0 --from "$out/easy.tsv" | head -n 952 > "$out/grown-31.tsv"

# By length in turns, so that a run that is ended early has some of each.
turns() { sort -t$'\t' -k2.5; }
compose choose "$out/grown-1.tsv" --composed 50 --game 0 --family 3 --except $known | turns > "$out/chosen-1.tsv"
compose finish "$out/chosen-1.tsv" --nodes 20000000 | head -n 188 > "$out/finished-1.tsv"
compose choose "$out/grown-31.tsv" "$out/easy.tsv" --composed 90 --game 0 --family 2 --except $known | turns > "$out/chosen-31.tsv"
compose finish "$out/chosen-31.tsv" --nodes 6000000 | head -n 183 > "$out/finished-31.tsv"
compose finish "$out/random.tsv" --nodes 20000000 | head -n 12 > "$out/finished-first.tsv"
awk -F'\t' '{split($NF, n, "="); print n[2] "\t" $0}' "$out/random.tsv" | sort -n | cut -f2- > "$out/by-nodes.tsv"
compose finish "$out/by-nodes.tsv" --nodes 6000000 > "$out/finished-random.tsv"

# On the boards of games.
head -n 91 "$out/finished-random.tsv" > "$out/finished-91.tsv"
rest=("$out/finished-31.tsv" "$out/finished-1.tsv" "$out/finished-first.tsv")
compose choose "$out/finished-91.tsv" "${rest[@]}" --composed 100 --game 60 --family 9 --end 8 --except $known | turns > "$out/ready-1.tsv"
compose graft "$out/ready-1.tsv" --seed 1 --games 25 --tries 100 --nodes 30000 > "$out/grafted-1.tsv"
compose choose "$out/finished-random.tsv" --composed 200 --game 60 --family 9 --end 99 --except $known | turns > "$out/ready-2.tsv"
compose graft "$out/ready-2.tsv" --seed 2 --games 25 --tries 60 --nodes 30000 > "$out/grafted-2.tsv"
# As they came about in games.
compose games --seed 1 --games 40 --nodes 200000 | head -n 1 > "$out/games.tsv"
cat "$out/games.tsv" "$out"/grafted-[12].tsv > "$out/games-all.tsv"
compose finish "$out/games-all.tsv" --nodes 6000000 > "$out/finished-games.tsv"

compose choose "$out/finished-random.tsv" "${rest[@]}" "$out/finished-games.tsv" --composed 300 --game 300 --family 9 --end 99 \
    --except $known > "$out/set.tsv"
