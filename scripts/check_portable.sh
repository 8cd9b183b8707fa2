#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles all sources and tests as a Mac would, as far as a Debian can: with Clang and libc++, for
# their syntax only and with warnings as errors. What has not changed since it passed is left out.
#   scripts/check_portable.sh                 what changed
#   scripts/check_portable.sh --only PART     sources whose path holds PART
#   scripts/check_portable.sh --single        each source separately, not in batches
#   scripts/check_portable.sh --all           also what passed before
#   scripts/check_portable.sh --if-possible   where Clang 19 or libc++ 19 cannot be had, says so and passes
# The oldest LibTorch's headers do not compile with libc++. Where they are installed, those of Debian 13 are
# fetched and read instead; without them the sources that need LibTorch are left out and named.
set -euo pipefail
cd "$(dirname "$0")/.."

version=19
cache=${EP_PORTABLE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/energy-profiler/portable}
folder=build-portable
required=yes
arguments=()
for argument in "$@"; do
    case "$argument" in
        --help) sed -n '3,12p' "$0"; exit 0 ;;
        --if-possible) required=no ;;
        *) arguments+=("$argument") ;;
    esac
done

say() { echo "portable: $*" >&2; }

missing() { # WHAT
    say "$1 cannot be had here: nothing was checked"
    [ $required = no ] && exit 0
    exit 1
}

sandbox=()
[ "$(id -u)" = 0 ] && sandbox=(-o APT::Sandbox::User=root) # apt's own user cannot write to the cache

# unpack FOLDER OPTIONS... -- PACKAGE...: the headers of packages that are not installed
unpack() {
    local target=$1 options=() debs
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    debs=$(mktemp -d)
    (cd "$debs" && apt-get -q "${sandbox[@]}" ${options[@]+"${options[@]}"} download "$@" >/dev/null) || return 1
    rm -rf "$target" && mkdir -p "$target"
    for deb in "$debs"/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$target" --exclude='*.a' --exclude='*.so*' --exclude='./usr/share' \
            || return 1
    done
    rm -rf "$debs"
    touch "$target/complete"
}

# Unpacked instead of installed: to install libc++-19-dev, Debian 12 would remove libunwind-dev,
# which LibTorch's headers need.
libcxx() {
    [ -e "$cache/libcxx-$version/complete" ] && return 0
    say "fetching the headers of libc++ $version"
    local packages=("libc++-$version-dev" "libc++abi-$version-dev")
    unpack "$cache/libcxx-$version" -- "${packages[@]}" \
        || { apt-get -q update >/dev/null && unpack "$cache/libcxx-$version" -- "${packages[@]}"; }
}

# LibTorch 2.6 from Debian 13, by a separate apt, so that this machine's does not know that Debian.
newer_torch() {
    local apt=$cache/apt uri key=/usr/share/keyrings/debian-archive-keyring.gpg refused=$cache/torch-not-to-be-had
    # Tried again after a day.
    [ -e "$cache/torch/complete" ] || [ -n "$(find "$refused" -mmin -1440 2>/dev/null)" ] && return
    say "fetching the headers of a newer LibTorch"
    # Either location may be missing.
    uri=$( { cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } \
        | sed -n -e 's/^URIs: *\([^ ]*debian\/\{0,1\}\)$/\1/p' -e 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*debian\/\{0,1\}\) .*/\2/p' \
        | sed -n 1p)
    rm -rf "$apt" && mkdir -p "$apt"/{lists/partial,archives/partial}
    echo "deb [arch=amd64 signed-by=$key] ${uri:-http://deb.debian.org/debian} trixie main" >"$apt/sources.list"
    : >"$apt/status"
    local options=(
        -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
        -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status"
        -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives"
        -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o Acquire::Languages=none
    )
    if ! apt-get -q "${sandbox[@]}" "${options[@]}" update >/dev/null \
        || ! unpack "$cache/torch" "${options[@]}" -- libtorch-dev libprotobuf-dev; then
        say "a newer LibTorch's headers cannot be had here"
        touch "$refused"
    fi
    rm -rf "$apt"
}

compiler() { command -v "clang++-$version" >/dev/null; }
compiler || { ./scripts/setup.sh --portable >&2 && compiler; } || missing "Clang $version"
mkdir -p "$cache"
libcxx || missing "libc++ $version"
# Debian 13's own is new enough.
grep -qs 'TORCH_VERSION_MAJOR 1$' /usr/include/torch/csrc/api/include/torch/version.h && newer_torch

cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DEP_UNITY=OFF -DEP_BENCH=ON \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >"$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 1; }
rm -f "$folder.log"
exec python3 scripts/check_portable.py --compiler "clang++-$version" --cache "$cache" \
    --libcxx "$cache/libcxx-$version/usr/lib/llvm-$version/include/c++/v1" \
    --build "$folder" ${arguments[@]+"${arguments[@]}"}
