#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the ten largest files and functions, for a reviewer."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOPS = ("include", "src", "tests")
SUFFIXES = {".h", ".cpp", ".mm", ".inc", ".metal"}

# Skipped in the search for braces: comments, raw strings, strings, characters (but not digit
# separators), and directives with their continuation lines.
SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
INITIALISES = re.compile(r"\)[\s\w]*:[^:].*\w\s*$", re.DOTALL) # a member, before a constructor's body
NAME = re.compile(r"([~\w:<>]+|operator\W+)\s*\($")


def blanked(text: str) -> str:
    return SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def without_templates(head: str) -> str:
    """The declaration without its template parameters, which may contain "class"."""
    while True:
        shorter = re.sub(r"\btemplate\s*<[^<>]*>|<[^<>]*>", "", head)
        if shorter == head:
            return head
        head = shorter


def kind_of(head: str) -> str:
    """The kind of the brace after this text, in places where functions may be defined."""
    if "(" not in head:
        return "scope" if SCOPE.search(head) else "value"
    complete = head.count("(") == head.count(")")
    return "function" if complete and not INITIALISES.search(head) else "value"


def functions_of(text: str):
    """Yields (name, first line, lines) of each function; lambdas count as part of theirs."""
    code = blanked(text)
    braces = []  # kinds of the open braces
    begin = 0  # start of the current declaration
    name = 0  # offset of the parenthesis after the name of the current function
    for match in re.finditer(r"[{};]", code):
        at, mark = match.start(), match.group()
        outside = all(kind == "scope" for kind in braces)
        if mark == ";" and outside:
            begin = at + 1
        elif mark == "{":
            braces.append(kind_of(without_templates(code[begin:at])) if outside else "value")
            if braces[-1] == "scope":
                begin = at + 1
            elif braces[-1] == "function":
                name = code.index("(", begin)
        elif mark == "}" and braces:
            kind = braces.pop()
            if kind == "function":
                called = NAME.search(code[begin:name + 1])
                text = called.group(1).strip() if called else "?"
                if text.startswith("TEST"):
                    text += " ".join(code[name:code.index(")", name) + 1].split())
                first = code.count("\n", 0, name) + 1
                yield text, first, code.count("\n", 0, at) + 2 - first
            if kind != "value":
                begin = at + 1


def largest(count: int = 10):
    """The largest files and the largest functions, each a list of (lines, name)."""
    files, functions = [], []
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            relative = path.relative_to(ROOT).as_posix()
            text = path.read_text(encoding="utf-8")
            files.append((text.count("\n"), relative))
            # From the line with the function's name to its closing brace.
            functions += [(lines, f"{relative}:{name}") for name, _, lines in functions_of(text)]
    return sorted(files, reverse=True)[:count], sorted(functions, reverse=True)[:count]


if __name__ == "__main__":
    for title, found in zip(("files", "functions"), largest()):
        print(f"The largest {title}:")
        for lines, name in found:
            print(f"{lines:6} {name}")
