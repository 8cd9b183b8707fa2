#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the code in docs/tables.md: first its commands, then its Python on the resulting tables.

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
