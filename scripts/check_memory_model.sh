#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the synchronisation of the thread pool against the C++ memory model with Relacy (Debian's
# relacy-dev, headers only), and that the check would find an ordering that is too weak. An x86
# processor cannot reveal such a fault, a Mac's can.
#   scripts/check_memory_model.sh
set -euo pipefail
cd "$(dirname "$0")/.."

if [ ! -e /usr/include/relacy/relacy.hpp ]; then
    echo "memory model: installing relacy-dev" >&2
    if [ "$(id -u)" = 0 ]; then apt-get install -y -q relacy-dev >&2; else sudo apt-get install -y -q relacy-dev >&2; fi
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Relacy's headers predate today's warnings.
compile() { g++ -std=c++17 -O2 -w "$@" tests/memory_model/thread_pool.cpp; }
compile -o "$folder/right"
compile -DEP_WEAKENED -o "$folder/weakened"
echo "memory model: the thread pool as it is"
"$folder/right"
echo "memory model: with one order weakened, which has to be found"
if "$folder/weakened" >"$folder/said"; then
    echo "memory model: the check did not find the weakened order" >&2
    exit 1
fi
sed -n 1,4p "$folder/said"
