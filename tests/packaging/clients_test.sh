#!/bin/bash
# SPDX-License-Identifier: MIT
# clients_test.sh PROGRAM SOURCE: each example client whose interpreter is here leads, hands over when
# it is asked to end, stops when its resource has seen a higher term, and when the server is gone.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/support.sh"
program=$1 clients=$2/examples/clients
export TTL=15 # a machine may stand still for seconds
fail() {
    echo "FAILED: $*" >&2
    tail -n 5 "$work"/*.out "$work"/*.err "$work/log" >&2
    exit 1
}

start_server "$program" serve --set server.bind=127.0.0.1:0 --set log.format=json \
    --set "storage.database=$work/octostore.db"
url=http://127.0.0.1:$port

languages=()
declare -A run=()
known() {
    command -v "$2" > /dev/null || { echo "not here: $2"; return 0; }
    languages+=("$1")
    run[$1]=${*:3}
}
known python python3 python3 "$clients/leader.py"
known javascript node node "$clients/leader.mjs"
known shell curl sh "$clients/leader.sh"
# Built first: `go run` would stand between the client and its signals.
if command -v go > /dev/null && ! GOFLAGS=-mod=mod GOTOOLCHAIN=local go build -o "$work/leader" "$clients/leader.go"; then
    fail "leader.go does not build"
fi
known go go "$work/leader"

# start LANGUAGE CANDIDATE
start() {
    ${run[$1]} "$url" "${room[$1]}" "$2" "$work/$1.resource" > "$work/$1-$2.out" 2> "$work/$1-$2.err" &
    pid[$1-$2]=$!
}
leads() { grep -q '^leader ' "$work/$1-$2.out"; }
term() { sed -n 's/^leader //p' "$work/$1-$2.out"; }
works() { grep -qs "^[0-9]* $2$" "$work/$1.resource"; }
# ended LANGUAGE CANDIDATE STATUS
ended() {
    local status=0
    wait "${pid[$1-$2]}" || status=$?
    [ "$status" = "$3" ] || fail "$1: $2 ended with $status, not $3"
}

declare -A room=() pid=()
for language in "${languages[@]}"; do
    room[$language]=$(curl -sf -X POST "$url/elections" | sed -E 's/.*"election_id":"([^"]+)".*/\1/')
    start "$language" a
done
for language in "${languages[@]}"; do
    until_true works "$language" a || fail "$language: a does not work"
    start "$language" b
    start "$language" stale
done
for language in "${languages[@]}"; do
    kill -TERM "${pid[$language-a]}"
    ended "$language" a 0
    next() { works "$language" b || works "$language" stale; }
    until_true next || fail "$language: nobody leads after a"
    second=b
    works "$language" b || second=stale
    [ "$(term "$language" $second)" -gt "$(term "$language" a)" ] || fail "$language: the term does not grow"
    # Somebody with a higher term has written.
    echo "9999999 another" > "$work/another"
    mv "$work/another" "$work/$language.resource"
    ended "$language" $second 1
    grep -q 'refused: term 9999999' "$work/$language-$second.err" || fail "$language: a stale term writes"
    grep -q '^9999999 another$' "$work/$language.resource" || fail "$language: it wrote after all"
    rm "$work/$language.resource"
done
# The other one leads when the lease of the one that was refused has run out.
for language in "${languages[@]}"; do
    third() { works "$language" b || works "$language" stale; }
    until_true third || fail "$language: nobody leads after an expiry"
done
kill -9 "$server"
wait "$server" 2> /dev/null || true
for language in "${languages[@]}"; do
    last=b
    [ "$(cut -d' ' -f2 < "$work/$language.resource")" = b ] || last=stale
    ended "$language" $last 1
    grep -q lost "$work/$language-$last.err" || fail "$language: it does not say that it lost"
done
echo "clients that lead, hand over and stop: ${languages[*]}"
