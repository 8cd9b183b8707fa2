#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs schemathesis on the local API, with all its checks and phases and a database that has runs.
#
#   scripts/check_api.sh SCHEMATHESIS [PROGRAM] [OPTION...]
#
# SCHEMATHESIS is its command (pip install schemathesis); options such as --max-examples 200 are
# passed on. Exit status 1 if it finds something.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,9p' "$0" | sed 's/^# \{0,1\}//'; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
checker=$1 program=${2:-$here/build/bin/energy-profiler}
shift $(($# > 1 ? 2 : 1))
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
export EP_DB=$folder/runs.db

for depth in none module deep; do
    "$program" run --model demo-llama-5m --prompt "Once upon a time" --max-new-tokens 8 \
        --power modelled --depth $depth > "$folder/run.log"
done
"$program" serve --port 0 --token-file "$folder/token" --json > "$folder/serving" &
server=$!
for _ in $(seq 100); do
    [ -s "$folder/serving" ] && break
    sleep 0.1
done
address=$(sed 's/.*"address":"\([^"]*\)".*/\1/' "$folder/serving")

# Beyond the defaults: 422 answers a well-formed request that this model or these runs cannot
# fulfil, 413 refuses a body only because of its length, and 426 asks for the upgrade to a WebSocket.
cat > "$folder/schemathesis.toml" <<'TOML'
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 401, 403, 404, 409, 422, 426, 429, "5xx"]
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
TOML
cd "$folder"
"$checker" --config-file schemathesis.toml run "$address/openapi.json" \
    -H "Authorization: Bearer $(cat token)" --checks all \
    --phases examples,coverage,fuzzing,stateful --continue-on-failure --no-color "$@"
