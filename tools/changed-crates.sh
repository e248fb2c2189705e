#!/usr/bin/env bash
# Prints `-p NAME` for each crate that differs from a commit (default: HEAD), changes not yet committed included.
# A change that belongs to no crate but to all of them (Cargo.toml, Cargo.lock) prints `--workspace`.
set -euo pipefail
cd "$(dirname "$0")/.."
base=${1:-HEAD}
changed=$({ git diff --name-only "$base"; git ls-files --others --exclude-standard; } | sort -u)
if grep -qE '^(Cargo\.(toml|lock)|rust-toolchain\.toml|\.cargo/)' <<<"$changed"; then
    echo --workspace
    exit
fi
sed -n 's|^crates/\([^/]*\)/.*|\1|p' <<<"$changed" | sort -u | while read -r crate; do
    if [ -f "crates/$crate/Cargo.toml" ]; then
        sed -n '0,/^name = "\(.*\)"$/s//-p \1/p' "crates/$crate/Cargo.toml"
    fi
done
