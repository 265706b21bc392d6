# SPDX-License-Identifier: MIT
# A bare Debian in a folder; sourced by tests that begin with play_in_debian().
# DEBIAN_MIRROR names another mirror.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/support.sh"

# play_in_debian BUILD SOURCE: the packages of both in $work/dist, and a Debian for them in $root; sets
# `build` and `source`.
play_in_debian() {
    enter_alone "$@"
    build=$1 source=$2
    package "$build" "$source"
    make_debian "$build/tests"
}

# Goes on as root with mounts of its own, which end with it; 77: that cannot be had here.
enter_alone() {
    [ "${DEBIAN_ROOT_ALONE:-}" != "$$" ] || return 0
    [ "$(id -u)" = 0 ] && command -v debootstrap > /dev/null || exit 77
    unshare --mount --propagation private true || exit 77
    rm -rf "$work"
    # exec keeps the process ID: a variable from elsewhere is none of ours.
    DEBIAN_ROOT_ALONE=$$ exec unshare --mount --propagation private "$0" "$@"
}

# make_debian FOLDER: makes $work/root; a copy is kept in FOLDER for a day. 77: no mirror answers.
make_debian() {
    local kept=$1/debian-root.tar
    root=$work/root
    if [ -z "$(find "$kept" -mmin -1440 2> /dev/null)" ]; then
        debootstrap --variant=minbase --include=ca-certificates,libssl3 bookworm "$work/fresh" \
            "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" > "$work/log" 2>&1 ||
            { tail -n 3 "$work/log"; exit 77; }
        tar -C "$work/fresh" -cf "$kept.new" .
        mv "$kept.new" "$kept"
        rm -rf --one-file-system "$work/fresh"
    fi
    mkdir "$root"
    tar -C "$root" -xf "$kept"
    mount -t proc proc "$root/proc"
}

# inside COMMAND...: in that Debian, with nothing of this environment.
inside() {
    chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
# inside_quietly COMMAND...: what it says is for when it fails.
inside_quietly() { inside "$@" >> "$work/log" 2>&1; }
