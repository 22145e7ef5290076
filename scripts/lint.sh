#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs every check that runs no test. All checks run; the exit code is 1 if one failed.
#
#   lint.sh [JOBS]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

failed=0
check() {
    local name=$1
    shift
    local output
    if output=$("$@" 2>&1); then
        echo "lint: $name: ok"
    else
        echo "lint: $name: FAILED"
        printf '%s\n' "$output" | tail -n 60
        failed=1
    fi
}

# The clang of the Swift toolchain, or else the machine's own.
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
[ -x "$clang" ] || clang=clang

# Each public header compiles alone, as C11 and as C++17.
headers() {
    local header include=Sources/Contract/EngineABI/include status=0
    for header in "$include"/rostrum/*.h; do
        "$clang" -x c -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$include" "$header" &&
            "$clang" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$include" "$header" || status=1
    done
    return "$status"
}

# Package.swift has no flags that could make the warnings of our C code errors.
c_warnings() {
    local file status=0
    while IFS= read -r file; do
        "$clang" -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I "$(dirname "$file")/include" \
            -I Sources/Contract/EngineABI/include -I /usr/include/libxml2 "$file" || status=1
    done < <(find Sources Plugins Fuzz -name '*.c')
    return "$status"
}

# The template that an author starts with stays short.
template() {
    local lines
    lines=$(wc -l <Examples/c-wav/c-wav.c)
    [ "$lines" -le 150 ] || { echo "Examples/c-wav/c-wav.c has $lines lines, more than 150"; return 1; }
}

spdx() {
    local missing
    missing=$(grep -rL 'SPDX-License-Identifier' --include='*.swift' --include='*.c' --include='*.cpp' --include='*.h' \
        --include='*.sh' --include='*.py' --include=Makefile Package.swift Makefile Sources Plugins Tests Benchmarks \
        Examples Fuzz scripts .ci |
        grep -v '/shim\.h$')
    [ -z "$missing" ] || { echo "no SPDX line: $missing"; return 1; }
}

mapfile -t swift < <(find Package.swift Sources Plugins Tests Benchmarks Examples Fuzz -name '*.swift' \
    -not -path '*/.build*')
mapfile -t scripts < <(grep -rlE '^#!/bin/(ba)?sh' scripts .ci Tests Benchmarks)

check "format" swift format lint --strict --parallel "${swift[@]}"
check "imports between targets" swift build --jobs "${1:-2}" --explicit-target-dependency-import-check error
check "headers alone" headers
check "C warnings" c_warnings
check "scripts" shellcheck --severity=warning "${scripts[@]}"
check "licence lines" spdx
check "names and summaries" python3 scripts/check-names.py
check "template" template
check "engines laid out" scripts/layout-engines.sh .build/debug
check "dependencies" python3 scripts/check-dependencies.py .build/debug
check "layers" python3 scripts/check-layers.py
check "documents" python3 scripts/check-docs.py
check "references" python3 scripts/docc.py .build/debug .build/docc
check "session protocol" python3 scripts/check-protocol.py
check "commands in messages" python3 scripts/check-commands.py
exit $failed
