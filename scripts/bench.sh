#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures the release build against its budgets: scripts/bench.sh [--list] [--no-build] [SECTION...]
# Without a section all of them run, in the order listed. What is compared with etcd, PostgreSQL or
# the bare disk is measured in the same run, on the same file system, one after the other.
# BENCH_DIR: where files go (build/bench). BENCH_SECONDS: how long each load is measured (10).
# BENCH_ROUNDS: how often what is compared takes turns (3); a row has the median and the range.
# Only figures from an otherwise idle machine mean anything against a budget: whoever is woken by
# the disk waits for a processor behind everybody else, a tick (4 ms) or more each time.
# BENCH_TRANSPORT: beast or poco (what the server takes by default).
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$ROOT/scripts/packages.sh"
. "$ROOT/scripts/bench_peers.sh"

BENCH_PACKAGES=(curl etcd-client etcd-server jq postgresql procps)
PROGRAM=$ROOT/build/release/bin/octostore
SCENARIOS=$ROOT/build/release/tests/bench_scenarios
SECONDS_EACH=${BENCH_SECONDS:-10}
ROUNDS=${BENCH_ROUNDS:-3}
export OCTOSTORE_TOKEN=bench-token-of-no-worth

list() {
    cat << 'END'
disk        the floor: a loop of 4 KiB fdatasync
start       start-up and memory of an empty store
acquire     durable acquires and status reads, 64 connections, beside etcd and PostgreSQL
pair        acquire and release on one connection
many        acquires with 512 connections, beside etcd with its own client
handover    from release, and from expiry, to the next waiter
storm       renewals while 100,000 leases end in one second
crowd       9,000 idle connections and 9,000 waiters
streams     9,000 watch streams, each change seen by all of a room
webhooks    1,000 changes a second to 10 receivers, and acquires while 50 receivers hang
million     1,000,000 live leases: memory, restart, acquires
END
}

# row WHAT MEASURED BUDGET
row() { echo "| $1 | $2 | $3 |" | tee -a "$TABLE"; }
note() { echo "   $*" >&2; }
calc() { awk "BEGIN { printf \"%.*f\", ${2:-1}, $1 }"; }
field() { jq -r "$2" <<< "$1"; }
# milliseconds FROM-MICROSECONDS
milliseconds() { calc "$1 / 1000" 2; }

