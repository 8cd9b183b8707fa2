#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges what check_mac_link.sh built: errors of the compiler, names that no library has or that two have, and what
the linked files need from a Mac that it would not provide. Exit status 1 if anything is wrong."""
import argparse
import pathlib
import re
import subprocess
import sys

LLVM = "/usr/lib/llvm-19/bin/"
ERROR = re.compile(r"^([^:\s][^:]*:\d+):\d+: (?:fatal )?error: (.*)$")
LINKER = re.compile(r"^ld64\.lld: error: (.*)$")
REFERRED = re.compile(r"^>>> (?:referenced by|defined in) (.*)$")
ON_EVERY_MAC = ("/usr/lib/", "/System/Library/", "@rpath/", "@loader_path/", "@executable_path/")
# Names that the sources look up at run time, and the stubs that list a Mac's names.
LOOKED_UP = re.compile(r'\b(?:load|resolve)\([^,()]+,\s*"((?:IO|CF|notify_|mach_|objc_|sel_)\w+)"\)')
STUBS = ("usr/lib/libIOReport.tbd", "usr/lib/libobjc.tbd", "usr/lib/libSystem.tbd",
         "System/Library/Frameworks/CoreFoundation.framework/CoreFoundation.tbd",
         "System/Library/Frameworks/IOKit.framework/IOKit.tbd")


def output(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace",
                          check=False).stdout


def complaints(log, project):
    """({error of the compiler}, {error of the linker: what refers to it first})"""
    errors, linker, last = {}, {}, None
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        if found := ERROR.match(line):
            errors[f"{found[1].removeprefix(str(project) + '/')}: {found[2]}"] = None
        elif found := LINKER.match(line):
            last = found[1]
            linker.setdefault(last, "")
        elif (found := REFERRED.match(line)) and last:
            linker[last] = linker[last] or found[1]
    return errors, linker


def load_commands(file):
    """(libraries, rpaths, oldest macOS)"""
    libraries, rpaths, oldest = [], [], "?"
    for command in re.split(r"^Load command \d+$", output(LLVM + "llvm-otool", "-l", file), flags=re.M):
        of = dict(re.findall(r"^\s*(cmd|name|path|minos)\s+(\S.*?)(?: \(offset \d+\))?$", command, re.M))
        if re.fullmatch(r"LC_(LOAD|LOAD_WEAK|REEXPORT)_DYLIB", of.get("cmd", "")):
            libraries.append(of["name"])
        elif of.get("cmd") == "LC_RPATH":
            rpaths.append(of["path"])
        oldest = of.get("minos", oldest)
    return libraries, rpaths, oldest


def exported(file):
    return set(output(LLVM + "llvm-nm", "-j", "--defined-only", "--extern-only", file).split())


def weak(file):
    """Inline functions, which dyld unifies within the whole process."""
    lines = output(LLVM + "llvm-nm", "-m", "--defined-only", "--extern-only", file).splitlines()
    return {line.split()[-1] for line in lines if " weak external " in line}


def looked_up(project):
    return {name: path.relative_to(project) for path in sorted((project / "src").rglob("*.cpp"))
            for name in LOOKED_UP.findall(path.read_text(encoding="utf-8"))}


def in_stubs(sdk):
    return {name for stub in STUBS for name in re.findall(r"(?<![\w$])_(\w+)", (sdk / stub).read_text(encoding="utf-8"))}


def of_file(file, name, cache):
    libraries, rpaths, oldest = load_commands(file)
    print(f"{name}: {file.stat().st_size >> 10} KiB, macOS {oldest} and later, links "
          + ", ".join(sorted(pathlib.Path(library).name for library in libraries)))
    for library in libraries:
        if not library.startswith(ON_EVERY_MAC + (f"{cache}/prefix/opt/",)):
            yield f"{name} refers to {library}, a path of this machine"
    for path in sorted({path for path in rpaths if rpaths.count(path) > 1}):
        yield f"{name} has the rpath {path} twice, which macOS 15.4 and later refuse"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("log", "build", "project", "cache"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    errors, linker = complaints(arguments.log, arguments.project)
    for text in errors:
        print(text)
    for text, place in linker.items():
        print(f"linker: {text}" + (f" (from {place.replace(str(arguments.build) + '/', '')})" if place else ""))

    problems = []
    program, engine = arguments.build / "bin/energy-profiler", arguments.build / "lib/ep-engine.so"
    for file in (program, engine):
        if file.exists():
            problems += of_file(file, str(file.relative_to(arguments.build)), arguments.cache)
    if engine.exists() and (more := exported(engine) - {"_ep_engine_entry"}):
        problems.append(f"lib/ep-engine.so exports {len(more)} names besides ep_engine_entry, {min(more)} for one")
    if program.exists():
        both = weak(program) & weak(arguments.cache / "torch/lib/libtorch_cpu.dylib")
        names = subprocess.run([LLVM + "llvm-cxxfilt", "-_"], input="\n".join(sorted(both)), capture_output=True,
                               text=True, check=False).stdout.splitlines()
        own = [name for name in names if re.search(r"\bep::|\bnlohmann::", name)]
        problems += [f"{name} is in the program and in LibTorch, and dyld takes one for both" for name in own[:5]]
    names = looked_up(arguments.project)
    absent = sorted(set(names) - in_stubs(arguments.cache / "sdk"))
    problems += [f"{names[name]} looks up {name}, which no stub of the SDK has" for name in absent]
    print(f"{len(names)} names are looked up at run time, {len(names) - len(absent)} of them are in the SDK")

    programs = [file for file in (arguments.build / "bin").glob("*") if file.suffix != ".so"]
    undefined = sum(text.startswith("undefined symbol") for text in linker)
    duplicate = sum(text.startswith("duplicate symbol") for text in linker)
    for problem in problems:
        print("problem: " + problem)
    print(f"{len(programs)} programs linked, {len(errors)} errors of the compiler, {undefined} names that nothing has, "
          f"{duplicate} that two have, {len(problems)} other problems")
    return 1 if errors or linker or problems else 0


if __name__ == "__main__":
    sys.exit(main())
