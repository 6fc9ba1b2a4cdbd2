#!/bin/bash
# Builds and tests the files of a release: archives for Linux (static) and Windows, Debian packages, a container image,
# checksums and notes. Runs on Debian 12 and uploads nothing. If run as root, the script installs missing packages; pip
# packages are installed in target/release-tools. A run reuses libraries that an earlier run has built.
# Usage: scripts/release.sh TAG | --snapshot      TAG: v and the version in Cargo.toml; --snapshot: the commit HEAD
#   PROFILE (default dist; release and fast are quicker to build), OUT (default target/dist/NAME), TARGETS (default
#   "linux-x86_64 linux-aarch64 windows-x86_64"), MAINTAINER (of the packages, NAME <ADDRESS>)
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."
root=$PWD
profile=${PROFILE:-dist}
targets=${TARGETS:-linux-x86_64 linux-aarch64 windows-x86_64}
zigbuild=0.24.1
zig=0.15.2
# Size limits in bytes, without the networks, for a file to download and for a program built with the profile dist.
most_packed=15000000
most_bytes=22000000

fail() {
    echo "release.sh: $1" >&2
    exit 2
}

step() {
    printf '== %s (%d s)\n' "$1" "$SECONDS"
}

cargo_version() {
    git show "$1:Cargo.toml" | sed -n 's/^version = "\(.*\)"/\1/p' | head -1
}

case ${1:-} in
--snapshot)
    commit=$(git rev-parse --verify HEAD)
    version=$(cargo_version "$commit")+git$(git log -1 --format=%cd --date=format:%Y%m%d "$commit").${commit:0:8} ;;
v*)
    commit=$(git rev-parse --verify --quiet "refs/tags/$1^{commit}") || fail "expected a tag, found '$1'"
    version=${1#v}
    [ "$version" = "$(cargo_version "$commit")" ] ||
        fail "expected the tag v$(cargo_version "$commit"), as in Cargo.toml, found '$1'" ;;
*) fail "expected a tag or --snapshot, found '${1:-nothing}'" ;;
esac
out=$(realpath -m "${OUT:-target/dist/hasami-$version}")
source=$root/target/release-source
tools=$root/target/release-tools
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH CARGO_TARGET_DIR=$root/target/release-build
# The profile fast keeps debug information for profilers; a release has none.
export CARGO_PROFILE_FAST_STRIP=symbols CARGO_PROFILE_FAST_DEBUG=none
# Compression level of archives; with the profile fast, which is for trial runs, archives are not compressed.
export LEVEL=6
[ "$profile" != fast ] || LEVEL=0

# packages NAME...: installs those of the Debian packages that are missing.
packages() {
    dpkg -s "$@" >/dev/null 2>&1 || { apt-get update -q && apt-get install -y -q --no-install-recommends "$@"; } >/dev/null
}

# On machines that reach only package registries, rustup cannot fetch the standard library for the release's targets, so
# it is built from Debian's sources. Zig provides the C library, the linker and the unwinder.
install_tools() {
    packages rustc-web cargo-web rust-web-src python3-venv xz-utils zip ca-certificates qemu-user-static
    [ -x "$tools/bin/cargo-zigbuild" ] || python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet "ziglang==$zig" "cargo-zigbuild==$zigbuild"
}

# Copies the sources as committed, so that no uncommitted file gets into a release.
take_source() {
    rm -rf "$source" "$out/extras"
    mkdir -p "$source" "$out"
    git archive "$commit" | tar -x -C "$source"
}

# build_linux ARCHITECTURE
build_linux() {
    local target=$1-unknown-linux-musl
    # Turns off link-self-contained, with which rustc would look for musl's start files in its own folder.
    local variable=CARGO_TARGET_${target^^}_RUSTFLAGS
    (cd "$source" && env -u RUSTC -u RUSTUP_TOOLCHAIN -u RUSTFLAGS PATH="$tools/bin:/usr/bin:/bin" RUSTC_BOOTSTRAP=1 \
        "${variable//-/_}=-Clink-self-contained=no" cargo-zigbuild zigbuild --locked -Zbuild-std=std,panic_unwind \
        --target "$target" --profile "$profile" -p hasami --bin hasami)
    program=$CARGO_TARGET_DIR/$target/$profile/hasami
}

build_windows() {
    (cd "$source" && PROFILE=$profile scripts/windows.sh build)
    program=$CARGO_TARGET_DIR/x86_64-pc-windows-gnu/$profile/hasami.exe
}

# Prints the command that runs programs built for $target, or fails if this machine cannot run them.
runner() {
    case $target in
    linux-"$(uname -m)") echo env ;;
    linux-aarch64) echo qemu-aarch64-static ;;
    windows-*) command -v wine ;;
    *) return 1 ;;
    esac
}

# run ARGUMENT...: runs $program.
run() {
    WINEDEBUG=-all WINEPREFIX=$root/target/release-wine "$(runner)" "$program" "$@"
}

# `bench` counts the same nodes on every machine, so a different count reveals a wrongly compiled program.
try_program() {
    local nodes
    runner >/dev/null || { echo "$target: not tested, because this machine cannot run it"; return; }
    nodes=$(run bench 4 | tail -1 | cut -d' ' -f1) || fail "$target: bench 4 failed"
    echo "$target: bench 4: $nodes nodes"
    [ "$nodes" = "${bench:=$nodes}" ] || fail "$target: expected $bench nodes, as on the other targets, found $nodes"
}

# check_size BYTES NETWORKS MOST WHAT: prints a size, and fails if it exceeds MOST without the networks.
check_size() {
    echo "$4: $1 bytes, $(($1 - $2)) of them without the networks"
    [ $(($1 - $2)) -le "$3" ] || fail "$4: expected at most $3 bytes without the networks"
}

