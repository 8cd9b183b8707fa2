#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of parts add up to the run, for every reference model: `runs show --parts`, and the tables phases and
components of `runs export`, each with a row for what is in no part.

    parts_test.py PROGRAM FOLDER_OF_MODELS
"""
import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 300


def models_in(folder):
    for path in sorted(pathlib.Path(folder).iterdir()):
        if (path / "config.json").exists() and list(path.glob("*.safetensors")):
            yield path
        elif path.is_dir() and not (path / "config.json").exists():
            yield from sorted(path.glob("*.gguf"))


def table(program, kind, environment):
    done = subprocess.run([program, "runs", "export", "last", "--format", "csv", "--table", kind, "--out", "-"],
                          env=environment, capture_output=True, text=True, timeout=SECONDS, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout, newline="")))


def problems_of(program, model, environment):
    run = [program, "run", "--model", str(model), "--prompt", "The old man", "--max-new-tokens", "3", "--power",
           "modelled", "--threads", "1"]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0 and "--prompt" not in done.stderr:
        return None if "tokenizer" in done.stderr else [done.stderr.strip()]
    whole = table(program, "runs", environment)[0]
    problems = []
    for kind, name in (("phases", "phase"), ("components", "component_name")):
        rows = [row for row in table(program, kind, environment) if row[name] != "idle"]
        energy = sum(float(row["energy_mj"]) for row in rows)
        duration = sum(int(row["duration_ns"]) for row in rows)
        expected = float(whole["total_energy_mj"])
        if abs(energy - expected) > 1e-9 * expected or duration != int(whole["duration_ns"]):
            problems.append(f"{kind}: {energy} of {expected} mJ, {duration} of {whole['duration_ns']} ns")
        if not {"remainder"} <= {row[name] for row in rows}:
            problems.append(f"{kind}: no remainder")
        if kind == "components" and not {"lm_head", "embedding"} <= {row[name] for row in rows}:
            problems.append("components: no embedding or output head")
    return problems


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    problems, count = [], 0
    for model in models_in(sys.argv[2]):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, EP_DB=str(pathlib.Path(folder) / "runs.db"), HOME=folder)
            found = problems_of(program, model, environment)
        count += found is not None
        problems += [f"{model.name}: {what}" for what in found or []]
    if count == 0:
        problems.append("no model was run: is this test broken?")
    print("\n".join(problems) or f"{count} models, all right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
