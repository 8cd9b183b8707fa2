#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds and makes a Debian package for this release of Debian; prints its path as the last line.
#   scripts/package_linux.sh [OUT_FOLDER]     (default: dist)
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
    -*) sed -n '3,4p' "$0" >&2; exit 2 ;;
esac
out=${1:-dist}
command -v dpkg-shlibdeps >/dev/null || {
    echo "package: dpkg-shlibdeps is needed: install dpkg-dev" >&2
    exit 1
}
./scripts/setup.sh
folder=$(./scripts/build.sh release energy-profiler ep_engine_plugin documents | tail -n 1)
mkdir -p "$out"
out=$(cd "$out" && pwd)
# CPack packs what `cmake --install` installs; it does not build again.
(cd "$folder" && cpack -G DEB -B "$out" >"$out/cpack.log" 2>&1) || {
    cat "$out/cpack.log" >&2
    exit 1
}
package=$(sed -n 's/^CPack: - package: \(.*\) generated\.$/\1/p' "$out/cpack.log" | head -n 1)
rm -rf "$out/cpack.log" "$out/_CPack_Packages"
dpkg-deb --info "$package" | grep -E '^ (Package|Version|Architecture|Installed-Size|Depends|Recommends):' >&2
echo "$package"
