#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills a folder with what check_mac_link.sh compiles and links with, on Debian 12 or later for x86-64.

  prepare.py CACHE [--sdk GIT] [--torch VERSION] [--qt VERSION] [--macos VERSION]

Files that exist already are kept. About 900 MB are downloaded, and 1.6 GB stay: the headers of a macOS SDK and the
names that its libraries export, LibTorch and Qt from the Mac wheels of torch and PySide6, headers from Debian 13,
and libc++. Exit status: 0 ready, 77 something cannot be had here, said in one sentence on stderr."""
import argparse
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

CLANG = 19
LLVM = pathlib.Path(f"/usr/lib/llvm-{CLANG}/bin")
NEWER_DEBIAN = "trixie"
SDK = "https://github.com/hexops-graveyard/sdk-macos-12.0"
HERE = pathlib.Path(__file__).resolve().parent

TOOLS = (f"clang-{CLANG}", f"lld-{CLANG}", f"llvm-{CLANG}", "ninja-build", "qt6-base-dev-tools")
# Headers that the project includes, and those that they include in turn.
HEADERS = ("qt6-base-dev", "qt6-charts-dev", "qt6-websockets-dev", "libsqlite3-dev", "libexpat1-dev", "libpcre2-dev",
           "libutf8proc-dev", "libzip-dev", "libcli11-dev", "nlohmann-json3-dev", "libboost1.83-dev", "libvalijson-dev")
# Name of the library, its file on a Mac, Debian's package, the file in it, version for pkg-config.
SMALL_LIBRARIES = (
    ("pcre2-8", "opt/pcre2/lib/libpcre2-8.0.dylib", "libpcre2-8-0", "libpcre2-8.so.0.*", "libpcre2-8", "10.46"),
    ("utf8proc", "opt/utf8proc/lib/libutf8proc.3.dylib", "libutf8proc3", "libutf8proc.so.3.*", "libutf8proc", "2.9"),
    ("zip", "opt/libzip/lib/libzip.5.dylib", "libzip5", "libzip.so.5.*", "libzip", "1.11"),
)
# Header-only libraries are the same on a Mac. SQLite's headers are newer than the SDK's.
SHARED_HEADERS = ("nlohmann", "CLI", "boost", "valijson", "pcre2.h", "pcre2posix.h", "utf8proc.h", "zip.h",
                  "zipconf.h", "sqlite3.h", "sqlite3ext.h")
FRAMEWORKS = ("QtCore", "QtGui", "QtWidgets", "QtCharts", "QtNetwork", "QtWebSockets", "QtTest", "QtOpenGL",
              "QtOpenGLWidgets", "QtDBus", "QtSvg")
PLUGINS = ("platforms/libqcocoa", "platforms/libqoffscreen", "styles/libqmacstyle", "imageformats/libqsvg",
           "imageformats/libqico", "imageformats/libqjpeg", "iconengines/libqsvgicon", "tls/libqsecuretransportbackend",
           "networkinformation/libqscnetworkreachability")
TORCH_FILES = ("torch/include/*", "torch/share/cmake/*", "torch/lib/libtorch.dylib", "torch/lib/libtorch_cpu.dylib",
               "torch/lib/libc10.dylib", "torch/lib/libomp.dylib", "torch/lib/libtorch_global_deps.dylib",
               "torch/lib/libshm.dylib")


class Absent(Exception):
    """Something that cannot be had on this machine."""


def run(what, *words, **options):
    try:
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, **options).stdout
    except FileNotFoundError as error:
        raise Absent(f"{what}: there is no {words[0]}") from error
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or error.stdout or "no reason given").strip().splitlines()
        raise Absent(f"{what}: {lines[-1]}") from error


class Cache:
    def __init__(self, folder, arguments):
        self.folder = folder
        self.arguments = arguments

    def once(self, name, what, fill):
        """Calls fill with an empty folder unless an earlier call filled it; returns the folder."""
        folder = self.folder / name.partition("@")[0]
        stamp = self.folder / "ready" / name
        if stamp.exists():
            return folder
        print(f"check_mac_link: {what}", file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        fill(folder)
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
        return folder


def install_tools():
    missing = [package for package in TOOLS
               if "installed" not in subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", package],
                                                    capture_output=True, text=True, check=False).stdout.split()]
    if missing:
        root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        run("installing " + " ".join(missing), *root, "apt-get", "-q", "-y", "--no-install-recommends", "--no-remove",
            "install", *missing)


def sandbox():
    return ["-o", "APT::Sandbox::User=root"] if os.geteuid() == 0 else [] # apt's own user may not write here


def unpack(package, folder, headers_only):
    left_out = ["--exclude=*.a", "--exclude=*.so*", "--exclude=./usr/share/*", "--exclude=./usr/bin/*"]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as archive:
        run(f"unpacking {package.name}", "tar", "-x", "-C", folder, *(left_out if headers_only else []),
            stdin=archive.stdout)


def unpack_newer(folder, packages, headers_only):
    """Packages from the newer Debian, by a separate apt so that the machine's does not know them."""
    places = run("asking apt for its archive", "apt-get", "indextargets", "--format", "$(REPO_URI)",
                 "Identifier: Packages").splitlines()
    archive = next((place for place in places if place.rstrip("/").endswith("/debian")), None)
    if not archive:
        raise Absent("apt has no archive of Debian")
    apt = folder / "apt"
    for part in ("state/lists/partial", "cache/archives/partial", "packages"):
        (apt / part).mkdir(parents=True)
    (apt / "sources.list").write_text("deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
                                      f"{archive} {NEWER_DEBIAN} main\n", encoding="utf-8")
    (apt / "status").touch()
    settings = {"Dir::Etc::sourcelist": apt / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
                "Dir::Etc::preferences": "/dev/null", "Dir::Etc::preferencesparts": "/dev/null",
                "Dir::State": apt / "state", "Dir::State::status": apt / "status", "Dir::Cache": apt / "cache",
                "APT::Architecture": "amd64", "APT::Architectures": "amd64", "Acquire::Languages": "none"}
    options = ["-q", *sandbox(), *(word for key, value in settings.items() for word in ("-o", f"{key}={value}"))]
    run(f"the list of Debian's {NEWER_DEBIAN}", "apt-get", *options, "update")
    run("Debian's packages", "apt-get", *options, "download", *packages, cwd=apt / "packages")
    for package in sorted((apt / "packages").iterdir()):
        unpack(package, folder, headers_only)
    shutil.rmtree(apt)


