#!/bin/bash
# SPDX-License-Identifier: MIT
# The checks that take longer than scripts/test.sh may: scripts/verify.sh [--list | STAGE...]
# Without a stage all of them run, in the order listed.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$ROOT/scripts/packages.sh"

# test.sh judges a change by the same random tests each time; here they are new ones.
export OCTOSTORE_TEST_SEED=${OCTOSTORE_TEST_SEED:-random}

list() {
    cat << 'END'
tsan          every test under the thread sanitizer
analysis      clang build with thread-safety analysis, then clang-tidy over what changed
faults        broken disks, kills and cut networks, in many rounds
histories     concurrent clients of a server that is killed again and again
simulation    seeded simulation with many seeds
fuzz          ten minutes of the request fuzzer
long          the other tests labelled long
soak          the seeded tests over and over, with new seeds
peers         the benchmark beside etcd and PostgreSQL
schemathesis  requests that a foreign generator makes from docs/openapi/openapi.yaml
END
}

# The stages share two builds; a second configuration and build of the same costs seconds.
build_tests() {
    configure "$1" -DOCTOSTORE_TESTS=ON
    build "$@"
}

# run_tests PRESET CTEST-ARGUMENT...
run_tests() {
    local preset=$1
    shift
    ctest --test-dir "$ROOT/build/$preset" --output-on-failure --no-tests=error "$@"
}

stage_tsan() {
    build_tests tsan
    # As in test.sh: browsers and packages ask nothing of the server that the other tests do not.
    run_tests tsan -j2 -LE 'long|bench|browser|packaging|sdk'
}

# clang-tidy needs up to a minute a file, so it reads what changed in the last ANALYSIS_COMMITS (40)
# commits; ANALYSIS_COMMITS=all: everything.
analysed_files() {
    local pattern='^(framework|plugins|backends|webhooks|admin-ui)/.*\.cpp$' base
    if [ "${ANALYSIS_COMMITS:-40}" != all ] &&
        base=$(git -C "$ROOT" rev-parse -q --verify "HEAD~${ANALYSIS_COMMITS:-40}"); then
        git -C "$ROOT" diff --name-only --diff-filter=d "$base" | grep -E "$pattern" || true
    else
        (cd "$ROOT" && git ls-files) | grep -E "$pattern"
    fi
}

stage_analysis() {
    need_packages "${ANALYSIS_PACKAGES[@]}"
    build_tests analysis
    (cd "$ROOT" && analysed_files |
        xargs -r -n 1 -P "$(nproc)" timeout 600 clang-tidy -quiet -p build/analysis)
}

stage_faults() {
    build_tests release
    run_tests release -L long -R fault
}

stage_histories() {
    build_tests release
    run_tests release -L long -R histories
}

stage_simulation() {
    build_tests release
    run_tests release -L long -R simulation
}

stage_fuzz() {
    build_tests asan request_fuzz
    run_tests asan -R '^request_fuzz_long$'
}

stage_long() {
    build_tests release
    run_tests release -L long -E 'fault|histories|simulation'
}

# For SOAK_SECONDS (3600); a round that has begun is played to its end.
stage_soak() {
    build_tests release
    local round=0 seeded='fault|histories|simulation|coordination|watch|sqlite|backend|crash|waiting'
    SECONDS=0
    while [ "$SECONDS" -lt "${SOAK_SECONDS:-3600}" ]; do
        echo "-- round $((round += 1)), $SECONDS s"
        run_tests release -LE long -R "$seeded"
    done
}

stage_peers() {
    "$ROOT/scripts/bench.sh"
}

# Of all operations only the watch of a lock is left out: its stream has no end, not even a
# configured one, and watch_integration_test reads it. Webhooks go to whatever the generator thinks
# of; the egress policy refuses every private address, and there is no way to others from a host
# that has none.
stage_schemathesis() {
    need_packages python3-venv
    configure release -DOCTOSTORE_TESTS=ON
    build release octostore_server
    local work server=
    work=$(mktemp -d)
    trap 'kill "$server" 2> /dev/null || true; rm -rf "$work"' EXIT
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" -q install schemathesis==4.32.5
    install -m 600 /dev/null "$work/octostore.properties"
    printf '%s\n' 'server.bind = 127.0.0.1:0' "storage.database = $work/octostore.db" \
        'auth.admin_key = the-admin-key' 'log.format = json' \
        'elections.requests_per_minute = 1000000' 'elections.watch.max_seconds = 1' \
        'elections.watch.streams_per_client = 64' > "$work/octostore.properties"
    "$ROOT/build/release/bin/octostore" --config "$work/octostore.properties" \
        > "$work/log" 2>&1 &
    server=$!
    local address= tries=0
    while [ -z "$address" ]; do
        [ $((tries += 1)) -le 200 ] || { cat "$work/log"; return 1; }
        sleep 0.1
        address=$(jq -r 'select(.msg == "serving").address' "$work/log")
    done
    local checks=not_a_server_error,status_code_conformance
    checks+=,content_type_conformance,response_schema_conformance
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$ROOT/scripts SCHEMATHESIS_HOOKS=schemathesis_hooks \
        "$work/venv/bin/schemathesis" run --url "http://$address" -H 'X-Admin-Key: the-admin-key' \
        --checks "$checks" --exclude-path '/locks/{name}/watch' \
        --max-examples 200 --phases examples,fuzzing "http://$address/openapi.json"
}

if [ "${1:-}" = --list ]; then
    list
    exit 0
fi
mapfile -t known < <(list | cut -d' ' -f1)
stages=("$@")
[ "${#stages[@]}" = 0 ] && stages=("${known[@]}")
for stage in "${stages[@]}"; do
    if [[ " ${known[*]} " != *" $stage "* ]]; then
        echo "verify.sh: no stage \"$stage\"; see --list" >&2
        exit 64
    fi
done

need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
bad=()
for stage in "${stages[@]}"; do
    echo "== $stage"
    # A shell of its own, because set -e does not work inside a condition.
    set +e
    (
        set -e
        "stage_$stage"
    )
    [ $? = 0 ] || bad+=("$stage")
    set -e
done
if [ "${#bad[@]}" != 0 ]; then
    echo "failed: ${bad[*]}"
    exit 1
fi
echo "passed: ${stages[*]}"
