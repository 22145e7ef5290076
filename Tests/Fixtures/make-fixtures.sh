#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the audio files that the tests use, into .cache/fixtures of the package (or the folder given).
# Needs ffmpeg and sox. Does nothing if this script has not changed since the last run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../../.cache/fixtures}
stamp=$(cksum < "$here/make-fixtures.sh")
if [ "$(cat "$out/stamp" 2>/dev/null || true)" = "$stamp" ]; then exit 0; fi
mkdir -p "$(dirname "$out")"
work=$(mktemp -d "$out.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

# Without noise substitution (aac_pns), whose noise differs each time that it is decoded.
ff() { ffmpeg -nostdin -v error -y -bitexact "$@"; }

# A sweep: every place sounds different. Encoders get it without dither, so that it is the same each time.
sweep='0.4*sin(2*PI*t*(180+90*t))+0.1*sin(2*PI*t*(2100-30*t))'
ff -f lavfi -i "aevalsrc='$sweep':s=44100:d=12" -c:a pcm_f32le full.wav
sox -D full.wav -b 16 wav16.wav
sox -D full.wav -b 24 wav24.wav trim 0 4
sox -D full.wav -b 16 wav16s.wav trim 0 4

cat > chapters.txt <<'META'
;FFMETADATA1
title=A Sweep
artist=Rising Tone
album=Sweeps
[CHAPTER]
TIMEBASE=1/1000
START=0
END=2250
title=Ascent
[CHAPTER]
TIMEBASE=1/1000
START=2250
END=7001
title=Höhe
[CHAPTER]
TIMEBASE=1/1000
START=7001
END=12000
title=End
META
tagged="-i wav16.wav -f ffmetadata -i chapters.txt -map_metadata 1 -map_chapters 1"

cp full.wav float.wav
ff $tagged -c:a aac -aac_pns 0 -b:a 64k book.m4b
ff -i book.m4b -c copy -movflags +faststart faststart.m4b
ff $tagged -c:a libmp3lame -b:a 64k cbr.mp3
ff $tagged -c:a libmp3lame -q:a 6 vbr.mp3
ff -i wav16.wav -c:a libmp3lame -q:a 6 -write_xing 0 -id3v2_version 0 bare.mp3
ff $tagged -c:a libvorbis -q:a 1 -metadata CHAPTER001=00:00:00.000 -metadata CHAPTER001NAME=Ascent \
    -metadata CHAPTER002=00:00:02.250 -metadata CHAPTER002NAME=Höhe \
    -metadata CHAPTER003=00:00:07.001 -metadata CHAPTER003NAME=End vorbis.ogg
ff $tagged -c:a libopus -b:a 32k speech.opus
ff $tagged -c:a aac -aac_pns 0 -b:a 64k matroska.mka
ff -i wav16.wav -c:a aac -aac_pns 0 -b:a 64k plain.aac
ff -i wav16.wav -c:a aac -aac_pns 0 -b:a 64k -movflags +frag_keyframe+empty_moov -frag_duration 1000000 fragments.mp4
# A video, as some podcasts are; its picture comes first.
ff -f lavfi -i testsrc=size=64x48:rate=5:duration=12 -i wav16.wav -map 0:v -map 1:a -c:v mpeg4 -c:a aac -aac_pns 0 -b:a 64k \
    video.mp4
ff -i wav16.wav -c:a libvorbis -q:a 1 vorbis.mka
ff -i wav16.wav -c:a libopus -b:a 32k opus.webm
ff -i wav16.wav -c:a libmp3lame -b:a 64k mp3.mka
ff -i wav16s.wav -c:a flac flac16.flac
sox -D -n -r 48000 -b 16 -c 1 wav48.wav synth 1 sine 440
ff -i wav48.wav -c:a flac flac48.flac
ff -i wav24.wav -c:a flac -sample_fmt s32 -bits_per_raw_sample 24 flac24.flac
ff -i wav16s.wav -c:a flac flac.ogg
ff -i wav16s.wav -c:a flac flac.mka
ff -i wav16s.wav -c:a alac alac.m4a
ff -i wav16s.wav -c:a wmav2 -b:a 64k wma.wma
ff -i wav16s.wav -c:a wavpack wavpack.wv
sox -D wav16s.wav aiff.aiff

# A picture beside the sound, which must not be taken for the audio.
ff -f lavfi -i color=c=red:s=16x16:d=0.04 -frames:v 1 cover.png
ff -i wav16.wav -i cover.png -map 0:a -map 1:v -c:a aac -aac_pns 0 -b:a 64k -c:v png -disposition:v attached_pic cover.m4a

# Pictures in all places where formats keep them; the one that stands for the book is not the first.
cp cover.png front.png
ff -f lavfi -i color=c=blue:s=16x16:d=0.04 -frames:v 1 back.jpg
printf 'RIFF\026\000\000\000WEBPVP8 \012\000\000\000not decoded' > front.webp
pictured() {
    picture=$1
    shift
    ff -i wav16.wav -i back.jpg -i front.png -map 0:a -map 1:v -map 2:v -c:v copy -disposition:v attached_pic \
        -metadata:s:v:0 comment='Cover (back)' -metadata:s:v:1 comment='Cover (front)' "$@" "$picture"
}
pictured pictures.mp3 -c:a libmp3lame -b:a 64k -id3v2_version 3
pictured pictures.flac -c:a flac
ff -i wav16.wav -i front.png -map 0:a -map 1:v -c:a aac -aac_pns 0 -b:a 64k -c:v copy -disposition:v attached_pic \
    -movflags +faststart pictures.m4b
ff -i wav16.wav -attach back.jpg -metadata:s:t:0 mimetype=image/jpeg -metadata:s:t:0 filename=back.jpg \
    -attach front.webp -metadata:s:t:1 mimetype=image/webp -metadata:s:t:1 filename=cover.webp \
    -c:a libvorbis -q:a 1 pictures.mka
number() { for shift in 24 16 8 0; do printf "\\$(printf %03o $(($1 >> shift & 255)))"; done; }
block=$({ number 3; number 9; printf image/png; number 0; number 16; number 16; number 24; number 0
    number "$(wc -c < front.png)"; cat front.png; } | base64 -w 0)
ff -i wav16.wav -c:a libvorbis -q:a 1 -metadata METADATA_BLOCK_PICTURE="$block" pictures.ogg

# One recording cut in three at places that are no multiple of any codec's frame.
cut() { sox -D wav16.wav "$1" trim "$2"s "$3"s; }
cut part1.wav 0 100001
cut part2.wav 100001 150013
cut part3.wav 250014 279186
for part in 1 2 3; do
    ff -i part$part.wav -c:a flac part$part.flac
    ff -i part$part.wav -c:a libmp3lame -b:a 96k part$part.mp3
    ff -i part$part.wav -c:a aac -aac_pns 0 -b:a 96k part$part.m4a
    ff -i part$part.wav -c:a libvorbis -q:a 3 part$part.ogg
done

# Two channels that differ, and go beyond full scale at times, for peaks; and six of them.
right='0.9*sin(2*PI*t*(97+13*t))*(1-mod(t,2)/2)'
ff -f lavfi -i "aevalsrc='$sweep*2.2|$right':s=44100:d=7.3" -c:a pcm_f32le stereo.float.wav
ff -i stereo.float.wav -c:a pcm_s16le stereo.wav
ff -i stereo.float.wav -c:a pcm_s24le stereo24.wav
ff -i stereo.float.wav -c:a flac -sample_fmt s16 stereo.flac
ff -i stereo.float.wav -c:a flac -sample_fmt s32 -bits_per_raw_sample 24 stereo24.flac
ff -i stereo.float.wav -c:a libmp3lame -b:a 128k stereo.mp3
ff -i stereo.float.wav -c:a aac -aac_pns 0 -b:a 128k stereo.m4a
ff -i stereo.float.wav -c:a libvorbis -q:a 3 stereo.ogg
ff -i stereo.float.wav -c:a libopus -b:a 64k stereo.opus
ff -i stereo.float.wav -c:a pcm_u8 stereo8.wav
ff -i stereo.float.wav -c:a pcm_f64le stereo64.wav
ff -i stereo.float.wav -filter:a 'pan=5.1|FL=c0|FR=c1|FC=0.5*c0|LFE=0.2*c1|BL=0.7*c1|BR=0.1*c0' -c:a pcm_s16le six.wav

# Nothing to hear, and no audio.
sox -n -r 44100 -b 16 -c 1 silent.wav trim 0 0
printf 'Call me Ishmael. Some years ago, never mind how long precisely.\n' > words.mp3

rm full.wav cover.png chapters.txt
echo "$stamp" > stamp
rm -rf "$out"
mv "$work" "$out"
trap - EXIT
