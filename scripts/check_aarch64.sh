#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the arithmetic of the program on the other kind of processor: kernels, engine and verify, the
# latter on every reference model, are built for aarch64 and run by qemu-user on this Debian x86-64,
# which needs neither such a machine nor a virtual one. Says how long it took. Not part of what every change must pass: it takes some time.
#   scripts/check_aarch64.sh [REFERENCE]    REFERENCE: a folder of reference models with a golden.json
#                                           each (default: that of the configured build, then none)
# What it cannot see is the weak ordering of memory: qemu runs on this machine's stronger one. The argument
# for that stands in src/model/engine/kernels/thread_pool.h; scripts/check_memory_model.sh checks it.
set -euo pipefail
cd "$(dirname "$0")/.."

began=$SECONDS
cache=${EP_AARCH64_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/energy-profiler/aarch64}
root=$cache/root
folder=build-aarch64
reference=${1:-$(sed -n 's/^EP_REFERENCE_DIR:PATH=//p' build/CMakeCache.txt 2>/dev/null || true)}
triple=aarch64-linux-gnu

say() { echo "aarch64: $*" >&2; }
sandbox=()
[ "$(id -u)" = 0 ] && sandbox=(-o APT::Sandbox::User=root)
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

tools=(crossbuild-essential-arm64 qemu-user-static)
missing=()
for package in "${tools[@]}"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    say "installing ${missing[*]}"
    as_root apt-get update -q >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
fi

# An arm64 Debian's libraries in a separate folder, by a separate apt: nothing is installed here.
libraries=(libtorch-dev libopenblas0-pthread libpcre2-dev libutf8proc-dev nlohmann-json3-dev libgtest-dev
           libgmock-dev libboost-dev libexpat1-dev libc6-dev libstdc++-12-dev)
if [ "$(cat "$root/complete" 2>/dev/null)" != "${libraries[*]}" ]; then
    say "fetching the libraries of an arm64 Debian"
    apt=$cache/apt
    rm -rf "$root" "$apt" && mkdir -p "$root" "$apt"/{lists/partial,archives/partial}
    : >"$apt/status"
    options=(
        -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt"
        -o "Dir::Cache::archives=$apt/archives" -o APT::Architecture=arm64 -o APT::Architectures=arm64
        -o Acquire::Languages=none -o APT::Install-Recommends=false -o Debug::NoLocking=true
    )
    apt-get -q "${sandbox[@]}" "${options[@]}" update >&2
    apt-get -q -y "${sandbox[@]}" "${options[@]}" --download-only install "${libraries[@]}" >&2
    for deb in "$apt"/archives/*.deb; do
        dpkg-deb -x "$deb" "$root"
    done
    # Alternatives are links that only an installation creates.
    for name in blas lapack; do
        ln -sf "openblas-pthread/lib$name.so.3" "$root/usr/lib/$triple/lib$name.so.3"
    done
    ln -sf openblas-pthread/libopenblas.so.0 "$root/usr/lib/$triple/libopenblas.so.0"
    # Absolute links have to stay inside the folder.
    find "$root" -type l -lname '/*' | while read -r link; do
        ln -sfn "$root$(readlink "$link")" "$link"
    done
    rm -rf "$apt"
    echo "${libraries[*]}" >"$root/complete"
fi
fetched=$SECONDS

cat >"$cache/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER $triple-gcc)
set(CMAKE_CXX_COMPILER $triple-g++)
set(CMAKE_SYSROOT "$root")
set(CMAKE_FIND_ROOT_PATH "$root")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64-static;-L;$root")
set(CMAKE_EXE_LINKER_FLAGS "-Wl,-rpath-link,$root/usr/lib/$triple")
set(CMAKE_SHARED_LINKER_FLAGS "-Wl,-rpath-link,$root/usr/lib/$triple")
END
export PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR=$root/usr/lib/$triple/pkgconfig:$root/usr/share/pkgconfig
targets=(model_test engine_test)
[ -z "$reference" ] || targets+=(model_reference_test)
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$cache/toolchain.cmake" \
    -DEP_MODEL_ONLY=ON ${reference:+-DEP_REFERENCE_DIR="$reference"} >"$folder.log" 2>&1 \
    || { cat "$folder.log" >&2; exit 1; }
rm -f "$folder.log"
cmake --build "$folder" --target "${targets[@]}" >&2
built=$SECONDS

emulated() { # PROGRAM ARGUMENT...
    QEMU_LD_PREFIX=$root OPENBLAS_NUM_THREADS=2 OMP_NUM_THREADS=2 \
        qemu-aarch64-static -L "$root" -E "LD_LIBRARY_PATH=$root/usr/lib/$triple" "$@"
}
status=0
for target in "${targets[@]}"; do
    since=$SECONDS
    emulated "$folder/bin/$target" --gtest_brief=1 || status=1
    say "$target took $((SECONDS - since)) s"
done
# The kernels for a processor without dot products of bytes.
QEMU_CPU=cortex-a72 emulated "$folder/bin/model_test" --gtest_brief=1 --gtest_filter='*Kernels*:*Blocks*' || status=1
say "fetched in $((fetched - began)) s, built in $((built - fetched)) s, run in $((SECONDS - built)) s;" \
    "exit status $status"
exit $status
