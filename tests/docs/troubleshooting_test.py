#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares docs/troubleshooting.md with the messages in the source.

Every message on the page is in the source, and has a cause there. The longest stretch of fixed text in a message
is compared.
"""
import pathlib
import re
import sys

SHORTEST = 20  # characters of fixed text; anything shorter is only part of a message
HIDDEN = {"Internal", "Cancelled"}  # program faults, and what the user asked for


def argument(source, begin):
    """The text of one argument of a call or an initialiser, from `begin`."""
    depth, quoted, i = 0, False, begin
    while i < len(source):
        c = source[i]
        if quoted:
            if c == "\\":
                i += 1
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        elif c in "({":
            depth += 1
        elif c in ")}":
            if depth == 0:
                break
            depth -= 1
        elif c == ";" and depth == 0:
            break
        i += 1
    return source[begin:i]


def unescaped(literal):
    return literal.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")


def fixed_texts(expression):
    joined = re.sub(r'"\s*\n\s*"', "", expression)
    literals = re.findall(r'"((?:[^"\\]|\\.)*)"', joined)
    return [unescaped(part) for literal in literals for part in re.split(r"%[1-9]", literal)]


def messages(root):
    """(file, longest fixed text) of every message; and all fixed texts of the source."""
    found, everything = [], []
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".cpp", ".h"):
            continue
        source = path.read_text(encoding="utf-8")
        everything.append(re.sub(r'"\s*\n\s*"', "", source))
        for match in re.finditer(r"ErrorCode::(\w+)\s*,", source):
            texts = fixed_texts(argument(source, match.end()))
            longest = max(texts, key=len, default="").strip(" :;.")
            if match.group(1) not in HIDDEN and len(longest) >= SHORTEST:
                found.append((path.relative_to(root), longest))
    return found, unescaped("\n".join(everything))


def rows(page):
    """The cells of the page's tables."""
    cells = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return [row for row in cells if row[0] not in ("message", "---")]


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    everything = messages(root)[1]
    problems = []
    for row in rows(page):
        longest = max(row[0].split("…"), key=len).strip(" :;.()")
        if longest not in everything:
            problems.append(f"docs/troubleshooting.md: no such message in the source: {row[0]}")
        if len(row) < 2:
            problems.append(f"docs/troubleshooting.md: no cause: {row[0]}")
    if len(rows(page)) < 100:
        problems.append(f"only {len(rows(page))} messages were found on the page: is this test broken?")
    print("\n".join(problems) or f"{len(rows(page))} messages, all in the source")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
