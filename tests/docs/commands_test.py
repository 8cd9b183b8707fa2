#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the commands of the documentation.

Lines of code blocks that begin with `energy-profiler` are run, in the order of each page and with their own
database and folder. A line with placeholders (words in capitals, [optional parts], a|b) is a synopsis:
then only its command and options have to exist. Scripts that a line names have to exist.

    commands_test.py PROGRAM ROOT
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SECONDS = 300
# They run until stopped: only their help is tested.
ENDLESS = {"gui", "serve"}


def lines_of(page):
    """Commands in code blocks; a backslash at the end continues a line."""
    for block in re.findall(r"^```[a-z]*\n(.*?)^```", page, re.M | re.S):
        text = re.sub(r"\\\n\s*", " ", block)
        for line in text.splitlines():
            line = line.strip().removeprefix("$ ")
            if re.match(r"(\./)?(energy-profiler|scripts/)", line):
                yield line


def is_synopsis(line):
    return re.search(r"[\[|…]|\b[A-Z][A-Z_]+\b|\bDIR\b", line) is not None


def words_before_options(words):
    names = []
    for word in words:
        if not re.fullmatch(r"[a-z][a-z-]*(\|[a-z-]+)*", word):
            break
        names.append(word.split("|"))
    return names


def check_synopsis(program, line):
    """The problems of a line that is not run, since it is a synopsis."""
    words = line.split()[1:]
    options = re.findall(r"--[a-z][a-z-]*", line)
    commands = words_before_options(words)
    problems = []
    helps = ""
    for first in commands[0] if commands else []:
        for second in commands[1] if len(commands) > 1 else [None]:
            call = [program, first] + ([second] if second else []) + ["--help-all"]
            done = subprocess.run(call, capture_output=True, text=True, timeout=SECONDS, check=False)
            if done.returncode != 0:
                problems.append(f"there is no command: {' '.join(call[1:-1])}")
            helps += done.stdout
    problems += [f"no help names {option}" for option in options if option not in helps]
    return problems


def run(program, line, folder, environment):
    words = shlex.split(line, comments=True)
    if words[1] in ENDLESS:
        words = words[:2] + ["--help-all"]
    try:
        done = subprocess.run([program] + words[1:], cwd=folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                              check=False)
    except subprocess.TimeoutExpired:
        return [f"did not end within {SECONDS} s"]
    if done.returncode != 0:
        return [f"exit status {done.returncode}: {done.stderr.strip()}"]
    return []


def main():
    program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    problems, count = [], 0
    for page in [root / "README.md"] + sorted((root / "docs").rglob("*.md")):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, EP_DB=str(pathlib.Path(folder) / "runs.db"), HOME=folder)
            for line in lines_of(page.read_text(encoding="utf-8")):
                count += 1
                if "scripts/" in line.split()[0]:
                    script = root / line.split()[0]
                    found = [] if os.access(script, os.X_OK) else ["no such script"]
                elif is_synopsis(line):
                    found = check_synopsis(program, line)
                else:
                    found = run(program, line, folder, environment)
                problems += [f"{page.relative_to(root)}: {line}\n    {what}" for what in found]
    if count < 10:
        problems.append(f"only {count} commands were found: is this test broken?")
    print("\n".join(problems) or f"{count} commands, all right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
