#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the book of the demonstration: three spoken chapters in one m4b, with chapter marks and tags.
#
#   make-book.sh OUT.m4b
set -euo pipefail

out=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for tool in espeak-ng ffmpeg ffprobe; do
    command -v "$tool" >/dev/null || { echo "demo: $tool is missing: run 'make deps'" >&2; exit 69; }
done

{
    echo ';FFMETADATA1'
    echo "title=The Lighthouse Keeper's Radio"
    echo 'artist=A. Sounding'
    echo 'album=The Lighthouse Keeper'\''s Radio'
    echo 'genre=Audiobook'
} >"$work/tags"

start=0
for chapter in "1-the-lamp:The Lamp" "2-the-fog:The Fog" "3-the-waltz:The Waltz"; do
    file=$work/${chapter%%:*}.wav
    espeak-ng -v en -s 160 -w "$work/spoken.wav" -f "$here/${chapter%%:*}.txt"
    # Half a second of silence, as between the chapters of a real book.
    ffmpeg -v error -nostdin -y -i "$work/spoken.wav" -af apad=pad_dur=0.5 -ar 44100 "$file"
    seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$file")
    end=$(awk -v start="$start" -v seconds="$seconds" 'BEGIN { printf "%d", start + seconds * 1000 }')
    printf '[CHAPTER]\nTIMEBASE=1/1000\nSTART=%d\nEND=%d\ntitle=%s\n' "$start" "$end" "${chapter#*:}" >>"$work/tags"
    echo "file '$file'" >>"$work/parts"
    start=$end
done

mkdir -p "$(dirname "$out")"
ffmpeg -v error -nostdin -y -f concat -safe 0 -i "$work/parts" -f ffmetadata -i "$work/tags" \
    -map 0:a -map_metadata 1 -map_chapters 1 -c:a aac -b:a 64k -f ipod "$work/book.m4b"
# Rename in one step, so that an interrupted run leaves no incomplete book.
mv "$work/book.m4b" "$out"
