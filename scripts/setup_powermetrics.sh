#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Lets this account run one powermetrics command as root without a password: the one that Energy
# Profiler uses, with every argument pinned. Shows the line before it does anything, has visudo
# check it, and verifies that it works.
#   scripts/setup_powermetrics.sh            show, ask, install, verify
#   scripts/setup_powermetrics.sh --yes      without asking
#   scripts/setup_powermetrics.sh --show     only show
#   scripts/setup_powermetrics.sh --undo     take the rule away again
set -euo pipefail

powermetrics=${EP_POWERMETRICS:-/usr/bin/powermetrics}
sudo=${EP_SUDO:-/usr/bin/sudo}
visudo=${EP_VISUDO:-/usr/sbin/visudo}
folder=${EP_SUDOERS_FOLDER:-/etc/sudoers.d}
file=$folder/energy-profiler-powermetrics
# Frozen: docs/power-sources.md and src/power/sources/powermetrics_source.h name the same vector.
samplers=cpu_power,gpu_power,ane_power,thermal

usage() {
    sed -n '6,9p' "$0" >&2
    exit 2
}

action=install
ask=yes
case "${1:-}" in
    "") ;;
    --yes) ask=no ;;
    --show) action=show ;;
    --undo) action=undo ;;
    *) usage ;;
esac
[ $# -le 1 ] || usage

fail() {
    echo "setup_powermetrics: $1" >&2
    exit 1
}

if [ $action = undo ]; then
    # Ordinary accounts may not read the folder, so only root can check whether the file exists.
    "$sudo" rm -f "$file" || fail "$file could not be removed."
    echo "Removed $file; powermetrics needs a password again."
    exit 0
fi

[ -x "$powermetrics" ] || fail "there is no $powermetrics; powermetrics is part of macOS."

# Systems before macOS 13 do not know ane_power. powermetrics names an unknown sampler before it
# checks permissions, so this can be found out without any.
for _ in 1 2 3; do
    said=$("$powermetrics" -i 100 -f plist -b 0 -s "$samplers" </dev/null 2>&1 | head -c 4096 || true)
    unknown=$(printf '%s\n' "$said" | sed -n 's/.*unrecognized sampler: *\([a-z_]*\).*/\1/p' | head -n 1)
    [ -n "$unknown" ] || break
    samplers=$(printf '%s' "$samplers" | tr ',' '\n' | grep -vx "$unknown" | paste -sd, -)
done

user=$(id -un)
escaped=$(printf '%s' "$samplers" | sed 's/,/\\,/g')
rule="$user ALL=(root) NOPASSWD: $powermetrics -i 100 -f plist -b 0 -s $escaped"

echo "This one line goes into $file:"
echo
echo "$rule"
echo
[ $action = show ] && exit 0
if [ $ask = yes ]; then
    printf 'Install it? [y/N] '
    read -r answer || answer=n
    case "$answer" in
        y | Y | yes) ;;
        *) echo "Nothing was changed."; exit 0 ;;
    esac
fi

draft=$(mktemp "${TMPDIR:-/tmp}/energy-profiler-sudoers.XXXXXX")
trap 'rm -f "$draft"' EXIT
printf '%s\n' "$rule" >"$draft"
"$visudo" -cf "$draft" >/dev/null || fail "visudo does not accept the line; nothing was changed."

"$sudo" install -m 0440 -o root -g 0 "$draft" "$file" || fail "$file could not be written."
if ! "$sudo" "$visudo" -c >/dev/null; then
    "$sudo" rm -f "$file"
    fail "visudo does not accept the sudoers files with it; it was taken away again."
fi

# Without the password just typed, only the rule can let it through.
"$sudo" -k || true
first=$("$sudo" -n "$powermetrics" -i 100 -f plist -b 0 -s "$samplers" </dev/null 2>/dev/null | head -c 5 || true)
if [ "$first" != "<?xml" ]; then
    fail "the line is in place, but the command still asks for a password; see \`sudo -l\`, or take it away with --undo."
fi
echo "Installed and verified: powermetrics runs without a password at an interval of 100 ms."