def fill_libcxx(folder):
    packages = folder / "packages"
    packages.mkdir()
    # Unpacked and not installed: apt would remove another libunwind, which LibTorch's headers brought.
    run("libc++", "apt-get", "-q", *sandbox(), "download", f"libc++-{CLANG}-dev", f"libc++abi-{CLANG}-dev", cwd=packages)
    for package in packages.iterdir():
        unpack(package, folder, True)
    shutil.move(folder / f"usr/lib/llvm-{CLANG}/include/c++/v1", folder / "v1")
    # On a Mac, libc++ knows since which macOS version the system has a function.
    (folder / "apple").mkdir()
    with open(folder / "v1/__config_site", encoding="utf-8") as site:
        lines = [line for line in site if "_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS" not in line]
    (folder / "apple/__config_site").write_text("".join(lines), encoding="utf-8")
    shutil.rmtree(folder / "usr")
    shutil.rmtree(packages)


def fill_sdk(folder, origin):
    repository = origin
    if not pathlib.Path(origin).is_dir():
        repository = folder / "repository"
        run("the macOS SDK", "git", "clone", "--quiet", "--bare", "--depth", "1", origin, repository)
    git = ["git", "--git-dir", repository]
    top = "root/" if "root" in run("the SDK", *git, "ls-tree", "--name-only", "HEAD").split() else ""
    with subprocess.Popen([str(word) for word in git] + ["archive", "HEAD", f"{top}usr/include", f"{top}usr/lib",
                                                         f"{top}System/Library/Frameworks"],
                          stdout=subprocess.PIPE) as archive:
        run("unpacking the SDK", "tar", "-x", "-C", folder, "--exclude=*/include/c++",
            *(["--strip-components=1"] if top else []), stdin=archive.stdout)
    if not (folder / "usr/include/stdio.h").exists():
        raise Absent(f"{origin} has no usr/include/stdio.h")
    shutil.rmtree(folder / "repository", ignore_errors=True)


def unzip_wheel(folder, package, version, platforms, patterns):
    with tempfile.TemporaryDirectory(dir=folder) as wheels:
        run(f"{package} {version} for a Mac", sys.executable, "-m", "pip", "download", "-q", "--no-deps",
            "--only-binary=:all:", "--python-version", "3.11", "-d", wheels,
            *(word for platform in platforms for word in ("--platform", platform)), f"{package}=={version}")
        with zipfile.ZipFile(next(pathlib.Path(wheels).glob("*.whl"))) as archive:
            for entry in archive.infolist():
                if any(fnmatch.fnmatch(entry.filename, pattern) for pattern in patterns):
                    os.chmod(archive.extract(entry, folder), 0o755 if entry.external_attr >> 16 & 0o111 else 0o644)


def fill_qt(folder, version):
    patterns = [f"PySide6/Qt/lib/{name}.framework/*" for name in FRAMEWORKS]
    patterns += [f"PySide6/Qt/plugins/{name}.dylib" for name in PLUGINS]
    platforms = [f"macosx_{major}_0_universal2" for major in (14, 13, 12, 11)]
    for package in ("PySide6-Essentials", "PySide6-Addons"):
        unzip_wheel(folder, package, version, platforms, patterns)
    for part in ("lib", "plugins"):
        shutil.move(folder / "PySide6/Qt" / part, folder / part)
    shutil.rmtree(folder / "PySide6")
    for name in FRAMEWORKS: # a wheel cannot contain links
        framework = folder / "lib" / f"{name}.framework"
        (framework / "Versions/Current").symlink_to("A")
        (framework / name).symlink_to(f"Versions/Current/{name}")
    programs = [folder / "lib" / f"{name}.framework/Versions/A/{name}" for name in FRAMEWORKS]
    for file in programs + sorted((folder / "plugins").glob("*/*.dylib")):
        run("taking one processor's part", LLVM / "llvm-lipo", file, "-thin", "arm64", "-output", file)


