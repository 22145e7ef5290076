#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the programs against other players with the probe of ../shared/probe.
#
#   bench.sh BUILD_DIR
#
# PEERS in the environment names the other players (mpv,vlc,floor), BENCH further options of the probe (--n 3
# --no-offline).
set -euo pipefail

source=$(cd "$(dirname "$0")/.." && pwd)
probe=${ROSTRUM_SHARED:-$source/../shared}/probe
[ -f "$probe/run.py" ] || {
    echo "bench: $probe/run.py is missing: set ROSTRUM_SHARED to the folder that has the probe" >&2
    exit 69
}
ROSTRUM_BUILD=$(cd "$1" && pwd)
export ROSTRUM_BUILD PYTHONDONTWRITEBYTECODE=1
read -ra options <<<"${BENCH:---n 3 --no-offline}"
exec /usr/bin/python3 "$probe/run.py" --peers "${PEERS:-mpv,vlc,floor},$source/Benchmarks/probe/rostrum.py" "${options[@]}"
