#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of scripts/check_portable.sh that compiles. It takes the commands of a configured build, has another
compiler and another standard library read the same sources, and prints what they find in our files."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Headers that every test includes and that take longest to read: they are compiled once for each set of options.
PRECOMPILED = ("gmock/gmock.h", "gtest/gtest.h")
OF_TORCH = re.compile(r"/(ATen|c10|caffe2|torch)/")
# What belongs to GCC, or to the build of an object.
DROPPED = re.compile(r"-fpch-preprocess|-Wno-subobject-linkage|-Wno-restrict|-Wno-maybe-uninitialized|-O\d|-c")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--libcxx", required=True)
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="sources whose path holds this")
    parser.add_argument("--all", action="store_true", help="also what passed before")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Files:
    """What a file holds, or for a file of the system that it is the same."""

    def __init__(self):
        self.known = {}

    def state(self, name):
        if name not in self.known:
            try:
                if name.startswith(str(ROOT) + os.sep):
                    self.known[name] = hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest()
                else:
                    status = os.stat(name)
                    self.known[name] = f"{status.st_size} {status.st_mtime_ns}"
            except OSError:
                self.known[name] = "gone"
        return self.known[name]

    def state_of_all(self, names):
        return digest(*(name + self.state(name) for name in names))


class Unit:
    """One source, or one batch of them, with the options that it is compiled with."""

    def __init__(self, entry, arguments):
        self.directory = entry["directory"]
        self.file = os.path.join(self.directory, entry["file"])
        words = shlex.split(entry["command"])
        words = words[next(i for i, word in enumerate(words) if word.startswith("-")):]
        self.options = []
        while words:
            word = words.pop(0)
            if word == "-o":
                words.pop(0)
            elif word != entry["file"] and not DROPPED.fullmatch(word):
                self.options.append(word)
        self.torch = any(OF_TORCH.search(option + "/") for option in self.options)
        newer = arguments.cache / "torch/usr/include"
        self.newer_torch = self.torch and (newer.parent.parent / "complete").exists()
        if self.newer_torch:
            self.options += ["-isystem", str(newer / "torch/csrc/api/include"), "-isystem", str(newer)]
            self.options = [option.replace("/usr/include/torch", str(newer / "torch"))
                            if option.startswith("/usr/include/torch") else option for option in self.options]

    def sources(self):
        """Ours: those of a batch, or the one."""
        if pathlib.Path(self.file).name.startswith("unity_"):
            text = pathlib.Path(self.file).read_text(encoding="utf-8")
            return [pathlib.Path(name) for name in re.findall(r'#include "(.*)"', text)]
        return [pathlib.Path(self.file)]

    def name(self):
        names = [str(source.relative_to(ROOT)) for source in self.sources()]
        return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def units_of(arguments):
    entries = json.loads((arguments.build / "compile_commands.json").read_text(encoding="utf-8"))
    build = str(arguments.build.resolve()) + os.sep
    for entry in entries:
        unit = Unit(entry, arguments)
        # Generated code is the generator's business, and moc's here is not moc's there. What is written in
        # C is a library for tests on Linux.
        ours = [source for source in unit.sources()
                if source.suffix != ".c" and not str(source).startswith(build)]
        if ours and any(arguments.only in str(source.relative_to(ROOT)) for source in ours):
            yield unit


class Checker:
    def __init__(self, arguments):
        self.arguments = arguments
        self.files = Files()
        self.results = arguments.cache / "results"
        self.results.mkdir(exist_ok=True)
        version = subprocess.run([arguments.compiler, "--version"], capture_output=True, text=True, check=True)
        self.compiler = version.stdout
        self.precompiled = {}
        self.one_at_a_time = threading.Lock()

    def command(self, unit, *rest):
        return [self.arguments.compiler, *unit.options, "-nostdinc++", "-isystem", self.arguments.libcxx, "-Werror",
                "-Wno-unknown-warning-option", "-fno-color-diagnostics", "-ferror-limit=0", *rest]

    def run(self, unit, *rest):
        return subprocess.run(self.command(unit, *rest), capture_output=True, text=True, errors="replace",
                              cwd=unit.directory, check=False)

    def precompile(self, unit):
        """Only a header that the source itself includes, so that none is hidden that it lacks."""
        sources = unit.sources()
        text = sources[0].read_text(encoding="utf-8") if len(sources) == 1 else ""
        header = next((name for name in PRECOMPILED if f"#include <{name}>" in text), None)
        if not header:
            return []
        # Definitions of one target only do not concern that header; its own do.
        options = [option for option in unit.options if not option.startswith("-D")
                   or option.startswith(("-DQT_NO_", "-DGTEST_"))]
        key = digest(header, self.compiler, self.arguments.libcxx, *options)
        with self.one_at_a_time:
            if key not in self.precompiled:
                self.precompiled[key] = self.make_precompiled(header, key, options, unit.directory)
        return ["-include-pch", self.precompiled[key]]

    def make_precompiled(self, header, key, options, directory):
        target, wrapper = self.results / (key + ".pch"), self.results / (key + ".h")
        if not target.exists():
            wrapper.write_text(f"#include <{header}>\n", encoding="utf-8")
            bare = Unit.__new__(Unit)
            bare.options, bare.directory = options, directory
            done = self.run(bare, "-x", "c++-header", str(wrapper), "-o", f"{target}.new")
            if done.returncode:
                raise RuntimeError(f"{header} does not compile:\n{done.stderr}")
            os.replace(f"{target}.new", target)
        return str(target)

    def check(self, unit):
        """(what was found, whether it had passed before)"""
        record = self.results / (digest(unit.file, *unit.options) + ".json")
        if record.exists() and not self.arguments.all:
            known = json.loads(record.read_text(encoding="utf-8"))
            if known["state"] == digest(self.compiler, self.files.state_of_all(known["files"])):
                return "", True
        depends = record.with_suffix(".d")
        done = self.run(unit, *self.precompile(unit), "-fsyntax-only", "-MD", "-MF", str(depends), unit.file)
        if done.returncode:
            record.unlink(missing_ok=True)
            return done.stderr or f"{unit.name()}: exit status {done.returncode}", False
        text = depends.read_text(encoding="utf-8").replace("\\\n", " ")
        depends.unlink()
        names = sorted({os.path.normpath(os.path.join(unit.directory, name))
                        for name in text.partition(":")[2].split()})
        state = digest(self.compiler, self.files.state_of_all(names))
        record.write_text(json.dumps({"state": state, "files": names}), encoding="utf-8")
        return "", False


def main():
    arguments = parse_arguments()
    checker = Checker(arguments)
    units = list(units_of(arguments))
    began = time.monotonic()
    left_out = [unit for unit in units if unit.torch and not unit.newer_torch and old_torch()]
    units = [unit for unit in units if unit not in left_out]
    failed = passed_before = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as executor:
        for found, before in executor.map(checker.check, units):
            passed_before += before
            if found:
                failed += 1
                print(found, flush=True)
    for unit in left_out:
        print(f"left out, for the headers of this LibTorch do not compile with libc++: {unit.name()}")
    sources = sum(len(unit.sources()) for unit in units)
    print(f"portable: {sources} sources in {len(units)} units, {failed} units failed, {passed_before} unchanged, "
          f"{len(left_out)} units left out, {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


def old_torch():
    header = pathlib.Path("/usr/include/torch/csrc/api/include/torch/version.h")
    return header.exists() and "TORCH_VERSION_MAJOR 1\n" in header.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
