#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles and links this tree for a Mac with Apple Silicon, on Debian for x86-64: the project's own CMake as for Darwin,
# against LibTorch's and Qt's Mac libraries and a macOS SDK. Nothing that it makes runs here.
#   scripts/check_mac_link.sh [--tests] [--bundle] [--optimise] [--if-warm] [TARGET...]
#       TARGET       default: the program and its engine
#       --tests      the programs of the tests as well
#       --bundle     also makes the application bundle, with LLVM's tools in place of Apple's, and checks it
#       --optimise   as a release is built: also sees what only optimised code refers to
#       --if-warm    only where an earlier run filled the cache
# EP_MAC_CACHE: where it keeps 1.6 GB (default: ~/.cache/energy-profiler/mac). EP_MAC_SDK: a git repository with a macOS SDK.
# Exit status: 0 everything links, 1 not, 77 something cannot be had here.
set -euo pipefail
cd "$(dirname "$0")/.."

project=$PWD
tests=no bundle=no warm=no
release="-O0 -DNDEBUG"
targets=()
while [ $# -gt 0 ]; do
    case "$1" in
        --tests) tests=yes ;;
        --bundle) bundle=yes ;;
        --optimise) release="-O3 -DNDEBUG" ;;
        --if-warm) warm=yes ;;
        -*) sed -n '5,13p' "$0" >&2; exit 2 ;;
        *) targets+=("$1") ;;
    esac
    shift
done
export EP_MAC_CACHE=${EP_MAC_CACHE:-$HOME/.cache/energy-profiler/mac} EP_MACOS=14.0
if [ $warm = yes ] && [ ! -e "$EP_MAC_CACHE/ready/prefix" ]; then
    echo "check_mac_link: skipped, since $EP_MAC_CACHE holds no Mac libraries: scripts/check_mac_link.sh fetches them" >&2
    exit 0
fi
python3 -B scripts/mac_link/prepare.py "$EP_MAC_CACHE" --macos $EP_MACOS ${EP_MAC_SDK:+--sdk "$EP_MAC_SDK"}
EP_MAC_CACHE=$(cd "$EP_MAC_CACHE" && pwd)
build=$project/build-mac
mkdir -p "$build"

launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
export PKG_CONFIG_LIBDIR=$EP_MAC_CACHE/prefix/lib/pkgconfig PKG_CONFIG_PATH=
cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$project/scripts/mac_link/toolchain.cmake" "${launcher[@]}" \
    -DCMAKE_MODULE_PATH="$project/scripts/mac_link/modules" -DCMAKE_PREFIX_PATH="$EP_MAC_CACHE/prefix;$EP_MAC_CACHE/torch" \
    -DSQLite3_INCLUDE_DIR="$EP_MAC_CACHE/prefix/include" -DCMAKE_BUILD_TYPE=Release -DEP_TORCH= \
    "-DCMAKE_CXX_FLAGS_RELEASE=$release" >"$build/configure.log" 2>&1 ||
    { tail -n 20 "$build/configure.log" >&2; echo "check_mac_link: CMake failed" >&2; exit 1; }

[ ${#targets[@]} -gt 0 ] || targets=(energy-profiler ep_engine_plugin)
if [ $tests = yes ]; then
    mapfile -t -O ${#targets[@]} targets < <(ninja -C "$build" -t targets all |
        sed -n 's/^bin\/\([^:]*\): CXX_EXECUTABLE_LINKER.*/\1/p' | grep -vx energy-profiler)
fi
status=0
ninja -C "$build" -k 0 -j "${EP_JOBS:-$(nproc)}" "${targets[@]}" >"$build/build.log" 2>&1 || status=1
python3 -B scripts/mac_link/report.py --log "$build/build.log" --build "$build" --project "$project" \
    --cache "$EP_MAC_CACHE" || status=1
[ $bundle = yes ] && [ $status = 0 ] || exit $status

export EP_MAC_BUNDLE=$build/bundle
rm -rf "$EP_MAC_BUNDLE" && mkdir -p "$EP_MAC_BUNDLE/tools"
ln -s /usr/lib/llvm-19/bin/llvm-otool "$EP_MAC_BUNDLE/tools/otool"
ln -s /usr/lib/llvm-19/bin/llvm-install-name-tool "$EP_MAC_BUNDLE/tools/install_name_tool"
for tool in macdeployqt qtpaths codesign hdiutil; do
    ln -s "$project/scripts/mac_link/apple_tools.py" "$EP_MAC_BUNDLE/tools/$tool"
done
export PATH=$EP_MAC_BUNDLE/tools:$PATH EP_ENGINE_ORIGIN=$build/lib/ep-engine.so EP_BREW_PREFIX=$EP_MAC_CACHE/prefix
cmake --install "$build" --prefix "$EP_MAC_BUNDLE" >"$EP_MAC_BUNDLE/install.log"
app="$EP_MAC_BUNDLE/Energy Profiler.app"
./scripts/package_macos.sh --finish "$app" "$EP_MAC_BUNDLE"
./scripts/package_macos.sh --check "$app"
echo "signed in this order:"
cat "$EP_MAC_BUNDLE/codesign.log"
