#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the server and starts it: scripts/run.sh [--build-only] [ARGUMENT...]
# Arguments go to the program: scripts/run.sh serve --config my.properties
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$ROOT/scripts/packages.sh"

only_build=false
if [ "${1:-}" = --build-only ]; then
    only_build=true
    shift
fi

{
    need_packages "${BUILD_PACKAGES[@]}"
    # The tests, if scripts/test.sh has configured them, stay configured.
    [ -f "$ROOT/build/release/build.ninja" ] || configure release -DOCTOSTORE_TESTS=OFF
    build release octostore_server
} >&2

if $only_build; then
    echo "$ROOT/build/release/bin/octostore"
    exit 0
fi
exec "$ROOT/build/release/bin/octostore" "$@"
