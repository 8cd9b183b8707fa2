#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the packages whose libraries libtorch_cpu of the Python package torch in FOLDER links, in words for pip: on a PC
with Linux, NVIDIA's run-time and profiling libraries (50 MB); elsewhere none.

usage: torch_libraries.py FOLDER
"""
import pathlib
import re
import sys

# Up to LibTorch 2.9 or so each library is a package; later they are parts of one.
PACKAGE = re.compile(r"(nvidia-cuda-(?:runtime|cupti)(?:-cu\d+)?)\s*(==[\w.*]+)")
PARTS = re.compile(r"cuda-toolkit\[([\w,-]+)\]\s*(==[\w.*]+)")
LINKED = ("cudart", "cupti")


def linked(requirements):
    """Of the lines "Requires-Dist" those that libtorch_cpu needs, without their conditions on the system."""
    words = []
    for requirement in requirements:
        if package := PACKAGE.match(requirement):
            words.append(package[1] + package[2])
        elif parts := PARTS.match(requirement):
            needed = [part for part in LINKED if part in parts[1].split(",")]
            if needed:
                words.append(f"cuda-toolkit[{','.join(needed)}]{parts[2]}")
    return words


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    for metadata in pathlib.Path(sys.argv[1]).glob("torch-*.dist-info/METADATA"):
        head = metadata.read_text(encoding="utf-8").partition("\n\n")[0]
        print(*linked(re.findall(r"^Requires-Dist: (.*)$", head, re.M)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
