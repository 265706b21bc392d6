#!/bin/bash
# SPDX-License-Identifier: MIT
# The checks that take longer than scripts/test.sh may: scripts/verify.sh [--list | STAGE...]
# Without a stage all of them run, in the order listed.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$ROOT/scripts/packages.sh"

list() {
    cat << 'END'
tsan      every test under the thread sanitizer
analysis  clang build with thread-safety analysis, then clang-tidy
long      tests labelled long: fuzzing and simulation with many seeds
schemathesis  requests that a foreign generator makes from docs/openapi/openapi.yaml
END
}

stage_tsan() {
    configure tsan -DOCTOSTORE_TESTS=ON
    build tsan
    ctest --test-dir "$ROOT/build/tsan" -j2 --output-on-failure --no-tests=error -LE 'long|bench'
}

stage_analysis() {
    need_packages "${ANALYSIS_PACKAGES[@]}"
    configure analysis -DOCTOSTORE_TESTS=ON
    build analysis
    run-clang-tidy -quiet -p "$ROOT/build/analysis" \
        "$ROOT/(framework|plugins|backends|webhooks|admin-ui)/.*\.cpp"
}

stage_long() {
    configure release -DOCTOSTORE_TESTS=ON
    build release
    ctest --test-dir "$ROOT/build/release" -j2 --output-on-failure --no-tests=ignore -L long
}

# Streams and copies have no end or no schema; webhooks would be sent to whatever it thinks of.
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
        'elections.requests_per_minute = 1000000' > "$work/octostore.properties"
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
    "$work/venv/bin/schemathesis" run --url "http://$address" -H 'X-Admin-Key: the-admin-key' \
        --checks "$checks" --exclude-path-regex 'watch$|backup$|/events$|/webhooks' \
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
