#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/setup_powermetrics.sh in a folder of its own, with stand-ins for sudo, visudo and
# powermetrics.
set -euo pipefail
script=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/sudoers.d"
log=$root/log

cat >"$root/sudo" <<'END'
#!/usr/bin/env bash
echo "sudo $*" >>"$FAKE_LOG"
case "$1" in
    -k) exit 0 ;;
    -n) shift
        [ -e "$FAKE_SUDOERS" ] && [ "${FAKE_REFUSES:-}" != yes ] || { echo "sudo: a password is required" >&2; exit 1; }
        FAKE_ROOT=yes exec "$@" ;;
    install) # -m 0440 -o root -g 0 FROM TO: no account but root can give a file away
        cp "$8" "$9"; chmod 0440 "$9" ;;
    *) exec "$@" ;;
esac
END
cat >"$root/visudo" <<'END'
#!/usr/bin/env bash
echo "visudo $*" >>"$FAKE_LOG"
[ "${FAKE_VISUDO_FAILS:-}" != "$1" ]
END
cat >"$root/powermetrics" <<'END'
#!/usr/bin/env bash
case "$* " in
    *ane_power*) [ "${FAKE_OLD:-}" != yes ] || { echo "powermetrics: unrecognized sampler: ane_power" >&2; exit 1; } ;;
esac
[ "${FAKE_ROOT:-}" = yes ] || { echo "powermetrics must be invoked as the superuser"; exit 1; }
echo '<?xml version="1.0" encoding="UTF-8"?>'
END
chmod +x "$root/sudo" "$root/visudo" "$root/powermetrics"

export EP_SUDO=$root/sudo EP_VISUDO=$root/visudo EP_POWERMETRICS=$root/powermetrics
export EP_SUDOERS_FOLDER=$root/sudoers.d FAKE_LOG=$log
file=$root/sudoers.d/energy-profiler-powermetrics
export FAKE_SUDOERS=$file
expected="$(id -un) ALL=(root) NOPASSWD: $root/powermetrics -i 100 -f plist -b 0 -s cpu_power\\,gpu_power\\,ane_power\\,thermal"

check() { # WHAT CONDITION...
    local what=$1
    shift
    "$@" || { echo "failed: $what"; exit 1; }
}
absent() { [ ! -e "$1" ]; }
says() { printf '%s\n' "$1" | grep -qF -- "$2"; }

said=$(bash "$script" --show)
check "shows the rule" says "$said" "$expected"
check "showing installs nothing" absent "$file"

said=$(echo n | bash "$script")
check "asks before it installs" absent "$file"
check "says that nothing changed" says "$said" "Nothing was changed."

said=$(bash "$script" --yes)
check "the file is exactly that line" [ "$(cat "$file")" = "$expected" ]
check "shows it before" says "$said" "$expected"
check "verifies" says "$said" "Installed and verified"
check "visudo checks the draft" grep -q '^visudo -cf ' "$log"
check "visudo checks the whole" grep -q '^visudo -c$' "$log"

bash "$script" --undo >/dev/null
check "undo removes the file" absent "$file"

said=$(FAKE_OLD=yes bash "$script" --yes)
check "old systems lose ane_power" grep -qF -- '-s cpu_power\,gpu_power\,thermal' "$file"
bash "$script" --undo >/dev/null

if said=$(FAKE_VISUDO_FAILS=-cf bash "$script" --yes 2>&1); then echo "failed: refused draft"; exit 1; fi
check "a refused draft changes nothing" absent "$file"
if said=$(FAKE_VISUDO_FAILS=-c bash "$script" --yes 2>&1); then echo "failed: refused files"; exit 1; fi
check "refused files are cleaned up" absent "$file"
check "and told" says "$said" "taken away again"
if said=$(FAKE_REFUSES=yes bash "$script" --yes 2>&1); then echo "failed: verify"; exit 1; fi
check "a rule without effect is told" says "$said" "still asks for a password"
if bash "$script" --nonsense 2>/dev/null; then echo "failed: usage"; exit 1; fi
if EP_POWERMETRICS=/nonexistent/p bash "$script" --yes 2>/dev/null; then echo "failed: no program"; exit 1; fi
echo ok
