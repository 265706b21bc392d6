#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds everything twice - optimised, and with the address and undefined behaviour sanitizers - and
# runs every test in both. The last line counts them. scripts/verify.sh has the slow checks.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$ROOT/scripts/packages.sh"

passed=0
failed=0

# Counts what ctest says: "98% tests passed, 1 tests failed out of 50".
count_summary() {
    local summary
    summary=$(grep -E 'tests passed, [0-9]+ tests failed out of [0-9]+' "$1" | tail -1 || true)
    if [ -z "$summary" ]; then
        failed=$((failed + 1))
        return
    fi
    local bad all
    read -r bad all < <(sed -E 's/.*passed, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/' \
        <<< "$summary")
    failed=$((failed + bad))
    passed=$((passed + all - bad))
}

run_preset() {
    local preset=$1
    echo "== $preset"
    if ! configure "$preset" -DOCTOSTORE_TESTS=ON || ! build "$preset"; then
        echo "== $preset does not build"
        failed=$((failed + 1))
        return
    fi
    local log
    log=$(mktemp)
    ctest --test-dir "$ROOT/build/$preset" -j2 --output-on-failure --no-tests=error \
        -LE 'long|bench' 2>&1 | tee "$log" || true
    count_summary "$log"
    rm -f "$log"
}

need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
run_preset release
run_preset asan
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