check_program() {
    local most=$most_bytes
    [ "$profile" = dist ] || most=1000000000
    check_size "$(stat -c %s "$program")" "$(cat "$source"/engines/nnue/data/*.nn | wc -c)" "$most" "$target"
}

# check_packed FILE...
check_packed() {
    local networks
    networks=$(cat "$source"/engines/nnue/data/*.nn | xz -T0 -$LEVEL | wc -c)
    for file; do
        check_size "$(stat -c %s "$file")" "$networks" "$most_packed" "$(basename "$file")"
    done
}

# Makes manual pages and completions with the first program that this machine can run.
make_extras() {
    if [ -d "$out/extras" ] || ! runner >/dev/null; then return; fi
    mkdir -p "$out/extras/completions"
    run completions --manual "$out/extras/man" >/dev/null
    for shell in bash zsh fish powershell elvish; do
        run completions "$shell" >"$out/extras/completions/hasami.$shell"
    done
}

# fill FOLDER: copies the files that every archive contains to the folder.
fill() {
    "$source/scripts/packaging/documents.sh" "$source" "$1"
    install -m 755 "$program" "$1/"
    [ ! -d "$out/extras" ] || cp -r "$out/extras/." "$1/"
}

archive() {
    local name=hasami-$version-$target stage
    stage=$(mktemp -d)
    fill "$stage/$name"
    case $target in
    windows-*)
        find "$stage" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
        rm -f "$out/$name.zip"
        (cd "$stage" && find "$name" | LC_ALL=C sort | zip -q -X -@ "$out/$name.zip") ;;
    *)
        tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$name" |
            xz -T0 -$LEVEL >"$out/$name.tar.xz" ;;
    esac
    rm -rf "$stage"
}

# Writes the container image to a file. The image contains only the program and the CA certificates.
container() {
    # Image names may not contain a plus sign.
    local context image=hasami:${version//+/-}
    context=$(mktemp -d)
    cp "$program" /etc/ssl/certs/ca-certificates.crt "$context/"
    if command -v buildah >/dev/null; then
        local file="$out/hasami-$version-$target.oci.tar"
        buildah --storage-driver vfs build --quiet --isolation chroot --timestamp "$SOURCE_DATE_EPOCH" \
            --tag "$image" --file "$source/scripts/packaging/Containerfile" "$context" >/dev/null
        rm -f "$file"
        buildah --storage-driver vfs push --quiet "$image" "oci-archive:$file:$image"
    else
        echo "buildah is not installed: no image is built; only its contents are tested"
    fi
    if [ "$(id -u)" = 0 ]; then
        # Simulates a container: the program and the CA certificates are the only files, and the user is unprivileged.
        mkdir -p "$context/root/etc/ssl/certs"
        cp "$program" "$context/root/hasami"
        cp "$context/ca-certificates.crt" "$context/root/etc/ssl/certs/"
        echo "container: $(unshare --mount --pid --fork --net chroot --userspec=65534:65534 "$context/root" /hasami bench 4 | tail -1)"
    fi
    rm -rf "$context"
}

# Writes the release notes: a description of the files, and the commits since the previous tag.
notes() {
    local before range
    before=$(git describe --tags --abbrev=0 --match 'v*' "$commit^" 2>/dev/null || true)
    range=${before:+$before..}$commit
    {
        echo "# Hasami $version"
        echo
        echo "| file | for |"
        echo "| --- | --- |"
        (cd "$out" && for file in hasami-* hasami_*; do [ ! -f "$file" ] || echo "| $file | $(purpose "$file") |"; done)
        echo
        echo "The Linux files are static and need no libraries. To install a file, see docs/guide/install.md."
        echo "\`sha256sum -c SHA256SUMS\` checks the downloaded files."
        git log --format=%B "$range" | grep -m1 '^Bench: ' | sed 's/^/\n/' || true
        echo
        echo "## Changes${before:+ since $before}"
        echo
        git log --no-merges --format='- %s (%h)' "$range"
    } >"$out/NOTES.md"
}

purpose() {
    case $1 in
    *amd64.deb) echo "Debian, Ubuntu on x86-64" ;;
    *arm64.deb) echo "Debian, Ubuntu on ARM64" ;;
    *linux-x86_64.tar.xz) echo "any Linux on x86-64 with SSE4.2 (Intel since 2009, AMD since 2011)" ;;
    *linux-aarch64.tar.xz) echo "any Linux on ARM64" ;;
    *windows*) echo "Windows 10 and later on x86-64" ;;
    *oci.tar) echo "podman, docker" ;;
    *) echo "-" ;;
    esac
}

install_tools
take_source
echo "hasami $version, commit ${commit:0:12}, profile $profile"
for target in $targets; do
    step "$target"
    case $target in
    linux-*) build_linux "${target#linux-}" ;;
    windows-x86_64) build_windows ;;
    *) fail "TARGETS: expected linux-x86_64, linux-aarch64 or windows-x86_64, found '$target'" ;;
    esac
    check_program
    try_program
    make_extras
    archive
    case $target in
    linux-x86_64) "$source/scripts/packaging/deb.sh" "$version" amd64 "$program" "$out" "$source" && container ;;
    linux-aarch64) "$source/scripts/packaging/deb.sh" "$version" arm64 "$program" "$out" "$source" ;;
    esac
done
check_packed "$out"/hasami[-_]*
step "notes and sums"
rm -rf "$out/extras"
notes
sums=$(cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum)
echo "$sums" >"$out/SHA256SUMS"
(cd "$out" && sha256sum --quiet -c SHA256SUMS)
ls -l "$out"
