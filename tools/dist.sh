#!/usr/bin/env bash
# Builds what a release carries into a folder: dist.sh FOLDER
#
#   tabia-VERSION-TARGET.tar.gz    the binary for every processor of its kind; on x86-64 with the faster build beside it
#   tabia_VERSION_ARCH.deb         the same as a Debian package, where dpkg-deb is
#   tabia-VERSION-page.tar.gz      the page and the documentation, for who builds without Node.js
#   tabia-VERSION.cdx.json         the bill of materials
#   SHA256SUMS                     of all of them
#
# The same sources and compiler give the same bytes wherever they lie: paths are taken out of the binaries, dates come from the
# last commit. On Linux the binary is static (musl) where the toolchain has that target and a C compiler for it, for bundled
# SQLite and ring: `rustup target add x86_64-unknown-linux-musl` and `apt-get install musl-tools`. TARGET says otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { echo "dist: write dist.sh FOLDER" >&2; exit 2; }

mkdir -p "$1"
folder=$(realpath "$1")
host=$(rustc -vV | sed -n 's/^host: //p')

# The static target of this machine, where it can be built; else the machine's own.
default_target() {
    local static=${host%-gnu}-musl
    if [ -d "$(rustc --print target-libdir --target "$static" 2>/dev/null)" ] && command -v musl-gcc >/dev/null; then
        echo "$static"
    else
        case $host in *-linux-gnu) echo "dist: no musl target or no musl-gcc: the binary will ask for the system's C library" >&2 ;; esac
        echo "$host"
    fi
}
target=${TARGET:-$(default_target)}
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
build=${CARGO_TARGET_DIR:-target}/dist-build
. tools/build_flags.sh
paths=$(path_flags --remap-path-prefix "${CARGO_BUILD_BUILD_DIR:-$build}")
case $target in *-windows-*) ;; *) export CFLAGS="${CFLAGS:-}$(path_flags -ffile-prefix-map "${CARGO_BUILD_BUILD_DIR:-$build}")" ;; esac
compile() { # NAME FLAGS
    RUSTFLAGS="$2$paths" cargo build --release -p tabia --locked --target "$target" --target-dir "$build/$1" >&2
    case $target in *-windows-*) echo "$build/$1/$target/release/tabia.exe" ;; *) echo "$build/$1/$target/release/tabia" ;; esac
}

pack() { # ARCHIVE FOLDER FILES…
    local archive=$1 from=$2
    shift 2
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$from" -cf - "$@" |
        gzip -9n >"$folder/$archive"
    echo "$folder/$archive"
}

make --no-print-directory web
tools/site.py web/dist/docs
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
name=tabia-$version-$target
mkdir "$stage/$name"
cp README.md LICENSE CHANGELOG.md "$stage/$name"
faster=
case $target in
x86_64-*)
    binary=$(compile baseline "-C target-cpu=x86-64")
    faster=$(compile v3 "-C target-cpu=x86-64-v3")
    cp "$faster" "$stage/$name/tabia-$version-x86-64-v3"
    ;;
*) binary=$(compile baseline "") ;;
esac
cp "$binary" "$stage/$name/"
strip "$stage/$name"/tabia* 2>/dev/null || true
pack "$name.tar.gz" "$stage" "$name"
pack "tabia-$version-page.tar.gz" web/dist .
python3 tools/sbom.py tabia >"$folder/tabia-$version.cdx.json"
if [ "${target%%-*}" = "${host%%-*}" ] && command -v dpkg-deb >/dev/null; then
    tools/deb.sh "$binary" "$folder" "$faster"
fi
(cd "$folder" && sha256sum tabia[-_]*.tar.gz tabia-*.cdx.json $(ls tabia_*.deb 2>/dev/null) >SHA256SUMS)
