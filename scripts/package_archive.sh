#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds and makes an archive for any Linux with this or a newer glibc: the program with its own Qt and LibTorch, to be
# unpacked anywhere. Prints its path as the last line. Needs patchelf.
#   scripts/package_archive.sh [OUT_FOLDER]     (default: dist)
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
    -*) sed -n '3,5p' "$0" >&2; exit 2 ;;
esac
out=${1:-dist}
command -v patchelf >/dev/null || {
    echo "package: patchelf is needed: install patchelf" >&2
    exit 1
}
./scripts/setup.sh
folder=$(./scripts/build.sh release energy-profiler ep_engine_plugin documents | tail -n 1)
mkdir -p "$out"
out=$(cd "$out" && pwd)
version=$(sed -n 's/^project(energy-profiler VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=energy-profiler-$version-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/$name
cmake --install "$folder" --prefix "$stage" --strip >/dev/null

# Libraries that every desktop has, or that have to match its kernel, graphics driver or C library.
of_the_system='^(linux-vdso|ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libutil|libanl|libnsl|libGL|libGLX|libGLdispatch|libEGL|libOpenGL|libdrm|libX11|libX11-xcb|libxcb|libwayland-.*)\.so'

plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || qmake6 -query QT_INSTALL_PLUGINS)
mkdir -p "$stage/lib/qt6/plugins" "$stage/lib/libraries"
for kind in platforms platforminputcontexts iconengines imageformats xcbglintegrations wayland-shell-integration \
    wayland-graphics-integration-client wayland-decoration-client; do
    [ -d "$plugins/$kind" ] && cp -rL "$plugins/$kind" "$stage/lib/qt6/plugins/"
done
find "$stage/lib/qt6/plugins" -name '*eglfs*' -o -name '*linuxfb*' -o -name '*vnc*' | xargs -r rm -rf
printf '[Paths]\nPrefix = ..\nPlugins = lib/qt6/plugins\n' >"$stage/bin/qt.conf"

# ldd also lists indirect libraries, so one pass over program, engine and plugins finds all.
# Not in share: a completion there is called energy-profiler, too.
find "$stage/bin" "$stage/lib" -type f \( -name '*.so' -o -name energy-profiler \) -exec ldd {} + 2>/dev/null \
    | sed -n 's/^[[:space:]]*\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | sort -u | while read -r library file; do
    [[ $library =~ $of_the_system ]] || cp -L "$file" "$stage/lib/libraries/$library"
done
while IFS= read -r -d '' file; do
    folder_of=$(dirname "$file")
    relative=$(realpath --relative-to="$folder_of" "$stage/lib/libraries")
    patchelf --force-rpath --set-rpath "\$ORIGIN/$relative" "$file"
done < <(find "$stage/bin" "$stage/lib" -type f \( -name '*.so' -o -name '*.so.*' -o -name energy-profiler \) -print0)

cp LICENSE "$stage/"
cat >"$stage/README.txt" <<END
Energy Profiler $version for Linux ($(uname -m)), glibc $(ldd --version | sed -n '1s/.* //p') or newer

  bin/energy-profiler              opens the window
  bin/energy-profiler --help       lists the commands

Keep the folders together; the place does not matter. LibTorch in lib/libraries computes on the processor. To use an NVIDIA
GPU, let the program find a LibTorch of the same version with CUDA first, for example the one of the Python package:

  LD_LIBRARY_PATH=.../site-packages/torch/lib bin/energy-profiler doctor --load
END
XZ_OPT=-T0 tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -cJf "$out/$name.tar.xz" "$name"
echo "$out/$name.tar.xz"
