#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs the packages in an empty Debian 12, plays and reads there, and removes them again.
#
#   packages.sh OUT_DIR [ROOT]      (as root; ROOT is a minimal Debian 12 of debootstrap, which is made if it is missing)
#
# Checked: lintian finds no error; each package installs with what it says that it needs; a book plays and its place is
# kept; an engine that is left out is named as missing; purge leaves the user's data, and nothing else.
set -euo pipefail

packages=$(cd "$1" && pwd)
root=${2:-/var/tmp/rostrum-debian}
faults=0
[ "$(realpath -m "$root")" != / ] || { echo "packages: ROOT is this system; give a folder of its own" >&2; exit 64; }

ok() { echo "packages: ok: $1"; }
fault() {
    echo "packages: FAIL: $1"
    faults=$((faults + 1))
}
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

# Ends the session in there: the lock names it only while somebody holds it.
end_session() {
    local lock=$root/tmp/rostrum-0/rostrum/session.lock
    [ -e "$lock" ] || return 0
    flock -n "$lock" true || kill "$(head -n 1 "$lock")" 2>/dev/null || true
}

if lintian --fail-on error "$packages"/rostrum*.deb >"$packages/lintian.txt" 2>&1; then
    ok "lintian finds no error ($(grep -c '^W:' "$packages/lintian.txt" || true) warnings)"
else
    fault "lintian: $(grep '^E:' "$packages/lintian.txt" | head -n 5)"
fi

[ -x "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase bookworm "$root" >/dev/null
mount -t proc proc "$root/proc" 2>/dev/null || true
trap 'umount -l "$root/proc" 2>/dev/null || true; rm -rf "$root/packages" "$root/root/.local" "$root/root/.config" "$root/root/.cache" "$root/root/"*.wav "$root/tmp/rostrum-0"' EXIT
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir -p "$root/packages"
cp "$packages"/rostrum*.deb "$root/packages/"
inside apt-get -qq update

# The files of a system, without what apt and dpkg keep for themselves.
files() { (cd "$root" && find etc usr opt srv home root -not -path 'etc/ld.so.cache' \( -type f -o -type l \) | sort); }
before=$(files)

names=$(cd "$packages" && for package in rostrum*.deb; do echo "${package%%_*}"; done)
inside sh -c 'apt-get -qq install -y --no-install-recommends /packages/rostrum_*.deb' >/dev/null 2>&1 || fault "rostrum does not install"
[ "$(inside rostrum --version)" ] && ok "rostrum installs alone: $(inside rostrum --version)"
/usr/bin/python3 - "$root/root/book.wav" <<'PYTHON'
import sys, wave
with wave.open(sys.argv[1], 'wb') as book:
    book.setparams((1, 2, 8000, 0, 'NONE', ''))
    book.writeframes(bytes(2 * 8000 * 600))
PYTHON
if inside rostrum play --detach --output null /root/book.wav >"$packages/alone.txt" 2>&1; then
    fault "a book plays without an engine"
else
    ok "without an engine: $(cat "$packages/alone.txt")"
fi
end_session
inside sh -c 'apt-get -qq install -y --no-install-recommends /packages/*.deb' >/dev/null 2>&1 || fault "the engines do not install"
[ "$(inside rostrum engines list 2>/dev/null | grep -c available)" -ge 3 ] && ok "the engines are available" ||
    fault "engines: $(inside rostrum engines list)"
if inside rostrum play --detach --output null --at 60 /root/book.wav && inside rostrum seek 100 && inside rostrum stop; then
    ok "a book plays"
else
    fault "a book does not play"
fi
inside sh -c 'echo "One sentence." > /root/text.txt; rostrum render --output wav:/root/text.wav /root/text.txt || rostrum read --output wav:/root/text.wav /root/text.txt' >/dev/null 2>&1 || true
[ -s "$root/root/text.wav" ] && ok "a text is spoken" || fault "a text is not spoken"
for so in $(inside sh -c 'ls /usr/lib/rostrum/engines/*/*.so /usr/bin/rostrumd /usr/bin/rostrum /usr/bin/rostrum-engine-runner /usr/bin/rostrum-document-* /usr/bin/rostrum-network'); do
    missing=$(inside ldd "$so" | grep 'not found' || true)
    [ -z "$missing" ] || fault "$so: $missing"
done

inside rostrum doctor --json >"$packages/doctor.txt" || true
if ! grep '"fault"' "$packages/doctor.txt" | grep -v '"check":"sound"'; then
    ok "the doctor finds nothing wrong but the sound server, which is not there"
else
    fault "the doctor finds faults"
fi
end_session
[ -s "$root/root/.local/share/rostrum/library.sqlite" ] && ok "the place is kept" || fault "no library was written"
# shellcheck disable=SC2086
inside apt-get -qq purge -y $names >/dev/null 2>&1 || fault "the packages do not go"
inside apt-get -qq autoremove --purge -y >/dev/null 2>&1 || true
rm -f "$root/root/book.wav" "$root/root/text.txt" "$root/root/text.wav"
left=$(comm -13 <(echo "$before") <(files) | grep -v '^root/\.\(local\|config\|cache\)/' | grep -v '^usr/share/mime\|^usr/share/fonts\|^etc/fonts' || true)
[ -z "$left" ] && ok "purge leaves nothing but the user's data" || fault "purge leaves: $(head -n 5 <<<"$left")"
[ -s "$root/root/.local/share/rostrum/library.sqlite" ] && ok "purge leaves the user's data" || fault "purge took the library"

echo "packages: $faults failed"
exit $((faults > 0))
