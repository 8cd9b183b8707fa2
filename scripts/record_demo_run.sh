#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Records resources/demo/demo.eprun, the run that the welcome page opens, with the program that was built:
# the demo model, on a simulated machine that is slow enough to look at and has several rails. The run says
# wherever its energy is shown that it is simulated, and in its notes how.
#   scripts/record_demo_run.sh [PROGRAM]     (default: build/bin/energy-profiler)
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/bin/energy-profiler}
file=resources/demo/demo.eprun
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir -p "$(dirname "$file")"
"$program" run --model resources/models/demo-llama-5m --prompt "The old man walked to the house and" \
    --max-new-tokens 20 --depth deep --threads 2 --power modelled:4,28 --interval-ms 10 \
    --baseline-seconds 1 --warmup 4 --tag demo --no-save --json-file "$work/recorded.json" >/dev/null
# The path of the checkout is private.
sed -i.bak 's|"path": ".*/resources/models/demo-llama-5m"|"path": "demo-llama-5m"|' "$work/recorded.json"
python3 scripts/demo_model/simulate_machine.py "$work/recorded.json" "$work/simulated.json"
database=$work/demo.db
id=$("$program" runs import "$work/simulated.json" --db "$database" | sed -n 's/^Imported //p')
"$program" runs edit --attribution cost "$id" --db "$database"
"$program" runs export "$id" --db "$database" --out "$file"
ls -l "$file"
