#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Made x86_64/fixture.so once, on Debian 12 (gcc 12.2), from fixture.c and the headers here, all of them as they were in version
# 1.0 of the contract. They stay as they are: what a later version changes must not keep this module from loading.
#
#   build.sh OUTPUT
set -eu
cd "$(dirname "$0")"
exec cc -std=gnu11 -Os -s -Wl,--build-id=none -shared -fPIC -fvisibility=hidden -I. fixture.c -o "$1"
