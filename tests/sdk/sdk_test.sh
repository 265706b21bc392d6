#!/bin/bash
# SPDX-License-Identifier: MIT
# sdk_test.sh BUILD SOURCE: installs BUILD into a folder of its own, builds the examples against that
# and nothing else, and uses them: the plugin in the installed server, the backend in the suite every
# backend passes and in the server.
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$work"' EXIT
prefix=$work/prefix

fail() {
    echo "FAILED: $*" >&2
    [ ! -f "$work/server.log" ] || tail -20 "$work/server.log" >&2
    exit 1
}

# start KEY=VALUE...: the installed server with this configuration; its address is in $url.
start() {
    mkdir -p "$work/run"
    rm -f "$work/server.log"
    printf '%s\n' "server.bind = 127.0.0.1:0" "log.format = json" "$@" > "$work/run/test.properties"
    (cd "$work/run" && exec "$prefix/bin/octostore" -c test.properties) > "$work/server.log" 2>&1 &
    server=$!
    local port=
    for _ in $(seq 600); do
        port=$(sed -nE 's/.*"serving","address":"127.0.0.1:([0-9]+)".*/\1/p' "$work/server.log")
        [ -n "$port" ] && break
        kill -0 "$server" 2> /dev/null || fail "the server did not start"
        sleep 0.1
    done
    url=http://127.0.0.1:$port
}

stop() {
    kill "$server"
    wait "$server" || fail "the server ended with $?"
    server=
}

cmake --install "$build" --prefix "$prefix" > "$work/install.log" || fail "it cannot be installed"
"$prefix/bin/octostore" --version > /dev/null || fail "the installed program does not find its library"
for example in hello-plugin backend-skeleton; do
    # A copy: nothing of the source tree is within reach of a relative path.
    cp -r "$source/examples/$example" "$work/$example"
    cmake -G Ninja -S "$work/$example" -B "$work/$example/build" -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_INSTALL_PREFIX="$prefix" > "$work/log" 2>&1 ||
        { cat "$work/log"; fail "$example does not configure"; }
    cmake --build "$work/$example/build" > "$work/log" 2>&1 ||
        { cat "$work/log"; fail "$example does not build"; }
    cmake --install "$work/$example/build" > /dev/null
done

"$prefix/bin/octostore" plugin inspect "$work/hello-plugin/build/hello.so" | grep -q 'verdict *good' ||
    fail "hello is refused"

enabled="accounts, auth-static, coordination-api, health, hello"
start "plugins.enabled = $enabled" "hello.greeting = Good day"
curl -sf "$url/hello" | grep -q '"greeting":"Good day"' || fail "/hello does not answer"
curl -sf "$url/readyz?verbose" | grep -q 'hello ok' || fail "its health check is not asked"
room=$(curl -sf -X POST "$url/elections" | sed -E 's/.*"election_id":"([^"]+)".*/\1/')
curl -sf "$url/elections/$room/campaign" -H 'content-type: application/json' \
    -d '{"candidate_id":"a"}' > /dev/null
for _ in $(seq 600); do
    seen=$(curl -sf "$url/hello" | sed -E 's/.*"events_seen":([0-9]+).*/\1/')
    [ "$seen" -gt 1 ] && break
    sleep 0.1
done
[ "$seen" -gt 1 ] || fail "it sees no events"
stop

"$work/backend-skeleton/build/log_backend_test" --gtest_brief=1 || fail "the backend breaks the contract"
start "plugins.enabled = $enabled" "storage.backend = log" "log.file = $work/run/store.log"
curl -sf "$url/elections/$room/campaign" -H 'content-type: application/json' \
    -d '{"candidate_id":"b","ttl_seconds":300}' | grep -q '"status":"leader"' || fail "nobody leads"
stop
start "plugins.enabled = $enabled" "storage.backend = log" "log.file = $work/run/store.log"
curl -sf "$url/elections/$room" | grep -q '"candidate_id":"b"' || fail "the lease did not survive"
stop
echo "the installed SDK builds plugins and backends that work"
