#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs tests under a sanitizer, in a build folder of its own.
#
#   sanitize.sh [--build] thread|address FILTER [JOBS]
#       FILTER: test targets, as swift test --filter takes them
#       --build: builds them only, on processor time that nothing else wants
set -euo pipefail
cd "$(dirname "$0")/.."

idle=()
if [ "$1" = --build ]; then
    shift
    idle=(chrt --idle 0)
fi
kind=$1
filter=$2
jobs=${3:-2}
scratch=.build-${kind:0:1}san

# A filter that matches nothing would pass.
IFS='|' read -ra names <<<"$filter"
for name in "${names[@]}"; do
    [ -d "Tests/$name" ] || { echo "sanitize: no tests named $name" >&2; exit 66; }
done

export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1 ${TSAN_OPTIONS:-}"
# libltdl keeps modules resident, and a daemon that a test kills frees nothing. Some tests have an engine die of a
# signal, and check for it.
export ASAN_OPTIONS="detect_leaks=0 halt_on_error=1 handle_segv=0 handle_abort=0 ${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="halt_on_error=1 print_stacktrace=1"

# The thread sanitizer cannot place its memory under the widest address randomisation.
run=()
skip=()
if [ "$kind" = thread ] && [ "$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 28)" -gt 28 ] &&
    setarch --addr-no-randomize true 2>/dev/null; then
    run=(setarch --addr-no-randomize)
fi

# The address sanitizer keeps freed memory, so a test of memory use would measure the sanitizer.
[ "$kind" = thread ] || skip=(--skip 'costs no more memory')
export ROSTRUM_SANITIZE=$kind ROSTRUM_SANITIZED_TESTS=$filter
"${idle[@]}" swift build --jobs "$jobs" --build-tests --sanitize="$kind" --scratch-path "$scratch"
[ ${#idle[@]} = 0 ] || exit 0
scripts/layout-engines.sh "$scratch/debug"
"${run[@]}" swift test --skip-build --disable-xctest --no-parallel --sanitize="$kind" --scratch-path "$scratch" --filter "$filter" "${skip[@]}"
