#!/bin/bash
# SPDX-License-Identifier: MIT
# install_test.sh SOURCE: scripts/install.sh against a mirror in a folder. The programs in its archives
# are scripts that say their version: it is the installing that is tested.
# install_faults_test.sh interrupts it.
set -euo pipefail
. "$(dirname "$0")/install_mirror.sh"

release 1.0.0
run --dry-run || fail "--dry-run fails"
[ ! -e "$prefix" ] || fail "--dry-run installs"
grep -q "$prefix/bin/octostore" "$work/said" || fail "--dry-run does not say where"
run || fail "it does not install"
has 1.0.0

# What is broken is refused: nothing there, then with an installation there.
release 1.1.0
for round in fresh upgrade; do
    [ $round = fresh ] && { run --uninstall || fail "it does not uninstall"; }
    echo x >> "$mirror/v1.1.0/octostore-1.1.0-linux-$arch.tar.gz"
    refuses "is not what SHA256SUMS says"
    echo > "$mirror/v1.1.0/SHA256SUMS"
    refuses "does not name"
    rm "$mirror/v1.1.0/SHA256SUMS"
    refuses "cannot get"
    release 1.1.0 0.9.0
    refuses "not 1.1.0"
    release 1.1.0
    OCTOSTORE_VERSION=7.7.7 refuses "cannot get"
    OCTOSTORE_VERSION=../../etc refuses "is no version"
    OCTOSTORE_DOWNLOAD_BASE=http://mirror.example refuses "trusted"
    OCTOSTORE_DOWNLOAD_BASE='' refuses "is not set, .* take the install.sh that a mirror offers"
    OCTOSTORE_INSTALL_DIR=bin refuses "absolute"
    [ $round = fresh ] && { OCTOSTORE_VERSION=1.0.0 run || fail "a pinned version is not installed"; has 1.0.0; }
done

run || fail "it does not upgrade"
has 1.1.0
OCTOSTORE_VERSION=v1.0.0 run || fail "it does not go back to an older one"
has 1.0.0

# It works where it is unpacked, but not where it is installed.
release 1.2.0
works_nowhere_else 1.2.0
refuses "does not work where it was installed"
has 1.0.0

# A pipe that breaks runs nothing.
head -c $(($(wc -c < "$installer") - 12)) "$installer" > "$work/half.sh"
before=$(picture)
PATH=$work/tools sh < "$work/half.sh" > "$work/said" 2>&1 || true
[ "$(picture)" = "$before" ] || fail "half of the script does something"
good

# Only what it brought goes.
echo data > "$prefix/lib/octostore.db"
echo other > "$prefix/bin/other"
run --uninstall --dry-run || fail "--uninstall --dry-run fails"
has 1.0.0
run --uninstall || fail "it does not uninstall"
[ "$(cd "$prefix" && find . | sort | paste -s -d' ')" = ". ./bin ./bin/other ./lib ./lib/octostore.db" ] ||
    fail "uninstalling leaves $(find "$prefix")"
! run --uninstall || fail "what is not there is uninstalled"
good

# Nor a folder that was there, empty or not; those that it made go, whichever version made them.
rm -rf "$prefix"
mkdir -p "$prefix"/{bin,share/doc}
before=$(picture)
refuses "does not work where it was installed"
for version in 1.0.0 1.1.0; do
    OCTOSTORE_VERSION=$version run || fail "it does not install"
    has $version
done
run --uninstall || fail "it does not uninstall"
[ "$(picture)" = "$before" ] || fail "uninstalling leaves $(find "$prefix"), not $before"
good

# A mirror that sends away from https, or to http, is not followed.
"$(dirname "$0")/redirecting_mirror.py" "$mirror" > "$work/port" &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
for ((i = 0; i < 600; i++)); do
    [ ! -s "$work/port" ] || break
    sleep 0.1
done
base=http://127.0.0.1:$(cat "$work/port")
for tool in curl wget; do
    rm -f "$work/tools/"{curl,wget}
    ln -s "$(command -v $tool)" "$work/tools/" || continue
    OCTOSTORE_DOWNLOAD_BASE=$base/away refuses "cannot get"
    OCTOSTORE_VERSION=1.0.0 OCTOSTORE_DOWNLOAD_BASE=$base run || fail "$tool gets nothing"
    has 1.0.0
    run --uninstall || fail "it does not uninstall"
done
echo "$passed checks of install.sh"
