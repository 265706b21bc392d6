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
