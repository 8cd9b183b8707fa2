#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Configures and builds one named configuration; prints the build folder as its last line.
#   scripts/build.sh <release|alone|asan|tsan|coverage|bench|fuzz> [--werror] [TARGET ...]
#   alone: each source by itself, not in batches
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:-release}
shift || true
options=()
case "$name" in
    release) folder=build; options+=(-DCMAKE_BUILD_TYPE=Release) ;;
    alone) folder=build-alone; options+=(-DCMAKE_BUILD_TYPE=Debug -DEP_UNITY=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON) ;;
    bench) folder=build; options+=(-DCMAKE_BUILD_TYPE=Release -DEP_BENCH=ON) ;;
    asan) folder=build-asan; options+=(-DCMAKE_BUILD_TYPE=Debug -DEP_SANITIZE=address+undefined) ;;
    tsan) folder=build-tsan; options+=(-DCMAKE_BUILD_TYPE=Debug -DEP_SANITIZE=thread) ;;
    coverage) folder=build-coverage; options+=(-DCMAKE_BUILD_TYPE=Debug -DEP_COVERAGE=ON) ;;
    fuzz) folder=build-fuzz
        clang=clang
        [ "$(uname -s)" = Darwin ] && clang=$(brew --prefix llvm)/bin/clang
        options+=(-DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g" "-DCMAKE_CXX_COMPILER=$clang++"
                  "-DCMAKE_C_COMPILER=$clang"
                  -DEP_SANITIZE=address+undefined -DEP_FUZZ=ON -DEP_TESTS=OFF
                  "-DEP_FUZZ_SECONDS=${EP_FUZZ_SECONDS:-20}") ;;
    *) echo "usage: scripts/build.sh <release|alone|asan|tsan|coverage|bench|fuzz> [--werror] [TARGET ...]" >&2
       exit 2 ;;
esac
if [ "${1:-}" = --werror ]; then
    options+=(-DEP_WERROR=ON)
    shift
fi

if [ "$(uname -s)" = Darwin ]; then
    # Homebrew keeps some libraries outside the default search path.
    prefix=$(brew --prefix)
    options+=("-DCMAKE_PREFIX_PATH=$prefix;$prefix/opt/pytorch;$prefix/opt/expat")
    jobs=$(sysctl -n hw.ncpu)
else
    jobs=$(nproc)
fi

cmake -S . -B "$folder" -G Ninja "${options[@]}" >"$folder.configure.log" 2>&1 || {
    cat "$folder.configure.log" >&2
    echo "build: configuring failed; is everything installed? (scripts/setup.sh)" >&2
    exit 1
}
rm -f "$folder.configure.log"
# Clang cannot compile the headers of older LibTorch; no fuzz target needs them.
[ $name = fuzz ] && [ $# -eq 0 ] && set -- fuzzers
targets=()
[ $# -gt 0 ] && targets=(--target "$@")
cmake --build "$folder" --parallel "$jobs" ${targets[@]+"${targets[@]}"} >&2
echo "$folder"
