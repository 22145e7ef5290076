#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs a release build under a prefix, or removes what it installed there.
#
#   install.sh BUILD_DIR PREFIX         (DESTDIR in the environment is put before PREFIX)
#   install.sh --uninstall PREFIX
#
# The result can be moved: programs and engines look for the Swift runtime relative to themselves, and so does the
# pkg-config file for the headers. lib/rostrum/installed.txt lists what was installed, so that removal leaves the
# engines that others installed there.
#
# Programs and modules are stripped. DEBUG_SYMBOLS=1 in the environment installs the symbols beside them, as .debug/FILE.debug,
# where gdb finds them by the debug link.
set -euo pipefail

source=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    echo "install: $1" >&2
    exit "$2"
}

# Removes what the list names, then the folders that are empty.
uninstall() {
    local root=${DESTDIR:-}$1 list file
    list=$root/lib/rostrum/installed.txt
    [ -f "$list" ] || fail "$list is missing: nothing was installed under $root" 66
    while IFS= read -r file; do
        rm -f -- "$root/$file"
    done <"$list"
    rm -f "$list"
    find "$root/bin/.debug" "$root/lib/rostrum" "$root/include/rostrum" "$root/share/rostrum" "$root/share/doc/rostrum" \
        -depth -type d -empty -delete 2>/dev/null || true
}

[ $# -eq 2 ] || fail "usage: install.sh BUILD_DIR PREFIX | install.sh --uninstall PREFIX" 64
[[ $2 == /* ]] || fail "PREFIX must be an absolute path, not '$2'" 64
if [ "$1" = --uninstall ]; then
    uninstall "$2"
    exit
fi

build=$1
root=${DESTDIR:-}$2
if ! mkdir -p "$root" 2>/dev/null || [ ! -w "$root" ]; then
    fail "cannot write to $root: run as its owner or choose another PREFIX" 77
fi
[ ! -f "$root/lib/rostrum/installed.txt" ] || uninstall "$2"

installed=()
put() {
    local mode=$1 from=$2 to=$3
    install -D -m "$mode" "$from" "$root/$to" || fail "cannot create $root/$to" 73
    installed+=("$to")
}

# Installs a program or a module without its symbols.
put_stripped() {
    local from=$1 to=$2
    put 755 "$from" "$to"
    strip --strip-unneeded "$root/$to"
    [ -n "${DEBUG_SYMBOLS:-}" ] || return 0
    local symbols
    symbols=$(dirname "$to")/.debug/$(basename "$to").debug
    install -d "$root/$(dirname "$symbols")"
    objcopy --only-keep-debug "$from" "$root/$symbols"
    objcopy --add-gnu-debuglink="$root/$symbols" "$root/$to"
    installed+=("$symbols")
}

# Prints the paths of the Swift runtime libraries that the files use, from the toolchain that built them.
runtime_of() {
    ldd "$@" | awk -v dir="$runtime/" 'index($3, dir) == 1 { print $3 }' | sort -u
}

runtime=$(swift -print-target-info | sed -n '/"runtimeLibraryPaths"/,/]/ s/^ *"\(\/[^"]*\)".*/\1/p' | head -n 1)
[ -d "$runtime" ] || fail "the Swift toolchain does not say where its runtime is (swift -print-target-info)" 69

umask 022
for program in rostrum rostrumd rostrum-engine-runner rostrum-document-reader rostrum-document-fetcher rostrum-network \
    rostrum-voices rostrum-align; do
    put_stripped "$build/$program" "bin/$program"
    patchelf --set-rpath "\$ORIGIN/../lib/rostrum/swift" "$root/bin/$program"
done
for folder in "$build"/engines/*.engine; do
    to=lib/rostrum/engines/${folder##*/}
    put 644 "$folder/manifest.json" "$to/manifest.json"
    for module in "$folder"/*.so; do
        put_stripped "$module" "$to/${module##*/}"
        patchelf --set-rpath "\$ORIGIN/../../swift" "$root/$to/${module##*/}"
    done
done
while IFS= read -r library; do
    put 644 "$library" "lib/rostrum/swift/${library##*/}"
    patchelf --set-rpath "\$ORIGIN" "$root/lib/rostrum/swift/${library##*/}"
done < <(runtime_of "$build"/rostrum-{engine-runner,document-reader,document-fetcher,network} "$build"/engines/*.engine/*.so)

# Documentation from the argument parser: manual pages, `man rostrum-play`, and shell completions.
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
"$build/generate-manual" "$build/rostrum" --multi-page --date "$(date -u -r "$source/CHANGELOG.md" +%F)" \
    --output-directory "$pages" >/dev/null
for page in "$pages"/*.1; do
    name=${page##*/}
    name=${name%.1}
    put 644 "$page" "share/man/man1/${name//./-}.1"
done
for shell in bash:bash-completion/completions/rostrum zsh:zsh/site-functions/_rostrum \
    fish:fish/vendor_completions.d/rostrum.fish; do
    "$build/rostrum" --generate-completion-script "${shell%%:*}" >"$pages/completion"
    put 644 "$pages/completion" "share/${shell#*:}"
done

headers=$source/Sources/Contract/EngineABI/include/rostrum
for header in "$headers"/*.h; do
    put 644 "$header" "include/rostrum/${header##*/}"
