#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what building, running and testing need, and only what is missing.
#   scripts/setup.sh           says what it will install, then installs it
#   scripts/setup.sh --check   only says what is missing (exit status 1 if anything is)
#   scripts/setup.sh --fuzz    also what the fuzz targets need
#   scripts/setup.sh --tidy    also what scripts/check_tidy.py needs (Debian)
#   scripts/setup.sh --portable    also what scripts/check_portable.sh needs (Debian)
#   scripts/setup.sh --torch wheel[=VERSION]   also LibTorch of the Python package torch, for the processor;
#                                              builds of this tree use it from then on
#   scripts/setup.sh --torch cuda[=VERSION]    the same with NVIDIA's libraries, for CUDA devices
#   scripts/setup.sh --torch system            builds use the installed LibTorch again
set -euo pipefail
cd "$(dirname "$0")/.."

check_only=no
fuzz=no
portable=no
tidy=no
torch=
usage() {
    echo "usage: scripts/setup.sh [--check] [--fuzz] [--tidy] [--portable] [--torch wheel[=VERSION]|cuda[=VERSION]|system]" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case "$1" in
        --check) check_only=yes ;;
        --fuzz) fuzz=yes ;;
        --portable) portable=yes ;;
        --tidy) tidy=yes ;;
        --torch)
            torch=${2:-}
            case "$torch" in
                wheel | wheel=?* | cuda | cuda=?* | system) ;;
                *) usage ;;
            esac
            shift
            ;;
        *) usage ;;
    esac
    shift
done

# docs/dependencies.md says what each package is for.
debian_packages=(
    build-essential cmake ninja-build ccache pkg-config python3 git
    libtorch-dev libopenblas0-pthread
    qt6-base-dev qt6-charts-dev qt6-websockets-dev qt6-l10n-tools libgl-dev libxkbcommon-dev
    libsqlite3-dev zlib1g-dev libbrotli1 libzstd1 libzip-dev nlohmann-json3-dev libexpat1-dev libpcre2-dev libutf8proc-dev libcli11-dev
    libboost-dev
    libgtest-dev libgmock-dev libbenchmark-dev libvalijson-dev
    fonts-dejavu-core clang-format file
    xvfb openbox poppler-utils
)
brew_packages=(
    cmake ninja ccache pkgconf python3
    pytorch qtbase qtcharts qtwebsockets qttools libzip brotli zstd nlohmann-json expat pcre2 utf8proc cli11
    boost
    googletest google-benchmark valijson
)

install_debian() {
    # Debian 12 has the OpenGL part of Qt in a separate package; Debian 13 has it in qt6-base-dev.
    if [ "$(. /etc/os-release && echo "${VERSION_ID:-0}")" = 12 ]; then
        debian_packages+=(libqt6opengl6-dev)
    fi
    if [ $fuzz = yes ]; then
        debian_packages+=(clang libclang-rt-dev)
    fi
    if [ $tidy = yes ]; then
        debian_packages+=(clang clang-tidy)
    fi
    if [ $portable = yes ]; then
        debian_packages+=(clang-19)
    fi
    case "$torch" in
        wheel* | cuda*) debian_packages+=(python3-pip) ;;
    esac
    local missing=() package
    for package in "${debian_packages[@]}"; do
        dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed \
            || missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        echo "setup: nothing to install"
        return
    fi
    echo "setup: missing packages: ${missing[*]}"
    if [ $check_only = yes ]; then
        exit 1
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "setup: run as root: apt-get install ${missing[*]}" >&2
            exit 1
        }
        as_root=(sudo)
    fi
    echo "setup: installing them with apt-get"
    ${as_root[@]+"${as_root[@]}"} apt-get update -q
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}"
}

install_homebrew() {
    command -v brew >/dev/null || {
        echo "setup: Homebrew is needed; install it as https://brew.sh describes, then run this again" >&2
        exit 1
    }
    if [ $fuzz = yes ]; then
        brew_packages+=(llvm) # Apple's Clang comes without libFuzzer
    fi
    local missing=() package
    for package in "${brew_packages[@]}"; do
        brew list --formula "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        echo "setup: nothing to install"
        return
    fi
    echo "setup: missing formulae: ${missing[*]}"
    if [ $check_only = yes ]; then
        exit 1
    fi
    echo "setup: installing them with brew"
    brew install "${missing[@]}"
}

# CMake (scripts/cmake/EpTorch.cmake) prefers this folder over an installed LibTorch.
torch_folder=build/torch

install_torch() {
    local version=${torch#*=} options=(--no-deps) linked=()
    [ "$version" != "$torch" ] || version=
    # LibTorch for the processor needs little else; for CUDA it needs NVIDIA's library packages.
    case "$torch" in cuda*) options=() ;; esac
    if [ $check_only = yes ]; then
        [ -d $torch_folder ] || { echo "setup: LibTorch of the Python package is not in $torch_folder"; exit 1; }
        return
    fi
    echo "setup: installing the Python package torch${version:+ $version} into $torch_folder"
    rm -rf $torch_folder.new
    pip_install ${options[@]+"${options[@]}"} "torch${version:+==$version}"
    case "$torch" in
        wheel*)
            read -r -a linked < <(python3 -B scripts/torch_libraries.py $torch_folder.new) || true
            [ ${#linked[@]} -eq 0 ] || pip_install "${linked[@]}"
            ;;
    esac
    rm -rf $torch_folder
    mv $torch_folder.new $torch_folder
    rm -f build/CMakeCache.txt # contains the paths of the previous LibTorch
}

pip_install() { # WORD...
    python3 -m pip install --quiet --target $torch_folder.new "$@" || {
        rm -rf $torch_folder.new
        echo "setup: pip could not install ${*: -1}; see its message above" >&2
        exit 1
    }
}

case "$(uname -s)" in
    Darwin) install_homebrew ;;
    Linux)
        if command -v apt-get >/dev/null; then
            install_debian
        else
            echo "setup: this Linux has no apt-get; install by hand: ${debian_packages[*]}" >&2
            exit 1
        fi
        ;;
    *) echo "setup: $(uname -s) is not supported; use Debian 12 or 13, or macOS" >&2; exit 1 ;;
esac

case "$torch" in
    system) rm -rf $torch_folder build/CMakeCache.txt ;;
    ?*) install_torch ;;
esac
