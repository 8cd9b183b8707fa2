#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares docs/troubleshooting.md with the messages in the source.

Every message that a user can see (ErrorCode other than Internal and Cancelled) is on the page, and every
message on the page is in the source. The longest stretch of fixed text in a message is compared.
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
    """The first cells of the page's tables."""
    cells = [line.split(" | ")[0].strip("| ") for line in page.splitlines() if line.startswith("| ")]
    return [cell for cell in cells if cell not in ("message", "---")]


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    found, everything = messages(root)
    problems = [f"{path}: not in docs/troubleshooting.md: {text}"
                for path, text in found if text not in page]
    for row in rows(page):
        longest = max(row.split("…"), key=len).strip(" :;.()")
        if longest not in everything:
            problems.append(f"docs/troubleshooting.md: no such message in the source: {row}")
    if len(found) < 100:
        problems.append(f"only {len(found)} messages were found in the source: is this test broken?")
    print("\n".join(problems) or f"{len(found)} messages, all explained")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
