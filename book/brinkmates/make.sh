#!/bin/bash
# Makes the material of the set, and the set. Run it in the repository's root; it takes a few hours of one processor.
# QUICK=1 makes a little of everything, to see that all of it runs, in some minutes. What was made by a run that was ended
# early is cut off by head. The searches end by nodes, so a solver that searches otherwise finds other problems.
set -eu
# So much; in a quick run a part of it, but not nothing.
of() { if [ -n "${QUICK:-}" ]; then echo $(($1 / $2 + 1)); else echo "$1"; fi; }
cargo build --quiet --release -p hasami-compose
compose() { target/release/compose "$@"; }
known=tests/data/brinkmates/known.tsv
out=${1:-target/brinkmates}
mkdir -p "$out"

# Roots: few men at random.
compose random --seed 3 --count $(of 222 20) --nodes $(of 400000 20) --hash 128 > "$out/random.tsv"
# A population from its own roots, and one from the easy ones of these.
compose grow --seed 1 --tries $(of 1000000 5000) | head -n 2086 > "$out/grown-1.tsv"
awk -F'\t' '{split($NF, n, "=")} $3 == 1 && n[2] <= 50000 || $3 >= 3 && n[2] <= 150000' "$out/random.tsv" > "$out/easy.tsv"
compose grow --seed 31 --tries $(of 1000000 5000) --first 0 --from "$out/easy.tsv" | head -n 952 > "$out/grown-31.tsv"

# By length in turns, so that a run that is ended early has some of each.
turns() { sort -t$'\t' -k2.5; }
compose choose "$out/grown-1.tsv" --composed 50 --game 0 --family 3 --except $known | turns > "$out/chosen-1.tsv"
compose finish "$out/chosen-1.tsv" --nodes $(of 20000000 100) | head -n 188 > "$out/finished-1.tsv"
compose choose "$out/grown-31.tsv" "$out/easy.tsv" --composed 90 --game 0 --family 2 --except $known | turns > "$out/chosen-31.tsv"
compose finish "$out/chosen-31.tsv" --nodes $(of 6000000 100) | head -n 183 > "$out/finished-31.tsv"
compose finish "$out/random.tsv" --nodes $(of 20000000 100) | head -n 12 > "$out/finished-first.tsv"
awk -F'\t' '{split($NF, n, "="); print n[2] "\t" $0}' "$out/random.tsv" | sort -n | cut -f2- > "$out/by-nodes.tsv"
compose finish "$out/by-nodes.tsv" --nodes $(of 6000000 100) > "$out/finished-random.tsv"

# On the boards of games.
head -n 91 "$out/finished-random.tsv" > "$out/finished-91.tsv"
rest=("$out/finished-31.tsv" "$out/finished-1.tsv" "$out/finished-first.tsv")
compose choose "$out/finished-91.tsv" "${rest[@]}" --composed 100 --game 60 --family 9 --end 8 --except $known | turns > "$out/ready-1.tsv"
compose graft "$out/ready-1.tsv" --seed 1 --games $(of 25 50) --tries $(of 100 50) --nodes 30000 > "$out/grafted-1.tsv"
compose choose "$out/finished-random.tsv" --composed 200 --game 60 --family 9 --end 99 --except $known | turns > "$out/ready-2.tsv"
compose graft "$out/ready-2.tsv" --seed 2 --games $(of 25 50) --tries $(of 60 50) --nodes 30000 > "$out/grafted-2.tsv"
# As they came about in games.
compose games --seed 1 --games $(of 40 50) --nodes $(of 200000 10) | head -n 1 > "$out/games.tsv"
cat "$out/games.tsv" "$out"/grafted-[12].tsv > "$out/games-all.tsv"
compose finish "$out/games-all.tsv" --nodes $(of 6000000 100) > "$out/finished-games.tsv"

compose choose "$out/finished-random.tsv" "${rest[@]}" "$out/finished-games.tsv" --composed 300 --game 300 --family 9 --end 99 \
    --except $known > "$out/first.tsv"

# Long ones grow from easy ones of many families; shortest is what their proof may have cost, of short and of long ones.
costs() { awk -F'\t' '{for (i = 4; i <= NF; i++) {split($i, n, "="); if (n[1] == "shortest" && n[2] <= ($3 < 5 ? 30000 : 300000)) print}}'; }
longest() { awk -F'\t' -v least="$1" -v most="$2" '$3 >= least && $3 <= most' "${@:3}"; }
compose choose "$out/first.tsv" --composed 300 --game 300 --family 3 --end 3 | costs > "$out/roots.tsv"
compose climb --seed 1 --tries $(of 1000000 5000) --from "$out/roots.tsv" | head -n 600 > "$out/climbed.tsv"
of_family() { compose choose "$out/climbed.tsv" --composed 60 --game 60 --end 99 --family "$1"; }
{ of_family 2 | longest 7 9; of_family 5 | longest 11 17; } | turns > "$out/chosen-long.tsv"
compose finish "$out/chosen-long.tsv" --nodes $(of 6000000 10) > "$out/finished-long.tsv"
of_family 1 | longest 5 5 > "$out/chosen-5.tsv"
compose finish "$out/chosen-5.tsv" --nodes $(of 20000000 100) | head -n 27 > "$out/finished-5.tsv"
# Some more of 11 plies.
longest 11 11 "$out/finished-long.tsv" | awk '/kind=composed/' > "$out/roots-11.tsv"
compose climb --seed 5 --tries $(of 100000 5000) --from "$out/roots-11.tsv" | head -n 7 | longest 11 11 > "$out/climbed-11.tsv"
compose finish "$out/climbed-11.tsv" --nodes $(of 6000000 10) | head -n 3 > "$out/finished-11.tsv"

# The set: short ones, and long ones of as many families and ends as there are.
longest 7 9 "$out/finished-long.tsv" "$out/first.tsv" > "$out/all-7.tsv"
compose choose "$out/all-7.tsv" --composed 20 --game 10 --family 3 --end 3 > "$out/long-7.tsv"
longest 11 17 "$out/finished-long.tsv" "$out/finished-11.tsv" > "$out/all-11.tsv"
compose choose "$out/all-11.tsv" --composed 20 --game 10 --family 5 --end 9 > "$out/long-11.tsv"
longest 1 5 "$out/first.tsv" "$out/finished-5.tsv" > "$out/short.tsv"
compose choose "$out/short.tsv" "$out/long-7.tsv" "$out/long-11.tsv" --composed 300 --game 300 --family 99 --end 999 \
    --except $known > "$out/chosen.tsv"
compose rank "$out/chosen.tsv" > "$out/set.tsv"
mkdir -p "$out/certificates"
compose certify "$out/set.tsv" "$out/certificates"
