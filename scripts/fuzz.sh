#!/usr/bin/env bash
# Runs each fuzz target of tests/fuzz for a number of seconds with libFuzzer on stable Rust (without a sanitizer,
# because the code under test is safe). Fuzzing starts from the corpora in tests/data/fuzz; new inputs are stored in
# target/fuzz/corpus, or in the folder that FUZZ_CORPUS names. A failing input is written to target/fuzz/findings,
# printed with its target, and makes the exit code 1.
# Usage: scripts/fuzz.sh [--keep] [SECONDS=60] [TARGET...]     (--keep adds the smallest new inputs to tests/data/fuzz.)
set -euo pipefail
cd "$(dirname "$0")/.."
keep=false
[ "${1:-}" != --keep ] || { keep=true; shift; }
seconds=${1:-60}
shift $(($# < 1 ? $# : 1))
[ $# -gt 0 ] || mapfile -t targets < <(sed -n 's/^    ("\([a-z]*\)", .*::check),$/\1/p' tests/fuzz/targets/mod.rs)
[ $# -gt 0 ] || set -- "${targets[@]}"
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1"
# With an explicit target triple, RUSTFLAGS does not apply to build scripts.
cargo build --release --quiet --manifest-path tests/fuzz/Cargo.toml --target "$host" --target-dir target/fuzz
fuzz=target/fuzz/$host/release/fuzz
for target in "$@"; do
    corpus=${FUZZ_CORPUS:-target/fuzz/corpus}/$target
    mkdir -p "$corpus" "target/fuzz/findings/$target"
    python3 scripts/fuzz_corpus.py unpack "$target" "$corpus"
    echo "== $target"
    FUZZ_TARGET=$target "$fuzz" "$corpus" -max_total_time="$seconds" -timeout=5 -max_len=4096 \
        -dict=tests/fuzz/words.dict -artifact_prefix="target/fuzz/findings/$target/" -print_final_stats=1 2>&1 |
        tee "target/fuzz/$target.log" | grep -E '^(stat::number|stat::average|SUMMARY|artifact|Done|thread|  (left|right))|ERROR' || true
    if [ -n "$(ls "target/fuzz/findings/$target")" ]; then
        echo "finding: $(ls -d "target/fuzz/findings/$target"/*)"
        exit 1
    fi
    if [ "$keep" = true ]; then
        # Merging keeps only inputs that reach code which no smaller input reaches.
        rm -rf "target/fuzz/merged/$target"
        mkdir -p "target/fuzz/merged/$target"
        FUZZ_TARGET=$target "$fuzz" -merge=1 "target/fuzz/merged/$target" "$corpus" >>"target/fuzz/$target.log" 2>&1
        python3 scripts/fuzz_corpus.py pack "$target" "target/fuzz/merged/$target"
    fi
done
