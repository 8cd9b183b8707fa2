#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves PDF files offscreen and on an X11 display and compares their pages with each other, and
the page of a chart with its picture: saved_pdf.py PROGRAM

Exit status: 77 (skipped) where Xvfb, openbox or pdftoppm is not installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
DOTS_PER_INCH = 40
PIXELS_PER_INCH = 96  # resolution of a chart's picture
# Mean difference per page, as a share of the grey range. A picture smooths edges differently.
LARGEST_DIFFERENCE = 0.01
LARGEST_FROM_PICTURE = 0.015


def picture(pgm):
    """Width, height and grey pixels."""
    _, size, _, pixels = pgm.read_bytes().split(b"\n", 3)
    return (*map(int, size.split()), pixels)


def pages(pdf, dots_per_inch):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["pdftoppm", "-gray", "-r", str(dots_per_inch), pdf, f"{folder}/page"], check=True)
        return [picture(page) for page in sorted(pathlib.Path(folder).glob("*.pgm"))]


def compare(what, lefts, rights, largest):
    """The difference found, or None."""
    if not lefts or len(lefts) != len(rights):
        return f"{what}: {len(lefts)} and {len(rights)} pages"
    for number, (left, right) in enumerate(zip(lefts, rights), 1):
        # A page ends at a whole point, which may lie one row of pixels lower.
        if left[0] != right[0] or abs(left[1] - right[1]) > 1:
            return f"{what}, page {number}: {left[:2]} and {right[:2]} pixels"
        pixels = left[0] * min(left[1], right[1])
        difference = sum(abs(a - b) for a, b in zip(left[2], right[2])) / pixels / 255
        print(f"{what}, page {number}: {difference:.4f} of the range of grey")
        if difference > largest:
            return f"{what}, page {number}: they differ by {difference:.3f} of the range of grey"
    return None


def main():
    if any(not shutil.which(tool) for tool in ("pdftoppm", "Xvfb", "openbox")):
        print("pdftoppm, Xvfb or openbox is not installed", file=sys.stderr)
        return SKIPPED
    program = sys.argv[1]
    on_x11 = pathlib.Path(__file__).with_name("on_x11.py")
    runs = {"offscreen": [program], "x11": [sys.executable, "-B", on_x11, program]}
    with tempfile.TemporaryDirectory() as folder:
        faults = []
        for where, command in runs.items():
            out = pathlib.Path(folder, where)
            out.mkdir()
            environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", EP_SAVED_PDF=str(out))
            subprocess.run(command, env=environment, check=True)
            faults.append(compare(f"{where}, chart and its picture", pages(out / "chart.pdf", PIXELS_PER_INCH),
                                  [picture(out / "chart.pgm")], LARGEST_FROM_PICTURE))
            faults.append(compare(f"{where}, report of the GUI thread and of another",
                                  *(pages(out / name, DOTS_PER_INCH) for name in ("report.pdf", "report_thread.pdf")),
                                  LARGEST_DIFFERENCE))
        for name in ("chart.pdf", "report.pdf"):
            offscreen, x11 = (pages(pathlib.Path(folder, where, name), DOTS_PER_INCH) for where in runs)
            faults.append(compare(f"{name} offscreen and on X11", offscreen, x11, LARGEST_DIFFERENCE))
    for fault in filter(None, faults):
        print(fault, file=sys.stderr)
    return 1 if any(faults) else 0


if __name__ == "__main__":
    sys.exit(main())
