#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program on a separate X11 display, with a window manager: on_x11.py PROGRAM ARGUMENTS...

Exit status: that of the program; 77 (skipped) where Xvfb or openbox is not installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77


def start_display(log):
    """Starts the X server; returns it and the name of its display."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x900x24", "-nolisten", "tcp",
         *os.environ.get("EP_X11_OPTIONS", "").split()],
        pass_fds=[write], stdout=log, stderr=log)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    return server, f":{number}" if number else None


def main():
    for tool in ("Xvfb", "openbox"):
        if not shutil.which(tool):
            print(f"{tool} is not installed", file=sys.stderr)
            return SKIPPED
    with open(os.devnull, "w", encoding="utf-8") as log:
        server, display = start_display(log)
        manager = None
        try:
            if display is None:
                print("Xvfb does not start", file=sys.stderr)
                return 1
            environment = dict(os.environ, DISPLAY=display, QT_QPA_PLATFORM="xcb")
            with tempfile.TemporaryDirectory() as folder:
                ready = pathlib.Path(folder) / "ready"
                manager = subprocess.Popen(["openbox", "--startup", f"touch {ready}"],
                                           env=environment, stdout=log, stderr=log)
                for _ in range(100):
                    if ready.exists():
                        break
                    time.sleep(0.1)
            return subprocess.run(sys.argv[1:], env=environment, check=False).returncode
        finally:
            for child in (manager, server):
                if child is not None:
                    child.terminate()
                    child.wait()


if __name__ == "__main__":
    sys.exit(main())
