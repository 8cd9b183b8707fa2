#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the tables of docs/accuracy.md that say how often intervals hold and offsets are found.
#   scripts/accuracy.sh [SEEDS]   100 seeds take some 15 minutes on one core
set -euo pipefail
cd "$(dirname "$0")/.."

seeds=${1:-100}
folder=$(scripts/build.sh bench ep-accuracy interval_test import_power_test | tail -1)
"$folder/bin/ep-accuracy" --seeds "$seeds"
table() { # HEADER TEST FILTER TRIALS
    echo
    echo "$1"
    EP_TRIALS=$4 "$folder/bin/$2" --gtest_filter="$3" | grep '^|'
}
table $'| tokens while another program switches | tokens | hold, % |\n| --- | ---: | ---: |' \
    interval_test 'OtherLoads.*' 100
table $'| phase of a recording | phases | hold, % | mean error |\n| --- | ---: | ---: | ---: |' \
    import_power_test 'RecordedEnergy.Intervals*' 3000
table $'| power that has nothing to do with the run | runs | offset found |\n| --- | ---: | ---: |' \
    interval_test 'Offsets.AreNotFound*' 1000
table $'| offset of 20 to 500 ms | runs | found |\n| --- | ---: | ---: |' \
    interval_test 'Offsets.AreFound*' 400
