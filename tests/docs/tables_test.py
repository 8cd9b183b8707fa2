#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the code in docs/tables.md: first its commands, then its Python on the resulting tables, and compares its
list of columns with the tables.

A block whose packages are not installed is skipped by name; those of the standard library always run.

    tables_test.py PROGRAM ROOT [PYTHON]
"""
import importlib.util
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

OPTIONAL = ("pandas", "pyarrow", "duckdb")


def has(python, package):
    if python == sys.executable:
        return importlib.util.find_spec(package) is not None
    done = subprocess.run([python, "-c", f"import {package}"], capture_output=True, check=False)
    return done.returncode == 0


def column_problems(page, tables):
    """Where the rows of "## Columns" differ from the columns of the tables."""
    described = {}
    section = page.partition("## Columns")[2].partition("\n## ")[0]
    for column, names, _, meaning in re.findall(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \| (.*) \|$", section, re.M):
        described[column] = (names.split(", "), meaning)
    problems, found = [], {}
    for file in sorted(tables.glob("*.csv")):
        header = file.read_text(encoding="utf-8").partition("\n")[0].strip().split(",")
        for column in header:
            found.setdefault(column, []).append(file.stem)
            names, meaning = described.get(column, ([], ""))
            if not meaning or (names != ["all"] and file.stem not in names):
                problems.append(f"not in docs/tables.md: {column} of {file.stem}")
    if len(list(tables.glob("*.csv"))) != 10:
        problems.append("there are not ten tables: is this test broken?")
    problems += [f"in docs/tables.md, but in no table: {column} of {name}"
                 for column, (names, _) in described.items() for name in names
                 if name not in found.get(column, []) and (name != "all" or column not in found)]
    return problems


def main():
    program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    python = sys.argv[3] if len(sys.argv) > 3 else sys.executable
    page = (root / "docs" / "tables.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```([a-z]*)\n(.*?)^```", page, re.M | re.S)
    problems, ran = [], 0
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, EP_DB=str(pathlib.Path(folder) / "runs.db"), HOME=folder)

        def run(words, what):
            done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True,
                                  timeout=300, check=False)
            if done.returncode != 0:
                problems.append(f"{what}\n    {done.stdout}{done.stderr}")

        for language, text in blocks:
            if language != "python":
                for line in text.splitlines():
                    run([program] + shlex.split(line)[1:], line)
        run([program, "runs", "export", "--all", "--format", "csv", "--full", "--out", "all"], "export of all tables")
        problems += column_problems(page, pathlib.Path(folder) / "all")
        for language, text in blocks:
            if language != "python":
                continue
            title = next(line for line in text.splitlines() if "import" in line)
            missing = [name for name in OPTIONAL
                       if re.search(rf"^import {name}\b", text, re.M) and not has(python, name)]
            if missing:
                print(f"skipped, no {', '.join(missing)}: {title}")
                continue
            ran += 1
            run([python, "-c", text, program], title)
    if ran < 2:
        problems.append(f"only {ran} blocks of Python ran: is this test broken?")
    print("\n".join(problems) or f"{ran} blocks of Python, all right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
