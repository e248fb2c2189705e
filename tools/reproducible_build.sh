#!/usr/bin/env bash
# Builds the same sources twice, in folders with different names, and compares the programs: reproducible_build.sh [ARGUMENTS]
#
#   tools/reproducible_build.sh                                             the release binary, -p tabia
#   tools/reproducible_build.sh -p tabia-stats --example match_report       a small program, to try the flags
#   TARGET=x86_64-unknown-linux-musl CPU=x86-64-v3 tools/reproducible_build.sh
#
# ARGUMENTS are cargo build's. The sources are what git tracks or does not ignore, as they are in the working tree, and the built
# page (web/dist). Both copies have new file dates. It prints a SHA-256 per program and build, and fails where two differ.
# KEEP=1 keeps the folders. It takes the time and disk space of two builds from nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/build_flags.sh

[ $# -gt 0 ] || set -- -p tabia
work=$(mktemp -d "${TMPDIR:-/tmp}/tabia-reproducible-XXXXXX")
if [ -z "${KEEP:-}" ]; then trap 'rm -rf "$work"' EXIT; else echo "kept in $work"; fi
target=${TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
case $target in x86_64-*) cpu=${CPU:-x86-64} ;; *) cpu=${CPU:-generic} ;; esac

sources() {
    git ls-files -z --cached --others --exclude-standard |
        while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done
    if [ -d web/dist ]; then printf 'web/dist\0'; fi
}

# Builds in a copy of the sources, and writes `SHA-256  NAME` of each program.
build() { # FOLDER ARGUMENTS…
    local folder=$1
    shift
    mkdir -p "$folder"
    # `--touch`: the dates of files are those of the copy.
    sources | tar --null -T - -cf - | tar --touch -C "$folder" -xf -
    (
        cd "$folder"
        unset CARGO_BUILD_BUILD_DIR CARGO_ENCODED_RUSTFLAGS
        export CARGO_TARGET_DIR=$PWD/target
        export RUSTFLAGS="-C target-cpu=$cpu$(path_flags --remap-path-prefix target)"
        export CFLAGS="${CFLAGS:-}$(path_flags -ffile-prefix-map target)"
        cargo build --release --locked --target "$target" --message-format=json-render-diagnostics "$@" >built.json
        python3 - built.json <<'PYTHON' | while read -r program; do (cd "$(dirname "$program")" && sha256sum "$(basename "$program")"); done
import json, sys
messages = map(json.loads, open(sys.argv[1]))
print("\n".join(sorted({message["executable"] for message in messages if message.get("executable")})))
PYTHON
    )
}

first=$(build "$work/one/tabia" "$@")
second=$(build "$work/two/a-folder-with-a-longer-name" "$@")
printf 'first build:\n%s\nsecond build:\n%s\n' "$first" "$second"
if [ -z "$first" ]; then
    echo "reproducible_build: cargo built no program; name a package with one, or an --example" >&2
    exit 2
elif [ "$first" != "$second" ]; then
    echo "reproducible_build: the builds differ; KEEP=1 keeps them for diffoscope" >&2
    exit 1
fi
echo "the same bytes ($target, $cpu, $(rustc --version), SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH)"
