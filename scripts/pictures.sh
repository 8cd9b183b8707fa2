#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of README.md and docs/ anew, from the demo model and the recorded demo run, so that they never age.
# Look at them before you commit them. Needs ImageMagick.
#   scripts/pictures.sh
set -euo pipefail
cd "$(dirname "$0")/.."

command -v convert >/dev/null || { echo "pictures: ImageMagick is needed: install imagemagick" >&2; exit 1; }
folder=$(./scripts/build.sh release window_gallery ep_engine_plugin | tail -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
QT_QPA_PLATFORM=offscreen HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work \
    "$folder/bin/window_gallery" "$work/gallery"

# A picture in docs/images, and its name in the gallery.
while read -r picture name; do
    for theme in light dark; do
        cp "$work/gallery/$name-$theme-1280.png" "docs/images/$picture-$theme.png"
        cp "$work/gallery/$name-$theme-2560.png" "docs/images/large/$picture-$theme.png"
    done
done <<END
live live-running
analysis analysis
history history
timeline analysis-timeline
figures analysis-figures
phases analysis-phases
why analysis-why
imported-timeline imported-timeline
END
for theme in light dark; do
    cp "$work/gallery/sensor-doctor-$theme.png" "docs/images/doctor-$theme.png"
    cp "$work/gallery/import-power-$theme.png" "docs/images/import-power-$theme.png"
done
convert -delay 12 -loop 0 "$work"/gallery/frame-*.png -resize 960x -colors 64 -layers Optimize docs/images/live.gif
ls -sh docs/images/live.gif
