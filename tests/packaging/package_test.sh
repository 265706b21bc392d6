#!/bin/bash
# SPDX-License-Identifier: MIT
# package_test.sh BUILD SOURCE: scripts/package.sh on BUILD, twice: the same bytes. The archive is
# installed from a mirror in a folder, runs from there and from where it is moved to, and has all it
# needs; the .deb is complete.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/support.sh"
build=$1 source=$2

# serves PROGRAM: it starts, answers, and all it loads is its own or the system's base.
serves() {
    rm -rf "$work/state"
    mkdir "$work/state"
    start_server "$1" serve --set server.bind=127.0.0.1:0 --set log.format=json \
        --set "storage.database=$work/state/octostore.db"
    curl -sf --max-time 60 -X POST "http://127.0.0.1:$port/elections" > /dev/null ||
        fail "$1 does not answer"
    local foreign
    foreign=$(sed -nE 's|.* (/.*\.so.*)$|\1|p' "/proc/$server/maps" | sort -u |
        grep -E 'Poco|icu|fmt|spdlog|sqlite|octostore|prometheus' | grep -v "^${1%/bin/octostore}/" || true)
    [ -z "$foreign" ] || fail "$1 loads $foreign"
    stop_server
}

# stands_alone FOLDER: every file looks for libraries only beside itself, and finds all there but those
# of the C and C++ runtime, OpenSSL and zlib.
stands_alone() {
    local file needed
    for file in "$1/bin/octostore" "$1"/lib/octostore/*.so*; do
        readelf -dW "$file" > "$work/dynamic"
        ! grep -E 'R(UN)?PATH' "$work/dynamic" | grep -vE '\[\$ORIGIN(/\.\./lib/octostore)?\]$' ||
            fail "$file looks elsewhere"
        for needed in $(sed -nE 's/.*\(NEEDED\).*\[(.*)\]$/\1/p' "$work/dynamic"); do
            case $needed in
            libc.so.6 | libm.so.6 | libgcc_s.so.1 | libstdc++.so.6 | ld-linux*) ;;
            libssl.so.3 | libcrypto.so.3 | libz.so.1 | libpthread.so.0 | libdl.so.2) ;;
            *) [ -f "$1/lib/octostore/$needed" ] || fail "$file needs $needed" ;;
            esac
        done
    done
    local libraries=("$1"/lib/octostore/libPoco*)
    [ "${#libraries[@]}" -ge 8 ] || fail "too few libraries of Poco: ${libraries[*]}"
}

mkdir "$work/mirror"
export OCTOSTORE_DOWNLOAD_BASE=file://$work/mirror
package "$build" "$source"
mv "$work/dist" "$work/once"
package "$build" "$source"
diff -r "$work/once" "$work/dist" || fail "the same build makes other packages"
(cd "$work/dist" && sha256sum -c --quiet SHA256SUMS) || fail "SHA256SUMS"
[ "$(tar -tzf "$work/dist/$top.tar.gz" | cut -d/ -f1 | sort -u)" = "$top" ] ||
    fail "the archive has more than one top folder"

# The installer of the mirror knows where it came from.
mv "$work/dist/install.sh" "$work/mirror/"
mv "$work/dist" "$work/mirror/v$version"
echo "v$version" > "$work/mirror/latest"
curl -fsSL "$OCTOSTORE_DOWNLOAD_BASE/install.sh" |
    env -u OCTOSTORE_DOWNLOAD_BASE OCTOSTORE_INSTALL_DIR="$work/here/bin" sh > "$work/log" 2>&1 ||
    fail "install.sh"
stands_alone "$work/here"
serves "$work/here/bin/octostore"
mv "$work/here" "$work/there"
serves "$work/there/bin/octostore"
documents=$work/there/share/doc/octostore
! grep -E '\]\(' "$documents/README.md" || fail "the README points to what is not there"
[ "$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' "$documents/octostore.service")" = /usr/local/bin/octostore ] ||
    fail "the unit starts another program"
"$work/there/bin/octostore" plugin list > "$work/log" || fail "plugin list"

deb=$work/mirror/v$version/octostore_${version}_$architecture.deb
dpkg-deb -f "$deb" Depends | grep -q 'libpocofoundation80' || fail "the .deb does not ask for Poco"
[ "$(dpkg-deb -I "$deb" conffiles)" = /etc/octostore/octostore.properties ] || fail "conffiles"
dpkg-deb -x "$deb" "$work/deb"
dpkg-deb -I "$deb" md5sums > "$work/md5sums"
(cd "$work/deb" && md5sum -c --quiet "$work/md5sums") || fail "md5sums"
"$work/deb/usr/bin/octostore" config check --config "$work/deb/etc/octostore/octostore.properties" \
    > "$work/log" 2>&1 || fail "the configuration of the .deb is wrong"
[ -z "$(find "$work/deb" -perm /022 ! -type l)" ] || fail "others may write in the .deb"
echo "$top.tar.gz and $(basename "$deb") are good"
