#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs, upgrades or removes OctoStore: install.sh [--dry-run | --uninstall | --help]
#
# OCTOSTORE_DOWNLOAD_BASE  where releases are: https://... or file:///...; BASE/latest holds the tag
#                          of the newest, BASE/vX.Y.Z/ its files. There is no place that is always
#                          there, so it has no default; only the install.sh that a mirror offers
#                          has one, that mirror (scripts/package.sh)
# OCTOSTORE_VERSION        the version wanted, as 1.2.3 (the newest)
# OCTOSTORE_INSTALL_DIR    where the program goes (/usr/local/bin); the rest goes to ../lib and ../share
#
# It starts nothing, makes no credential and touches no data. An upgrade that fails, or is
# interrupted, leaves what was there.
set -eu

MIRROR=

# What is installed, relative to the folder above the program's. Each is replaced as a whole.
PARTS="lib/octostore share/doc/octostore share/bash-completion/completions/octostore"

# HUP, INT, QUIT, PIPE, ALRM, TERM
SIGNALS="1 2 3 13 14 15"

# Nobody may be listening any more: that stops nothing.
say() { echo "install.sh: $*" >&2 || true; }
die() {
    say "$*"
    exit 1
}

usage() {
    echo "Usage: install.sh [--dry-run | --uninstall | --help]"
    echo
    echo "OCTOSTORE_DOWNLOAD_BASE  where releases are: https://... or file:///... (${MIRROR:-required: this install.sh knows no mirror})"
    echo "OCTOSTORE_VERSION        the version wanted (the newest)"
    echo "OCTOSTORE_INSTALL_DIR    where the program goes (/usr/local/bin)"
}