# median NUMBER... and spread NUMBER...: `12.3` and `11.0 to 14.1`
median() { printf '%s\n' "$@" | sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
spread() { printf '%s\n' "$@" | sort -g | sed -n '1p;$p' | paste -s -d' ' | sed 's/ / to /'; }
is_shared() { awk -v most="$(nproc)" '{ exit !($1 > most) }' /proc/loadavg; }
load_average() { cut -d' ' -f1 /proc/loadavg; }
fdatasync_us() {
    field "$("$SCENARIOS" disk --directory "$WORK" --milliseconds 500)" .p50_us
}

# start_server NAME [KEY=VALUE...]: sets SERVER_PID, URL and START_MS.
start_server() {
    local directory=$WORK/$1 from
    shift
    mkdir -p "$directory"
    {
        echo "server.bind = 127.0.0.1:0"
        echo "storage.database = $directory/octostore.db"
        echo "auth.static.bench.token = $OCTOSTORE_TOKEN"
        echo "elections.requests_per_minute = 4000000000"
        echo "elections.max = 100000000"
        echo "locks.per_principal_max = 100000000"
        echo "http.keepalive_timeout = 1h"
        echo "log.level = info"
        echo "log.format = json"
        [ -z "${BENCH_TRANSPORT:-}" ] || echo "http.transport = $BENCH_TRANSPORT"
        local setting
        for setting in "$@"; do echo "$setting"; done
    } > "$directory/octostore.properties"
    chmod 600 "$directory/octostore.properties"
    : > "$directory/log"
    from=$(date +%s%N)
    "$PROGRAM" serve --config "$directory/octostore.properties" >> "$directory/log" 2>&1 &
    SERVER_PID=$!
    local port=
    while [ -z "$port" ]; do
        kill -0 "$SERVER_PID" 2> /dev/null || { cat "$directory/log" >&2; return 1; }
        port=$(sed -n 's/.*"msg":"serving".*"address":"[^"]*:\([0-9]*\)".*/\1/p;
                       s/.*"address":"[^"]*:\([0-9]*\)".*"msg":"serving".*/\1/p' \
            "$directory/log" | head -1)
        [ -n "$port" ] || sleep 0.002
    done
    START_MS=$((($(date +%s%N) - from) / 1000000))
    URL=http://127.0.0.1:$port
}

# stop_server [SIGNAL]
stop_server() {
    kill "-${1:-TERM}" "$SERVER_PID"
    wait "$SERVER_PID" 2> /dev/null || true
    SERVER_PID=
}

# bench KIND [OPTION...]: one JSON object.
bench() { "$PROGRAM" bench "$1" --server "$URL" --json --duration "$SECONDS_EACH" "${@:2}"; }
scenario() { "$SCENARIOS" "$1" --server "$URL" --seconds "$SECONDS_EACH" "${@:2}"; }
resident_kib() { awk '/^VmRSS/ { print $2 }' "/proc/$SERVER_PID/status"; }
# Of the server, in milliseconds: others on the machine change it little.
cpu_ms() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000 / hz }' "/proc/$SERVER_PID/stat"; }
# cpu_each BEFORE-MS PER-SECOND: microseconds for each request of one bench(), with its warm-up.
cpu_each() { calc "1000 * ($(cpu_ms) - $1) / ($2 * ($SECONDS_EACH + 1))" 1; }
threads() { awk '/^Threads/ { print $2 }' "/proc/$SERVER_PID/status"; }
descriptors() { ls "/proc/$SERVER_PID/fd" | wc -l; }
# until_open COUNT: the server has so many descriptors, or two minutes are over: the figures tell.
until_open() {
    local patience=120
    while [ "$(descriptors)" -lt "$1" ] && [ $((patience--)) -gt 0 ]; do
        sleep 1
    done
}

section_disk() {
    local result
    result=$("$SCENARIOS" disk --directory "$WORK" --seconds 3)
    row "4 KiB fdatasync, nothing else" \
        "p50 $(milliseconds "$(field "$result" .p50_us)") ms, p99 $(milliseconds "$(field "$result" .p99_us)") ms" "-"
    row "of its mean, waiting for a processor" \
        "$(milliseconds "$(field "$result" .waiting_us)") of $(milliseconds "$(field "$result" .mean_us)") ms" "0 on an idle machine"
}

section_start() {
    start_server start
    row "start-up on an empty store" "$START_MS ms, of processor time $(cpu_ms) ms" "≤ 100 ms"
    sleep 1
    row "idle memory" "$(calc "$(resident_kib) / 1024") MiB" "≤ 25 MiB"
    stop_server
}

