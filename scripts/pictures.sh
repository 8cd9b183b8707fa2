#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of README.md and docs/ anew, from the demo model and the recorded demo run, so that they never age.
# Look at them before you commit them. Needs ImageMagick.
#   scripts/pictures.sh
set -euo pipefail
cd "$(dirname "$0")/.."

command -v convert >/dev/null || { echo "pictures: ImageMagick is needed: install imagemagick" >&2; exit 1; }
folder=$(./scripts/build.sh release window_gallery energy-profiler ep_engine_plugin | tail -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export QT_QPA_PLATFORM=offscreen HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work LANG=C.UTF-8 LC_ALL=
"$folder/bin/window_gallery" "$work/gallery"
LANG=de_DE.UTF-8 "$folder/bin/window_gallery" "$work/german"

# Repeats of two number formats, for Compare and Insights.
for repeat in 1 2 3 4 5; do
    for format in bf16 int8; do
        "$folder/bin/energy-profiler" run --model demo-llama-5m --dtype $format --max-new-tokens 200 --power modelled \
            --prompt 'Once upon a time there was a small mouse who lived in a library and' \
            --experiment formats --db "$work/runs.db" >"$work/run-$format-$repeat.txt"
    done
done
# And other lengths, so that something varies for the first chart of Insights.
for length in 50 100 400; do
    "$folder/bin/energy-profiler" run --model demo-llama-5m --max-new-tokens $length --power modelled \
        --prompt 'Once upon a time there was a small mouse who lived in a library and' \
        --db "$work/runs.db" >"$work/run-$length.txt"
done
"$folder/bin/window_gallery" "$work/stored" resources/models "$work/runs.db"
LANG=de_DE.UTF-8 "$folder/bin/window_gallery" "$work/stored-german" resources/models "$work/runs.db"

# A picture in docs/images, and its place in the galleries.
while read -r picture name; do
    for theme in light dark; do
        cp "$work/$name-$theme-1280.png" "docs/images/$picture-$theme.png"
        cp "$work/$name-$theme-2560.png" "docs/images/large/$picture-$theme.png"
    done
done <<END
live gallery/live-running
analysis gallery/analysis
history gallery/history
timeline gallery/analysis-timeline
where gallery/analysis-where-it-goes
tokens gallery/analysis-tokens-chosen
figures gallery/analysis-figures
phases gallery/analysis-phases
why gallery/analysis-why
imported-timeline gallery/imported-timeline
compare stored/compare-formats-0
insights stored/insights
END
for theme in light dark; do
    cp "$work/gallery/sensor-doctor-$theme.png" "docs/images/doctor-$theme.png"
    cp "$work/gallery/import-power-$theme.png" "docs/images/import-power-$theme.png"
done
cp "$work/german/analysis-light-1280.png" docs/images/analysis-german.png
cp "$work/stored-german/compare-formats-0-light-1280.png" docs/images/compare-german.png
convert -delay 12 -loop 0 "$work"/gallery/frame-*.png -resize 960x -colors 64 -layers Optimize docs/images/live.gif
ls -sh docs/images/live.gif
