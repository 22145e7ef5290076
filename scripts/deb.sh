#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes Debian packages of a release build: rostrum, rostrum-dev and one for each engine.
#
#   deb.sh BUILD_DIR OUT_DIR
#
# What a package depends on is what dpkg-shlibdeps finds that its programs and modules link. An engine that links GPL
# code says so in its copyright file; the session depends on no engine, so that any may be left out.
set -euo pipefail

source=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    echo "deb: $1" >&2
    exit "$2"
}

[ $# -eq 2 ] || fail "usage: deb.sh BUILD_DIR OUT_DIR" 64
build=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
version=$("$build/rostrum" --version | awk '{ print $2 }')
architecture=$(dpkg --print-architecture)
date=$(date -u -r "$source/CHANGELOG.md" -R)
maintainer='Rostrum maintainers <maintainers@rostrum.example.org>'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

DESTDIR=$work/all "$source/scripts/install.sh" "$build" /usr >"$work/installed"
rm "$work/all/usr/lib/rostrum/installed.txt"
# A package is not moved, and says where its libraries are.
runtime=/usr/lib/rostrum/swift
for file in "$work"/all/usr/bin/rostrum* "$work"/all/usr/lib/rostrum/engines/*/*.so "$work"/all$runtime/*.so; do
    patchelf --set-rpath "$runtime" "$file"
done
strip --strip-unneeded "$work"/all$runtime/*.so
# Debian has a place of its own for the completions of packages.
mkdir -p "$work/all/usr/share/zsh/vendor-completions"
mv "$work/all/usr/share/zsh/site-functions/_rostrum" "$work/all/usr/share/zsh/vendor-completions/_rostrum"
rmdir "$work/all/usr/share/zsh/site-functions"
rm -r "$work/all/usr/share/doc/rostrum/LICENSE"
find "$work/all/usr/share/man" -name '*.1' -exec gzip -9n {} +

# Moves files of the whole into the tree of a package.
take() {
    local package=$1 path
    shift
    for path in "$@"; do
        mkdir -p "$work/$package/$(dirname "$path")"
        mv "$work/all/$path" "$work/$package/$path"
    done
}

# Writes the copyright file of a package, with the licences that its own files name.
copyright() {
    local package=$1 licence=$2 folder
    folder=$work/$package/usr/share/doc/$package
    mkdir -p "$folder"
    {
        echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
        echo "Upstream-Name: Rostrum"
        echo
        echo "Files: *"
        echo "Copyright: The Rostrum authors"
        echo "License: Apache-2.0"
        case $licence in *GPL*)
            echo "Comment: The module links GPL code ($licence). As it is built here it is distributed under"
            echo " GPL-3.0-or-later. It runs in a process of its own; the session is not bound by its licence."
            ;;
        esac
        echo
        echo "License: Apache-2.0"
        echo " On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0."
        case $licence in *GPL*)
            echo
            echo "License: GPL-3.0-or-later"
            echo " On Debian systems the full text is in /usr/share/common-licenses/GPL-3."
            ;;
        esac
        if [ -d "$work/$package$runtime" ]; then
            echo
            echo "Files: ${runtime#/}/*"
            echo "Copyright: Apple Inc. and the Swift project authors"
            echo "License: Apache-2.0"
        fi
    } >"$folder/copyright"
    printf 'rostrum (%s) unstable; urgency=medium\n\n  * See /usr/share/doc/rostrum/CHANGELOG.md.gz.\n\n -- %s  %s\n' \
        "$version" "$maintainer" "$date" | gzip -9n >"$folder/changelog.gz"
}

# Prints what the programs and modules of a package link, as packages.
linked() {
    local package=$1 elves
    mkdir -p "$work/shlibs/debian"
    printf 'Source: rostrum\n\nPackage: %s\nArchitecture: any\n' "$package" >"$work/shlibs/debian/control"
    mapfile -t elves < <(find "$work/$package" -type f \( -perm -u+x -o -name '*.so' \) -exec sh -c \
        'head -c 4 "$1" | grep -q ELF && echo "$1"' _ {} \;)
    [ ${#elves[@]} -gt 0 ] || return 0
    # The Swift runtime is in the package rostrum, and in no package that dpkg knows.
    (cd "$work/shlibs" && dpkg-shlibdeps --ignore-missing-info -l"$work/rostrum$runtime" -O "${elves[@]}" 2>"$work/warnings") |
        sed 's/^shlibs:Depends=//'
}

# Builds a package. The parameters are its name, its section, its licence, what it depends on beside what it links, and
# its description: a line, then the rest.
package() {
    local name=$1 section=$2 licence=$3 more=$4 depends
    copyright "$name" "$licence"
    depends=$(linked "$name")
    depends=$(printf '%s, %s' "$depends" "$more" | sed 's/^, //; s/, $//')
    mkdir -p "$work/$name/DEBIAN"
    {
        echo "Package: $name"
        echo "Source: rostrum"
        echo "Version: $version"
        echo "Architecture: $architecture"
        echo "Maintainer: $maintainer"
        echo "Installed-Size: $(du -sk --exclude=DEBIAN "$work/$name" | cut -f1)"
        [ -z "$depends" ] || echo "Depends: $depends"
        [ "$name" != rostrum ] || {
            echo "Recommends: rostrum-documents, rostrum-network, rostrum-engine-ffmpeg, rostrum-engine-espeak, rostrum-engine-clip, chafa, ca-certificates, default-dbus-session-bus | dbus-session-bus"
            echo "Suggests: pipewire-pulse | pulseaudio"
        }
        echo "Section: $section"
        echo "Priority: optional"
        echo "Description: $5"
        printf '%s\n' "$6" | sed 's/^/ /'
    } >"$work/$name/DEBIAN/control"
    (cd "$work/$name" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
    dpkg-deb --root-owner-group -Zxz --build "$work/$name" "$out/${name}_${version}_$architecture.deb" >"$work/built"
    echo "$out/${name}_${version}_$architecture.deb"
}

engines=()
for folder in "$work"/all/usr/lib/rostrum/engines/*.engine; do
    id=$(basename "$folder" .engine)
    engines+=("$id")
    take "rostrum-engine-$id" "usr/lib/rostrum/engines/$id.engine"
done
take rostrum-documents usr/bin/rostrum-document-reader usr/bin/rostrum-document-fetcher usr/bin/rostrum-voices
take rostrum-network usr/bin/rostrum-network
take rostrum-dev usr/include/rostrum usr/lib/pkgconfig/rostrum-engine.pc usr/share/rostrum
mkdir -p "$work/rostrum-dev/usr/share/doc/rostrum-dev"
mv "$work/all/usr/share/doc/rostrum/engine-abi.md" "$work/rostrum-dev/usr/share/doc/rostrum-dev/engine-abi.md"
find "$work/all" -depth -type d -empty -delete
mv "$work/all" "$work/rostrum"
gzip -9nc "$source/CHANGELOG.md" >"$work/rostrum/usr/share/doc/rostrum/CHANGELOG.md.gz"

package rostrum sound Apache-2.0 "" "listening session for audiobooks, podcasts and texts" \
    "Rostrum plays audiobooks and podcasts, reads texts aloud and previews clips. One session
serves all terminals, media keys, headsets and the desktop, and never loses the place.
.
Engines run in processes of their own, and are packages of their own."
package rostrum-documents sound GPL-3.0-only "rostrum (= $version)" "reader of documents of Rostrum" \
    "Two programs that the listening session rostrum starts: one reads books and articles in
many formats, one fetches them from the web. Each runs confined and ends when it is done.
A third one lists and installs the voices that read them."
package rostrum-network sound Apache-2.0 "rostrum (= $version)" "servers for Rostrum" \
    "A program that the listening session rostrum starts to ask servers of audiobooks and
podcasts. It runs confined, and ends when nothing is asked any more."
package rostrum-dev libdevel Apache-2.0 "" "headers, Swift SDK and templates for engines of Rostrum" \
    "The C header of the engine contract, the sources of the Swift SDK, and the example
engines that \`rostrum engines new\` copies."
for id in "${engines[@]}"; do
    manifest=$work/rostrum-engine-$id/usr/lib/rostrum/engines/$id.engine/manifest.json
    name=$(sed -n 's/^ *"name": "\(.*\)",$/\1/p' "$manifest")
    licence=$(sed -n 's/^ *"license": "\(.*\)",$/\1/p' "$manifest")
    needed="rostrum (= $version)"
    # A voice is installed by a program that is in the package of texts.
    [ "$id" != sherpa ] || needed="$needed, rostrum-documents (= $version)"
    package "rostrum-engine-$id" sound "$licence" "$needed" "engine of Rostrum: ${name,}" \
        "An engine that the listening session rostrum runs in a process of its own.
.
Its licence: $licence."
done
