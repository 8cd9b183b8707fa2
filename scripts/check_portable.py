#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiling part of scripts/check_portable.sh. It takes the commands of a configured build, lets another
compiler and another standard library read the same sources, and prints what they report about our files."""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Sources of one target that the compiler reads at a time: most of its time goes into headers, which it then reads once.
BATCH = 40
OF_TORCH = re.compile(r"/(ATen|c10|caffe2|torch)/")
# Options that only GCC knows, or that only matter for building an object.
DROPPED = re.compile(r"-fpch-preprocess|--param=\S+|-Wno-subobject-linkage|-Wno-restrict|-Wno-maybe-uninitialized|-O\w|-c")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--libcxx", required=True)
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="sources whose path holds this")
    parser.add_argument("--single", action="store_true", help="each source separately, not in batches")
    parser.add_argument("--all", action="store_true", help="also what passed before")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def of_any_clone(text):
    """The text without the path of this clone, so that what passed in one clone counts in the next."""
    return text.replace(str(ROOT), "<root>")


class Files:
    """The content of a file, or for a system file a mark that it is unchanged."""

    def __init__(self):
        self.known = {}

    def state(self, name):
        if name not in self.known:
            try:
                if name.startswith(str(ROOT) + os.sep):
                    text = pathlib.Path(name).read_text(encoding="utf-8", errors="replace")
                    self.known[name] = digest(of_any_clone(text))
                else:
                    status = os.stat(name)
                    self.known[name] = f"{status.st_size} {status.st_mtime_ns}"
            except OSError:
                self.known[name] = "gone"
        return self.known[name]

    def state_of_all(self, names):
        return digest(*(of_any_clone(name) + self.state(name) for name in names))


class Source:
    """One of our sources, with the options that it is compiled with."""

    def __init__(self, entry, arguments):
        self.directory = entry["directory"]
        self.path = pathlib.Path(self.directory, entry["file"])
        words = shlex.split(entry["command"])
        words = words[next(i for i, word in enumerate(words) if word.startswith("-")):]
        self.options = []
        self.target = ""
        while words:
            word = words.pop(0)
            if word == "-o":
                self.target = words.pop(0).partition(".dir/")[0]
            elif word != entry["file"] and not DROPPED.fullmatch(word):
                self.options.append(word)
        self.torch = any(OF_TORCH.search(option + "/") for option in self.options)
        newer = arguments.cache / "torch/usr/include"
        self.newer_torch = self.torch and (newer.parent.parent / "complete").exists()
        if self.newer_torch:
            self.options += ["-isystem", str(newer / "torch/csrc/api/include"), "-isystem", str(newer)]
            self.options = [option.replace("/usr/include/torch", str(newer / "torch"))
                            if option.startswith("/usr/include/torch") else option for option in self.options]

    def group(self):
        """The same for all sources that the compiler can read as one unit."""
        return self.target, tuple(self.options)


class Unit:
    """What the compiler reads in one go: a source, or a batch of them."""

    def __init__(self, sources, batches):
        self.directory, self.torch, self.newer_torch = sources[0].directory, sources[0].torch, sources[0].newer_torch
        self.sources = [source.path for source in sources]
        self.options = sources[0].options
        self.file = str(self.sources[0])
        if len(sources) > 1:
            batch = batches / f"{digest(sources[0].target, of_any_clone(self.file))[:16]}.cpp"
            batch.write_text("".join(f'#include "{path}"\n' for path in self.sources), encoding="utf-8")
            self.file = str(batch)

    def name(self):
        name, others = self.sources[0].relative_to(ROOT), len(self.sources) - 1
        return f"{name} and {others} more" if others else str(name)


def units_of(arguments):
    """Of a target's sources always the same ones together, whether they have changed or not: what passes now would
    otherwise fail beside other sources, for they share names."""
    entries = json.loads((arguments.build / "compile_commands.json").read_text(encoding="utf-8"))
    build = arguments.build.resolve()
    groups = {}
    for entry in entries:
        source = Source(entry, arguments)
        # Generated code is up to its generator, and moc's output here is not what a Mac's moc
        # writes. C sources are libraries for tests on Linux.
        if source.path.suffix != ".c" and build not in source.path.parents:
            groups.setdefault(source.group(), []).append(source)
    batches = build / "batches"
    batches.mkdir(exist_ok=True)
    units = []
    for group in groups.values():
        count = len(group) if arguments.single else math.ceil(len(group) / BATCH)
        units += [Unit(group[i * len(group) // count:(i + 1) * len(group) // count], batches) for i in range(count)]
    return sorted((unit for unit in units
                   if any(arguments.only in str(path.relative_to(ROOT)) for path in unit.sources)),
                  key=lambda unit: len(unit.sources), reverse=True)


class Checker:
    def __init__(self, arguments):
        self.arguments = arguments
        self.files = Files()
        self.results = arguments.cache / "results"
        self.results.mkdir(exist_ok=True)
        version = subprocess.run([arguments.compiler, "--version"], capture_output=True, text=True, check=True)
        self.compiler = version.stdout

    def run(self, unit, *rest):
        command = [self.arguments.compiler, *unit.options, "-nostdinc++", "-isystem", self.arguments.libcxx, "-Werror",
                   "-Wno-unknown-warning-option", "-fno-color-diagnostics", "-ferror-limit=0", "-fsyntax-only", *rest]
        return subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=unit.directory,
                              check=False)

    def check(self, unit):
        """(what was found, whether it had passed before)"""
        record = self.results / (digest(*map(of_any_clone, [unit.file, *unit.options])) + ".json")
        if record.exists() and not self.arguments.all:
            known = json.loads(record.read_text(encoding="utf-8"))
            names = [name.replace("<root>", str(ROOT)) for name in known["files"]]
            if known["state"] == digest(self.compiler, self.files.state_of_all(names)):
                return "", True
        depends = record.with_suffix(".d")
        done = self.run(unit, "-MD", "-MF", str(depends), unit.file)
        if done.returncode:
            record.unlink(missing_ok=True)
            return done.stderr or f"{unit.name()}: exit status {done.returncode}", False
        text = depends.read_text(encoding="utf-8").replace("\\\n", " ")
        depends.unlink()
        names = sorted({os.path.normpath(os.path.join(unit.directory, name))
                        for name in text.partition(":")[2].split()})
        state = digest(self.compiler, self.files.state_of_all(names))
        known = {"state": state, "files": [of_any_clone(name) for name in names]}
        record.write_text(json.dumps(known), encoding="utf-8")
        return "", False


def main():
    arguments = parse_arguments()
    checker = Checker(arguments)
    units = units_of(arguments)
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
    for path in sorted(path for unit in left_out for path in unit.sources):
        print(f"left out, for the headers of this LibTorch do not compile with libc++: {path.relative_to(ROOT)}")
    sources = sum(len(unit.sources) for unit in units)
    print(f"portable: {sources} sources in {len(units)} units, {failed} units failed, {passed_before} unchanged, "
          f"{sum(len(unit.sources) for unit in left_out)} sources left out, {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


def old_torch():
    header = pathlib.Path("/usr/include/torch/csrc/api/include/torch/version.h")
    return header.exists() and "TORCH_VERSION_MAJOR 1\n" in header.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
