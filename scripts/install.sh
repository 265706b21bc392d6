#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs, upgrades or removes OctoStore: install.sh [--dry-run | --uninstall | --help]
#
# OCTOSTORE_DOWNLOAD_BASE  where releases are: https://... or file:///...; BASE/latest holds the tag
#                          of the newest, BASE/vX.Y.Z/ its files. The install.sh that a mirror
#                          offers knows its mirror (scripts/package.sh)
# OCTOSTORE_VERSION        the version wanted, as 1.2.3 (the newest)
# OCTOSTORE_INSTALL_DIR    where the program goes (/usr/local/bin); the rest goes to ../lib and ../share
#
# It starts nothing, makes no credential and touches no data. An upgrade that fails, or is
# interrupted, leaves what was there.
set -eu

MIRROR=

# What is installed, relative to the folder above the program's. Each is replaced as a whole.
PARTS="lib/octostore share/doc/octostore share/bash-completion/completions/octostore"

say() { echo "install.sh: $*" >&2; }
die() {
    say "$*"
    exit 1
}

usage() {
    echo "Usage: install.sh [--dry-run | --uninstall | --help]"
    echo
    echo "OCTOSTORE_DOWNLOAD_BASE  where releases are: https://... or file:///... (${MIRROR:-none})"
    echo "OCTOSTORE_VERSION        the version wanted (the newest)"
    echo "OCTOSTORE_INSTALL_DIR    where the program goes (/usr/local/bin)"
}

# fetch ADDRESS FILE
fetch() {
    case $1 in
    file://*) cp "${1#file://}" "$2" 2> /dev/null ;;
    https://* | http://localhost[:/]* | http://127.0.0.1[:/]*)
        if command -v curl > /dev/null; then
            curl -fsSL --retry 3 -o "$2" "$1"
        elif command -v wget > /dev/null; then
            wget -q -O "$2" "$1"
        else
            die "neither curl nor wget is here"
        fi
        ;;
    *) die "$1: only https:// and file:// are trusted" ;;
    esac || die "cannot get $1"
}

digest() {
    if command -v sha256sum > /dev/null; then
        sha256sum "$1"
    else
        shasum -a 256 "$1"
    fi | cut -d' ' -f1
}

find_architecture() {
    [ "$(uname -s)" = Linux ] || die "there are releases for Linux only, not for $(uname -s)"
    case $(uname -m) in
    x86_64 | amd64) ARCH=amd64 ;;
    aarch64 | arm64) ARCH=arm64 ;;
    *) die "there are releases for x86-64 and arm64 only, not for $(uname -m)" ;;
    esac
}

find_version() {
    VERSION=${OCTOSTORE_VERSION:-}
    if [ -z "$VERSION" ]; then
        fetch "$BASE/latest" "$WORK/latest"
        VERSION=$(head -n 1 "$WORK/latest")
    fi
    VERSION=${VERSION#v}
    case $VERSION in
    '' | *[!0-9A-Za-z.+~-]* | .*) die "\"$VERSION\" is no version" ;;
    esac
    ARCHIVE=octostore-$VERSION-linux-$ARCH
}

download() {
    fetch "$BASE/v$VERSION/SHA256SUMS" "$WORK/SHA256SUMS"
    fetch "$BASE/v$VERSION/$ARCHIVE.tar.gz" "$WORK/$ARCHIVE.tar.gz"
    expected=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$ARCHIVE\.tar\.gz\$/\1/p" "$WORK/SHA256SUMS")
    [ -n "$expected" ] || die "SHA256SUMS does not name $ARCHIVE.tar.gz; nothing was installed"
    [ "$(digest "$WORK/$ARCHIVE.tar.gz")" = "$expected" ] ||
        die "$ARCHIVE.tar.gz is not what SHA256SUMS says; nothing was installed"
    # Nothing that group or others may write is loaded.
    (umask 022 && cd "$WORK" && tar -xzf "$ARCHIVE.tar.gz") || die "$ARCHIVE.tar.gz cannot be unpacked"
}

# is_wanted PROGRAM: it runs, and is the version asked for.
is_wanted() {
    found=$("$1" --version 2> "$WORK/complaint") || {
        say "the program does not run here: $(head -n 1 "$WORK/complaint")"
        return 1
    }
    case " $found " in
    *" $VERSION "*) ;;
    *)
        say "the program says \"$found\", not $VERSION"
        return 1
        ;;
    esac
}

