#!/usr/bin/env bash
# Plays Hasami against another UCI engine with fastchess; prints its result line. For strength figures in docs/experiments.md.
set -euo pipefail

usage="usage: match_chess.sh OPPONENT OPENINGS.epd [GAMES=200] [TC=10+0.1] [CONCURRENCY=2] [more fastchess words...]
  HASAMI (default target/release/hasami), FASTCHESS (default fastchess), HASAMI_OPTIONS (default option.Threads=1 option.Hash=64), SEED (default 1)"
[ $# -ge 2 ] || { echo "$usage" >&2; exit 2; }
opponent=$1 openings=$2 games=${3:-200} tc=${4:-10+0.1} concurrency=${5:-2}
shift $(($# < 5 ? $# : 5))

exec "${FASTCHESS:-fastchess}" \
    -engine cmd="${HASAMI:-target/release/hasami}" name=hasami ${HASAMI_OPTIONS:-option.Threads=1 option.Hash=64} \
    -engine cmd="$opponent" name=opponent \
    -each tc="$tc" \
    -openings file="$openings" format=epd order=random -srand "${SEED:-1}" \
    -rounds $((games / 2)) -games 2 -repeat -concurrency "$concurrency" -recover -ratinginterval 10 "$@"