section_acquire() {
    local acquires puts upserts reads round
    local cpu costs=() rates=() p99s=() reads_each=() etcds=() postgres_rates=() over_etcd=() over_postgres=() ratio=()
    start_server acquire
    for ((round = 1; round <= ROUNDS; ++round)); do
        note "round $round of $ROUNDS"
        cpu=$(cpu_ms)
        acquires=$(bench acquire --connections 64)
        costs+=("$(cpu_each "$cpu" "$(field "$acquires" .operations.acquire.per_second)")")
        reads=$(bench status --connections 64)
        puts=$(etcd_puts)
        upserts=$(postgres_upserts)
        rates+=("$(field "$acquires" .operations.acquire.per_second)")
        p99s+=("$(milliseconds "$(field "$acquires" .operations.acquire.p99_us)")")
        reads_each+=("$(field "$reads" .operations.status.per_second)")
        etcds+=("$(field "$puts" .per_second)")
        postgres_rates+=("$upserts")
        over_etcd+=("$(calc "${rates[-1]} / ${etcds[-1]}" 2)")
        over_postgres+=("$(calc "${rates[-1]} / $upserts" 2)")
        ratio+=("$(calc "${reads_each[-1]} / ${rates[-1]}" 2)")
    done
    stop_server
    row "durable acquire, 64 connections, distinct names" "$(calc "$(median "${rates[@]}")" 0)/s" "-"
    row "its p99" "$(median "${p99s[@]}") ms ($(spread "${p99s[@]}"))" "≤ 10 ms"
    row "the server's processor time for each" "$(median "${costs[@]}") µs ($(spread "${costs[@]}"))" "-"
    row "etcd put through the JSON gateway, 64 connections" "$(calc "$(median "${etcds[@]}")" 0)/s" "-"
    row "acquires for each etcd put" "$(median "${over_etcd[@]}") × ($(spread "${over_etcd[@]}"))" "≥ 4 ×"
    row "PostgreSQL single-row upsert, 64 clients of pgbench" "$(median "${postgres_rates[@]}")/s" "-"
    row "acquires for each PostgreSQL upsert" "$(median "${over_postgres[@]}") × ($(spread "${over_postgres[@]}"))" "-"
    row "status reads, 64 connections" "$(calc "$(median "${reads_each[@]}")" 0)/s" "-"
    row "status reads for each durable acquire" "$(median "${ratio[@]}") × ($(spread "${ratio[@]}"))" "≥ 1.2 ×"
}

section_many() {
    local acquires rate puts
    start_server many
    acquires=$(bench acquire --connections 512)
    stop_server
    rate=$(field "$acquires" .operations.acquire.per_second)
    row "durable acquire, 512 connections" \
        "$(calc "$rate" 0)/s, p99 $(milliseconds "$(field "$acquires" .operations.acquire.p99_us)") ms" "-"
    puts=$(etcd_own_puts)
    row "etcd put by its own client and protocol, 1,000 clients that ask for 15,000/s at most" "$puts/s" "-"
    row "acquires, 512 connections, for each of these puts" "$(calc "$rate / $puts" 2) ×" "-"
}

section_pair() {
    local result round pairs=() syncs=() quiet_pair quiet_sync
    start_server pair
    # Many short turns: what takes 0.1 ms now takes 4 ms when somebody else has the processor.
    for ((round = 1; round <= 4 * ROUNDS; ++round)); do
        syncs+=("$(milliseconds "$(fdatasync_us)")")
        result=$("$PROGRAM" bench locks --connections 1 --server "$URL" --json --duration 500ms)
        pairs+=("$(milliseconds "$(calc "$(field "$result" .operations.acquire.p50_us) + $(field "$result" .operations.release.p50_us)" 0)")")
    done
    stop_server
    read -r quiet_pair _ <<< "$(spread "${pairs[@]}")"
    read -r quiet_sync _ <<< "$(spread "${syncs[@]}")"
    row "acquire + release, 1 connection, p50, quietest turn" "$quiet_pair ms (all: $(spread "${pairs[@]}"))" \
        "≤ 0.5 ms where fdatasync takes 0.1 ms"
    row "one fdatasync between them, p50, quietest turn" "$quiet_sync ms (all: $(spread "${syncs[@]}"))" "-"
    if is_shared; then
        row "the pair in times of one fdatasync" "not told: the processors were shared" "≤ 5 ×"
    else
        row "the pair in times of one fdatasync" "$(calc "$quiet_pair / $quiet_sync" 2) ×" "≤ 5 ×"
    fi
}

section_handover() {
    local released expired
    start_server handover
    released=$(scenario hand-over --rooms 16)
    expired=$("$SCENARIOS" expiry --server "$URL" --seconds 18 --rooms 100)
    stop_server
    row "hand-over after release, 16 rooms at once, p99" \
        "$(milliseconds "$(field "$released" .gap.p99_us)") ms (p50 $(milliseconds "$(field "$released" .gap.p50_us)") ms)" "≤ 5 ms"
    row "hand-over after expiry, 100 rooms at once: behind the deadline, p99" \
        "$(milliseconds "$(field "$expired" .gap.p99_us)") ms (p50 $(milliseconds "$(field "$expired" .gap.p50_us)") ms)" "≤ 50 ms"
}

