#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes what a release consists of on this platform, from a clean clone of HEAD, and checks it. Results are in dist/.
#   scripts/release.sh --dry-run [--no-tests] [--no-root]
#       --no-tests   the tests have just passed
#       --no-root    do not install the package in a fresh root (needs root, debootstrap and a mirror: EP_DEBIAN_MIRROR)
#   scripts/release.sh --notes VERSION     only prints that version's part of the change log
#   scripts/release.sh --bom PACKAGE.deb   only prints the bill of materials of a package
# The workflow .github/workflows/release.yml calls it for a tag; nothing here publishes anything.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "release: $*" >&2; }
die() { say "$*"; exit 1; }

version_of() { sed -n 's/^project(energy-profiler VERSION \([0-9.]*\).*/\1/p' "$1/CMakeLists.txt"; }

notes_of() { # VERSION: prints the text below its heading
    awk -v heading="## [$1]" 'index($0, "## [") == 1 { found = index($0, heading) == 1; next } found' docs/changelog.md
}

tests=yes
root=yes
case "${1:-}" in
    --notes)
        notes=$(notes_of "${2:?--notes needs a version}")
        [ -n "${notes//[[:space:]]/}" ] || die "docs/changelog.md has no text for version $2"
        printf '%s\n' "$notes"
        exit ;;
    --bom) exec python3 scripts/bill_of_materials.py "${2:?--bom needs a package}" ;;
    --dry-run) shift ;;
    *) sed -n '4,9p' "$0" >&2; exit 2 ;;
esac
while [ $# -gt 0 ]; do
    case "$1" in
        --no-tests) tests=no ;;
        --no-root) root=no ;;
        *) die "unknown option $1" ;;
    esac
    shift
done

source=$PWD
out=$source/dist
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git -C "$source" diff --quiet HEAD || say "uncommitted changes are not part of the release"
git clone --quiet "$source" "$work/clone"
cd "$work/clone"
version=$(version_of .)
tag=$(git -C "$source" tag --points-at HEAD | sed -n 's/^v//p' | head -n 1)
[ -z "$tag" ] || [ "$tag" = "$version" ] || die "the tag says $tag, CMakeLists.txt says $version"
if [ -n "$tag" ]; then
    notes_of "$version" >"$out/notes.md"
    [ -s "$out/notes.md" ] || die "docs/changelog.md has no section for $version"
else
    notes_of Unreleased >"$out/notes.md"
fi
say "version $version, $(git rev-parse --short HEAD)"

[ $tests = no ] || ./scripts/test.sh --werror
package=$(./scripts/package_linux.sh "$out" | tail -n 1)
archive=$(./scripts/package_archive.sh "$out" | tail -n 1)
python3 scripts/bill_of_materials.py "$package" >"$out/$(basename "$package" .deb).spdx.json"
(cd "$out" && sha256sum -- *.deb *.tar.xz *.spdx.json >SHA256SUMS && sha256sum --check --quiet SHA256SUMS)

say "the archive, unpacked"
tar -C "$work" -xJf "$archive"
unpacked=$work/$(basename "$archive" .tar.xz)/bin/energy-profiler
QT_QPA_PLATFORM=offscreen EP_DB=$work/archive.db "$unpacked" run --model demo-llama-5m --prompt "The old man" \
    --max-new-tokens 8 --power none >/dev/null
QT_QPA_PLATFORM=offscreen EP_DB=$work/archive.db "$unpacked" gui --separate --exit-when-shown

if [ $root = yes ]; then
    say "the package, in a fresh root"
    ./scripts/check_package.sh "$package"
fi
say "everything is in $out:"
(cd "$out" && ls -1sh) >&2
