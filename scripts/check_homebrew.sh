#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks whether Homebrew still has the major versions that this program was written for. Prints
# what is installed, also into homebrew.txt; exit status 1 if a formula has a newer major version.
#   scripts/check_homebrew.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# formula and major version; docs/dependencies.md says what each is for
pins="pytorch 2
qtbase 6
qtcharts 6
qtwebsockets 6
qttools 6
libzip 1
nlohmann-json 3
expat 2
pcre2 10
utf8proc 2
cli11 2
boost 1
googletest 1
google-benchmark 1
valijson 1"

moved=no
: >homebrew.txt
while read -r formula major; do
    version=$(brew list --versions "$formula" | awk '{ print $NF }') || version= # not installed
    note=
    if [ "${version%%.*}" != "$major" ]; then
        moved=yes
        note="expected $major.x"
    fi
    printf '%-18s %-14s %s\n' "$formula" "${version:-absent}" "$note" | tee -a homebrew.txt
done <<<"$pins"
[ $moved = no ] || {
    echo "homebrew: a formula has a new major version: read its notes, adapt, then change the list in $0" >&2
    exit 1
}
