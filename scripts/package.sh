#!/bin/bash
# SPDX-License-Identifier: MIT
# Packages a build as it is: scripts/package.sh [BUILD [OUTPUT]]   (build/release, dist)
# Writes octostore-X.Y.Z-linux-ARCH.tar.gz, octostore_X.Y.Z_ARCH.deb and SHA256SUMS. The archive runs
# from wherever it is unpacked, on every Linux with a C library and OpenSSL 3 as old as this system's
# or newer: what else it needs lies in its lib/octostore. The .deb uses the system's libraries.
# SOURCE_DATE_EPOCH dates the files inside; the same build gives the same bytes.
# OCTOSTORE_DOWNLOAD_BASE is the address of the mirror these are for: then an install.sh that knows it
# is written too, to be put at BASE/install.sh. The others go to BASE/vX.Y.Z/, the tag to BASE/latest.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$ROOT/scripts/packages.sh"
need_packages "${PACKAGING_PACKAGES[@]}"

BUILD=$(cd "${1:-$ROOT/build/release}" && pwd)
OUTPUT=${2:-$ROOT/dist}
mkdir -p "$OUTPUT"
OUTPUT=$(cd "$OUTPUT" && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(stat -c %Y "$BUILD/bin/octostore")}
export SOURCE_DATE_EPOCH
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# Every system has these, and keeps them safe; the C++ library must be the newer one of two.
SYSTEM_LIBRARIES='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|z|ssl|crypto)\.so\..*)$'

