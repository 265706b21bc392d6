# SPDX-License-Identifier: MIT
# The Debian packages this project is built and tested with, and how a script gets them. Sourced.

# Nothing that comes in only through another package: every one that is used is named.
BUILD_PACKAGES=(
    ca-certificates cmake g++ ninja-build
    gzip libboost-dev libfmt-dev libicu-dev libjemalloc-dev libpoco-dev libspdlog-dev libsqlite3-dev libssl-dev
    prometheus-cpp-dev
)
# The sanitizers run with clang: it compiles them faster, and a second compiler reads everything.
# Of prometheus only promtool is used, of systemd only systemd-analyze.
TEST_PACKAGES=(
    chromium clang curl debootstrap iproute2 jq libclang-rt-14-dev libgmock-dev libgtest-dev llvm
    prometheus python3 systemd
)
PACKAGING_PACKAGES=(binutils cmake dpkg-dev file gzip patchelf tar)
ANALYSIS_PACKAGES=(clang clang-tidy)
# Node from elsewhere brings an npm of its own, which Debian's would not go with.
command -v npm > /dev/null || BUILD_PACKAGES+=(nodejs npm)

# C.UTF-8 comes with libc; a bare system has no other locale.
export LC_ALL=C.UTF-8
# A plugin that group or others may write is refused, so ours are not built that way.
umask 022

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo > /dev/null; then
        sudo "$@"
    else
        return 127
    fi
}

missing_packages() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null)" = installed ] ||
            echo "$package"
    done
}

# Installs those of the named packages that are missing.
need_packages() {
    if ! command -v dpkg-query > /dev/null; then
        echo "This is no Debian; these packages are taken as given: $*" >&2
        return 0
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ "${#missing[@]}" = 0 ] && return 0
    echo "Installing: ${missing[*]}" >&2
    # Old lists may do: whether they do is seen when installing.
    as_root apt-get update -q -o Acquire::Retries=3 ||
        echo "apt-get update failed; trying with the lists that are here" >&2
    if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
        --no-install-recommends -o Acquire::Retries=3 "${missing[@]}"; then
        echo "Cannot install them. As root: apt-get install ${missing[*]}" >&2
        return 1
    fi
}

# configure PRESET [CMAKE-OPTION...]: in build/PRESET of the repository.
configure() {
    local preset=$1
    shift
    if command -v ccache > /dev/null; then
        export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    fi
    (cd "$ROOT" && cmake --preset "$preset" "$@")
}

# build PRESET [TARGET...]
build() {
    local preset=$1 target targets=()
    shift
    for target in "$@"; do
        targets+=(--target "$target")
    done
    cmake --build "$ROOT/build/$preset" -j"$(nproc)" "${targets[@]}"
}
