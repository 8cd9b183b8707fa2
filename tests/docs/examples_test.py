#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pastes what the documentation shows into a shell: every example of every --help, in the order of the
program, and every line of the blocks of README and docs that are marked as `console`.

Each page, and all the examples together, have a folder, a home and a database of their own.

    examples_test.py PROGRAM ROOT
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

SECONDS = 300
# They run until they are stopped: what is wrong with a line shows before this many seconds.
ENDLESS = re.compile(r"energy-profiler (serve|gui|attach .*--proxy)")
ENDLESS_SECONDS = 1.5
# They measure for a fixed time, which is not what this test is about.
MEASURED = re.compile(r"energy-profiler (calibrate|doctor --test|doctor --load)")
MEASURED_SECONDS = 2
# Lines that need what a test machine may lack, and the sentence that then says so.
EXCUSED = {
    r"attach (?!--list)": "There is no server|No server|does not answer|cannot be reached|refused",
    r"runs (compare|edit)": "not available on both|not known|nothing to split|repeats of one configuration",
    r"calibrate": "sensor|power source|not measured|too short|cannot be told",
    r"runs import": "requests.json|power.csv|trace.json.gz",
    r"predict": "do not determine a prediction",
    r"models verify": "reference.json",
    r"pays --merge": "two.json",
    r"doctor --(load|watch)": "sensor|samples",
}


def examples(program, words=()):
    """The lines below `Examples:` of a command and of those below it."""
    text = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True,
                          env=dict(os.environ, COLUMNS="200")).stdout
    body, _, shown = text.partition("\nExamples:\n")
    lines = [line.strip() for line in shown.splitlines() if line.startswith("  energy-profiler")]
    below = body.partition("\nSubcommands:\n")[2]
    for name in re.findall(r"^  ([a-z-]+) ", below, re.M):
        lines += examples(program, (*words, name))
    return lines


def blocks(page):
    for block in re.findall(r"^```console\n(.*?)^```", page, re.M | re.S):
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()


def shortened(line):
    if not MEASURED.search(line):
        return line
    line = re.sub(r" --seconds \d+", "", line)
    return MEASURED.sub(rf"\g<0> --seconds {MEASURED_SECONDS}", line)


def paste(line, folder, environment):
    """What is wrong with a line; nothing if it ends with status 0."""
    line = shortened(line)
    if ENDLESS.search(line):
        shell = subprocess.Popen(["bash", "-c", "exec " + line], cwd=folder, env=environment, text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = shell.communicate(timeout=ENDLESS_SECONDS)
            status = shell.returncode
        except subprocess.TimeoutExpired:
            shell.send_signal(signal.SIGTERM)
            shell.communicate(timeout=SECONDS)
            return []
    else:
        done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
        status, out, err = done.returncode, done.stdout, done.stderr
    if status == 0:
        return []
    for command, sentence in EXCUSED.items():
        if re.search("energy-profiler " + command, line) and re.search(sentence, err):
            return []
    return [f"{line}\n    status {status}: {err.strip() or out.strip()[-300:]}"]


def main():
    program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    # What `record` makes has no tokens, which comparisons need: it comes last.
    listed = sorted(examples(str(program)), key=lambda line: "energy-profiler record" in line)
    groups = [("--help", listed)]
    for page in [root / "README.md"] + sorted((root / "docs").rglob("*.md")):
        lines = list(blocks(page.read_text(encoding="utf-8")))
        if lines:
            groups.append((str(page.relative_to(root)), lines))
    problems, count = [], 0
    for name, lines in groups:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "bin").mkdir()
            (path / "work").mkdir()
            (path / "bin" / "energy-profiler").symlink_to(program)
            environment = dict(os.environ, EP_DB=str(path / "runs.db"), HOME=folder, QT_QPA_PLATFORM="offscreen",
                               PATH=f"{path / 'bin'}:{os.environ['PATH']}")
            for line in lines:
                count += 1
                problems += [f"{name}: {what}" for what in paste(line, path / "work", environment)]
    if len(listed) < 60:
        problems.append(f"only {len(listed)} examples were found: is this test broken?")
    print("\n".join(problems) or f"{count} lines, all right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
