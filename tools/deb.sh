#!/usr/bin/env bash
# Packs a Debian package of a built binary: deb.sh BINARY FOLDER [FASTER]
#
# BINARY is what users start; FASTER, if given, is the build for x86-64-v3 that it becomes where the processor allows
# (docs/adr/0020-two-builds.md). What `make install` installs is what the package holds. The same files give the same bytes.
# COMPRESSION=none is quick, xz small. dpkg-deb is all it takes: cargo-deb would be compiled for minutes to write the same control file.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 2 ] || [ ! -x "$1" ]; then
    echo "deb: write deb.sh BINARY FOLDER [FASTER]; \`make build\` makes the binary" >&2
    exit 2
fi
binary=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
architecture=$(dpkg --print-architecture)
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022
make --no-print-directory --silent install TABIA="$binary" DESTDIR="$stage" PREFIX=/usr
if [ -n "${3:-}" ]; then
    install -D -m 755 "$3" "$stage/usr/lib/tabia/tabia-$version-x86-64-v3"
fi
strip --strip-unneeded "$stage/usr/bin/tabia" "$stage"/usr/lib/tabia/* 2>/dev/null || true
gzip -9n "$stage"/usr/share/man/man1/*.1
install -D -m 644 LICENSE "$stage/usr/share/doc/tabia/copyright"
gzip -9nc CHANGELOG.md >"$stage/usr/share/doc/tabia/changelog.gz"

mkdir "$stage/DEBIAN"
# The oldest C library that has every symbol the binary asks for; a static binary asks for none.
libc=$(objdump -T "$stage/usr/bin/tabia" 2>/dev/null | sed -n 's/.*(\?GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1)
cat >"$stage/DEBIAN/control" <<CONTROL
Package: tabia
Version: $version
Architecture: $architecture
Maintainer: Tabia <tabia@localhost>
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$stage" | cut -f1)
${libc:+Depends: libc6 (>= $libc), libgcc-s1
}Section: games
Priority: optional
Description: chess laboratory in one binary
 Play, analyse and take evaluations apart in the browser or the terminal; run
 matches between engines, tune and train evaluations, and play quantum chess.
CONTROL
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
dpkg-deb --root-owner-group -Z"${COMPRESSION:-xz}" --build "$stage" "$folder/tabia_${version}_$architecture.deb" >/dev/null
echo "$folder/tabia_${version}_$architecture.deb"
