#!/bin/bash
# SPDX-License-Identifier: MIT
# run_test.sh SOURCE: scripts/run.sh builds what is missing, says where it is, and starts it with the
# arguments that it was given; what it prints is the program's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/support.sh"
source=$1

"$source/scripts/run.sh" --build-only > "$work/program" 2> "$work/log" || fail "run.sh --build-only"
[ "$(cat "$work/program")" = "$source/build/release/bin/octostore" ] ||
    fail "it prints something else: $(cat "$work/program")"
[ "$("$source/scripts/run.sh" --version 2> "$work/log")" = "$("$(cat "$work/program")" --version)" ] ||
    fail "the program's output is not alone"
cd "$work"
start_server "$source/scripts/run.sh" serve --set server.bind=127.0.0.1:0 --set log.format=json
curl -sf --max-time 60 -X POST "http://127.0.0.1:$port/elections" > /dev/null ||
    fail "the server does not answer"
[ -s "$work/octostore.db" ] || fail "its state is not where it was started"
# The signal reaches the server: no shell is left between.
stop_server
echo "run.sh builds and starts $("$(cat "$work/program")" --version)"
