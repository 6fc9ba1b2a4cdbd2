#!/usr/bin/env bash
# Runs the fuzz targets of tests/fuzz, each for so many seconds, with libFuzzer on stable Rust (no sanitizer: the code
# under test is safe). Corpora stay in target/fuzz; a finding is a file there, printed with its target.
# usage: scripts/fuzz.sh [SECONDS=60] [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift $(($# < 1 ? $# : 1))
[ $# -gt 0 ] || set -- uci usi client fen sfen mate children cells certificate cluster seals network records
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1"
# A target triple keeps the flags away from build scripts.
cargo build --release --quiet --manifest-path tests/fuzz/Cargo.toml --target "$host" --target-dir target/fuzz
for target in "$@"; do
    corpus=target/fuzz/corpus/$target
    mkdir -p "$corpus" "target/fuzz/findings/$target"
    # The dialogues are the seeds of the line parsers, the perft positions those of the position parsers.
    case $target in
    uci | usi) grep -h '^> ' tests/data/dialogues/"$target"_*.txt | cut -c3- | sort -u ;;
    fen) cut -d';' -f1 tests/data/perft/chess* 2>/dev/null ;;
    sfen) cut -d';' -f1 tests/data/perft/shogi* 2>/dev/null ;;
    mate) cut -d';' -f1 tests/data/perft/shogi* 2>/dev/null; printf '%s\n' '4k4/9/4P4/9/9/9/9/9/9 b G 1' '9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1' '9/9/9/9/2+r+b5/9/9/9/4K4 w l 1' ;;
    client) printf '%s\n' 'info depth 9 seldepth 12 multipv 1 score mate -3 lowerbound wdl 1 2 3 nodes 7 pv e2e4 7g7f P*5e' 'bestmove e2e4 ponder e7e5' 'checkmate G*5b' 'option name A b type spin default 1 min 1 max 2' ;;
    children) printf '%s\n' '[[engine]]\nname = "a"\ncommand = "b c"\nprotocol = "uci"\ncount = 2\nweight = 1.5\n[engine.options]\nHash = 16' | sed 's/\\n/\n/g' | tr '\n' '\001' ;;
    certificate) echo HBMC ;;
    # The number of a genuine file, and edits of five bytes.
    network) printf '%s\n' 0abcde 1abcdefghij 2abcde 3abcde 4abcde 7abcd ;;
    # Games as other programs write them, one file each.
    records) printf '%s\n' '[Event "x"]|[Result "1-0"]||1. e4 e5 2. Nf3 (2. f4 exf4) {a} 1-0' 'V2.2|PI|+|+7776FU|T1|-3334FU|%TORYO' | tr '|' '\001' ;;
    seals) printf '%s\n' ab abcdef ;;
    # A version and a kind.
    cells) printf '\002\002\007\n\002\004\n' ;;
    # Deeds by their numbers: time passes, messages arrive, workers come up and end, tasks are given.
    cluster) printf '%s\n' 4141515z6z5z7251535a436b5z6z5z 4151615z723a4z6z5z4z4z5z 1a4151617152738b9c4z3112 ;;
    esac | grep -v '^#' | awk -v folder="$corpus" 'NF { file = folder "/seed" NR; gsub("\001", "\n"); printf "%s", $0 > file; close(file) }'
    if [ "$target" = certificate ]; then
        python3 - "$corpus" <<'END'
import struct, sys, zlib
from pathlib import Path
# Files, and their contents, which the target packs itself.
for number, line in enumerate(Path("tests/data/brinkmates/certificates.tsv").read_text().splitlines()[1:]):
    file = bytes.fromhex(line.split("\t")[2])
    Path(sys.argv[1], f"file{number}").write_bytes(file)
    if len(file) > 13 and struct.unpack("<I", file[-4:])[0] == zlib.crc32(file[:-4]):
        Path(sys.argv[1], f"content{number}").write_bytes(zlib.decompress(file[9:-4], wbits=-15))
END
    fi
    echo "== $target"
    "target/fuzz/$host/release/$target" "$corpus" -max_total_time="$seconds" -timeout=5 -max_len=4096 \
        -dict=tests/fuzz/words.dict -artifact_prefix="target/fuzz/findings/$target/" -print_final_stats=1 2>&1 |
        tee "target/fuzz/$target.log" | grep -E '^(stat::number|stat::average|SUMMARY|artifact|Done|thread|  (left|right))|ERROR' || true
    if [ -n "$(ls "target/fuzz/findings/$target")" ]; then
        echo "finding: $(ls -d "target/fuzz/findings/$target"/*)"
        exit 1
    fi
done
