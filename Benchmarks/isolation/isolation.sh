#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures what it costs to run an engine in a process of its own: processor time and latency of the ffmpeg engine with
# one file, hosted in a process and in-process in turn, in one run.
#
#   isolation.sh [--speed N] [--repetitions N] [--commands N]
#
# --speed is the speed of playback relative to real time (20; 1 takes twenty times as long), --repetitions the number of
# runs for each rate (7), --commands the number of seeks (300). It exits with 1 if isolation adds more than 5 % or 2 ms.
# Quote a figure only from a machine that has nothing else to do.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Like speech: energy in all bands, and nothing that a codec leaves out.
book=.cache/isolation-1/book.m4b
if [ ! -f "$book" ]; then
    mkdir -p "${book%/*}"
    ffmpeg -nostdin -v error -y -f lavfi -i 'anoisesrc=r=44100:c=pink:a=0.3:seed=1:d=300' \
        -f lavfi -i 'sine=f=180:r=44100:d=300' \
        -filter_complex '[0][1]amix=2,tremolo=f=4:d=0.8,aformat=channel_layouts=stereo' \
        -c:a aac -b:a 96k -f mp4 "$book.$$"
    mv "$book.$$" "$book"
fi
for product in rostrum-engine-runner FFmpegEngine IsolationBenchmark; do
    swift build --configuration release --product "$product" >&2
done
exec .build/release/IsolationBenchmark "$PWD/.build/release" "$PWD/$book" "$@"
