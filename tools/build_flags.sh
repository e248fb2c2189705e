# Settings that keep a build's place and time out of its result. Sourced by dist.sh and reproducible_build.sh.
#
# Codegen units are fixed in Cargo.toml's release profile; rust-embed takes the dates of the page's files from SOURCE_DATE_EPOCH.

export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}"
export CARGO_INCREMENTAL=0 LC_ALL=C TZ=UTC

# Flags that shorten the names of folders, for rustc ("--remap-path-prefix") or a C compiler ("-ffile-prefix-map").
# Later ones win, so that the build folder, which is often within the sources, comes last.
path_flags() { # FLAG BUILD_FOLDER
    local place
    for place in "$(rustc --print sysroot)=rust" "${CARGO_HOME:-$HOME/.cargo}=cargo" "$PWD=." "$(realpath -m "$2")=target"; do
        printf ' %s=%s' "$1" "$place"
    done
}
