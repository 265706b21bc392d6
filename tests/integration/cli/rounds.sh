#!/bin/bash
# SPDX-License-Identifier: MIT
# rounds.sh PROGRAM FILTER ROUNDS: runs those tests of PROGRAM so often, five runs side by side. They
# wait more than they work: leases have to run out.
set -u
program=$1 filter=$2 rounds=$3
aside=5
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

one_round() {
    "$program" --gtest_brief=1 --gtest_filter="$filter" > "$logs/$1" 2>&1
}

failed=0
for ((first = 1; first <= rounds; first += aside)); do
    declare -A running=()
    for ((round = first; round < first + aside && round <= rounds; ++round)); do
        one_round "$round" &
        running[$round]=$!
    done
    for round in "${!running[@]}"; do
        wait "${running[$round]}" && continue
        failed=$((failed + 1))
        echo "== round $round of $rounds"
        cat "$logs/$round"
    done
done
echo "$((rounds - failed)) of $rounds rounds passed"
[ "$failed" = 0 ]
