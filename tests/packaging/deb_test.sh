#!/bin/bash
# SPDX-License-Identifier: MIT
# deb_test.sh BUILD SOURCE: the .deb in a Debian of its own: installed, upgraded with an edited
# conffile, removed, purged. Needs root and a mirror of Debian; DEBIAN_MIRROR names another one.
set -euo pipefail
build=$1 source=$2
[ "$(id -u)" = 0 ] && command -v debootstrap > /dev/null || exit 77
work=$(mktemp -d)
root=$work/root
trap 'umount "$root/proc" 2> /dev/null; rm -rf --one-file-system "$work"' EXIT
fail() {
    echo "FAILED: $*" >&2
    tail -20 "$work/log" >&2
    exit 1
}
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@" >> "$work/log" 2>&1; }

"$source/scripts/package.sh" "$build" "$work/dist" > "$work/log" 2>&1 || fail "package.sh"
debootstrap --variant=minbase bookworm "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" \
    > "$work/log" 2>&1 || { tail -3 "$work/log"; exit 77; }
mount -t proc proc "$root/proc"
cp "$work"/dist/*.deb "$root/octostore.deb"
# The same again as a later version, with another conffile.
dpkg-deb -R "$root/octostore.deb" "$work/later"
sed -i 's/^Version: .*/&+later/' "$work/later/DEBIAN/control"
echo "# New." >> "$work/later/etc/octostore/octostore.properties"
dpkg-deb --root-owner-group -b "$work/later" "$root/later.deb" > /dev/null

inside apt-get update -q
inside apt-get install -q -y --no-install-recommends /octostore.deb || fail "it does not install"
inside octostore --version || fail "it does not run"
inside octostore config check --config /etc/octostore/octostore.properties || fail "its configuration"
grep -q '^octostore:' "$root/etc/passwd" || fail "there is no user"
[ -h "$root/etc/systemd/system/multi-user.target.wants/octostore.service" ] || fail "it is not enabled"

conffile=$root/etc/octostore/octostore.properties
echo "log.level = debug" >> "$conffile"
mkdir -p "$root/var/lib/octostore"
touch "$root/var/lib/octostore/octostore.db"
inside dpkg --force-confdef --force-confold -i /later.deb || fail "it does not upgrade"
grep -q '^log.level = debug' "$conffile" || fail "the upgrade lost the edited conffile"

inside dpkg -r octostore || fail "it cannot be removed"
[ -e "$conffile" ] && [ -e "$root/var/lib/octostore/octostore.db" ] || fail "removing it took data"
inside dpkg -P octostore || fail "it cannot be purged"
left=$(find "$root/etc" "$root/usr" "$root/lib/" "$root/var/lib" -path '*octostore*' ! -path '*/dpkg/*')
[ -z "$left" ] || fail "purging leaves $left"
echo "the .deb installs, upgrades, is removed and purged"
