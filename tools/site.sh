#!/usr/bin/env bash
# Builds the documentation as a site: site.sh FOLDER. The server shows it under /docs where it lies in web/dist/docs.
# Pages come in the order of docs/SUMMARY.md; below the list of decision records, each of them is put in here.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v mdbook >/dev/null; then
    echo "site: mdBook is missing; install it with: cargo install mdbook --locked --no-default-features --features search" >&2
    exit 1
fi
target=$(realpath -m "${1:?where to}")
book=$(mktemp -d)
trap 'rm -rf "$book"' EXIT
cp -r docs/. "$book"
for record in docs/adr/0*.md; do
    printf '  - [%s](adr/%s)\n' "$(sed -n '1s/^# //p' "$record")" "$(basename "$record")"
done >>"$book/SUMMARY.md"
mdbook build "$book" --dest-dir "$target"
touch crates/server/build.rs
