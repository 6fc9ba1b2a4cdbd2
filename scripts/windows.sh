#!/bin/bash
# Builds hasami.exe on Debian and tests it under Wine: dialogues, children, unusual paths, orphans, games. The script
# must run as root if packages are missing.
# Usage: scripts/windows.sh [check|build|try]     check: only cargo check; build: programs; try: also test them
#   PROFILE (default release; fast is quicker to build), GAMES (default 20)
set -euo pipefail
cd "$(dirname "$0")/.."
job=${1:-try}
profile=${PROFILE:-release}
target=x86_64-pc-windows-gnu
built=${CARGO_TARGET_DIR:-target}/$target/$profile

packages="rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64"
if [ "$job" = try ]; then packages="$packages wine wine64 locales"; fi
# shellcheck disable=SC2086
dpkg -s $packages >/dev/null 2>&1 || { apt-get update -q && apt-get install -y -q --no-install-recommends $packages; } >/dev/null

# On machines that reach only package registries, rustup cannot fetch the standard library for Windows, so it is built
# from Debian's sources.
windows_cargo() {
    env -u RUSTC -u RUSTUP_TOOLCHAIN PATH=/usr/bin:/bin RUSTC_BOOTSTRAP=1 CARGO_PROFILE_RELEASE_LTO=off \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        /usr/bin/cargo "$1" --locked -Zbuild-std=std,panic_unwind --target "$target" -p hasami --bins "${@:2}"
}

if [ "$job" = check ]; then
    windows_cargo check
    exit
fi
windows_cargo build --profile "$profile"
if command -v wine >/dev/null; then
    # Debian's Wine 8 lacks bcryptprimitives.dll, which every version since Windows 7 includes. The DLL that is built
    # here is used only under Wine and never shipped.
    cat >"$built/bcryptprimitives.c" <<'C'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return RtlGenRandom(data, (ULONG)length); }
C
    x86_64-w64-mingw32-gcc -shared -o "$built/bcryptprimitives.dll" "$built/bcryptprimitives.c" -ladvapi32
fi
if [ "$job" = try ]; then
    python3 scripts/windows_try.py "$built"
fi
