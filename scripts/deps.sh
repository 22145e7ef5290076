#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs the missing Debian packages of the named sections of packages.txt, and nothing else. If nothing is missing,
# it needs neither network nor privileges.
#
#   deps.sh SECTION...
set -euo pipefail

list=$(dirname "$0")/packages.txt

fail() {
    echo "deps: $1" >&2
    exit "$2"
}

wanted() {
    awk -v wanted=" $* " '
        /^\[/ { section = substr($1, 2, length($1) - 2); next }
        /^[^#]/ && index(wanted, " " section " ") { print $1 }
    ' "$list" | sort -u
}

missing() {
    local installed
    # dpkg-query fails if it does not know one of the names, which is an answer here and not a failure.
    # shellcheck disable=SC2016
    installed=$(dpkg-query --show --showformat '${db:Status-Status} ${binary:Package}\n' "$@" 2>/dev/null || true)
    comm -23 <(printf '%s\n' "$@" | sort -u) \
        <(awk '$1 == "installed" { sub(/:.*/, "", $2); print $2 }' <<<"$installed" | sort -u)
}

[ $# -gt 0 ] || fail "which section of packages.txt?" 64
command -v dpkg-query >/dev/null || fail "not a Debian system: install what scripts/packages.txt lists by its means" 69
mapfile -t names < <(wanted "$@")
[ ${#names[@]} -gt 0 ] || fail "no section '$*' in $list" 64
mapfile -t absent < <(missing "${names[@]}")
[ ${#absent[@]} -gt 0 ] || exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
    # Without a terminal sudo would only wait for a password that nobody types.
    root=(sudo)
    [ -t 0 ] || root=(sudo -n)
    if ! "${root[@]}" true 2>/dev/null; then
        fail "no rights to install ${absent[*]}: run as root 'apt-get install ${absent[*]}'" 77
    fi
fi

echo "deps: installing ${absent[*]}"
apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
install=("${apt[@]}" install --yes --no-install-recommends "${absent[@]}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The package lists of a fresh machine are empty or old: try them first, then update them.
if ! "${install[@]}" >"$log" 2>&1; then
    if ! { "${apt[@]}" update && "${install[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        fail "apt-get could not install ${absent[*]} (its last lines are above)" 69
    fi
fi
