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

export build=$1

run() {
    local start=$SECONDS status=0 words
    words=$("$@" 2>&1) || status=1
    # One call, so that the output stays together although others run at the same time.
    printf -- '-- %s (%d s)%s\n%s\n' "$*" $((SECONDS - start)) "$([ $status = 0 ] || echo ': FAILED')" "$words"
    return $status
}
export -f run

# Needs the tests that are built in the same folder; the release has none.
sequences() {
    [ -e "$build/rostrumPackageTests.xctest" ] || return 0
    local words status=0
    words=$(ROSTRUM_CLIP_SEQUENCES=300 swift test --skip-build --disable-xctest --filter SessionServiceTests 2>&1) || status=1
    grep -E 'sequences of|↳|✘' <<<"$words"
    return $status
}
export -f sequences

# The longest come first, so that both workers end at about the same time. A fault that occurs once in 60 starts appears
# in 87 % of runs of 120 starts, and in 28 % of runs of 20. xargs ends with 123 if one of them failed.
python=/usr/bin/python3
xargs -P 2 -I '{}' bash -c 'run {}' <<END || exit 1
$python Tests/Durability/hostile.py $build 60 --cpu 0 --answer 20 --hole 2000
$python Tests/Durability/clip-kills.py $build 20
$python Benchmarks/starts/starts.py $build 120 --limit 30
$python Benchmarks/starts/starts.py $build 120 --warm --limit 30
$python Tests/Durability/soak.py $build 60
$python Tests/Durability/kills.py $build 15
$python Tests/Durability/engine-kills.py $build 6
sequences
$python Tests/Durability/restarts.py $build 10
$python Tests/Audiobookshelf/download-kills.py $build 12
$python Tests/Documents/damaged.py $build --seconds 20
$python Tests/Audiobookshelf/stand_in_check.py
$python Tests/Audiobookshelf/misbehaviour_check.py
END
