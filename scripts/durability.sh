#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the short form of tests that run for hours elsewhere (docs/testing.md): audible starts, malicious engines and
# clients, random commands, kills. Two run at a time, and all run. The exit code is 1 if one of them found a fault.
#
#   durability.sh BUILD_DIR
#
# Nothing is judged by the speed of the machine: limits are many times what is needed, and figures are only printed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

build=$1

run() {
    local start=$SECONDS status=0 words
    words=$(/usr/bin/python3 "$@" 2>&1) || status=1
    # One call, so that the output stays together although others run at the same time.
    printf -- '-- %s (%d s)%s\n%s\n' "$*" $((SECONDS - start)) "$([ $status = 0 ] || echo ': FAILED')" "$words"
    return $status
}

# A fault that occurs once in 60 starts appears in 87 % of runs of 120 starts, and in 28 % of runs of 20.
one() {
    local failed=0
    run Benchmarks/starts/starts.py "$build" 120 --limit 30 || failed=1
    run Tests/Durability/soak.py "$build" 60 || failed=1
    run Tests/Durability/kills.py "$build" 15 || failed=1
    run Tests/Durability/restarts.py "$build" 10 || failed=1
    run Tests/Durability/engine-kills.py "$build" 6 || failed=1
    run Tests/Durability/clip-kills.py "$build" 20 || failed=1
    return $failed
}

# Needs the tests that are built in the same folder; the release has none.
sequences() {
    [ -e "$build/rostrumPackageTests.xctest" ] || return 0
    local start=$SECONDS status=0 words
    words=$(ROSTRUM_CLIP_SEQUENCES=300 swift test --skip-build --disable-xctest --filter SessionServiceTests 2>&1) || status=1
    printf -- '-- sequences of owners and clips (%d s)%s\n%s\n' $((SECONDS - start)) \
        "$([ $status = 0 ] || echo ': FAILED')" "$(grep -E 'sequences of|↳|✘' <<<"$words")"
    return $status
}

other() {
    local failed=0
    sequences || failed=1
    run Tests/Documents/damaged.py "$build" --seconds 20 || failed=1
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
