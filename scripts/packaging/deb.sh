#!/bin/bash
# Builds the Debian package of Hasami; called by scripts/release.sh.
# Usage: deb.sh VERSION ARCHITECTURE PROGRAM OUT SOURCE     OUT/extras contains the manual pages and completions
set -euo pipefail
version=$1 architecture=$2 program=$3 out=$4 source=$5
maintainer=${MAINTAINER:-Hasami <hasami@localhost>}
here=$source/scripts/packaging
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
umask 022

# put MODE FILE TARGET
put() {
    install -D -m "$1" "$2" "$stage/$3"
}

put 755 "$program" usr/bin/hasami
for page in "$out"/extras/man/*.1; do
    put 644 "$page" "usr/share/man/man1/$(basename "$page")"
done
gzip -9n "$stage"/usr/share/man/man1/*.1
put 644 "$out/extras/completions/hasami.bash" usr/share/bash-completion/completions/hasami
put 644 "$out/extras/completions/hasami.zsh" usr/share/zsh/vendor-completions/_hasami
put 644 "$out/extras/completions/hasami.fish" usr/share/fish/vendor_completions.d/hasami.fish
put 644 "$here/hasami-worker.service" lib/systemd/system/hasami-worker.service
put 644 "$here/hasami-worker.default" etc/default/hasami-worker
# /etc/hasami is for credentials.
install -d -m 700 "$stage/etc/hasami"

doc=usr/share/doc/hasami
"$here/documents.sh" "$source" "$stage/$doc"
ln -s scripts/packaging "$stage/$doc/examples"
# Every Debian system has the text of the GPL in common-licenses.
ln -sf ../../common-licenses/GPL-3 "$stage/$doc/LICENSE"
find "$stage/$doc" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
cat >"$stage/$doc/copyright" <<'C'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: hasami

Files: *
Copyright: 2026 The authors of Hasami
License: GPL-3.0+
 This program is free software: you can redistribute it and/or modify it under
 the terms of the GNU General Public License as published by the Free Software
 Foundation, either version 3 of the License, or (at your option) any later
 version.
 .
 On Debian systems the text of the licence is in /usr/share/common-licenses/GPL-3.
C
date=$(date -u -R -d "@$SOURCE_DATE_EPOCH")
gzip -9n >"$stage/$doc/changelog.gz" <<C
hasami ($version) unstable; urgency=medium

  * NOTES.md of the release lists the changes.

 -- $maintainer  $date
C

mkdir "$stage/DEBIAN"
echo /etc/default/hasami-worker >"$stage/DEBIAN/conffiles"
cat >"$stage/DEBIAN/control" <<C
Package: hasami
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f1)
Section: misc
Priority: optional
Suggests: nats-server, stockfish, fairy-stockfish
Description: parallel chess and shogi engine for UCI and USI programs
 A manager grows a master game tree whose nodes are searched by workers:
 threads, child engines of any kind, and engines on other machines. It also
 plays matches between engines, and solves and verifies mates and brinkmates.
 .
 The program is one static file. The service hasami-worker, which lends this
 machine's engines to others, is not started until it is enabled.
C
cat >"$stage/DEBIAN/postinst" <<'C'
#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
    systemctl try-restart hasami-worker.service || true
fi
C
cat >"$stage/DEBIAN/prerm" <<'C'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl disable --now hasami-worker.service || true
fi
C
cat >"$stage/DEBIAN/postrm" <<'C'
#!/bin/sh
set -e
if [ "$1" = purge ]; then
    # Removes fetched networks.
    rm -rf /var/cache/hasami /var/cache/private/hasami
fi
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
fi
C
chmod 755 "$stage"/DEBIAN/p*
(cd "$stage" && find . -type f ! -path './DEBIAN/*' -printf '%P\n' | LC_ALL=C sort | xargs md5sum) >"$stage/DEBIAN/md5sums"
find "$stage" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz -z"${LEVEL:-6}" --build "$stage" "$out/hasami_${version}_$architecture.deb" >/dev/null