section_storm() {
    local result
    start_server storm
    result=$(scenario storm --names 100000)
    stop_server
    row "renew p99 while 100,000 leases end in one second" \
        "$(milliseconds "$(field "$result" .during.p99_us)") ms (before: $(milliseconds "$(field "$result" .before.p99_us)") ms)" "≤ 50 ms"
}

section_crowd() {
    local idle waiting result before
    start_server crowd
    before=$(threads)
    "$SCENARIOS" crowd --server "$URL" --idle 9000 < <(sleep 600) > /dev/null &
    idle=$!
    "$SCENARIOS" crowd --server "$URL" --waiters 9000 < <(sleep 600) > /dev/null &
    waiting=$!
    until_open 18000
    result=$(bench renew --connections 1)
    row "9,000 idle connections and 9,000 waiters: resident memory" \
        "$(calc "$(resident_kib) / 1024") MiB, $(threads) threads ($before before), $(descriptors) descriptors" \
        "≤ 400 MiB, no thread per client"
    row "a leader's renew meanwhile, p99" \
        "$(milliseconds "$(field "$result" .operations.renew.p99_us)") ms" "≤ 20 ms"
    kill "$idle" "$waiting"
    wait "$idle" "$waiting" 2> /dev/null || true
    stop_server
}

section_streams() {
    local before result renews running
    start_server streams "elections.watch.streams_per_client = 100000" \
        "elections.watch.streams_global = 100000"
    before=$(threads)
    "$SCENARIOS" streams --server "$URL" --streams 9000 --rooms 16 --seconds $((2 * SECONDS_EACH)) \
        > "$WORK/streams.json" &
    running=$!
    until_open 9000
    renews=$(bench renew --connections 1)
    row "9,000 watch streams: resident memory" \
        "$(calc "$(resident_kib) / 1024") MiB, $(threads) threads ($before before)" \
        "≤ 400 MiB, no thread per client"
    row "a leader's renew meanwhile, p99" \
        "$(milliseconds "$(field "$renews" .operations.renew.p99_us)") ms" "≤ 20 ms"
    wait "$running"
    result=$(cat "$WORK/streams.json")
    row "streams that missed or repeated a change, of $(field "$result" .transitions) changes" \
        "$(field "$result" .wrong_streams), out of order $(field "$result" .disordered)" "0"
    row "from asking for a change until all of its room have seen it, p99" \
        "$(milliseconds "$(field "$result" .spread.p99_us)") ms (p50 $(milliseconds "$(field "$result" .spread.p50_us)") ms)" "-"
    stop_server
}

section_webhooks() {
    local result before allowed=("webhooks.egress.allow.cidrs = 127.0.0.0/8"
        "webhooks.per_account = 100")
    start_server webhooks "${allowed[@]}"
    before=$(resident_kib)
    result=$(scenario webhooks --hooks 10)
    row "changes each delivered to 10 receivers: asked for 1,000/s, made" \
        "$(calc "$(field "$result" .changes_per_second)" 0)/s, $(field "$result" .changes) in all" "1,000/s"
    row "changes that a receiver missed, and deliveries that came twice" \
        "$(field "$result" .missing), $(calc "$(field "$result" .requests) - 10 * $(field "$result" .changes)" 0)" "0, 0"
    row "the furthest that the slowest receiver was behind" \
        "$(field "$result" .behind_most) changes" "-"
    row "until it had caught up after the last change" \
        "$(calc "$(field "$result" .caught_up_ms)" 0) ms; the server grew by $(calc "($(resident_kib) - $before) / 1024") MiB" "-"
    stop_server
    start_server hanging "${allowed[@]}"
    result=$(scenario hanging --hooks 50)
    row "acquire while 50 receivers hang, against before, p50 and p99" \
        "$(calc "$(field "$result" .p50_ratio)" 2) × ($(milliseconds "$(field "$result" .during_p50_us)") ms), $(calc "$(field "$result" .p99_ratio)" 2) × ($(milliseconds "$(field "$result" .during_p99_us)") ms)" "1 ×"
    row "a receiver that answers, meanwhile" \
        "missed $(field "$result" .good_missing) of $(field "$result" .changes_meanwhile) changes, had all $(calc "$(field "$result" .good_caught_up_ms)" 0) ms after the last" "0"
    stop_server
}

