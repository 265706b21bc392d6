#!/bin/bash
# SPDX-License-Identifier: MIT
# install_root_test.sh BUILD SOURCE: the release archive in a bare Debian without jq, perl and git, from
# a mirror in a folder: installed, upgraded under a running server, an upgrade that fails undone,
# uninstalled. install_test.sh plays more faults, with programs that are not ours.
set -euo pipefail
. "$(dirname "$0")/debian_root.sh"
play_in_debian "$@"
mirror=$root/mirror
rm -f "$root"/usr/bin/perl*
for tool in jq perl git curl wget; do
    ! inside sh -c "command -v $tool" || fail "$tool is in a bare Debian"
done
cp "$source/scripts/install.sh" "$root/install.sh"
mkdir -p "$mirror"
cp -r "$work/dist" "$mirror/v$version"
echo "v$version" > "$mirror/latest"

# The next versions, as long as this one.
last=${version##*[!0-9]}
number() { echo "${version%?}$(((${last: -1} + $1) % 10))"; }
# release VERSION [SAYS]: the same program; it says that it is SAYS.
release() {
    local folder=$mirror/v$1 name=octostore-$1-linux-$architecture
    rm -rf "$work/release" "$folder"
    mkdir -p "$work/release" "$folder"
    tar -C "$work/release" -xzf "$work/dist/$top.tar.gz"
    mv "$work/release/$top" "$work/release/$name"
    sed -i "s/${version//./\\.}/${2:-$1}/g" "$work/release/$name/bin/octostore" \
        "$work/release/$name/lib/octostore/liboctostore.so.0"
    pack "$1"
}
# pack VERSION: what lies in $work/release becomes what the mirror has newest.
pack() {
    local name=octostore-$1-linux-$architecture
    tar -C "$work/release" -czf "$mirror/v$1/$name.tar.gz" "$name"
    (cd "$mirror/v$1" && sha256sum "$name.tar.gz" > SHA256SUMS)
    echo "v$1" > "$mirror/latest"
}

install_it() {
    inside env OCTOSTORE_DOWNLOAD_BASE=file:///mirror sh /install.sh "$@" > "$work/log" 2>&1
}
# All of the system that an installation could touch, folders too, with its content.
picture() {
    (cd "$root" && find usr etc opt ! -type f | sort &&
        find usr etc opt -type f -print0 | sort -z | xargs -0 sha256sum)
}
says() { [ "$(inside octostore --version)" = "octostore $1" ] || fail "it is not $1"; }
# serves: it starts on the database that is there, leads and answers.
serves() {
    start_server chroot "$root" /usr/local/bin/octostore serve --set server.bind=127.0.0.1:0 \
        --set log.format=json --set storage.database=/root/octostore.db
    curl -sf --max-time 60 -X POST "http://127.0.0.1:$port/elections" > /dev/null ||
        fail "the server does not answer"
}
# refuses TEXT: it fails, says TEXT, and leaves everything as it is.
refuses() {
    local before
    before=$(picture)
    ! install_it || fail "it should refuse: $1"
    grep -q "$1" "$work/log" || fail "it does not say: $1"
    [ "$(picture)" = "$before" ] || fail "refused ($1), but something changed"
}

bare=$(picture)
install_it || fail "it does not install"
says "$version"
serves
second=$(number 1)
release "$second"
install_it || fail "it does not upgrade"
says "$second"
curl -sf --max-time 60 "http://127.0.0.1:$port/health" > /dev/null ||
    fail "the upgrade disturbs a server that runs"
stop_server
serves
stop_server

third=$(number 2)
release "$third"
echo x >> "$mirror/v$third/octostore-$third-linux-$architecture.tar.gz"
refuses "is not what SHA256SUMS says"
release "$third" "$second"
refuses "not $third"
# It cannot load what it needs.
release "$third"
rm "$work/release/octostore-$third-linux-$architecture"/lib/octostore/libPocoNet.so*
pack "$third"
refuses "does not run here"
# It runs where it is unpacked, but not in its place: everything has been replaced by then.
release "$third"
program=$work/release/octostore-$third-linux-$architecture/bin/octostore
mv "$program" "$(dirname "$program")/../lib/octostore/program"
printf '%s\n' '#!/bin/sh' 'case $0 in /usr/*) exit 1 ;; esac' "echo octostore $third" > "$program"
chmod 755 "$program"
pack "$third"
refuses "does not work where it was installed"
says "$second"
serves
stop_server

inside env sh /install.sh --uninstall > "$work/log" 2>&1 || fail "it does not uninstall"
[ "$(picture)" = "$bare" ] || fail "uninstalling leaves something: $(diff <(echo "$bare") <(picture))"
[ -s "$root/root/octostore.db" ] || fail "uninstalling took the data"
echo "$top: installed, upgraded, undone and removed in a bare Debian"