done
version=$(awk '/define ROSTRUM_ABI_MAJOR/ { major = $3 } /define ROSTRUM_ABI_MINOR/ { minor = $3 }
    END { print major "." minor }' "$headers/engine.h")
sed "s/@VERSION@/$version/" "$source/scripts/rostrum-engine.pc.in" |
    install -D -m 644 /dev/stdin "$root/lib/pkgconfig/rostrum-engine.pc"
installed+=(lib/pkgconfig/rostrum-engine.pc)

# For authors: the sources of the SDK as a package of its own, and the example engines, which `rostrum engines new` copies.
sources() {
    local from=$1 to=$2 file
    while IFS= read -r file; do
        put 644 "$from/$file" "$to/$file"
    done < <(cd "$from" && find . \( -name build -o -name '.*' ! -name . \) -prune -o -type f -printf '%P\n' | sort)
}
sources "$source/Sources/Contract" share/rostrum/sdk
for manifest in "$source"/Examples/*/manifest.json; do
    example=${manifest%/*}
    sources "$example" "share/rostrum/templates/${example##*/}"
done
put 644 "$source/LICENSE" share/doc/rostrum/LICENSE
put 644 "$source/docs/dependencies.md" share/doc/rostrum/dependencies.md
put 644 "$source/docs/engine-abi.md" share/doc/rostrum/engine-abi.md

# The desktop: a service that D-Bus can start, an entry for menus with its icon. The services name the programs by their
# whole paths, so a moved tree needs to be installed again for these two.
desktop=$source/Desktop
for service in rostrum.service:systemd/user org.mpris.MediaPlayer2.rostrum.service:dbus-1/services; do
    sed "s|@PREFIX@|$2|g" "$desktop/${service%%:*}.in" >"$pages/service"
    put 644 "$pages/service" "share/${service#*:}/${service%%:*}"
done
put 644 "$desktop/rostrum.socket" share/systemd/user/rostrum.socket
put 644 "$desktop/rostrum.desktop" share/applications/rostrum.desktop
put 644 "$desktop/rostrum.metainfo.xml" share/metainfo/rostrum.metainfo.xml
put 644 "$desktop/rostrum.svg" share/icons/hicolor/scalable/apps/rostrum.svg

printf '%s\n' "${installed[@]}" >"$root/lib/rostrum/installed.txt"
echo "installed under $root: bin/rostrum, $(printf '%s\n' "${installed[@]}" | grep -c '^lib/.*manifest.json$') engines"
