#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Feeds the parsers of foreign input with libFuzzer, under the address sanitizer.
#
#   fuzz.sh SECONDS JOBS [TARGET...]      TARGET: a folder of Fuzz; all if none is named
#
# It starts with the inputs of Fuzz/Corpus, which once failed or help to reach more code, and with those that earlier
# runs found. An input that fails is kept in .build-fuzz/found; add it to Fuzz/Corpus with the fix.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=$1
jobs=$2
shift 2
[[ $seconds =~ ^[0-9]+$ ]] || { echo "fuzz: how many seconds? not '$seconds'" >&2; exit 64; }
targets=("$@")
[ $# -gt 0 ] || targets=(WireFuzz RingFuzz ManifestFuzz TextFuzz MarkupFuzz SpeechFuzz ScriptFuzz OrderFuzz VoiceFuzz ReadingListFuzz FeedFuzz)

scratch=.build-fuzz
python3 scripts/fuzz-seeds.py "$scratch/seeds"
export ROSTRUM_FUZZ=1
# Swift would stop to write a backtrace of its own, which the sanitizer takes for a fault.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS="detect_leaks=0 ${ASAN_OPTIONS:-}"
# The package manager passes both sanitizers in an order of chance, and the compiler heeds the last one alone (Swift 6.3.1).
build() {
    swift build --configuration release --scratch-path "$scratch" --jobs "$jobs" --product "$1" \
        --sanitize address --sanitize fuzzer -Xswiftc -sanitize=address,fuzzer -Xswiftc -enable-testing
}

# The counters guide libFuzzer; without them it would only guess at random.
has() { readelf --sections --wide "$scratch/release/$2.build/"*.o | grep -q "$1"; }

for target in "${targets[@]}"; do
    [ -f "Fuzz/$target/$target.swift" ] || { echo "fuzz: no target named $target" >&2; exit 66; }
    build "$target"
    has __sancov_cntrs "$target" || { echo "fuzz: $target is built without counters" >&2; exit 70; }
    has asan_globals "$target" || { echo "fuzz: $target is built without the address sanitizer" >&2; exit 70; }
    known=$scratch/corpus/$target
    found=$scratch/found/$target-
    mkdir -p "$known" "$scratch/found"
    seeds=()
    for folder in "Fuzz/Corpus/$target" "$scratch/seeds/$target"; do
        [ ! -d "$folder" ] || seeds+=("$folder")
    done
    echo "fuzz: $target for $seconds s"
    "$scratch/release/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
        -artifact_prefix="$found" -print_final_stats=1 -verbosity=1 "$known" "${seeds[@]}" 2>&1 |
        grep -vE '^#[0-9]+[[:space:]]+(REDUCE|NEW)' || { echo "fuzz: $target FAILED: see $found*" >&2; exit 1; }
done
