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

# run_preset PRESET LABELS: builds it and runs all tests that have none of those labels.
run_preset() {
    local preset=$1 without=$2
    echo "== $preset"
    if ! configure "$preset" -DOCTOSTORE_TESTS=ON || ! build "$preset"; then
        echo "== $preset does not build"
        failed=$((failed + 1))
        return
    fi
    local log
    log=$(mktemp)
    # More than there are cores: half of them wait for leases to run out, or for the disk.
    ctest --test-dir "$ROOT/build/$preset" -j4 --output-on-failure --no-tests=error \
        -LE "$without" 2>&1 | tee "$log" || true
    count_summary "$log"
    rm -f "$log"
}

need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}" "${PACKAGING_PACKAGES[@]}"
run_preset release 'long|bench'
# Browsers and packages ask nothing of the server that the other tests do not.
run_preset asan 'long|bench|browser|packaging|sdk'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
