#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints our figures for a folder of power recordings beside the published ones.
#
#   scripts/check_traces.sh FOLDER [PROGRAM]
#
# FOLDER holds expected.json: {"file": {"rails": {"name": {"J": joules, "rule": "trap"}}}}. Optional:
#   options.json    {"file": ["--period", "60"]}, what a file leaves to its command line
#   A-*/            power.csv and requests.json: the phases of the requests
#   answers         tables of whole answers with joules and tokens (*benchmarks*.csv, *energy*.jsonl)
# Exit status 1 if a figure differs by more than 0.01 % without a reason.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,12p' "$0" | sed 's/^# \{0,1\}//'; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
exec python3 - "$1" "${2:-$here/build/bin/energy-profiler}" <<'PYTHON'
import csv, json, pathlib, statistics, subprocess, sys

folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
PERIODS = {"made/dcgmi-dmon.txt": ["--period", "1"], "samples/turbostat-60s.out": ["--period", "60"]}
given = folder / "options.json"
options = {**PERIODS, **(json.loads(given.read_text()) if given.exists() else {})}


def imported(file, *more):
    done = subprocess.run([program, "runs", "import", "--as", "power", str(file), "--dry-run", "--json", *more],
                          capture_output=True, text=True)
    return (json.loads(done.stdout) if done.returncode == 0 else None), done.stderr.strip()


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def difference(ours, theirs):
    return (ours - theirs) / theirs * 100 if theirs else (0.0 if ours == 0 else float("inf"))


wrong = 0
row("file", "rail", "rule", "ours, J", "expected, J", "difference", "verdict, or why not")
row("---", "---", "---", "---:", "---:", "---:", "---")
for file, facts in json.loads((folder / "expected.json").read_text()).items():
    result, problem = imported(folder / file, *options.get(file, []))
    for name, rail in facts["rails"].items():
        if result is None:
            instant = "single row" in problem
            wrong += not instant
            row(file, name, rail["rule"], "-", rail["J"], "-", problem.split(": ", 1)[-1])
            continue
        ours = result["rails"].get(name)
        if ours is None:
            wrong += 1
            row(file, name, rail["rule"], "-", rail["J"], "-", "no such rail")
            continue
        off = difference(ours["joules_as_read"], rail["J"])
        wrong += abs(off) > 0.01 or ours["rule"] != rail["rule"]
        row(file, name, ours["rule"], f"{ours['joules_as_read']:.6g}", f"{rail['J']:.6g}", f"{off:+.4f} %",
            result["verdict"])

for power in sorted(folder.glob("*/power.csv")):
    requests = power.with_name("requests.json")
    if not requests.exists():
        continue
    result, problem = imported(power, "--requests", str(requests))
    print(f"\n{power.relative_to(folder)} with its requests\n")
    if result is None:
        wrong += 1
        print(problem)
        continue
    row("request", "phase", "s", "tokens", "whole windows", "J", "J/token", "edges, J", "why not")
    row("---:", "---", "---:", "---:", "---:", "---:", "---:", "---:", "---")
    for phase in result["phases"]:
        known = phase["joules"] is not None
        row(phase["request"], phase["phase"], f"{phase['seconds']:.4f}", phase["tokens"], phase["windows"],
            f"{phase['joules']:.2f}" if known else "-", f"{phase['joules_per_token']:.4f}" if known else "-",
            f"{phase['edge_joules']:.2f}" if known else "-", phase["refusal"])

answers = []
for file in sorted(folder.rglob("*benchmarks*.csv")):
    lines = list(csv.DictReader(file.open()))
    answers.append((file, [float(l["TotalEnergy(J)"]) / float(l["Tokens"]) for l in lines],
                    [float(l["J/Token"]) for l in lines]))
for file in sorted(folder.rglob("*energy*.jsonl")):
    metrics = [json.loads(line)["metrics"] for line in file.open()]
    answers.append((file, [m["energyJoules"] / m["generatedTokenCount"] for m in metrics],
                    [m["energyJoulesPerToken"] for m in metrics]))
if answers:
    print("\nwhole answers: J/token as joules / tokens, beside the file's own figure\n")
    row("file", "rows", "joules as we read them", "J/token", "the file's", "difference", "verdict")
    row("---", "---:", "---:", "---:", "---:", "---:", "---")
    for file, ours, theirs in answers:
        result, problem = imported(file)
        joules = sum(r["joules_as_read"] for r in result["rails"].values()) if result else None
        off = max((abs(difference(a, b)) for a, b in zip(ours, theirs)), default=0)
        row(file.relative_to(folder), len(ours), f"{joules:.6g}" if result else "-",
            f"{min(ours):.4f} to {max(ours):.4f}", f"{min(theirs):.4f} to {max(theirs):.4f}", f"{off:.3f} %",
            result["verdict"] if result else problem)
print(f"\n{wrong} figures differ by more than 0.01 %" if wrong else "\nall figures within 0.01 %")
sys.exit(1 if wrong else 0)
PYTHON
