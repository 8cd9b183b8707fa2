#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks (or with --fix repairs) the layout of all C++ files against .clang-format.
# Releases of clang-format differ in details, so only the reference release decides.
set -euo pipefail
cd "$(dirname "$0")/.."
reference=14

tool=
for candidate in "clang-format-$reference" clang-format; do
    if command -v "$candidate" >/dev/null \
        && "$candidate" --version | grep -q "version $reference\."; then
        tool=$candidate
        break
    fi
done
if [ -z "$tool" ]; then
    echo "format: not checked, clang-format $reference is not installed"
    exit 0
fi

mode=(--dry-run --Werror)
[ "${1:-}" = --fix ] && mode=(-i)
git ls-files '*.h' '*.cpp' '*.mm' | xargs "$tool" "${mode[@]}"
echo "format: $(git ls-files '*.h' '*.cpp' '*.mm' | wc -l) files ok"
