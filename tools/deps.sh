#!/usr/bin/env bash
# Installs what the tests need and this machine lacks; says nothing when all is there.
#   Stockfish             the peer that games are played against
#   nats-server           the queue through which work is spread over machines
#   Chromium              the browser that the page is tested in
#   qemu-x86_64           an old processor, where this one is an x86-64
#   curl, jq              what the pages of docs/ speak to the server with
#   .venv/bin/python      Python with the packages of tests/peers/requirements.txt
set -euo pipefail
cd "$(dirname "$0")/.."

requirements=tests/peers/requirements.txt
python=.venv/bin/python

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

apt_updated=
apt_install() {
    if ! command -v apt-get >/dev/null; then
        echo "deps: please install $1 (there is no apt-get here to do it)" >&2
        exit 1
    fi
    if [ -z "$apt_updated" ]; then
        as_root apt-get update -qq
        apt_updated=yes
    fi
    echo "deps: installing $1"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}

# A Python of our own; where the system cannot make one, its own Python with the packages added.
make_python() {
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        echo "deps: the tests need Python 3.11 or later, and this is $(python3 --version)" >&2
        exit 1
    fi
    rm -rf .venv
    python3 -m venv .venv >/dev/null 2>&1 && return
    rm -rf .venv
    python3 -m virtualenv -q .venv >/dev/null 2>&1 && return
    rm -rf .venv
    python3 -m pip --version >/dev/null 2>&1 || apt_install python3-pip
    mkdir -p .venv/bin
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$(python3 -c 'import sys; print(sys.executable)')" >"$python"
    chmod +x "$python"
}

install_packages() {
    "$python" -m pip install --quiet --disable-pip-version-check --no-compile "$@" -r "$requirements"
}

if ! PATH="$PATH:/usr/games" command -v stockfish >/dev/null; then
    apt_install stockfish
fi
if ! PATH="$PATH:/usr/sbin:/sbin" command -v nats-server >/dev/null; then
    apt_install nats-server
fi
if ! command -v chromium >/dev/null; then
    apt_install chromium
fi
for program in curl jq; do
    command -v "$program" >/dev/null || apt_install "$program"
done
if [ "$(uname -m)" = x86_64 ] && ! command -v qemu-x86_64 >/dev/null; then
    apt_install qemu-user
fi
if ! command -v python3 >/dev/null; then
    apt_install python3
fi
# The copy of the requirements is written last: it says that everything in it is installed.
if ! [ -x "$python" ] || ! cmp -s "$requirements" .venv/requirements.txt; then
    echo "deps: preparing $python"
    "$python" -m pip --version >/dev/null 2>&1 || make_python
    install_packages || install_packages --break-system-packages
    cp "$requirements" .venv/requirements.txt
fi