# fetch ADDRESS FILE
fetch() {
    case $1 in
    file://*) cp "${1#file://}" "$2" 2> /dev/null ;;
    https://* | http://localhost[:/]* | http://127.0.0.1[:/]*)
        if command -v curl > /dev/null; then
            curl -fsSL --proto-redir =https --retry 3 -o "$2" "$1"
        elif command -v wget > /dev/null; then
            # It cannot be told to follow to https only.
            wget -q --max-redirect=0 -O "$2" "$1"
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

reverse() { sed '1!G;h;$!d' "$1"; }

# make_folder FOLDER: with those above it. Which were made is in $WORK/made, those above first.
make_folder() {
    [ -d "$1" ] ||
        { make_folder "$(dirname "$1")" && mkdir "$1" && echo "$1" >> "$WORK/made"; }
}

# Only what is empty goes.
remove_folders() {
    reverse "$1" | while read -r folder; do
        rmdir "$folder" 2> /dev/null || true
    done
}

# A link, dangling or not, is something too.
is_there() { [ -e "$1" ] || [ -h "$1" ]; }

# bring_back PLACE: by renaming only, and good to be done again where it was interrupted: what is not
# beside its place any more was put there.
bring_back() {
    is_there "$1.new-octostore" || ! is_there "$1" || mv "$1" "$1.new-octostore" || return 1
    ! is_there "$1.old-octostore" || mv "$1.old-octostore" "$1"
}

# Leaves nothing beside the places: a swap that was not completed, by this run or by one that was
# killed, is undone first.
settle() {
    if [ -e "$MARK" ]; then
        while read -r _ place; do
            bring_back "$place" || return 1
        done < "$WORK/places"
        rm -f "$MARK" || return 1
    fi
    while read -r _ place; do
        rm -rf "$place.new-octostore" "$place.old-octostore" || return 1
    done < "$WORK/last"
}

# What a run that was killed left is put right before anything is changed.
take_over() {
    TOUCHING=yes
    [ ! -e "$MARK" ] || say "an earlier run was cut off; it is undone first"
    settle || die "what an earlier run left in $PREFIX cannot be put right"
}

# Beside its place, so that moving it there is one rename.
put_beside() {
    while read -r part place; do
        make_folder "$(dirname "$place")" && cp -R "$WORK/$ARCHIVE/$part" "$place.new-octostore" ||
            die "cannot write to $(dirname "$place"); as root, or with another OCTOSTORE_INSTALL_DIR?"
    done < "$WORK/places"
    # Removing OctoStore removes them too, and those that earlier versions made.
    for list in "$PREFIX/lib/octostore/folders" "$WORK/made"; do
        [ ! -f "$list" ] || cat "$list" >> "$PREFIX/lib/octostore.new-octostore/folders" ||
            die "cannot write to $PREFIX/lib"
    done
}

# From the first rename on there is the mark; taking it away completes the swap.
swap() {
    : > "$MARK" || return 1
    while read -r _ place; do
        if is_there "$place"; then
            mv "$place" "$place.old-octostore" || return 1
        fi
        mv "$place.new-octostore" "$place" || return 1
    done < "$WORK/places"
}

clean_up() {
    status=$?
    set +e
    trap '' $SIGNALS
    if [ "$TOUCHING" = yes ]; then
        outcome=
        [ ! -e "$MARK" ] || outcome="nothing was changed: what was there is there again"
        settle || outcome="something is left beside its place; the next run of install.sh removes it"
        [ ! -e "$MARK" ] || outcome="not all is in its place again; the next run of install.sh tries to"
        [ -z "$outcome" ] || say "$outcome"
        remove_folders "$WORK/made"
    fi
    rm -rf "$WORK"
    exit "$status"
}

# From here on whatever ends this runs clean_up.
begin() {
    WORK=$(mktemp -d)
    MARK=$BIN/octostore.swap-octostore
    TOUCHING=no
    trap clean_up EXIT
    for signal in $SIGNALS; do
        trap "exit $((128 + signal))" "$signal"
    done
    places > "$WORK/places"
    # The library last: while it is there, removing can be done again.
    reverse "$WORK/places" > "$WORK/last"
    : > "$WORK/made"
}

install_it() {
    BASE=${OCTOSTORE_DOWNLOAD_BASE:-$MIRROR}
    [ -n "$BASE" ] || die "where are the releases? OCTOSTORE_DOWNLOAD_BASE is not set, and this" \
        "install.sh knows no mirror of its own; set it to https://... or file:///..., or take the" \
        "install.sh that a mirror offers"
    BASE=${BASE%/}
    find_architecture
    begin
    find_version
    if [ "$DRY_RUN" = yes ]; then
        echo "would install $BASE/v$VERSION/$ARCHIVE.tar.gz:"
        places | cut -d' ' -f2- | sed 's/^/  /'
        return
    fi
    download
    is_wanted "$WORK/$ARCHIVE/bin/octostore" || die "nothing was installed"
    take_over
    put_beside
    swap || die "the parts cannot be put in their places"
    is_wanted "$BIN/octostore" || die "it does not work where it was installed"
    rm -f "$MARK"
    echo "OctoStore $VERSION is in $BIN. To try it:"
    echo
    echo "  STATIC_TOKENS=alice:a-secret-of-your-own $BIN/octostore serve"
    echo "  curl -s -X POST http://localhost:3000/elections"
    echo
    echo "A server that runs already is the new version once it is started again."
}

# anything_here: the library, or what a run that was killed left.
anything_here() {
    if [ -e "$PREFIX/lib/octostore/liboctostore.so.0" ] || [ -e "$MARK" ]; then
        return 0
    fi
    while read -r _ place; do
        if is_there "$place.new-octostore" || is_there "$place.old-octostore"; then
            return 0
        fi
    done < "$WORK/places"
    return 1
}

uninstall() {
    begin
    anything_here || die "OctoStore is not installed in $BIN"
    if [ "$DRY_RUN" = yes ]; then
        echo "would remove:"
        places | cut -d' ' -f2- | sed 's/^/  /'
        return
    fi
    for list in "$PREFIX/lib/octostore.old-octostore/folders" "$PREFIX/lib/octostore/folders"; do
        [ ! -f "$list" ] || cat "$list" >> "$WORK/made"
    done
    take_over
    while read -r _ place; do
        ! is_there "$place" || mv "$place" "$place.old-octostore"
    done < "$WORK/last"
    settle || die "not all in $PREFIX can be removed"
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
    # Else the next file that is opened would become what messages go to.
    (true >&2) || exec 2> /dev/null
    $task
}

main "$@"
