#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails on includes against the arrows of docs/architecture.md.

An area may include its own headers and those of the areas it is allowed to see. Third-party
headers are fenced in as well: LibTorch to the engine, SQLite to the store, Qt by area.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# area -> areas whose public headers it may include, besides its own
MAY_SEE = {
    "core": set(),
    "json": {"core"},
    "spans": {"core", "json"},
    "energy": {"core"},
    "viz": {"core"},
    "power": {"core"},
    "powerlog": {"core", "json", "energy", "power"},
    "text": {"core", "json"},
    "model": {"core", "json", "text"},
    "store": {"core", "json"},
    "attach": {"core", "json"},
    "session": {"core", "json", "spans", "energy", "power", "powerlog", "text", "model", "store", "attach"},
    "api": {"core", "json", "energy", "power", "powerlog", "text", "model", "store", "attach", "session"},
    "ui": {"core", "json", "energy", "viz", "power", "powerlog", "text", "model", "store", "attach", "session", "api"},
    "app": {"core", "json", "energy", "viz", "power", "powerlog", "text", "model", "store", "attach", "session", "api",
            "ui"},
}

# pattern of an include -> path prefixes that may use it
FENCES = [
    (re.compile(r"<(torch|ATen|c10|caffe2)/"), ["src/model/engine/"]),
    (re.compile(r"<sqlite3(ext)?\.h>"), ["src/store/"]),
    (re.compile(r"<zip\.h>"), ["src/store/"]),
    (re.compile(r"<expat\.h>"), ["src/power/"]),
    (re.compile(r"<pcre2\.h>"), ["src/text/tokenizer/"]),
    (re.compile(r"<utf8proc\.h>"), ["src/text/tokenizer/", "src/text/jinja/"]),
    (re.compile(r"<nlohmann/"), ["include/ep/json/", "src/json/"]),
    (re.compile(r"<boost/"), ["src/core/quantile.cpp", "src/energy/"]),
    (re.compile(r"<CLI/"), ["src/app/"]),
    (re.compile(r"<Q(Tcp|WebSocket|Host|Network)"), ["src/api/", "src/attach/"]),
    (re.compile(r"<QFileDialog>"), ["include/ep/ui/file_dialog.h"]),
    (re.compile(r"<QLocalS"), ["src/ui/window/instance_guard.cpp"]),
    # All of Qt except QtCore: widgets, painting and charts.
    (re.compile(r"<(Qt(Widgets|Gui|Charts)/|Q(Widget|Application|GuiApplication|MainWindow|Dialog"
                r"|Painter|Pixmap|Image|Color|Font|Palette|Pen|Brush|Icon|Action|Menu|Label"
                r"|PushButton|ChartView|Chart|LineSeries|Screen|Window)\b)"),
     ["include/ep/ui/", "src/ui/"]),
    (re.compile(r"<Q[A-Za-z]"),
     ["include/ep/power/", "src/power/", "include/ep/session/", "src/session/", "include/ep/attach/", "src/attach/",
      "include/ep/api/", "src/api/", "include/ep/ui/", "src/ui/", "src/app/"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"][^>"]+[>"])')
SUFFIXES = {".h", ".cpp", ".mm", ".inc"}


def area_of(path: str) -> str:
    parts = path.split("/")
    return parts[2] if parts[0] == "include" else parts[1]


def problems_in(path: pathlib.Path):
    relative = path.relative_to(ROOT).as_posix()
    area = area_of(relative)
    allowed = MAY_SEE[area] | {area}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        public = re.match(r'["<]ep/(\w+)/', target)
        if public and public.group(1) not in allowed:
            yield f"{relative}:{number}: {area} must not include {target}"
        for pattern, homes in FENCES:
            if pattern.match(target):
                if not any(relative.startswith(home) for home in homes):
                    yield f"{relative}:{number}: {target} belongs to {', '.join(homes)}"
                break


def main() -> int:
    found = []
    files = 0
    for top in ("include/ep", "src"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                files += 1
                found += problems_in(path)
    for problem in found:
        print(problem)
    print(f"layers: {files} files, {len(found)} includes against the arrows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
