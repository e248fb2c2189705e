#!/usr/bin/env bash
# Builds the documentation as a site: site.sh FOLDER. The server shows it under /docs where it lies in web/dist/docs.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v mdbook >/dev/null; then
    echo "site: mdBook is missing; install it with: cargo install mdbook --locked --no-default-features --features search" >&2
    exit 1
fi
mdbook build docs --dest-dir "$(realpath -m "${1:?where to}")"
touch crates/server/build.rs
