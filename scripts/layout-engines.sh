#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Lays out the engines of a build as the loader expects them: BUILD_DIR/engines/ID.engine/ with the manifest and the
# module, for each folder of Plugins.
#
#   layout-engines.sh BUILD_DIR
#
# The loader refuses folders and modules that others may write to, and a module may not be a link that leads out of its
# folder. So these are copies, with modes that do not depend on the umask. An engine that is in use keeps its old file.
set -euo pipefail

plugins=$(cd "$(dirname "$0")/../Plugins" && pwd)
build=${1:?"layout-engines: which build folder?"}
engines=$build/engines

# Prints the first string under a key of a manifest (an object without nesting, one key a line).
field() {
    sed -n 's/.*"'"$1"'"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p' "$2" | head -n 1
}

copy() {
    cmp -s "$1" "$2" && return
    install -m "$3" "$1" "$2.new"
    mv -f "$2.new" "$2"
}

install -d -m 755 "$engines"
kept=()
for manifest in "$plugins"/*/manifest.json; do
    id=$(field id "$manifest")
    module=$(field module "$manifest")
    if [[ ! $id =~ ^[a-z0-9][a-z0-9-]*$ || -z $module || $module == */* ]]; then
        echo "layout-engines: $manifest names no id and module: left out" >&2
        continue
    fi
    if [ ! -f "$build/$module" ]; then
        echo "layout-engines: $build/$module is missing: build it first (swift build)" >&2
        exit 66
    fi
    folder=$engines/$id.engine
    install -d -m 755 "$folder"
    copy "$build/$module" "$folder/$module" 755
    copy "$manifest" "$folder/manifest.json" 644
    kept+=("$id.engine")
done

# An engine that an earlier layout made, and that no plugin names any more, would still be found.
for folder in "$engines"/*.engine; do
    [ -d "$folder" ] || continue
    name=${folder##*/}
    [[ " ${kept[*]} " == *" $name "* ]] || rm -rf "$folder"
done

# `rostrum engines new` looks for this beside the program if nothing is installed.
ln -sfn "$plugins/../Examples" "$build/templates"
ln -sfn "$plugins/../Sources/Contract" "$build/sdk"
