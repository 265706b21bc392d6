#!/bin/bash
# SPDX-License-Identifier: MIT
# install_faults_test.sh SOURCE [STRIDE]: scripts/install.sh fails, is stopped and is killed after each
# of its steps, or each STRIDEth. One version is there as a whole each time, and nothing beside it.
set -euo pipefail
. "$(dirname "$0")/install_mirror.sh"
stride=${2:-1}

# faulty TOOL N HOW: the Nth use of TOOL from now on ends as HOW says.
faulty() {
    local real
    real=$(PATH=/usr/bin:/bin command -v "$1")
    echo 0 > "$work/count"
    rm -f "$work/tools/$1"
    cat > "$work/tools/$1" << END
#!$(command -v bash)
read -r count < "$work/count"
echo \$((count + 1)) > "$work/count"
if [ \$((count + 1)) = $2 ]; then
    [ $3 = FAIL ] && exit 1
    $real "\$@"
    kill -$3 \$PPID
    exit
fi
exec $real "\$@"
END
    chmod +x "$work/tools/$1"
}
# mended TOOL: it works again. Fails when the fault did not come.
mended() {
    ln -sf "$(PATH=/usr/bin:/bin command -v "$1")" "$work/tools/$1"
    [ "$(cat "$work/count")" -ge "$2" ]
}

# whole [LEFT]: one of the two versions; when LEFT is given, something may lie beside it.
whole() {
    local is
    is=$("$prefix/bin/octostore" --version)
    has "${is#octostore }" "$@"
}
# back: version 1.0.0 again.
back() {
    [ "$("$prefix/bin/octostore" --version)" = "octostore 1.0.0" ] && return
    OCTOSTORE_VERSION=1.0.0 run || fail "it does not go back"
    has 1.0.0
}

for version in 1.0.0 1.2.0 1.1.0; do release $version; done
release 1.9.0
works_nowhere_else 1.9.0
echo v1.1.0 > "$mirror/latest"
OCTOSTORE_VERSION=1.0.0 run || fail "it does not install"

for fault in mv:FAIL mv:TERM cp:FAIL cp:INT rm:FAIL rm:QUIT; do
    tool=${fault%:*}
    for ((n = stride; n < 40; n += stride)); do
        faulty $tool $n ${fault#*:}
        run && ended=0 || ended=$?
        mended $tool $n || break
        # What cannot be removed is left to the next run.
        if [ $fault = rm:FAIL ]; then whole left; else whole; fi
        ! grep -q "nothing was changed" "$work/said" || has 1.0.0
        [ $ended != 0 ] || grep -q "OctoStore 1.1.0 is in" "$work/said" || fail "it does not say so"
        back
    done
    [ $n -gt 5 ] && [ $n -lt 40 ] || fail "$fault: $n steps"
    [ $ended = 0 ] || fail "$fault: without a fault it fails"
    back
done

# The next one fails where it is installed, or works: neither is a mixture with what was left.
for tool in mv cp rm; do
    for ((n = stride; n < 40; n += stride)); do
        faulty $tool $n KILL
        run 2> /dev/null || true
        mended $tool $n || break
        if ((n / stride % 2)); then
            ! OCTOSTORE_VERSION=1.9.0 run || fail "it should not work where it is installed"
            whole
        else
            OCTOSTORE_VERSION=1.2.0 run || fail "killed after $tool $n, the next does not install"
            has 1.2.0
        fi
        back
    done
    back
done

# Killed while it installs or removes, then removed.
for step in 'mv 3' 'mv 7' 'cp 4' 'rm 7' 'mv 2 --uninstall' 'mv 4 --uninstall' 'rm 6 --uninstall'; do
    set -- $step
    faulty "$1" "$2" KILL
    run ${3:-} 2> /dev/null || true
    mended "$1" "$2" || fail "$step: it does not come"
    [ ! -e "$prefix" ] || run --uninstall || fail "$step: what is left cannot be removed"
    [ ! -e "$prefix" ] || fail "$step: uninstalling leaves $(find "$prefix")"
    good
    OCTOSTORE_VERSION=1.0.0 run || fail "$step: it does not install again"
    has 1.0.0
done

# Nobody reads what it says; it undoes all the same.
OCTOSTORE_VERSION=1.9.0 PATH=$work/tools sh "$installer" 2>&1 | true || true
has 1.0.0
! OCTOSTORE_VERSION=1.9.0 PATH=$work/tools sh "$installer" >&- 2>&- || fail "1.9.0 is installed"
has 1.0.0
PATH=$work/tools sh "$installer" > /dev/null 2>&- || fail "without stderr it does not install"
has 1.1.0
echo "$passed checks of install.sh with faults"
