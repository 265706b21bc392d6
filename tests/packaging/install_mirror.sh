# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What the tests of scripts/install.sh share: a mirror in a folder, whose programs are scripts that say
# their version, and what is looked at after a run. Read by `. install_mirror.sh`, after $1 is SOURCE.
installer=$1/scripts/install.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mirror=$work/mirror
prefix=$work/prefix
case $(uname -m) in
x86_64) arch=amd64 ;;
aarch64) arch=arm64 ;;
*) exit 77 ;;
esac
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
export OCTOSTORE_DOWNLOAD_BASE=file://$mirror OCTOSTORE_INSTALL_DIR=$prefix/bin
# Nothing but what every system has: jq, perl and git are not to be found.
mkdir "$work/tools"
for tool in sh uname mktemp cp cut sed head tar gzip sha256sum mkdir mv rm rmdir dirname cat grep; do
    ln -s "$(command -v $tool)" "$work/tools/"
done

passed=0
fail() {
    echo "FAILED: $*" >&2
    cat "$work/said" >&2
    exit 1
}
# The last check held.
good() { passed=$((passed + 1)); }

# release VERSION [SAYS]: an archive whose program says SAYS.
release() {
    local top=octostore-$1-linux-$arch
    rm -rf "$work/build"
    mkdir -p "$mirror/v$1" "$work/build/$top"/{bin,lib/octostore,share/doc/octostore} \
        "$work/build/$top/share/bash-completion/completions"
    printf '#!/bin/sh\necho "octostore %s"\n' "${2:-$1}" > "$work/build/$top/bin/octostore"
    chmod 755 "$work/build/$top/bin/octostore"
    echo "$1" > "$work/build/$top/lib/octostore/liboctostore.so.0"
    echo "$1" > "$work/build/$top/share/doc/octostore/README.md"
    echo "$1" > "$work/build/$top/share/bash-completion/completions/octostore"
    pack "$1"
    echo "v$1" > "$mirror/latest"
}
# pack VERSION: what lies in $work/build becomes its release.
pack() {
    local top=octostore-$1-linux-$arch
    tar -C "$work/build" -czf "$mirror/v$1/$top.tar.gz" "$top"
    (cd "$mirror/v$1" && sha256sum "$top.tar.gz" > SHA256SUMS)
}

# works_nowhere_else VERSION: the release made last runs where it is unpacked, not where it is installed.
works_nowhere_else() {
    sed -i '2s|^|case $0 in */prefix/*) exit 1;; esac\n|' "$work/build/octostore-$1-linux-$arch/bin/octostore"
    pack "$1"
}

# run ARGUMENT...: the installer with the few tools.
run() { PATH=$work/tools sh "$installer" "$@" > "$work/said" 2>&1; }
# All that is there, folders too, with its content.
picture() {
    (cd "$prefix" 2> /dev/null && find . ! -type f | sort && find . -type f | sort | xargs -r sha256sum) ||
        true
}
# refuses TEXT: it fails, says TEXT, and leaves everything as it is.
refuses() {
    local before
    before=$(picture)
    ! run || fail "it should refuse: $1"
    grep -q "$1" "$work/said" || fail "it does not say: $1"
    [ "$(picture)" = "$before" ] || fail "refused ($1), but something changed"
    good
}
# has VERSION [LEFT]: all parts are of it, and nothing lies beside them, or what LEFT is given for.
has() {
    [ "$("$prefix/bin/octostore" --version)" = "octostore $1" ] || fail "the program is not $1"
    local part
    for part in lib/octostore/liboctostore.so.0 share/doc/octostore/README.md \
        share/bash-completion/completions/octostore; do
        [ "$(cat "$prefix/$part")" = "$1" ] || fail "$part is not of $1"
    done
    [ -n "${2:-}" ] || [ -z "$(find "$prefix" -name '*-octostore')" ] || fail "it left something beside"
    good
}
