#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for macdeployqt, qtpaths, codesign or hdiutil, whichever name it is called by, for check_mac_link.sh
--bundle. macdeployqt does what Qt documents; codesign and hdiutil write down what they are asked for."""
import os
import pathlib
import shutil
import subprocess
import sys

QT = pathlib.Path(os.environ["EP_MAC_CACHE"]) / "qt"
OUT = pathlib.Path(os.environ["EP_MAC_BUNDLE"])
INSIDE = "@executable_path/../Frameworks/"


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def references(file):
    return [line.strip().split(" (compatibility")[0] for line in run("otool", "-L", file).splitlines()[1:]]


def macdeployqt(app, *options):
    contents = pathlib.Path(app) / "Contents"
    todo = [contents / "MacOS/energy-profiler"]
    todo += [pathlib.Path(option.split("=", 1)[1]) for option in options if option.startswith("-executable=")]
    for plugin in sorted((QT / "plugins").glob("*/*.dylib")):
        copy = contents / "PlugIns" / plugin.relative_to(QT / "plugins")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(plugin, copy)
        todo.append(copy)
    while todo:
        file = todo.pop()
        for name in references(file):
            place = name[name.find("/Qt") + 1:] if ".framework/Versions/" in name else ""
            if not place.startswith("Qt") or name.startswith(INSIDE) or pathlib.Path(name).name == file.name:
                continue
            framework, copy = place.split("/")[0], contents / "Frameworks" / place
            if not copy.exists():
                shutil.copytree(QT / "lib" / framework, contents / "Frameworks" / framework, symlinks=True)
                run("install_name_tool", "-id", INSIDE + place, copy)
                todo.append(copy)
            run("install_name_tool", "-change", name, INSIDE + place, file)
    (contents / "Resources/qt.conf").write_text("[Paths]\nPlugins = PlugIns\n", encoding="utf-8")


def note(tool, *words):
    with open(OUT / f"{tool}.log", "a", encoding="utf-8") as log:
        log.write(" ".join(words).replace(f"{OUT}/", "") + "\n")


def codesign(*words):
    if not pathlib.Path(words[-1]).exists():
        sys.exit(f"codesign: {words[-1]}: No such file or directory")
    note("codesign", *words)


def hdiutil(*words):
    note("hdiutil", *words)
    pathlib.Path(words[-1]).touch()


TOOLS = {"macdeployqt": macdeployqt, "qtpaths": lambda *_: print(QT / "plugins"), "codesign": codesign, "hdiutil": hdiutil}
TOOLS[pathlib.Path(sys.argv[0]).name](*sys.argv[1:])