section_million() {
    local few many few_cost many_cost empty full seconds cpu
    start_server thousand
    empty=$(resident_kib)
    scenario fill --names 1000 > /dev/null
    cpu=$(cpu_ms)
    few=$(field "$(bench acquire --connections 64 --ttl 5)" .operations.acquire.per_second)
    few_cost=$(cpu_each "$cpu" "$few")
    stop_server
    start_server million
    seconds=$(field "$(scenario fill --names 1000000)" .seconds)
    note "1,000,000 leases in $(calc "$seconds") s"
    # The allocator gives back what is free within a second.
    sleep 2
    full=$(resident_kib)
    row "memory of 1,000,000 live leases" \
        "$(calc "($full - $empty) * 1024 / 1000000" 0) bytes each" "≤ 600 bytes each"
    stop_server KILL
    start_server million
    row "restart with 1,000,000 live leases, after kill -9" \
        "$(calc "$START_MS / 1000" 2) s, of processor time $(calc "$(cpu_ms) / 1000" 2) s" "≤ 5 s"
    sleep 2
    row "memory after that restart" \
        "$(calc "($(resident_kib) - $empty) * 1024 / 1000000" 0) bytes each" "≤ 600 bytes each"
    cpu=$(cpu_ms)
    many=$(field "$(bench acquire --connections 64 --ttl 5)" .operations.acquire.per_second)
    many_cost=$(cpu_each "$cpu" "$many")
    row "acquires with 1,000,000 live leases" \
        "$(calc "$many" 0)/s, $(calc "100 * ($many / $few - 1)" 0) % against 1,000" "± 20 %"
    row "the server's processor time for each" "$many_cost µs, with 1,000 $few_cost µs" "-"
    stop_server
}

if [ "${1:-}" = --list ]; then
    list
    exit 0
fi
build_first=true
if [ "${1:-}" = --no-build ]; then
    build_first=false
    shift
fi
mapfile -t known < <(list | cut -d' ' -f1)
sections=("$@")
[ "${#sections[@]}" = 0 ] && sections=("${known[@]}")
for section in "${sections[@]}"; do
    if [[ " ${known[*]} " != *" $section "* ]]; then
        echo "bench.sh: no section \"$section\"; see --list" >&2
        exit 64
    fi
done

need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}" "${BENCH_PACKAGES[@]}"
if $build_first; then
    configure release -DOCTOSTORE_TESTS=ON >&2
    build release octostore_server bench_scenarios >&2
fi
ulimit -n "$(ulimit -Hn)"
mkdir -p "${BENCH_DIR:-$ROOT/build/bench}"
WORK=$(mktemp -d "${BENCH_DIR:-$ROOT/build/bench}/run.XXXXXX")
TABLE=$WORK/table.md
SERVER_PID=
clean_up() {
    local pids
    pids=$(jobs -p)
    # shellcheck disable=SC2086
    [ -z "$pids" ] || kill $pids 2> /dev/null || true
    wait
    rm -rf "$WORK"
}
trap clean_up EXIT

echo "$(nproc) processors ($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)), $(stat -f -c %T "$WORK"), Linux $(uname -r), $SECONDS_EACH s each, load average $(load_average) before"
echo
row "what" "measured" "budget"
row "---" "---" "---"
for section in "${sections[@]}"; do
    note "$section"
    "section_$section"
done
echo
echo "load average $(load_average) after; above $(nproc) the processors were shared: then times say nothing about the budgets"
