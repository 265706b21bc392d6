#!/bin/bash
# SPDX-License-Identifier: MIT
# deb_test.sh BUILD SOURCE: the .deb in a Debian of its own: installed, started as its unit says,
# upgraded with an edited conffile and a live lease, removed, purged. There is no systemd that runs:
# what a service tells it is heard by a socket in its place.
set -euo pipefail
. "$(dirname "$0")/debian_root.sh"
play_in_debian "$@"
cp "$work"/dist/*.deb "$root/octostore.deb"
# The same again as a later version, with another conffile.
dpkg-deb -R "$root/octostore.deb" "$work/later"
sed -i 's/^Version: .*/&+later/' "$work/later/DEBIAN/control"
echo "# New." >> "$work/later/etc/octostore/octostore.properties"
dpkg-deb --root-owner-group -b "$work/later" "$root/later.deb" > /dev/null

inside_quietly apt-get update -q
inside_quietly apt-get install -q -y --no-install-recommends /octostore.deb || fail "it does not install"
inside_quietly octostore --version || fail "it does not run"
inside_quietly octostore config check --config /etc/octostore/octostore.properties ||
    fail "its configuration"
grep -q '^octostore:' "$root/etc/passwd" || fail "there is no user"
[ -h "$root/etc/systemd/system/multi-user.target.wants/octostore.service" ] || fail "it is not enabled"
inside_quietly systemd-analyze verify octostore.service || fail "systemd finds mistakes in the unit"
inside_quietly systemd-analyze --offline=yes --threshold=25 security /lib/systemd/system/octostore.service ||
    fail "the unit leaves too much open"

unit() { sed -n "s/^$1=//p" "$root/lib/systemd/system/octostore.service"; }
heard() { grep -q "^$1" "$work/heard"; }
call() { nsenter --net --target "$server" curl -sf --max-time 60 "$@"; }
# start_service: as the unit says - user, state directory, command - in a network of its own. A tenth of
# its watchdog's time, so that there is soon something to hear.
start_service() {
    local user
    user=$(unit User)
    inside install -d -o "$user" -g "$user" -m "$(unit StateDirectoryMode)" \
        "/var/lib/$(unit StateDirectory)"
    rm -f "$root/run/notify"
    : > "$work/heard"
    "$here/notify_socket.py" "$root/run/notify" >> "$work/heard" &
    listener=$!
    until_true test -S "$root/run/notify" || fail "the socket is not there"
    # shellcheck disable=SC2046
    unshare --net sh -c 'ip link set lo up && exec "$@"' sh \
        chroot --userspec="$user:$user" "$root" env -i NOTIFY_SOCKET=/run/notify \
        WATCHDOG_USEC="$(unit WatchdogSec)00000" $(unit ExecStart) >> "$work/log" 2>&1 &
    server=$!
    until_true heard 'READY=1 STATUS=Serving on 127.0.0.1:3000' || fail "the service does not get ready"
    until_true heard WATCHDOG=1 || fail "the service does not feed the watchdog"
}
stop_service() {
    stop_server
    heard STOPPING=1 || fail "the service does not say that it stops"
    kill "$listener"
    wait "$listener" 2> /dev/null || true
}

start_service
call http://127.0.0.1:3000/readyz > /dev/null || fail "it is not ready"
call http://127.0.0.1:3000/admin/ | grep -q '<title>' || fail "there is no console"
room=$(call -X POST http://127.0.0.1:3000/elections | jq -r .election_id)
call --json '{"candidate_id":"before","ttl_seconds":300}' \
    "http://127.0.0.1:3000/elections/$room/campaign" > /dev/null || fail "nobody can lead"
kill -HUP "$server"
until_true heard RELOADING=1 || fail "a reload is not told"
stop_service

conffile=$root/etc/octostore/octostore.properties
echo "log.level = debug" >> "$conffile"
inside_quietly dpkg --force-confdef --force-confold -i /later.deb || fail "it does not upgrade"
grep -q '^log.level = debug' "$conffile" || fail "the upgrade lost the edited conffile"
[ -e "$conffile.dpkg-dist" ] || fail "the new conffile is not beside the edited one"
start_service
call "http://127.0.0.1:3000/elections/$room" | jq -e '.leader.candidate_id == "before"' > /dev/null ||
    fail "the upgrade lost the leader"
stop_service

inside_quietly dpkg -r octostore || fail "it cannot be removed"
[ -e "$conffile" ] && [ -e "$root/var/lib/octostore/octostore.db" ] || fail "removing it took data"
inside_quietly dpkg -P octostore || fail "it cannot be purged"
left=$(find "$root/etc" "$root/usr" "$root/lib/" "$root/var/lib" -path '*octostore*' ! -path '*/dpkg/*')
[ -z "$left" ] || fail "purging leaves $left"
echo "the .deb installs, starts, upgrades, is removed and purged"