# Each part with the place it goes to, a line each: `bin/octostore /usr/local/bin/octostore`.
places() {
    for part in $PARTS; do
        echo "$part $PREFIX/$part"
    done
    # Last: with it the new version begins.
    echo "bin/octostore $BIN/octostore"
}

# Beside its place, so that moving it there is one rename.
put_beside() {
    places > "$WORK/places"
    while read -r part place; do
        mkdir -p "$(dirname "$place")" && cp -R "$WORK/$ARCHIVE/$part" "$place.new-octostore" ||
            die "cannot write to $(dirname "$place"); as root, or with another OCTOSTORE_INSTALL_DIR?"
    done < "$WORK/places"
}

swap() {
    SWAPPING=yes
    while read -r _ place; do
        # A link, dangling or not, is something too.
        if [ -e "$place" ] || [ -h "$place" ]; then
            mv "$place" "$place.old-octostore" || return 1
        fi
        mv "$place.new-octostore" "$place" || return 1
    done < "$WORK/places"
}

restore() {
    while read -r _ place; do
        # Still beside it: this part was not replaced, at most taken away.
        if [ ! -e "$place.new-octostore" ]; then
            rm -rf "$place"
        fi
        if [ -e "$place.old-octostore" ] || [ -h "$place.old-octostore" ]; then
            mv "$place.old-octostore" "$place"
        fi
    done < "$WORK/places"
    say "nothing was changed: what was there is there again"
}

clean_up() {
    status=$?
    trap '' HUP INT TERM
    [ "$SWAPPING" = no ] || restore
    if [ -f "$WORK/places" ]; then
        while read -r _ place; do
            rm -rf "$place.new-octostore"
        done < "$WORK/places"
    fi
    rm -rf "$WORK"
    exit "$status"
}

install_it() {
    BASE=${OCTOSTORE_DOWNLOAD_BASE:-$MIRROR}
    [ -n "$BASE" ] || die "OCTOSTORE_DOWNLOAD_BASE says where releases are; it is not set"
    BASE=${BASE%/}
    find_architecture
    WORK=$(mktemp -d)
    SWAPPING=no
    trap clean_up EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    find_version
    if [ "$DRY_RUN" = yes ]; then
        echo "would install $BASE/v$VERSION/$ARCHIVE.tar.gz:"
        places | cut -d' ' -f2- | sed 's/^/  /'
        return
    fi
    download
    is_wanted "$WORK/$ARCHIVE/bin/octostore" || die "nothing was installed"
    put_beside
    swap || die "the parts cannot be put in their places"
    is_wanted "$BIN/octostore" || die "it does not work where it was installed"
    SWAPPING=no
    while read -r _ place; do
        rm -rf "$place.old-octostore"
    done < "$WORK/places"
    echo "OctoStore $VERSION is in $BIN. To try it:"
    echo
    echo "  STATIC_TOKENS=alice:a-secret-of-your-own $BIN/octostore serve"
    echo "  curl -s -X POST http://localhost:3000/elections"
    echo
    echo "A server that runs already is the new version once it is started again."
}

uninstall() {
    [ -e "$PREFIX/lib/octostore/liboctostore.so.0" ] || die "OctoStore is not installed in $BIN"
    if [ "$DRY_RUN" = yes ]; then
        echo "would remove:"
        places | cut -d' ' -f2- | sed 's/^/  /'
        return
    fi
    places | while read -r _ place; do
        rm -rf "$place"
    done
    echo "OctoStore is removed. Databases and configurations are where they were."
}

# Read as a whole before anything of it runs: it may come through a pipe that breaks.
main() {
    DRY_RUN=no
    task=install_it
    for argument in "$@"; do
        case $argument in
        --dry-run) DRY_RUN=yes ;;
        --uninstall) task=uninstall ;;
        --help | -h)
            usage
            exit 0
            ;;
        *)
            usage >&2
            exit 64
            ;;
        esac
    done
    BIN=${OCTOSTORE_INSTALL_DIR:-/usr/local/bin}
    BIN=${BIN%/}
    case $BIN in
    /*) ;;
    *) die "OCTOSTORE_INSTALL_DIR must be an absolute path" ;;
    esac
    PREFIX=$(dirname "$BIN")
    $task
}

main "$@"
