#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The short form of what runs for hours elsewhere (docs/testing.md): starts that are heard, deeds of those who mean harm,
# random commands, kills. Two at a time; all run. The exit code is 1 if one of them found something.
#
#   durability.sh BUILD_DIR
#
# Nothing here is judged by how fast the machine is: limits are many times what is needed, and figures are only printed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

build=$1

run() {
    local start=$SECONDS status=0 words
    words=$(/usr/bin/python3 "$@" 2>&1) || status=1
    # In one piece, though others run beside.
    printf -- '-- %s (%d s)%s\n%s\n' "$*" $((SECONDS - start)) "$([ $status = 0 ] || echo ': FAILED')" "$words"
    return $status
}

# Of what fails once in 60 starts, 120 see some in 87 % of runs, 20 in 28 %.
one() {
    local failed=0
    run Benchmarks/starts/starts.py "$build" 120 --limit 30 || failed=1
    run Tests/Durability/soak.py "$build" 60 || failed=1
    run Tests/Durability/kills.py "$build" 15 || failed=1
    run Tests/Durability/restarts.py "$build" 10 || failed=1
    run Tests/Durability/engine-kills.py "$build" 6 || failed=1
    return $failed
}

other() {
    local failed=0
    run Benchmarks/starts/starts.py "$build" 120 --warm --limit 30 || failed=1
    run Tests/Durability/hostile.py "$build" 60 --cpu 0 --answer 20 --hole 2000 || failed=1
    return $failed
}

one &
first=$!
other &
second=$!
failed=0
wait $first || failed=1
wait $second || failed=1
exit $failed
