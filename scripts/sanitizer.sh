#!/usr/bin/env bash
# Runs tests of lock-free shared memory under ThreadSanitizer: the transposition table and searches with several threads
# over it, the mate table with parallel searches, and cells. A data race is printed and makes the exit code nonzero.
# Needs Debian's rustc-web, cargo-web and rust-web-src to compile the standard library with the sanitizer, and the
# sanitizer's runtime from a rustup toolchain or the file that TSAN_RUNTIME names.
# Usage: scripts/sanitizer.sh [FILTER...]      (FILTER: part of a test name)
set -euo pipefail
cd "$(dirname "$0")/.."
fail() {
    echo "sanitizer.sh: $1" >&2
    exit 2
}
for package in rustc-web cargo-web rust-web-src; do
    dpkg -s "$package" >/dev/null 2>&1 || fail "Debian's package $package is not installed"
done
host=$(/usr/bin/rustc -vV | sed -n 's/^host: //p')
runtime=${TSAN_RUNTIME:-$(find "${RUSTUP_HOME:-$HOME/.rustup}/toolchains/" -name 'librustc-*_rt.tsan.a' | sort | head -1)}
[ -f "$runtime" ] || fail "no rustup toolchain contains librustc-*_rt.tsan.a; set TSAN_RUNTIME to its path"
# Two unused functions of the C library are unresolved at link time, so unresolved symbols are only warnings.
flags="-Ctarget-cpu=x86-64-v2 -Zsanitizer=thread -Zexternal-clangrt -Clink-arg=-Wl,--whole-archive -Clink-arg=$runtime \
  -Clink-arg=-Wl,--no-whole-archive -Clink-arg=-rdynamic -Clink-arg=-lm -Clink-arg=-lpthread -Clink-arg=-lc \
  -Clink-arg=-Wl,--warn-unresolved-symbols"
# By default, runs the tests in which threads share memory. All other tests use one thread, threads that take turns
# under a lock, or a model checker, which uses no system threads.
[ $# -gt 0 ] || set -- concurrent_engines_with_shared_memory many_write_and_read_at_once core::machine threads_find limits_hold_for_all \
    nodes_and_stops_end cells_over_links
# With an explicit target triple, RUSTFLAGS does not apply to build scripts. Dependencies are optimized, which saves
# more test time than it costs build time.
env -u RUSTC -u RUSTUP_TOOLCHAIN PATH="/usr/bin:/bin" RUSTC_BOOTSTRAP=1 RUSTFLAGS="$flags" TSAN_OPTIONS="halt_on_error=0 exitcode=66" \
    cargo test --locked -Zbuild-std --target "$host" --target-dir target/sanitizer --lib \
    --config 'profile.dev.package."*".opt-level=1' -p hasami-alphabeta -p hasami-mate -- "$@"