# stage_program PREFIX: program, library and plugins, the library beside the plugins: there it is
# in nobody's way.
stage_program() {
    local prefix=$1 file
    cmake --install "$BUILD" --component server --prefix "$WORK/installed" > /dev/null
    mkdir -p "$prefix/bin" "$prefix/lib"
    cp "$WORK/installed/bin/octostore" "$prefix/bin/"
    cp -r "$WORK/installed/lib/octostore" "$prefix/lib/"
    cp "$(readlink -f "$WORK/installed/lib/liboctostore.so.0")" "$prefix/lib/octostore/liboctostore.so.0"
    rm -rf "$WORK/installed"
    for file in "$prefix"/bin/octostore "$prefix"/lib/octostore/*; do
        strip --strip-unneeded "$file"
    done
    patchelf --set-rpath '$ORIGIN/../lib/octostore' "$prefix/bin/octostore"
    patchelf --set-rpath '$ORIGIN' "$prefix"/lib/octostore/*
    chmod 755 "$prefix/bin/octostore"
    chmod 644 "$prefix"/lib/octostore/*
}

# stage_documents PREFIX
stage_documents() {
    local documents=$1/share/doc/octostore completions=$1/share/bash-completion/completions
    mkdir -p "$documents" "$completions"
    "$1/bin/octostore" completion bash > "$completions/octostore"
    cp "$ROOT/CHANGELOG.md" "$ROOT/config/octostore.properties" "$documents/"
    # What it points to is not packaged: pictures become words, links the paths they have.
    sed -E -e '1s|$|\n\nPaths are those of the source code, which this text comes from.|' \
        -e 's/!\[([^]]*)\]\([^)]*\)/(picture: \1)/g' -e 's/\[([^]]*)\]\(\1\)/\1/g' \
        -e 's/\[([^]]*)\]\(([^)]*)\)/\1 (\2)/g' "$ROOT/README.md" > "$documents/README.md"
    cp "$ROOT/LICENSE" "$documents/copyright"
}

# bundle_libraries PREFIX: what the program and the plugins load, and the licences it is under.
bundle_libraries() {
    local lib=$1/lib/octostore licences=$1/share/doc/octostore/licences name path package
    mkdir -p "$licences"
    while read -r name path; do
        [[ $name =~ $SYSTEM_LIBRARIES || -e $lib/$name ]] && continue
        cp "$(readlink -f "$path")" "$lib/$name"
        chmod 644 "$lib/$name"
        patchelf --set-rpath '$ORIGIN' "$lib/$name"
        # Of /lib dpkg knows only what it calls it: with or without /usr.
        package=$(dpkg-query -S "*/$(basename "$(readlink -f "$path")")" | head -1 | cut -d: -f1)
        cp "/usr/share/doc/$package/copyright" "$licences/$package"
    done < <(ldd "$1/bin/octostore" "$lib"/*.so | awk '$2 == "=>" { print $1, $3 }' | sort -u)
}

# The unit of the .deb, for where install.sh puts the program.
archive_unit() {
    cat << 'END'
# For the program in /usr/local/bin; elsewhere, ExecStart is to be changed. It also wants
#   a user:           useradd --system --home-dir /var/lib/octostore --shell /usr/sbin/nologin octostore
#   a configuration:  /etc/octostore/octostore.properties (beside this file lies one with every key)
# Then: copy this file to /etc/systemd/system and systemctl enable --now octostore
END
    sed -e 's|/usr/bin/|/usr/local/bin/|' -e 's|/usr/share/|/usr/local/share/|' \
        "$ROOT/config/octostore.service"
}

make_archive() {
    local top=octostore-$VERSION-linux-$ARCH
    cp -r "$WORK/program" "$WORK/$top"
    stage_documents "$WORK/$top"
    bundle_libraries "$WORK/$top"
    archive_unit > "$WORK/$top/share/doc/octostore/octostore.service"
    tar -C "$WORK" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        -cf - "$top" | gzip -9n > "$OUTPUT/$top.tar.gz"
}

# The packages that bring the libraries, in the versions these binaries were linked with.
library_packages() {
    (
        cd "$WORK"
        mkdir -p debian
        printf 'Source: octostore\n\nPackage: octostore\nArchitecture: any\n' > debian/control
        dpkg-shlibdeps -O --ignore-missing-info -l"$1/usr/lib/octostore" "$1/usr/bin/octostore" \
            "$1"/usr/lib/octostore/* 2> "$WORK/shlibdeps.log" ||
            { cat "$WORK/shlibdeps.log" >&2; exit 1; }
    ) | sed 's/^shlibs:Depends=//'
}

make_deb() {
    local tree=$WORK/debian/octostore debian=$ROOT/config/debian script
    mkdir -p "$tree/DEBIAN" "$tree/etc/octostore/conf.d" "$tree/lib/systemd/system" \
        "$tree/usr/lib/sysusers.d"
    cp -r "$WORK/program/." "$tree/usr"
    stage_documents "$tree/usr"
    gzip -9n "$tree/usr/share/doc/octostore/CHANGELOG.md"
    mv "$tree/usr/share/doc/octostore/CHANGELOG.md.gz" "$tree/usr/share/doc/octostore/changelog.gz"
    cp "$ROOT/config/octostore.service" "$tree/lib/systemd/system/"
    cp "$debian/octostore.sysusers" "$tree/usr/lib/sysusers.d/octostore.conf"
    cp "$debian/octostore.properties" "$tree/etc/octostore/"
    find "$tree" -type d -exec chmod 755 {} +
    find "$tree" -type f ! -path '*/usr/bin/*' -exec chmod 644 {} +
    for script in postinst prerm postrm; do
        install -m 755 "$debian/$script" "$tree/DEBIAN/$script"
    done
    echo /etc/octostore/octostore.properties > "$tree/DEBIAN/conffiles"
    sed -e "s|@VERSION@|$VERSION|" -e "s|@ARCH@|$ARCH|" \
        -e "s|@LIBRARIES@|$(library_packages "$tree")|" \
        -e "s|@SIZE@|$(du -sk --exclude=DEBIAN "$tree" | cut -f1)|" \
        "$debian/control" > "$tree/DEBIAN/control"
    (cd "$tree" && find . -type f ! -path './DEBIAN/*' -printf '%P\n' | sort | xargs md5sum) \
        > "$WORK/md5sums"
    install -m 644 "$WORK/md5sums" "$tree/DEBIAN/md5sums"
    # xz is what every dpkg reads.
    dpkg-deb --root-owner-group -Zxz -b "$tree" "$OUTPUT/octostore_${VERSION}_$ARCH.deb" > /dev/null
}

# The installer for `curl BASE/install.sh | sh`.
make_installer() {
    local base=${OCTOSTORE_DOWNLOAD_BASE%/}
    if [[ ! $base =~ ^(https|file)://[A-Za-z0-9._~:/-]+$ ]]; then
        echo "package.sh: OCTOSTORE_DOWNLOAD_BASE must be https://... or file:///..." >&2
        exit 64
    fi
    sed "s|^MIRROR=.*|MIRROR=$base|" "$ROOT/scripts/install.sh" > "$OUTPUT/install.sh"
}

ARCH=$(dpkg --print-architecture)
stage_program "$WORK/program"
VERSION=$("$WORK/program/bin/octostore" --version | sed -E 's/^[^0-9]*//; s/ .*//; q')
make_archive
make_deb
if [ -n "${OCTOSTORE_DOWNLOAD_BASE:-}" ]; then make_installer; fi
(cd "$OUTPUT" && sha256sum "octostore-$VERSION-linux-$ARCH.tar.gz" "octostore_${VERSION}_$ARCH.deb" > SHA256SUMS)
echo "$OUTPUT: octostore-$VERSION-linux-$ARCH.tar.gz octostore_${VERSION}_$ARCH.deb SHA256SUMS"
