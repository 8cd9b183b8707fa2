#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and opens the application. Without a display it profiles the
# bundled demo model in the terminal. Arguments go to the program: scripts/run.sh doctor
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/setup.sh
folder=$(./scripts/build.sh release energy-profiler | tail -n 1)
program=$folder/bin/energy-profiler

if [ $# -gt 0 ]; then
    exec "$program" "$@"
fi
if [ "$(uname -s)" = Darwin ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$program" gui
fi
echo "run: no display, so the demo model is profiled in the terminal"
exec "$program" run --model "$(basename resources/models/demo-*)" \
    --prompt "The old man walked to the house and" --max-new-tokens 256
