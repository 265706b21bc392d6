#!/bin/bash
# SPDX-License-Identifier: MIT
# package_test.sh BUILD SOURCE: scripts/package.sh on BUILD; the archive is installed from a mirror in
# a folder, runs from there and from where it is moved to; the .deb is complete.
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$work"' EXIT
arch=$(dpkg --print-architecture)
fail() {
    echo "FAILED: $*" >&2
    [ ! -f "$work/log" ] || tail -20 "$work/log" >&2
    exit 1
}

# serves PROGRAM: it starts, answers, and all it loads is its own or the system's base.
serves() {
    rm -rf "$work/state"
    mkdir "$work/state"
    printf '%s\n' "server.bind = 127.0.0.1:0" "log.format = json" > "$work/state/octostore.properties"
    (cd "$work/state" && exec "$1" serve) > "$work/log" 2>&1 &
    server=$!
    local port= foreign
    for _ in $(seq 600); do
        port=$(sed -nE 's/.*"serving","address":"[^"]*:([0-9]+)".*/\1/p' "$work/log")
        [ -n "$port" ] && break
        kill -0 "$server" 2> /dev/null || fail "$1 does not start"
        sleep 0.1
    done
    curl -sf -X POST "http://127.0.0.1:$port/elections" > /dev/null || fail "$1 does not answer"
    foreign=$(sed -nE 's|.* (/.*\.so.*)$|\1|p' "/proc/$server/maps" | sort -u |
        grep -E 'Poco|icu|fmt|spdlog|sqlite|octostore|prometheus' | grep -v "^${1%/bin/octostore}/" || true)
    [ -z "$foreign" ] || fail "$1 loads $foreign"
    kill "$server"
    wait "$server" || fail "$1 ends with $?"
    server=
}

"$source/scripts/package.sh" "$build" "$work/dist" > "$work/log" 2>&1 || fail "package.sh"
(cd "$work/dist" && sha256sum -c --quiet SHA256SUMS) || fail "SHA256SUMS"
archive=$(basename "$work"/dist/*.tar.gz)
version=$(sed -E "s/octostore-(.*)-linux-$arch.tar.gz/\1/" <<< "$archive")
[ "$(tar -tzf "$work/dist/$archive" | cut -d/ -f1 | sort -u)" = "octostore-$version-linux-$arch" ] ||
    fail "the archive has more than one top folder"

mkdir -p "$work/mirror"
cp -r "$work/dist" "$work/mirror/v$version"
echo "v$version" > "$work/mirror/latest"
OCTOSTORE_DOWNLOAD_BASE=file://$work/mirror OCTOSTORE_INSTALL_DIR=$work/here/bin \
    sh "$source/scripts/install.sh" > "$work/log" 2>&1 || fail "install.sh"
serves "$work/here/bin/octostore"
mv "$work/here" "$work/there"
serves "$work/there/bin/octostore"
"$work/there/bin/octostore" plugin list > "$work/log" || fail "plugin list"

deb=$work/dist/octostore_${version}_$arch.deb
dpkg-deb -f "$deb" Depends | grep -q 'libpocofoundation80' || fail "the .deb does not ask for Poco"
[ "$(dpkg-deb -I "$deb" conffiles)" = /etc/octostore/octostore.properties ] || fail "conffiles"
dpkg-deb -x "$deb" "$work/deb"
(cd "$work/deb" && dpkg-deb -I "$deb" md5sums | md5sum -c --quiet) || fail "md5sums"
"$work/deb/usr/bin/octostore" config check --config "$work/deb/etc/octostore/octostore.properties" \
    > "$work/log" 2>&1 || fail "the configuration of the .deb is wrong"
[ -z "$(find "$work/deb" -perm /022 ! -type l)" ] || fail "others may write in the .deb"

SOURCE_DATE_EPOCH=1700000000 "$source/scripts/package.sh" "$build" "$work/one" > /dev/null 2>&1
SOURCE_DATE_EPOCH=1700000000 "$source/scripts/package.sh" "$build" "$work/two" > /dev/null 2>&1
cmp "$work/one/SHA256SUMS" "$work/two/SHA256SUMS" || fail "the same build makes other packages"
echo "$archive and $(basename "$deb") are good"
