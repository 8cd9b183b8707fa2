#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets clang-tidy look for bugs (.clang-tidy) in the lines that differ from another commit.

    scripts/check_tidy.py [BASE]    the lines that differ from BASE, default origin/main; HEAD~1 if it is unknown
    scripts/check_tidy.py --all     all sources, which takes hours

Exit status 1: it finds something. A header is read with the source of its name, if there is one.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = "build-tidy"
PARTS = ["src/*.cpp", "src/*.h", "include/*.h"]
FILE = re.compile(r"^\+\+\+ b/(.*)$")
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def is_known(commit: str) -> bool:
    return subprocess.run(["git", "rev-parse", "--verify", "--quiet", commit + "^{commit}"], cwd=ROOT, check=False,
                          capture_output=True).returncode == 0


def changed_lines(diff: str):
    """{file: [[first line, last line]]} of a diff without context."""
    found = {}
    ranges = []
    for line in diff.splitlines():
        if match := FILE.match(line):
            ranges = found.setdefault(match[1], [])
        elif match := HUNK.match(line):
            first, count = int(match[1]), int(match[2] or 1)
            if count > 0:
                ranges.append([first, first + count - 1])
    return {name: lines for name, lines in found.items() if lines}


def sources_of(files):
    sources = set()
    for name in files:
        if name.endswith(".cpp"):
            sources.add(name)
        else:
            sources.update(output("git", "ls-files", f"src/**/{pathlib.PurePath(name).stem}.cpp").split())
    return sorted(sources)


def configure() -> None:
    """The command for each source by itself, as Clang compiles it."""
    done = subprocess.run(
        ["cmake", "-S", ".", "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DEP_UNITY=OFF", "-DEP_TESTS=OFF",
         "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DCMAKE_CXX_COMPILER=clang++", "-DCMAKE_C_COMPILER=clang"],
        cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def main() -> int:
    tool = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    if not tool:
        sys.exit("tidy: clang-tidy is not installed (Debian: apt-get install clang clang-tidy)")
    base = sys.argv[1] if len(sys.argv) > 1 else "origin/main"
    if base == "--all":
        sources, options = output("git", "ls-files", "src/*.cpp").split(), []
    else:
        since = base if is_known(base) else "HEAD~1"
        lines = changed_lines(output("git", "diff", "-U0", "--diff-filter=d", since, "--", *PARTS))
        sources = sources_of(lines)
        options = ["--line-filter=" + json.dumps([{"name": name, "lines": where} for name, where in lines.items()])]
    if not sources:
        print("tidy: no source differs")
        return 0
    configure()

    def check(source):
        return subprocess.run([tool, "-p", BUILD, "--quiet", "--warnings-as-errors=*", *options, source],
                              cwd=ROOT, capture_output=True, text=True, check=False)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        for done in threads.map(check, sources):
            failed += done.returncode != 0
            print(done.stdout, end="" if done.returncode == 0 else done.stderr)
    print(f"tidy: {len(sources)} sources, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
