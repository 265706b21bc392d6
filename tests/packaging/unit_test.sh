#!/bin/bash
# SPDX-License-Identifier: MIT
# unit_test.sh SOURCE: what systemd says of config/octostore.service.
set -euo pipefail
unit=$1/config/octostore.service
command -v systemd-analyze > /dev/null || exit 77
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# In a root of its own: the program and the targets it names need not be on this system.
mkdir -p "$root/etc/systemd/system" "$root/usr/bin" "$root/usr/lib/systemd"
cp -r /usr/lib/systemd/system "$root/usr/lib/systemd/"
cp "$unit" "$root/etc/systemd/system/"
for program in octostore kill; do
    install -D -m 755 /bin/true "$root/usr/bin/$program"
done
ln -s usr/bin "$root/bin"
ln -s usr/lib "$root/lib"
# Others' units may be incomplete there; only what is said of ours counts.
said=$(SYSTEMD_LOG_LEVEL=warning systemd-analyze --root="$root" verify octostore.service 2>&1 |
    grep octostore || true)
[ -z "$said" ] || { echo "FAILED: $said"; exit 1; }
systemd-analyze --offline=yes --threshold=25 security "$unit" > "$root/security" ||
    { cat "$root/security"; exit 1; }
tail -1 "$root/security"
