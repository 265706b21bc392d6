# SPDX-License-Identifier: MIT
# What the tests of packages share; sourced. `work` is a folder that is gone at the end, with what
# runs; `$work/log` is shown when something fails.
work=$(mktemp -d)
server=
port=
clean_up() {
    # shellcheck disable=SC2046
    kill -9 $(jobs -p) 2> /dev/null || true
    [ ! -d "$work/root/proc/self" ] || umount "$work/root/proc"
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT

fail() {
    echo "FAILED: $*" >&2
    [ ! -f "$work/log" ] || tail -n 20 "$work/log" >&2
    exit 1
}

# until_true COMMAND...: a guard, no measure.
until_true() {
    for _ in $(seq 1200); do
        "$@" && return
        sleep 0.05
    done
    return 1
}

# start_server COMMAND...: one that logs JSON; sets `server` and `port`.
start_server() {
    : > "$work/log"
    "$@" > "$work/log" 2>&1 &
    server=$!
    serves_or_ended() { grep -q '"serving","address"' "$work/log" || ! kill -0 "$server" 2> /dev/null; }
    until_true serves_or_ended || fail "the server does not start"
    port=$(sed -nE 's/.*"serving","address":"[^"]*:([0-9]+)".*/\1/p' "$work/log")
    [ -n "$port" ] || fail "the server does not start"
}

stop_server() {
    local status=0
    kill "$server"
    wait "$server" || status=$?
    server=
    [ "$status" = 0 ] || fail "the server ends with $status"
}

# package BUILD SOURCE: into $work/dist; sets `architecture`, `version` and `top`.
package() {
    "$2/scripts/package.sh" "$1" "$work/dist" > "$work/log" 2>&1 || fail "package.sh"
    architecture=$(dpkg --print-architecture)
    version=$(basename "$work"/dist/octostore-*.tar.gz "-linux-$architecture.tar.gz")
    version=${version#octostore-}
    top=octostore-$version-linux-$architecture
}
