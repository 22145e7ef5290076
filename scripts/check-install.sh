#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks an installed tree: it needs nothing from the build folder or the toolchain, its engines are found, and its
# headers compile with pkg-config.
#
#   check-install.sh PREFIX
set -euo pipefail

prefix=$1
failed=0
fault() {
    echo "check-install: $1" >&2
    failed=1
}

while IFS= read -r file; do
    # (The runner loads the engine, so its libraries are looked up as for any module.)
    missing=$(ldd "$file" | grep 'not found' || true)
    [ -z "$missing" ] || fault "$file: $missing"
    outside=$(ldd "$file" | awk '/libswift|libFoundation|libdispatch/ { print $3 }' | grep -v "^$prefix/" || true)
    [ -z "$outside" ] || fault "$file takes its Swift runtime from $outside"
done < <(find "$prefix/bin" "$prefix/lib/rostrum" -type f \( -name '*.so' -o -path '*/bin/*' \))

# The clang of the Swift toolchain, or else the machine's own.
clang=clang
! swift=$(command -v swift) || clang=$(dirname "$(readlink -f "$swift")")/clang

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
read -ra flags < <(pkg-config --cflags rostrum-engine)
for header in "$prefix"/include/rostrum/*.h; do
    echo "#include <rostrum/${header##*/}>"
done | "$clang" -x c -std=c11 -Werror -fsyntax-only "${flags[@]}" - || fault "the installed headers do not compile"

for file in share/man/man1/rostrum.1 share/man/man1/rostrum-engines-install.1 share/bash-completion/completions/rostrum \
    share/zsh/site-functions/_rostrum share/fish/vendor_completions.d/rostrum.fish share/systemd/user/rostrum.service \
    share/systemd/user/rostrum.socket \
    share/dbus-1/services/org.mpris.MediaPlayer2.rostrum.service share/applications/rostrum.desktop \
    share/metainfo/rostrum.metainfo.xml share/icons/hicolor/scalable/apps/rostrum.svg; do
    [ -s "$prefix/$file" ] || fault "$file is missing or empty"
done
bash -n "$prefix/share/bash-completion/completions/rostrum" || fault "the completions for bash are no script"

listed=$("$prefix/bin/rostrum" engines --json) || fault "rostrum engines failed"
for folder in "$prefix"/lib/rostrum/engines/*.engine; do
    id=${folder##*/}
    grep -q "\"id\" *: *\"${id%.engine}\"" <<<"$listed" || fault "rostrum engines does not list ${id%.engine}"
done
! grep -Eo '"state" *: *"(refused|incompatible|quarantined)"' <<<"$listed" || fault "an engine is not available: $listed"
[ $failed -eq 0 ] && echo "check-install: $prefix: ok"
