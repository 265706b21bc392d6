#!/bin/bash
# SPDX-License-Identifier: MIT
# install_test.sh SOURCE: scripts/install.sh against a mirror in a folder. The programs in its archives
# are scripts that say their version: it is the installing that is tested.
set -euo pipefail
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
export OCTOSTORE_DOWNLOAD_BASE=file://$mirror OCTOSTORE_INSTALL_DIR=$prefix/bin
# Nothing but what every system has: jq, perl and git are not to be found.
mkdir "$work/tools"
for tool in sh uname mktemp cp cut sed head tar gzip sha256sum mkdir mv rm dirname cat grep; do
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
    local top=octostore-$1-linux-$arch folder=$mirror/v$1
    rm -rf "$work/build"
    mkdir -p "$folder" "$work/build/$top"/{bin,lib/octostore,share/doc/octostore} \
        "$work/build/$top/share/bash-completion/completions"
    printf '#!/bin/sh\necho "octostore %s"\n' "${2:-$1}" > "$work/build/$top/bin/octostore"
    chmod 755 "$work/build/$top/bin/octostore"
    echo "$1" > "$work/build/$top/lib/octostore/liboctostore.so.0"
    echo "$1" > "$work/build/$top/share/doc/octostore/README.md"
    echo "$1" > "$work/build/$top/share/bash-completion/completions/octostore"
    tar -C "$work/build" -czf "$folder/$top.tar.gz" "$top"
    (cd "$folder" && sha256sum "$top.tar.gz" > SHA256SUMS)
    echo "v$1" > "$mirror/latest"
}

# run ARGUMENT...: the installer with the few tools.
run() { PATH=$work/tools sh "$installer" "$@" > "$work/said" 2>&1; }
# All that is there, with its content.
picture() { (cd "$prefix" 2> /dev/null && find . -type f | sort | xargs -r sha256sum) || true; }
# refuses TEXT: it fails, says TEXT, and leaves everything as it is.
refuses() {
    local before
    before=$(picture)
    ! run || fail "it should refuse: $1"
    grep -q "$1" "$work/said" || fail "it does not say: $1"
    [ "$(picture)" = "$before" ] || fail "refused ($1), but something changed"
    good
}
# has VERSION: all parts are of it.
has() {
    [ "$("$prefix/bin/octostore" --version)" = "octostore $1" ] || fail "the program is not $1"
    local part
    for part in lib/octostore/liboctostore.so.0 share/doc/octostore/README.md \
        share/bash-completion/completions/octostore; do
        [ "$(cat "$prefix/$part")" = "$1" ] || fail "$part is not of $1"
    done
    [ -z "$(find "$prefix" -name '*-octostore')" ] || fail "it left something beside"
    good
}

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
    OCTOSTORE_DOWNLOAD_BASE='' refuses "not set"
    OCTOSTORE_INSTALL_DIR=bin refuses "absolute"
    [ $round = fresh ] && { OCTOSTORE_VERSION=1.0.0 run || fail "a pinned version is not installed"; has 1.0.0; }
done

run || fail "it does not upgrade"
has 1.1.0
OCTOSTORE_VERSION=v1.0.0 run || fail "it does not go back to an older one"
has 1.0.0

# Fails or is interrupted after N renames, for each N there is: what was there is there again.
release 1.2.0
rm "$work/tools/mv"
real=$(command -v mv)
for how in 'exit 1' "$real \"\$@\"; kill -TERM \$PPID; exit" "$real \"\$@\"; kill -INT \$PPID; exit"; do
    for most in 1 2 3 4 5 6 7 8; do
        echo 0 > "$work/count"
        cat > "$work/tools/mv" << END
#!$(command -v bash)
read -r count < "$work/count"
echo \$((count + 1)) > "$work/count"
[ \$((count + 1)) != $most ] || { $how; }
exec $real "\$@"
END
        chmod +x "$work/tools/mv"
        refuses "nothing was changed"
        has 1.0.0
    done
done
ln -sf "$real" "$work/tools/mv"

# It works where it is unpacked, but not where it is installed.
sed -i 's|^|case $0 in */prefix/*) exit 1;; esac\n|;1!b' "$work/build/octostore-1.2.0-linux-$arch/bin/octostore"
sed -i '1s|^|#!/bin/sh\n|' "$work/build/octostore-1.2.0-linux-$arch/bin/octostore"
tar -C "$work/build" -czf "$mirror/v1.2.0/octostore-1.2.0-linux-$arch.tar.gz" "octostore-1.2.0-linux-$arch"
(cd "$mirror/v1.2.0" && sha256sum -- *.tar.gz > SHA256SUMS)
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
[ "$(cd "$prefix" && find . -type f | sort | paste -s -d' ')" = "./bin/other ./lib/octostore.db" ] ||
    fail "uninstalling leaves $(find "$prefix" -type f)"
! run --uninstall || fail "what is not there is uninstalled"
good
echo "$passed checks of install.sh"
