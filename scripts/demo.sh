#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Demonstrates Rostrum: plays a short book, switches to a text, switches back, and prints the transition log. With a
# sound server it is audible; without one, both are rendered to WAV files.
#
#   demo.sh [--render] BUILD_DIR
#
# Everything runs in a session of its own, in private folders, and ends with it.
set -euo pipefail

source=$(cd "$(dirname "$0")/.." && pwd)
mode=
[ "${1:-}" != --render ] || { mode=render; shift; }
build=$(cd "${1:?"demo: which build folder?"}" && pwd)
book=$source/.cache/demo/book.m4b
article=$source/scripts/demo/article.txt

fail() {
    echo "demo: $1" >&2
    exit "${2:-1}"
}

# A sound server may be named in the environment, or be where a desktop has it. A card may exist without a server.
heard() {
    [ -n "${PULSE_SERVER:-}" ] && return
    if [ -n "${XDG_RUNTIME_DIR:-}" ] && [ -S "$XDG_RUNTIME_DIR/pulse/native" ]; then
        export PULSE_SERVER=unix:$XDG_RUNTIME_DIR/pulse/native
        return
    fi
    compgen -G '/dev/snd/pcm*p' >/dev/null
}
[ -n "$mode" ] || { heard && mode=play || mode=render; }

# The cookie of the sound server is found through the user's own folders, which the session does not get.
if [ -z "${PULSE_COOKIE:-}" ] && [ -f "${XDG_CONFIG_HOME:-$HOME/.config}/pulse/cookie" ]; then
    export PULSE_COOKIE=${XDG_CONFIG_HOME:-$HOME/.config}/pulse/cookie
fi
# (It is in /tmp because a socket's path may have at most 107 bytes.)
private=$(mktemp -d /tmp/rostrum-demo.XXXXXX)
export XDG_RUNTIME_DIR=$private/run XDG_STATE_HOME=$private/state XDG_DATA_HOME=$private/data
export XDG_CONFIG_HOME=$private/config XDG_CACHE_HOME=$private/cache
mkdir -m 700 "$XDG_RUNTIME_DIR"

rostrum() { "$build/rostrum" "$@"; }

session() {
    local pid
    pid=$(cat "$XDG_RUNTIME_DIR/rostrum/session.lock" 2>/dev/null) && [ -n "$pid" ] &&
        [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = rostrumd ] && echo "$pid"
}

# Waits for a condition. It polls every 50 ms, because nothing can wake a shell.
await() {
    local seconds=$1 what=$2 end
    end=$((SECONDS + seconds))
    shift 2
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "waited $seconds s for $what; the session says: $(rostrum status --json 2>&1)"
        sleep 0.05
    done
}

gone() { ! session >/dev/null; }

end() {
    local status=$? pid
    trap - EXIT
    if pid=$(session); then
        rostrum stop >/dev/null 2>&1 || true
        kill -TERM "$pid" 2>/dev/null || true
        for _ in {1..100}; do
            gone && break
            sleep 0.05
        done
        ! pid=$(session) || kill -KILL "$pid" 2>/dev/null || true
    fi
    [ $status -eq 0 ] || [ ! -s "$XDG_STATE_HOME/rostrum/rostrumd.log" ] ||
        tail -n 5 "$XDG_STATE_HOME/rostrum/rostrumd.log" >&2
    rm -rf "$private"
    exit $status
}
trap end EXIT
trap 'exit 130' INT TERM

# Prints the position from the status, or nothing.
position() { rostrum status --json | sed -n 's/.*"position":{[^}]*"ms":\([0-9]*\).*/\1/p'; }

# Returns 0 if this engine plays, at or after this number of milliseconds of its item.
plays() {
    local status ms
    status=$(rostrum status --json 2>/dev/null) || return 1
    [[ $status == *'"status":"playing"'* && $status == *"\"engine\":\"$1\""* ]] || return 1
    ms=$(sed -n 's/.*"position":{[^}]*"ms":\([0-9]*\).*/\1/p' <<<"$status")
    [ -n "$ms" ] && [ "$ms" -ge "$2" ]
}

reading() { [[ $(rostrum status --json 2>/dev/null) =~ \"engine\":\"espeak\".*\"text\":\{[^}]*\"offset\":([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge "$1" ]; }

[ -f "$book" ] || { echo "making a short book: ${book#"$source"/}"; "$source/scripts/demo/make-book.sh" "$book"; }

if [ $mode = play ]; then
    echo "\$ rostrum play book.m4b"
    # A server or a card that is named may still be absent.
    status=0
    rostrum play --detach --at 3s "$book" || status=$?
    case $status in
    0) ;;
    69) mode=render ;;
    *) exit $status ;;
    esac
fi

if [ $mode = render ]; then
    out=$source/.cache/demo
    rostrum play "$book" --output "wav:$out/book.wav"
    rostrum read "$article" --output "wav:$out/article.wav"
    echo "no sound server and no sound card here, so the book and the text are in files:"
    for file in book article; do
        [ "$(stat -c %s "$out/$file.wav")" -gt 100000 ] || fail "$out/$file.wav is too short to be all of it"
        echo "    $out/$file.wav"
    done
    exit
fi

await 15 "the book" plays ffmpeg 10000

echo "\$ rostrum read article.txt          (the book stops, the text is read at once)"
left=$(position)
rostrum read --detach "$article"
await 20 "the text" reading 130

echo "\$ rostrum engine ffmpeg             (the book again, where it was heard last)"
rostrum engine ffmpeg
await 10 "the book" plays ffmpeg 0
back=$(position)
echo "    left at $left ms, back at $back ms"
if [ $((back - left)) -lt -100 ] || [ $((back - left)) -gt 2000 ]; then
    fail "the book did not come back where it was left"
fi
await 15 "some of the book" plays ffmpeg $((left + 5000))
rostrum stop

echo "\$ rostrum log"
rostrum log