def stand_in(cache, name, target, linux):
    """A Mac library that has the names exported by Linux's, with nothing behind them."""
    target.parent.mkdir(parents=True)
    listed = run(f"names of {linux.name}", LLVM / "llvm-nm", "-D", "--defined-only", "--no-weak", "-P", linux)
    names = [line.split()[0].partition("@")[0] for line in listed.splitlines() if line.split()[1] in "TDBRVW"]
    source = target.with_suffix(".s")
    source.write_text(".text\n" + "".join(f".globl _{word}\n_{word}:\n ret\n" for word in names), encoding="utf-8")
    macos = cache.arguments.macos
    compiled = target.with_suffix(".o")
    run(f"assembling {name}", LLVM / "clang", f"--target=arm64-apple-macos{macos}", "-c", source, "-o", compiled)
    run(f"linking {name}", LLVM / "ld64.lld", "-dylib", "-arch", "arm64", "-platform_version", "macos", macos, macos,
        "-syslibroot", cache.folder / "sdk", "-lSystem", "-install_name", target, "-o", target, compiled)


def fill_prefix(cache, folder):
    """Fills a folder like Homebrew's: small libraries, headers, GoogleTest."""
    debian = folder / "debian"
    debian.mkdir()
    unpack_newer(debian, [row[2] for row in SMALL_LIBRARIES] + ["googletest"], False)
    (folder / "include").mkdir()
    (folder / "lib/pkgconfig").mkdir(parents=True)
    for name, place, _, file, module, version in SMALL_LIBRARIES:
        target = folder / place
        stand_in(cache, name, target, next((debian / "usr/lib/x86_64-linux-gnu").glob(file)))
        (folder / "lib" / f"lib{name}.dylib").symlink_to(target)
        (folder / "lib/pkgconfig" / f"{module}.pc").write_text(
            f"Name: {module}\nDescription: names alone\nVersion: {version}\nLibs: -L{folder}/lib -l{name}\n"
            f"Cflags: -isystem {folder}/include\n", encoding="utf-8")
    for name in SHARED_HEADERS:
        (folder / "include" / name).symlink_to(cache.folder / "debian/usr/include" / name)
    build = folder / "googletest"
    environment = dict(os.environ, EP_MAC_CACHE=str(cache.folder), EP_MACOS=cache.arguments.macos)
    run("configuring GoogleTest", "cmake", "-S", debian / "usr/src/googletest", "-B", build, "-G", "Ninja",
        f"-DCMAKE_TOOLCHAIN_FILE={HERE}/toolchain.cmake", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_STANDARD=17",
        f"-DCMAKE_INSTALL_PREFIX={folder}", env=environment)
    run("building GoogleTest", "cmake", "--build", build, "--target", "install", env=environment)
    shutil.rmtree(build)
    shutil.rmtree(debian)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("--sdk", default=SDK, help="a git repository that holds a macOS SDK at its top or in root/")
    parser.add_argument("--torch", default="2.14.1")
    parser.add_argument("--qt", default="6.12.0")
    parser.add_argument("--macos", default="14.0", help="the oldest that the result is for")
    arguments = parser.parse_args()
    if not re.fullmatch(r"x86_64|amd64", os.uname().machine) or not shutil.which("dpkg-deb"):
        raise Absent("this needs Debian on x86-64")
    arguments.cache.mkdir(parents=True, exist_ok=True)
    cache = Cache(arguments.cache.resolve(), arguments)
    install_tools()
    cache.once("libcxx", f"libc++ {CLANG}", fill_libcxx)
    cache.once("debian", f"headers of Debian's {NEWER_DEBIAN}", lambda folder: unpack_newer(folder, HEADERS, True))
    cache.once("sdk", "the macOS SDK", lambda folder: fill_sdk(folder, arguments.sdk))
    cache.once(f"torch@{arguments.torch}", f"LibTorch {arguments.torch} for a Mac",
               lambda folder: unzip_wheel(folder.parent, "torch", arguments.torch,
                                          ("macosx_14_0_arm64", "macosx_11_0_arm64"), TORCH_FILES))
    cache.once(f"qt@{arguments.qt}", f"Qt {arguments.qt} for a Mac", lambda folder: fill_qt(folder, arguments.qt))
    cache.once("prefix", "small libraries and GoogleTest", lambda folder: fill_prefix(cache, folder))


if __name__ == "__main__":
    try:
        main()
    except Absent as reason:
        print(f"check_mac_link: skipped, since something cannot be had here: {reason}", file=sys.stderr)
        sys.exit(77)
