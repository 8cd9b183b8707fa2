#!/bin/sh
# gate.sh A B LIMIT MODEL: 20 pairs of two settings, such as: gate.sh f32 int8 +5% demo-llama-5m
# Status: 0 B is within the limit, 1 it is beyond it, 3 not known, 2 wrong call or an error.
[ $# -eq 4 ] || { sed -n 2,3p "$0" >&2; exit 2; }
: "${PAIRS:=20}" "${TOKENS:=64}" "${POWER:=auto}"
energy-profiler pays "$1" "$2" --model "$4" --prompt "Once upon a time" --power "$POWER" \
  --pairs "$PAIRS" --max-new-tokens "$TOKENS" --fail-if "joules_per_token > $3"
status=$?
[ $status -ne 3 ] || echo "The pairs do not tell; set PAIRS to more than $PAIRS." >&2
exit $status
