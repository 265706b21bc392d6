#!/bin/bash
# SPDX-License-Identifier: MIT
# rebuild_test.sh BUILD SOURCE: the product built again, from nothing and elsewhere, makes packages with
# the same bytes as BUILD.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/support.sh"
build=$1 source=$2
export SOURCE_DATE_EPOCH=1700000000
# Nothing of BUILD comes in through a cache.
export CCACHE_DISABLE=1

package "$build" "$source"
mv "$work/dist" "$work/first"
# What decides the code, as BUILD has it.
decisive='CMAKE_(BUILD_TYPE|CXX_COMPILER|CXX_FLAGS(_RELEASE)?|UNITY_BUILD)'
mapfile -t options < <(sed -nE "s/^($decisive):[A-Z]+=/-D\\1=/p" "$build/CMakeCache.txt")
# BUILD may have been configured at an earlier commit; what it says of that is part of its bytes.
options+=("-DOCTOSTORE_REVISION=$(sed -n 's/^OCTOSTORE_CONFIGURED_REVISION:INTERNAL=//p' "$build/CMakeCache.txt")")
cmake -S "$source" -B "$work/again" -G Ninja -DOCTOSTORE_TESTS=OFF "${options[@]}" > "$work/log" 2>&1 ||
    fail "it cannot be configured"
cmake --build "$work/again" --target octostore_server > "$work/log" 2>&1 || fail "it does not build"
package "$work/again" "$source"
if ! cmp "$work/first/SHA256SUMS" "$work/dist/SHA256SUMS"; then
    mkdir "$work/a" "$work/b"
    tar -C "$work/a" -xzf "$work/first/$top.tar.gz"
    tar -C "$work/b" -xzf "$work/dist/$top.tar.gz"
    diff -rq "$work/a" "$work/b" > "$work/log" || true
    fail "another build makes other packages"
fi
echo "$top: the same bytes from two builds"
