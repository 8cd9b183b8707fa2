#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs a Debian package in a fresh root of this machine's release, uses it as a new user would, and removes it.
#   scripts/check_package.sh PACKAGE.deb
# Needs root, debootstrap and a Debian mirror (EP_DEBIAN_MIRROR, default http://deb.debian.org/debian).
set -euo pipefail

package=${1:?usage: scripts/check_package.sh PACKAGE.deb}
[ "$(id -u)" = 0 ] || { echo "check: a fresh root needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "check: debootstrap is needed: install debootstrap" >&2; exit 1; }
mirror=${EP_DEBIAN_MIRROR:-http://deb.debian.org/debian}
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
root=$(mktemp -d)
chmod 755 "$root" # the user inside the root looks for libraries from here
trap 'umount -q "$root/proc" || true; rm -rf "$root"' EXIT

debootstrap --variant=minbase --include=ca-certificates "$codename" "$root" "$mirror" >"$root.log" 2>&1 || {
    tail -n 5 "$root.log" >&2
    exit 1
}
rm -f "$root.log"
cp "$package" "$root/tmp/package.deb"
for file in /etc/apt/apt.conf.d /etc/resolv.conf; do
    [ ! -e "$file" ] || cp -rL "$file" "$root$(dirname "$file")/"
done
mount -t proc proc "$root/proc"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/user DEBIAN_FRONTEND=noninteractive "$@"; }
as_user() { inside setpriv --reuid=1000 --regid=1000 --clear-groups "$@"; }

inside apt-get update -qq
inside apt-get install -y -qq /tmp/package.deb xvfb >/dev/null
inside useradd --create-home --uid 1000 user
as_user energy-profiler --version
as_user energy-profiler run --model demo-llama-5m --prompt "The old man" --max-new-tokens 16 --power none
as_user energy-profiler runs list
as_user xvfb-run -a energy-profiler gui --separate --exit-when-shown
inside apt-get remove -y -qq energy-profiler >/dev/null
! inside sh -c 'command -v energy-profiler' || { echo "check: the program is still there" >&2; exit 1; }
left=$(find "$root/usr" -path '*energy-profiler*' | head -n 3)
[ -z "$left" ] || { echo "check: removing left $left" >&2; exit 1; }
[ -n "$(find "$root/home/user" -name 'runs*.db' | head -n 1)" ] || { echo "check: the user's runs are gone" >&2; exit 1; }
echo "check: installed, used, removed; the user's runs were kept"
